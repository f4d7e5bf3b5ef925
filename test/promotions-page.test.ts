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

const page = readFileSync(join(projectFolder(), 'docs/PROMOTIONS.md'), 'utf8');

test('the commands of the page on promotions set up, change and end their discounts', async () => {
  const service = await startOwnTestService();
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-promotions-'));
  try {
    const shop = await createTestShop(service.context);
    const staff = { email: 'owner@shop.example.com', password: 'lemon grove 7' };
    const person = { ...staff, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    await createStaff(service.context, testOrigin, shop.organizationId, [person]);
    mkdirSync(join(folder, 'data'));
    const demo = { ...(await service.listen()), organizations: [{ ...shop.keys, staff }] };
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(demo));

    const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
    const shell = spawn('sh', ['-eu', '-c', blocks.join('\n')], { cwd: folder });
    const [[exitCode], out, errors] = await Promise.all([
      once(shell, 'exit'),
      text(shell.stdout),
      text(shell.stderr),
    ]);

    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const shown = ["[ 'SLOW10' ]", '2026-03-10T18:00:00.000Z', '0', 'Comes after eleven'];
    expect(out.split('\n')).toEqual([
      ...shown,
      '{"data":{"pointsPerDollar":"1.5","updatedAt":"2026-03-10T18:00:00.000Z"}}5 dollars off',
      '',
    ]);
    const owner = await service.staff(shop);
    const { data } = await owner.call('GET', '/staff/v1/discounts?ended=true');
    expect(data).toMatchObject([
      { name: 'Slow afternoons', amount: 10, codes: ['SLOW10'], usesPerCustomer: 1 },
    ]);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
});
