import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../src/app/app.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { casesOf } from '../harness/long-suite.ts';
import { layCluster } from '../harness/made-cluster.ts';
import { createTestShop } from '../harness/test-shop.ts';

const patience = { timeout: 120_000, interval: 200 };

/** Rows that come and go in each round, and changes of each balance. */
const [rowsOfRound, changesOfRound] = [20_000, 400];
const rounds = casesOf({ everyRun: 2, long: 6 });

let server: EmbeddedPostgres;
let admin: Client;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-vacuum-'));

beforeAll(async () => {
  await layCluster(join(folder, 'data'));
  server = await startEmbeddedPostgres({
    ...{ dataDir: join(folder, 'data'), onProgress: () => {} },
    // It looks each second instead of each minute; what it then does is decided by the settings of the tables.
    settings: { fsync: 'off', autovacuum_naptime: '1s' },
  });
  const context = createContext(server.servingConnection);
  await createTestShop(context);
  await context.database.close();
  admin = new Client({ ...server.adminConnection, database: 'dispensary' });
  await admin.connect();
  // Vacuum does not mind what triggers note.
  await admin.query('set session_replication_role = replica');
}, 120_000);
afterAll(async () => {
  await admin?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function deadOf(table: string): Promise<{ dead: number; bytes: number; vacuums: number }> {
  const { rows } = await admin.query(
    `select n_dead_tup::int as dead, pg_table_size(relid)::int as bytes, autovacuum_count::int as vacuums
       from pg_stat_user_tables where relname = $1`,
    [table],
  );
  return rows[0];
}

/** At most what is left below the threshold of the table: 1,000 rows and a fiftieth of it. */
async function untilVacuumed(table: string, rows: number): Promise<{ bytes: number }> {
  await expect.poll(async () => (await deadOf(table)).dead, patience).toBeLessThanOrEqual(1_000 + rows / 50);
  return deadOf(table);
}

test('autovacuum keeps up with tables whose rows come and go: dead rows stay few, and their room is used again', async () => {
  const come = `insert into outbox_events (organization_id, id, type, subject_id, payload, created_at)
      select o.id, 1000000000 + n, 'order.placed', 'x', to_jsonb(repeat('x', 200)), now()
        from (select id from organizations limit 1) o, generate_series(1, ${rowsOfRound}) n`;
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { vacuums } = await deadOf('outbox_events');
    await admin.query(come);
    // As retention does: in steps.
    for (let gone = 1; gone > 0; ) {
      gone = (
        await admin.query(
          `delete from outbox_events where (organization_id, id) in
               (select organization_id, id from outbox_events where id > 1000000000 limit 1000)`,
        )
      ).rowCount!;
    }
    // Dead rows are counted a moment after the deletion.
    await expect.poll(async () => (await deadOf('outbox_events')).vacuums, patience).toBeGreaterThan(vacuums);
    sizes.push((await untilVacuumed('outbox_events', 0)).bytes);
  }
  // Without vacuum it would grow by the first round's with each.
  expect(Math.max(...sizes.slice(1))).toBeLessThan(sizes[0]! * 2);
}, 600_000);

test('autovacuum keeps up with balances that each sale changes', async () => {
  const { rows } = await admin.query('select count(*)::int as count from stock_balances');
  const count = rows[0].count as number;
  expect(count).toBeGreaterThan(0);
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let change = 0; change < changesOfRound; change += 1) {
      await admin.query('update stock_balances set organization_id = organization_id');
    }
    sizes.push((await untilVacuumed('stock_balances', count)).bytes);
  }
  expect(Math.max(...sizes.slice(1))).toBeLessThan(Math.max(sizes[0]! * 2, 2_000_000));
}, 600_000);
