import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createStaff } from '../src/access/staff/staff.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { startOwnTestService } from './harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from './harness/test-shop.ts';

const readme = readFileSync(join(projectFolder(), 'README.md'), 'utf8');
const service = await startOwnTestService();
const addresses = await service.listen();
afterAll(() => service.close());

interface Followed {
  readonly shop: TestShop;
  readonly owner: { readonly id: number; readonly email: string };
  /** What the commands print. */
  readonly out: string;
}

/** Runs the commands of a page in a folder as `npm start` leaves it, for a shop of its own. */
async function follow(page: string): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-page-'));
  try {
    const shop = await createTestShop(service.context);
    const staff = { email: `owner-${shop.organizationId}@shop.example.com`, password: 'lemon grove 7' };
    const person = { ...staff, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    const [id] = await createStaff(service.context, testOrigin, shop.organizationId, [person]);
    mkdirSync(join(folder, 'data'));
    const demo = { ...addresses, organizations: [{ ...shop.keys, staff }] };
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(demo));
    const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
    const shell = spawn('sh', ['-eu', '-c', blocks.join('\n')], { cwd: folder });
    const [[exitCode], out, errors] = await Promise.all([
      once(shell, 'exit'),
      text(shell.stdout),
      text(shell.stderr),
    ]);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    return { shop, owner: { id: id!, email: staff.email }, out };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the commands place one order and show it, and sign the owner in', async () => {
  const { shop, owner, out } = await follow(readme);
  const { data: orders } = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
  expect(orders).toHaveLength(1);
  const [{ id, status, customerGrandTotal }] = orders;
  expect(out).toContain(`${customerGrandTotal} cents`);
  expect(out).toContain(`{"data":{"id":"${id}","status":"${status}"}}`);
  expect(out).toContain(`'${id}', '${status}', ${customerGrandTotal}`);
  expect(out).toContain(`{"data":{"staff":{"id":${owner.id},"email":"${owner.email}"`);
});

test('the commands of the page on promotions set up, change and end their discounts', async () => {
  const { shop, out } = await follow(readFileSync(join(projectFolder(), 'docs/PROMOTIONS.md'), 'utf8'));
  expect(out.split('\n')).toEqual([
    ...["[ 'SLOW10' ]", '2026-03-10T18:00:00.000Z', '0', 'Comes after eleven'],
    '{"data":{"pointsPerDollar":"1.5","updatedAt":"2026-03-10T18:00:00.000Z"}}5 dollars off',
    '',
  ]);
  const owner = await service.staff(shop);
  const { data } = await owner.call('GET', '/staff/v1/discounts?ended=true');
  expect(data).toMatchObject([
    { name: 'Slow afternoons', amount: 10, codes: ['SLOW10'], usesPerCustomer: 1 },
  ]);
});

test('the table of settings has every variable that the configuration reads, and no other', () => {
  const folder = join(projectFolder(), 'src', 'hosting', 'startup');
  const source = ['address-settings.ts', 'config.ts', 'key-settings.ts', 'mail-settings.ts']
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
