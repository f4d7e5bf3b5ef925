import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createStaff } from '../src/access/staff/staff.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { startOwnTestService } from './harness/test-service.ts';
import { createTestShop, testOrigin } from './harness/test-shop.ts';

const readme = readFileSync(join(projectFolder(), 'README.md'), 'utf8');

test('the commands place one order and show it, and sign the owner in', async () => {
  const service = await startOwnTestService();
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-readme-'));
  try {
    const shop = await createTestShop(service.context);
    mkdirSync(join(folder, 'data'));
    const staff = { email: 'owner@shop.example.com', password: 'lemon grove 7' };
    const person = { ...staff, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    const [staffId] = await createStaff(service.context, testOrigin, shop.organizationId, [person]);
    const demo = { ...(await service.listen()), organizations: [{ ...shop.keys, staff }] };
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(demo));

    const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
    const shell = spawn('sh', ['-eu', '-c', blocks.join('\n')], { cwd: folder });
    const [[exitCode], out, errors] = await Promise.all([
      once(shell, 'exit'),
      text(shell.stdout),
      text(shell.stderr),
    ]);

    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const { data: orders } = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
    expect(orders).toHaveLength(1);
    const [{ id, status, customerGrandTotal }] = orders;
    expect(out).toContain(`${customerGrandTotal} cents`);
    expect(out).toContain(`{"data":{"id":"${id}","status":"${status}"}}`);
    expect(out).toContain(`'${id}', '${status}', ${customerGrandTotal}`);
    expect(out).toContain(`{"data":{"staff":{"id":${staffId},"email":"${staff.email}"`);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
});

test('the table of settings has every variable that the configuration reads, and no other', () => {
  const folder = join(projectFolder(), 'src', 'hosting', 'startup');
  const source = ['config.ts', 'key-settings.ts', 'mail-settings.ts']
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  const own = [...source.matchAll(/\bread\s*\.\w+\('([A-Z0-9_]+)'/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.startsWith('OTEL_'));
  // The variables of OpenTelemetry have one row, which leads to them.
  const read = [...own, 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const shown = [...readme.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
  expect(shown.toSorted()).toEqual([...new Set(read)].toSorted());
});
