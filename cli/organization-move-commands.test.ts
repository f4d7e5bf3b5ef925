import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { adminOf } from '../src/hosting/verification/damaged-shop.test-support.ts';
import { Database } from '../src/platform/database/database.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../test/harness/test-shop.ts';
import type { Deployment } from './deployment.ts';
import { organizationMoveCommands } from './organization-move-commands.ts';

/* The operator's commands for an organization that leaves, stands still, or ends. */

const service = await startOwnTestService();
const { context } = service;
const operator = new Database(service.database.owner, 1);
const folder = mkdtempSync(join(tmpdir(), 'dispensary-organization-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await operator.close();
  await service.close();
});

const deployment = {
  ...{ context, operator, documentFiles: service.documentFiles, screen: { write: () => true } },
  config: { dataDir: service.documentFolder, environment: 'production' },
  database: { admin: null, owner: adminOf(service), serving: service.database.serving, isShared: false },
} as unknown as Deployment;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
const run = async (name: string, options: Record<string, string>): Promise<any> =>
  organizationMoveCommands[`organization ${name}`]!.run!(deployment, options);

test('an organization is suspended, written out, taken in, resumed and ended by commands, each in its audit log', async () => {
  await service.photoBlobs.put('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const shop = await createTestShop(context);
  const organization = String(shop.organizationId);
  const place = () => service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect((await place()).status).toBe(201);

  expect((await run('suspend', { organization })).data.suspendedBecause).toBe('operator');
  service.clock.advance(1_000);
  const refused = await place();
  expect([refused.status, refused.error?.code]).toEqual([403, 'ORGANIZATION_SUSPENDED']);
  expect((await service.call('GET', '/api/v1/orders', { keys: shop.keys })).status).toBe(200);

  const to = join(folder, 'shop.moved');
  const written = await run('export', { organization, to });
  expect(written.data).toMatchObject({ isSuspended: true, documents: 0 });
  await expect(run('export', { organization, to })).rejects.toThrow(/must not exist/);
  const taken = await run('import', { from: to });
  expect(taken).toMatchObject({
    exitCode: 0,
    data: { formerId: shop.organizationId, rows: written.data.rows, verification: { isWhole: true } },
  });
  expect(taken.data.clientKeys.length).toBeGreaterThan(0);
  await expect(run('import', { from: join(folder, 'none') })).rejects.toThrow(/there is no file/);

  const arrived = String(taken.data.organizationId);
  service.clock.advance(1_000);
  expect((await run('resume', { organization: arrived })).data.suspendedAt).toBeNull();
  const { name } = (await run('resume', { organization })).data;
  service.clock.advance(1_000);
  expect((await place()).status).toBe(201);
  await expect(run('delete', { organization, name: 'Another shop' })).rejects.toThrow(/is called/);
  const ended = await run('delete', { organization, name, 'after-days': '3' });
  expect(Date.parse(ended.data.endsAt)).toBe(context.clock.now() + 3 * 86_400_000);

  const audited = async (id: typeof shop.organizationId) =>
    (
      await tenantSql(
        context.database,
        id,
        `select action, actor from audit_entries where action like 'organization.%' and actor = 'job:operator' order by created_at, id`,
      )
    ).map(({ action }) => action);
  const before = ['organization.suspended', 'organization.moved_out'];
  expect(await audited(shop.organizationId)).toEqual([
    ...before,
    ...['organization.resumed', 'organization.ending'],
  ]);
  // The log came along.
  expect(await audited(taken.data.organizationId)).toEqual([
    ...before,
    ...['organization.moved_in', 'organization.resumed'],
  ]);
});
