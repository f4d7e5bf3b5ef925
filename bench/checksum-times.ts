import { Client } from 'pg';
import type { ConnectionConfig } from '../src/platform/database/database.ts';

/** A shop with a million records, and how to read it. */
interface FilledShop {
  readonly connection: ConnectionConfig;
  readonly organizationId: number;
  readonly rowCount: number;
  /** Resolves to the data of a reply of the interface for integrators. */
  readonly get: (path: string) => Promise<unknown>;
}

const timesMeasured = 15;
/** As many changes as a reader leaves for later. */
const changesWaiting = 500;
const ordersWritten = 2_000;

const collections = [
  { collection: 'orders', table: 'orders', time: 'updated_at' },
  { collection: 'customers', table: 'customers', time: 'updated_at' },
  { collection: 'products', table: 'products', time: 'updated_at' },
  { collection: 'packages', table: 'package_changes', time: 'changed_at' },
  { collection: 'purchase_orders', table: 'purchase_orders', time: 'updated_at' },
] as const;
/** What has to grow. */
export const checksummedTables: readonly string[] = [...collections.map(({ table }) => table), 'packages'];

/**
 * Prints the times of the checksum of each collection with many records, and what a change of an order costs with and
 * without its trigger. See README.md.
 */
export async function reportChecksums(shop: FilledShop): Promise<void> {
  const admin = new Client(shop.connection);
  await admin.connect();
  try {
    await admin.query(`select set_config('app.organization_id', $1, false)`, [String(shop.organizationId)]);
    await reportCollections(shop, admin);
    await reportTrigger(admin);
  } finally {
    await admin.end();
  }
}

async function reportCollections(shop: FilledShop, admin: Client): Promise<void> {
  const took = async (asked: string): Promise<number> => {
    const startedAtMs = performance.now();
    await shop.get(`/api/v1/checksums/${asked}`);
    return performance.now() - startedAtMs;
  };
  const median = async (asked: string): Promise<number> => {
    const times: number[] = [];
    while (times.length < timesMeasured) times.push(await took(asked));
    return times.sort((a, b) => a - b)[Math.floor(timesMeasured / 2)]!;
  };
  const count = shop.rowCount.toLocaleString('en-US');
  console.log(
    `\n| checksum of ${count} | counted once, ms | then, ms | with ${changesWaiting} changes, ms |`,
  );
  console.log('| --- | ---: | ---: | ---: |');
  for (const { collection, table, time } of collections) {
    await admin.query('delete from record_sum_states where collection = $1', [collection]);
    // As the worker leaves them: it takes packages into the sums, some thousands at a time.
    if (table === 'package_changes') {
      await admin.query('update package_changes set summed_at = changed_at');
      await admin.query('vacuum analyze package_changes');
    }
    const first = await took(collection);
    await took(collection);
    const month = collection === 'orders' ? await latestMonth(shop) : null;
    const quiet = await median(collection);
    const quietMonth = month === null ? null : await median(`orders?month=${month}`);
    await admin.query(
      `update ${table} set ${time} = ${time} + interval '1 second' where ctid = any(array(
         select ctid from ${table} where organization_id = $1 limit ${changesWaiting / 2}))`,
      [shop.organizationId],
    );
    const changed = await median(collection);
    printRow(collection, first, quiet, changed);
    if (quietMonth !== null)
      printRow(`orders of a month`, null, quietMonth, await median(`orders?month=${month}`));
  }
}

function printRow(name: string, ...times: readonly (number | null)[]): void {
  console.log(`| ${name} | ${times.map((ms) => ms?.toFixed(1) ?? '').join(' | ')} |`);
}

async function latestMonth(shop: FilledShop): Promise<string> {
  const [order] = (await shop.get('/api/v1/orders')) as { createdAt: string }[];
  return order!.createdAt.slice(0, 7);
}

async function reportTrigger(admin: Client): Promise<void> {
  // In turns, since the machine's speed varies.
  const costs: { with: number[]; without: number[] } = { with: [], without: [] };
  for (let round = 0; round < 5; round += 1) {
    costs.without.push(await microsecondsOfOrder(admin, 'disable'));
    costs.with.push(await microsecondsOfOrder(admin, 'enable'));
  }
  const least = (values: readonly number[]) => Math.min(...values).toFixed(1);
  console.log(
    `\nAn insert and an update of an order: ${least(costs.with)} µs; without the trigger ${least(costs.without)}.`,
  );
}

/** Copies an order and changes the copy, again and again, and takes it all back. */
async function microsecondsOfOrder(admin: Client, trigger: 'enable' | 'disable'): Promise<number> {
  for (const name of ['order_added', 'order_changed']) {
    await admin.query(`alter table orders ${trigger} trigger ${name}`);
  }
  await admin.query('begin');
  const startedAtMs = performance.now();
  await admin.query(`do $$
    declare o orders; begin
    select * into o from orders where status = 'fulfilled' limit 1;
    for n in 1 .. ${ordersWritten} loop
      o.id := gen_random_uuid(); o.number := 5000000000 + n;
      insert into orders select o.*;
      update orders set updated_at = updated_at + interval '1 second'
       where organization_id = o.organization_id and id = o.id;
    end loop; end $$`);
  const us = ((performance.now() - startedAtMs) * 1000) / ordersWritten;
  await admin.query('rollback');
  await admin.query('vacuum orders, record_changes');
  return us;
}
