import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { connectEmbedded } from '../src/embedded-postgres/embedded-postgres.ts';
import { makeBenchShop } from './bench-shop.ts';
import { ListRows } from './list-rows.ts';
import { ServerProcess } from './server-process.ts';

/**
 * `npm run lists -- --checksums [--rows=1000000]`: the times of the checksum of each collection with many records, and
 * what a change of an order costs with and without its trigger. See README.md.
 */
const { values: options } = parseArgs({
  options: { checksums: { type: 'boolean' }, rows: { type: 'string', default: '1000000' } },
});
const rowCount = Number(options.rows);
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
const grownTables = [...collections.map(({ table }) => table), 'packages'];

const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-checksums-'));
const undo: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true })];
try {
  await measureChecksums();
} finally {
  for (const step of undo.reverse()) await step();
}

async function measureChecksums(): Promise<void> {
  console.error('making the shop …');
  const organization = await makeBenchShop(dataDir);
  const server = await ServerProcess.start(dataDir, { ROLES: 'api,menu', RATE_LIMITS: 'off' });
  undo.push(() => server.stop());
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const connection = { ...adminConnection, database: ownerConnection.database };
  const rows = await ListRows.open(connection, organization.id);
  await rows.growTo(rowCount, grownTables, (table) => console.error(`${rowCount} rows: ${table} …`));
  await rows.close();
  const admin = new Client(connection);
  await admin.connect();
  undo.push(() => admin.end());
  await admin.query(`select set_config('app.organization_id', $1, false)`, [String(organization.id)]);

  const headers = { 'x-consumer-key': organization.consumerKey, 'x-client-key': organization.clientKey };
  const took = async (collection: string): Promise<number> => {
    const startedAtMs = performance.now();
    const url = `http://127.0.0.1:${server.basePort}/api/v1/checksums/${collection}`;
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url} answers ${response.status}: ${text}`);
    return performance.now() - startedAtMs;
  };
  const median = async (collection: string): Promise<number> => {
    const times: number[] = [];
    while (times.length < timesMeasured) times.push(await took(collection));
    return times.sort((a, b) => a - b)[Math.floor(timesMeasured / 2)]!;
  };

  console.log(
    `| checksum of ${rowCount.toLocaleString('en-US')} | counted once, ms | then, ms | with 500 changes, ms |`,
  );
  console.log('| --- | ---: | ---: | ---: |');
  for (const { collection, table, time } of collections) {
    await admin.query('delete from record_sum_states where collection = $1', [collection]);
    const first = await took(collection);
    await took(collection);
    const quiet = await median(collection);
    await admin.query(
      `update ${table} set ${time} = ${time} + interval '1 second' where ctid = any(array(
         select ctid from ${table} where organization_id = ${organization.id} limit ${changesWaiting / 2}))`,
    );
    const changed = await median(collection);
    console.log(`| ${collection} | ${[first, quiet, changed].map((ms) => ms.toFixed(1)).join(' | ')} |`);
  }

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
