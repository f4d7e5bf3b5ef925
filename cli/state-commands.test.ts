import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seededKeys, seededLicenses } from '../src/hosting/state-server/seed-world.ts';
import { startStateServer } from '../src/hosting/state-server/state-server.ts';
import { Database } from '../src/platform/database/database.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop } from '../test/harness/test-shop.ts';
import type { Deployment } from './deployment.ts';
import { stateCommands } from './state-commands.ts';

const service = await startTestService();
const operator = new Database(service.database.owner, 1);
const folder = mkdtempSync(join(tmpdir(), 'dispensary-state-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await operator.close();
  await service.close();
});

test('the operator connects a license, hears at once whether the state lets it in, and gives it another key', async () => {
  const state = await startStateServer({ clock: service.clock, packages: 0 });
  const shop = await createTestShop(service.context);
  const stateSystem = { url: state.url, vendorKey: seededKeys.vendor };
  const deployment = { context: service.context, operator, config: { stateSystem } } as unknown as Deployment;
  const run = (name: string, options: Readonly<Record<string, string>> = {}) =>
    stateCommands[name]!.run!(deployment, { organization: String(shop.organizationId), ...options });
  const keyFile = join(folder, 'key');
  const connect = (key: string) => {
    writeFileSync(keyFile, `${key}\n`);
    return run('state connect', { state: 'CA', license: seededLicenses[0], 'key-file': keyFile });
  };
  const wrong = await connect('a-wrong-key');
  expect(wrong.data).toMatchObject([{ isOn: true, problem: 'The state does not accept the keys.' }]);
  const right = await connect(seededKeys.user);
  expect(right.data).toMatchObject([{ problem: null, facilityName: 'Juniper Street', system: 'metrc' }]);
  expect(right.lines).toEqual([
    expect.stringMatching(/^\d+ {2}CA {2}TEST-R-0001 {2}metrc {2}Juniper Street$/),
  ]);
  expect(await run('state list')).toEqual(right);
  expect(JSON.stringify(right)).not.toContain(seededKeys.user);
  await expect(
    run('state connect', { state: 'CA', license: 'X', 'key-file': join(folder, 'none') }),
  ).rejects.toThrow('--key-file: ENOENT');
  await state.close();
});
