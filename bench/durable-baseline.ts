import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { v7 as uuidV7 } from 'uuid';
import { type PipelineStatement, runPipeline } from '../src/platform/connections/pipeline.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { answerParent } from './child-worker.ts';
import { closedLoop, type LoopResult } from './closed-loop.ts';

/**
 * The baseline of placing an order: the least that must be durable before it is answered, with nothing of the program in
 * the way. One transaction in one round trip on tables of its own: the order with a document of 3 KB and two indexes for
 * lists, five lines, three taxes, the idempotency key, an audit row, an outbox row. With `takesStock` also five guarded
 * decrements and five ledger rows. No foreign keys, no row-level security.
 */
export interface DurableLoad {
  /** Must be allowed to create a schema. */
  readonly connection: ConnectionConfig;
  readonly takesStock: boolean;
  readonly concurrency: number;
  readonly durationMs: number;
}

const lineCount = 5;
const taxCount = 3;
const productCount = 240;
const organizationId = 1;
/** As many as the program's pool has; further callers share them. */
const connectionsMax = 14;

const schemaSql = `
  create schema bench_baseline;
  create table bench_baseline.orders (organization_id bigint, id uuid, user_id bigint, type text, status text,
    total_cents bigint, net_cents bigint, created_at timestamptz, updated_at timestamptz, document text,
    primary key (organization_id, id));
  create index on bench_baseline.orders (organization_id, created_at desc, id desc);
  create index on bench_baseline.orders (organization_id, user_id, created_at desc, id desc);
  create table bench_baseline.lines (organization_id bigint, order_id uuid, id bigint, product_id bigint, option_id bigint,
    quantity integer, name text, unit_cents bigint, total_cents bigint, primary key (organization_id, order_id, id));
  create table bench_baseline.taxes (organization_id bigint, order_id uuid, id bigint, tax_id bigint, name text,
    rate numeric, amount_cents bigint, primary key (organization_id, order_id, id));
  create table bench_baseline.keys (organization_id bigint, integrator_id bigint, key uuid, order_id uuid,
    primary key (organization_id, integrator_id, key));
  create table bench_baseline.audit (organization_id bigint, id bigint, actor text, action text, subject_id text,
    details jsonb, created_at timestamptz, primary key (organization_id, id));
  create table bench_baseline.outbox (organization_id bigint, id bigint, type text, subject_id text, payload jsonb,
    created_at timestamptz, primary key (organization_id, id));
  create table bench_baseline.balances (organization_id bigint, product_id bigint, on_hand numeric check (on_hand >= 0),
    primary key (organization_id, product_id));
  create table bench_baseline.ledger (organization_id bigint, id bigint, product_id bigint, delta numeric, cause_id bigint,
    created_at timestamptz, primary key (organization_id, id));
  insert into bench_baseline.balances select ${organizationId}, n, 1000000000 from generate_series(0, ${productCount - 1}) n;`;

/** An insert of some rows; every row has the organization as its first column. */
function insert(table: string, columnCount: number, rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const places = Array.from({ length: columnCount }, (__, column) => `$${2 + row * columnCount + column}`);
    return `($1, ${places.join(', ')})`;
  });
  return `insert into bench_baseline.${table} values ${rows.join(', ')}`;
}

const texts = {
  orders: insert('orders', 9, 1),
  lines: insert('lines', 8, lineCount),
  taxes: insert('taxes', 6, taxCount),
  keys: insert('keys', 3, 1),
  audit: insert('audit', 6, 1),
  outbox: insert('outbox', 5, 1),
  ledger: insert('ledger', 5, lineCount),
  take: 'update bench_baseline.balances set on_hand = on_hand - $3 where organization_id = $1 and product_id = $2',
};

const document = JSON.stringify({ lines: 'An order as lists show it. '.repeat(115) });
const name = 'A line of an order or a tax';

let nextId = 0;

/** The statements of one order. `products` in ascending order: locks in one order. */
function orderOf(takesStock: boolean, orderNumber: number): PipelineStatement[] {
  const at = new Date().toISOString();
  const id = uuidV7();
  const bound = (table: keyof typeof texts, values: PipelineStatement['values']): PipelineStatement => ({
    name: `baseline_${table}`,
    text: texts[table],
    values: [organizationId, ...values],
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const products = numbers(lineCount)
    .map((line) => (orderNumber * lineCount + line) % productCount)
    .sort((a, b) => a - b);
  const causeId = nextId++;
  const facts = JSON.stringify({ orderId: id, status: 'draft', type: 'pickup', source: 'open-api' });
  return [
    bound('keys', [1, randomUUID(), id]),
    bound('orders', [id, orderNumber % 200, 'pickup', 'draft', 12_345, 11_000, at, at, document]),
    bound(
      'lines',
      products.flatMap((product, line) => [id, nextId++, product, product, line + 1, name, 1000, 5000]),
    ),
    bound(
      'taxes',
      numbers(taxCount).flatMap((tax) => [id, nextId++, tax, name, '9.25', 925]),
    ),
    bound('audit', [nextId++, 'key:1', 'order.placed', id, facts, at]),
    bound('outbox', [nextId++, 'order.placed', id, facts, at]),
    ...(takesStock
      ? [
          bound(
            'ledger',
            products.flatMap((product, line) => [nextId++, product, -(line + 1), causeId, at]),
          ),
          ...products.map((product, line) => bound('take', [product, line + 1])),
        ]
      : []),
  ];
}

/** Kept from run to run, as a server keeps its pool; each with the end of its last transaction. */
const clients: { readonly client: Client; free: Promise<unknown> }[] = [];
let orderCount = 0;

async function open(connection: ConnectionConfig): Promise<void> {
  if (clients.length > 0) return;
  const admin = new Client(connection);
  await admin.connect();
  await admin.query(schemaSql);
  await admin.end();
  while (clients.length < connectionsMax) {
    const client = new Client({ ...connection, options: '-c plan_cache_mode=force_generic_plan -c jit=off' });
    await client.connect();
    clients.push({ client, free: Promise.resolve() });
  }
}

/** A batch up to its Sync is one transaction: without BEGIN and COMMIT it is the least. */
async function place({ connection, takesStock, concurrency, durationMs }: DurableLoad): Promise<LoopResult> {
  await open(connection);
  return closedLoop(concurrency, durationMs, async (worker) => {
    const shared = clients[worker % clients.length]!;
    const placed = shared.free.then(() => runPipeline(shared.client, orderOf(takesStock, orderCount++)));
    shared.free = placed;
    await placed;
  });
}

if (process.send) answerParent(place);
