import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DemoOrganization } from '../seed/load-shop.ts';
import { LawBook } from '../src/engines/jurisdictions/law-book.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import { type ConnectionConfig, Database } from '../src/platform/database/database.ts';
import { IdSource } from '../src/platform/database/id-source.ts';
import { Sealing } from '../src/platform/database/sealing.ts';
import { usualFileLimits } from '../src/shop/files/file-limits.ts';
import { stepOrder } from '../src/shop/orders/orders.ts';
import type { BenchDatabase } from './bench-shop.ts';
import { allOf } from './closed-loop.ts';
import type { ServerProcess } from './server-process.ts';

const orderCount = 1_000;
/** New pages of tables and indexes come in groups; the first orders of a table take more. */
const warmUpCount = 200;
const concurrency = 8;
const lineCount = 2;
const steps = ['accept', 'pack', 'fulfill'] as const;

/** Bytes of 1,000 orders of two lines, from placing to fulfillment. */
interface MeasuredDisk {
  readonly diskBytes: number;
  readonly logBytes: number;
  /** The share of placing. */
  readonly placingDiskBytes: number;
  readonly placingLogBytes: number;
  /** The tables that grew most, with their indexes. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[];
}

/** Places the orders as integrators do, eight at a time, and takes all steps of each. */
export async function measureDisk(
  server: ServerProcess,
  shop: BenchDatabase,
  organization: DemoOrganization,
  connections: { readonly admin: ConnectionConfig; readonly serving: ConnectionConfig },
): Promise<MeasuredDisk> {
  const admin = new Client(connections.admin);
  await admin.connect();
  const database = new Database(connections.serving, concurrency, undefined, patientDeadlines);
  const ids = new IdSource(database);
  const context = {
    ...{ database, ids, clock: systemClock, wallClock: systemClock },
    ...{ law: new LawBook(), fileLimits: usualFileLimits, sealing: new Sealing(), randomBytes },
  };
  const origin = { actor: 'job:bench', requestId: null } as const;
  try {
    await shop.setStatusOnCreation('draft');
    const paymentTypeId = await shop.paymentTypeId();
    const carts = await shop.carts();
    const place = async (at: number): Promise<string> => {
      const { lineItems, customer } = carts[at % carts.length]!;
      const reply = await fetch(`http://127.0.0.1:${server.basePort}/api/v1/orders`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-consumer-key': organization.consumerKey,
          'x-client-key': organization.clientKey,
        },
        body: JSON.stringify({
          ...{ type: 'pickup', lineItems: lineItems.slice(0, lineCount), customer },
          payments: [{ paymentTypeId, remaining: true }],
          idempotencyKey: randomUUID(),
        }),
      });
      const text = await reply.text();
      if (reply.status !== 201) throw new Error(`an order was refused: ${text}`);
      return (JSON.parse(text) as { data: { id: string } }).data.id;
    };
    const finish = async (orderId: string): Promise<void> => {
      for (const action of steps) {
        await stepOrder(context, origin, organizationId(organization.id), orderId, action, { staff: null });
      }
    };
    for (const id of await allOf(warmUpCount, concurrency, place)) await finish(id);
    const atFirst = await sizes(admin);
    const placed = await allOf(orderCount, concurrency, place);
    const afterPlacing = await sizes(admin);
    await allOf(placed.length, concurrency, (at) => finish(placed[at]!));
    const atLast = await sizes(admin);
    const tables = [...atLast.tables].map(([name, bytes]) => ({
      name,
      bytes: bytes - (atFirst.tables.get(name) ?? 0),
    }));
    return {
      diskBytes: atLast.disk - atFirst.disk,
      logBytes: atLast.log - atFirst.log,
      placingDiskBytes: afterPlacing.disk - atFirst.disk,
      placingLogBytes: afterPlacing.log - atFirst.log,
      tables: tables.sort((a, b) => b.bytes - a.bytes).slice(0, 10),
    };
  } finally {
    await database.close();
    await admin.end();
  }
}

async function sizes(admin: Client) {
  const { rows } = await admin.query<{ name: string; bytes: string }>(
    `select c.relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  const log = await admin.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
  const tables = new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  return {
    tables,
    disk: [...tables.values()].reduce((sum, bytes) => sum + bytes, 0),
    log: Number(log.rows[0]!.bytes),
  };
}

/** The result, as Markdown. */
export function diskTable(measured: MeasuredDisk): string {
  const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
  const { diskBytes, logBytes, placingDiskBytes, placingLogBytes, tables } = measured;
  return `1,000 orders of 2 lines, from placing to fulfillment: ${megabytes(diskBytes)} MB of disk (target 8, goal 6), ${megabytes(logBytes)} MB of log (target 16, goal 12);
placing alone: ${megabytes(placingDiskBytes)} MB and ${megabytes(placingLogBytes)} MB;
disk by table: ${tables.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(', ')}`;
}
