import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import { isoTimestamp, localInstantMs } from '../src/kernel/local-time.ts';
import { DiskBlobStore } from '../src/platform/storage/blob-store.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService, type TestService } from '../test/harness/test-service.ts';
import { californiaShop } from './california-shop.ts';
import { loadShop } from './load-shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-seed-'));
let service: TestService;

beforeAll(async () => {
  service = await startOwnTestService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Columns that may be in the future, and columns that use the database's clock. */
const mayBeAhead = new Set([
  'customer_credits.expires_at',
  'discounts.ends_at',
  'discounts.starts_at',
  'package_changes.changed_at',
  // By when the state must have a report of a sale, and from when a missing one is an alarm.
  'state_reports.alarm_at',
  'state_reports.due_at',
  // Changes at one moment move it forward by a millisecond each.
  'customers.updated_at',
  'customer_past_places.left_at',
  'record_changes.after',
  'record_changes.before',
  // Infinite until the first orders are counted.
  'book_states.counted_from',
]);

/** Every time column that has a value after `nowMs` for the organization. */
async function columnsAhead(organization: OrganizationId, nowMs: number): Promise<string[]> {
  const sql = (text: string) => tenantSql(service.context.database, organization, text);
  const columns = await sql(
    `select c.table_name, c.column_name from information_schema.columns c
       join information_schema.columns o using (table_schema, table_name)
      where c.data_type = 'timestamp with time zone' and o.column_name = 'organization_id'
        and c.table_schema = current_schema() order by 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(50);
  const checks = columns.map(
    ({ table_name: table, column_name: column }) =>
      `select '${table}.${column}' as name where exists (select from ${table} where ${column} > '${isoTimestamp(nowMs)}')`,
  );
  return (await sql(checks.join('\nunion all\n'))).map(({ name }) => name);
}

test.each([
  ['just after midnight', 5],
  ['just before midnight', 23 * 60 + 55],
] as const)(
  'a demo shop made %s contains no future events, and only customers who have joined wait in the queue',
  async (_when, minuteOfDay) => {
    const nowMs = localInstantMs('2026-11-20', minuteOfDay, californiaShop.organization.tz);
    service.clock.set(nowMs);
    const files = { photos: new DiskBlobStore(join(folder, 'photos')), documents: service.documentFiles };
    const size = { customers: 600, days: 30, orders: 40 };
    const { id } = await loadShop(service.context, 'production', files, californiaShop, size);
    const ahead = await columnsAhead(organizationId(id), nowMs);
    expect(ahead.filter((column) => !mayBeAhead.has(column))).toEqual([]);
    const sql = (text: string) => tenantSql(service.context.database, organizationId(id), text);
    const joined = await sql(
      `select id from customers where joined_at > '${isoTimestamp(nowMs - 86_400_000)}'`,
    );
    expect(joined.length).toBeGreaterThan(0);
    const early = await sql(
      `select q.id from queue_entries q join customers c on c.organization_id = q.organization_id and c.id = q.user_id
      where q.checked_in_at < c.joined_at`,
    );
    expect(early).toEqual([]);
  },
);
