import { afterAll, expect, test } from 'vitest';
import { runMoveJobs } from '../../../test/harness/run-move-jobs.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { importFormerSales, readFormerSale } from '../former-sales/former-sales.ts';

/* Rows that are wrong in ways that no conversion sees: each is refused by itself, and the others come in. */

const service = await startTestService();
afterAll(() => service.close());
const { context } = service;

async function loaded(kind: string, fileName: string, content: string) {
  const shop = await createTestShop(context, { products: [] });
  const owner = await service.staff(shop);
  await owner.call('POST', '/staff/v1/move', { till: 'Corner till' });
  const { data } = await owner.call(
    'POST',
    `/staff/v1/move/files?kind=${kind}&fileName=${fileName}`,
    Buffer.from(content),
    { headers: { 'content-type': 'application/octet-stream' } },
  );
  await owner.call('POST', `/staff/v1/move/files/${data.id}/runs`, { dryRun: false });
  await runMoveJobs(context, shop.organizationId);
  const { uploads } = (await owner.call('GET', '/staff/v1/move')).data;
  return uploads.find(({ id }: { id: number }) => id === data.id);
}

const line = { productName: 'Sample Kush', quantity: '1', net: 1200 };
const sale = (over: object) =>
  JSON.stringify({ number: 'A', soldAt: '2025-03-01', options: [line], ...over });
const withLine = (over: object) => sale({ options: [{ ...line, ...over }] });
const stock = (over: object) =>
  JSON.stringify({ tag: 'T-1', productName: 'Sample Kush', options: [{ quantity: '1' }], ...over });
const withPlace = (over: object) => stock({ options: [{ quantity: '1', ...over }] });
const closing = (over: object) => JSON.stringify({ day: '2025-03-01', net: 1, tax: 1, ...over });
const good: Readonly<Record<string, string>> = {
  ...{ sales: sale({ number: 'B' }), packages: withPlace({ quantity: '0' }) },
  ...{ closings: closing({}), state: JSON.stringify({ tag: 'T-2', quantity: '1' }) },
};

test.each([
  ['sales', 'soldAt', sale({ soldAt: '2025-02-31' })],
  ['sales', 'soldAt', sale({ soldAt: '2025-13-01T10:00:00' })],
  ['sales', 'soldAt', sale({ soldAt: '2025-03-01T24:00:00' })],
  ['sales', 'soldAt', sale({ soldAt: '2025-02-31T10:00:00Z' })],
  ['sales', 'soldAt', sale({ soldAt: '+275760-09-13T00:00:00Z' })],
  // It would be the local time of the server.
  ['sales', 'soldAt', sale({ soldAt: '3/14/2025 10:15' })],
  ['sales', 'soldTime', sale({ soldTime: '10:15 AM' })],
  ['sales', 'soldTime', sale({ soldTime: 'noon' })],
  ['sales', 'quantity', withLine({ quantity: 'abc' })],
  ['sales', 'quantity', withLine({ quantity: '1e40' })],
  ['packages', 'expirationDate', stock({ expirationDate: '2025-02-31' })],
  ['packages', 'quantity', withPlace({ quantity: 'abc' })],
  ['packages', 'unitCost', withPlace({ unitCost: '1e40' })],
  ['closings', 'day', closing({ day: '2025-02-31' })],
  ['state', 'quantity', JSON.stringify({ tag: 'T-1', quantity: 'abc' })],
])('%s: a wrong %s is refused and named, and the next row comes in (%#)', async (kind, field, bad) => {
  const done = await loaded(kind, `${kind}.ndjson`, `${bad}\n${good[kind]}\n`);
  expect(done).toMatchObject({ status: 'done', read: 2, refused: 1, problems: [{ line: 1 }] });
  const [{ column, message }] = done.problems;
  expect(`${column} ${message}`).toContain(field);
});

test('a tag may be named like what every object has', async () => {
  const done = await loaded('state', 'state.csv', 'tag,quantity\n__proto__,1\nconstructor,2\n');
  expect(done).toMatchObject({ status: 'done', read: 2, refused: 0 });
});

test('a moment without an offset is the local time of the shop, with or without seconds', async () => {
  const shop = await createTestShop(context, { products: [] });
  const rows = ['2025-03-01T10:15', '2025-03-01T10:15:09', '2025-03-01T18:15:09Z'].map((soldAt, at) =>
    readFormerSale(JSON.parse(sale({ number: `M${at}`, soldAt }))),
  );
  await importFormerSales(context, testOrigin, shop.organizationId, rows, { isTrial: false });
  const kept = await tenantSql(
    context.database,
    shop.organizationId,
    `select to_char(sold_at at time zone tz, 'HH24:MI:SS') as sold
       from former_sales s join organizations o on o.id = s.organization_id order by number`,
  );
  expect(kept.map(({ sold }) => sold)).toEqual(['10:15:00', '10:15:09', '10:15:09']);
});
