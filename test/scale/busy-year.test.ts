import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { verifyShop } from '../../src/hosting/verification/damaged-shop.test-support.ts';
import { casesOf } from '../harness/long-suite.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { type GrownTable, tradeBusyYear } from './busy-year.ts';

/** The arguments of `npm run growth`: how many orders are placed, and a file for the figures. */
const { GROWTH_ORDERS: askedOrders, GROWTH_JSON: jsonPath } = process.env;
const orders = askedOrders === undefined ? casesOf({ everyRun: 24, long: 1_000 }) : Number(askedOrders);
const pruneEveryDays = casesOf({ everyRun: 60, long: 7 });
/** A busy shop. */
const ordersOfYear = 365_000;

const service = await startOwnTestService();
afterAll(() => service.close());

test(`after a year of ${orders} orders there is what is kept for ever, and of the rest what is young`, async () => {
  const { shop, tables } = await tradeBusyYear(
    service,
    { orders, pruneEveryDays: askedOrders === undefined ? pruneEveryDays : 7 },
    (day) => {
      if (askedOrders !== undefined && day % 30 === 0) console.log(`day ${day} of 365`);
    },
  );
  if (askedOrders !== undefined) console.log(growthTable(tables));
  if (jsonPath !== undefined) writeFileSync(jsonPath, JSON.stringify({ orders, tables }, null, 2));
  const rowsOf = (name: string) => tables.find((table) => table.name === name)!.rows;
  expect(rowsOf('orders')).toBe(orders + 3);
  // The last pass is at the end of the year.
  const share = 31 / 365;
  const perOrder = { outbox_events: 12, webhook_deliveries: 12, idempotency_keys: 4, api_request_batches: 2 };
  for (const [name, most] of Object.entries(perOrder)) {
    expect([name, rowsOf(name) <= Math.ceil(orders * share + 2) * most + 20]).toEqual([name, true]);
  }
  expect(rowsOf('outbox_events')).toBeGreaterThan(0);
  mkdirSync(join(service.documentFolder, 'documents'), { recursive: true });
  await service.photoBlobs.put('a.svg', Buffer.from('<svg/>'));
  const report = await verifyShop(service, shop);
  expect(report.findings.filter(({ isDamage }) => isDamage)).toEqual([]);
}, 3_600_000);

/** Megabytes by table, as Markdown: measured, and what a busy shop would have after a year. */
function growthTable(tables: readonly GrownTable[]): string {
  const scale = ordersOfYear / orders;
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  const small = tables.filter(({ bytes }) => bytes * scale < 20_000_000);
  const sum = (some: readonly GrownTable[]) => some.reduce((total, { bytes }) => total + bytes, 0);
  const line = (name: string, bytes: number, rows: number) =>
    `| ${name} | ${Math.round(rows * scale).toLocaleString('en-US')} | ${megabytes(bytes)} | ${Math.round((bytes * scale) / 1_000_000)} |`;
  const large = tables.filter((table) => !small.includes(table));
  const rowsIn = (some: readonly GrownTable[]) => some.reduce((total, { rows }) => total + rows, 0);
  return [
    `| Table | Rows of a year | ${orders} orders, MB | 365,000 orders, MB |`,
    '| --- | ---: | ---: | ---: |',
    ...large.map(({ name, bytes, rows }) => line(`\`${name}\``, bytes, rows)),
    line(`${small.length} others`, sum(small), rowsIn(small)),
    line('all', sum(tables), rowsIn(tables)),
  ].join('\n');
}
