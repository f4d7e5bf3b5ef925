import { Client } from 'pg';
import type { DemoOrganization } from '../seed/load-shop.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';

/** A table that lists read, and the columns in which a copied row differs from its template. */
interface GrownTable {
  readonly table: string;
  /** The rows of the demo shop to copy; by default one row. */
  readonly template?: string;
  /** SQL by column; `n` counts the rows from 1, `t` is the template. */
  readonly changed: Readonly<Record<string, string>>;
  /** Which `n` have a row; by default all. */
  readonly of?: string;
}

const id = '1000000000 + n';
const uuid = `(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid`;
/** All copies are newer than the rare rows: a list that searches from the newest row on reads every copy. */
const at = `date_trunc('day', now()) - interval '1 day' + n * interval '10 milliseconds'`;
const stamped = { id, created_at: at };
/** Those of a name that a thousand rows share: making them for each row would take minutes. */
const someTokens = '(select k.tokens from some_tokens k where k.id = n % 1000)';
const busyCustomer = '(select id from busy_customer)';

/*
 * Orders that have what two filters ask for are rare, though each of the two has many: one order in ten is a delivery, all
 * from the other location, one in fifty is the busy customer's, all deliveries, and one in twenty was canceled, all pickups.
 * One in 25 was left by a guest.
 */
const orderType = `case when n % 10 = 0 then 'delivery' else 'pickup' end`;
const isCanceled = 'n % 20 = 3';
const isOfGuest = 'n % 25 = 7';
const placeOfOrder = `case when n % 10 = 0 then (select id from other_location) else t.inventory_location_id end`;

const grownTables: readonly GrownTable[] = [
  {
    table: 'customers',
    changed: {
      ...{ id, joined_at: at, updated_at: at, hash_id: `'bench' || n` },
      ...{ first_name: `'Bench'`, last_name: `'Okafor' || n` },
      ...{ email: `'bench' || n || '@customers.example.com'` },
      ...{ email_normalized: `'bench' || n || '@customers.example.com'` },
      ...{ phone: `'+1555' || lpad(n::text, 7, '0')`, phone_normalized: `'+1555' || lpad(n::text, 7, '0')` },
    },
  },
  {
    table: 'customer_sums',
    changed: { user_id: id, order_count: 'n % 50', spent_cents: 'n % 5000 * 100', last_order_at: at },
  },
  { table: 'products', template: 'is_active', changed: { ...stamped, name: `'Bench ' || n` } },
  {
    table: 'product_options',
    changed: { ...stamped, product_id: id, name: `'Bench'`, price_cents: '500 + n % 9000', upc: 'null' },
  },
  { table: 'product_stocks', changed: { product_id: id, on_hand_millionths: 'n % 500 * 1000000' } },
  {
    table: 'product_texts',
    changed: {
      product_id: id,
      created_at: at,
      name_key: `'bench ' || n % 1000`,
      texts: `'bench ' || n % 1000`,
    },
  },
  {
    table: 'product_searches',
    changed: {
      product_id: id,
      created_at: at,
      tokens: someTokens,
    },
  },
  {
    table: 'product_photos',
    changed: { id, product_id: id, location: `'https://pictures.example.com/' || n`, gave_up_at: 'null' },
  },
  {
    table: 'orders',
    template: `status = 'fulfilled' and user_id is not null`,
    changed: {
      ...{
        ...stamped,
        id: uuid,
        number: id,
        type: orderType,
        updated_at: at,
        status: `case when ${isCanceled} then 'canceled' else 'fulfilled' end`,
        fulfilled_at: `case when not (${isCanceled}) then ${at} end`,
        canceled_at: `case when ${isCanceled} then ${at} end`,
        user_id: `case when n % 50 = 0 then ${busyCustomer} when not (${isOfGuest}) then 1000000000 + n / 10 end`,
        customer_name: `case when ${isOfGuest} then 'Guest ' || n end`,
        customer_name_key: `case when ${isOfGuest} then search_key('Guest ' || n) end`,
      },
      ...{ idempotency_key: 'null' },
    },
  },
  {
    table: 'order_explanations',
    template: 'order_id = (select id from template_of_orders)',
    changed: { order_id: uuid },
  },
  {
    table: 'order_line_fulfillments',
    of: `not (${isCanceled})`,
    changed: {
      ...{ id, order_id: uuid, order_line_item_id: id, order_created_at: at },
      ...{ order_type: orderType, inventory_location_id: placeOfOrder },
    },
  },
  {
    table: 'order_returns',
    template: 'voided_at is null',
    of: `not (${isCanceled})`,
    // Of an order of its own.
    changed: { ...stamped, order_id: uuid, idempotency_key: 'null', customer_credit_id: 'null' },
  },
  { table: 'packages', template: `status = 'received'`, changed: { ...stamped, label: `'BENCH' || n` } },
  { table: 'package_amounts', changed: { package_id: id, initial_millionths: 'n % 500 * 1000000' } },
  {
    table: 'package_searches',
    changed: { package_id: id, tokens: someTokens },
  },
  {
    table: 'sub_category_products',
    changed: { product_id: id, created_at: at },
  },
  { table: 'package_changes', changed: { package_id: id, changed_at: at } },
  { table: 'stock_balances', template: 'on_hand > 0', changed: { package_id: id } },
  {
    table: 'stock_ledger_entries',
    template: `cause <> 'adjusted' and order_line_item_id is not null`,
    changed: { ...stamped, cause_id: id },
  },
  { table: 'compliance_transfers', changed: { ...stamped, manifest_number: `'bench ' || n` } },
  { table: 'purchase_orders', changed: stamped },
  { table: 'inventory_vendors', changed: { ...stamped, name: `'Bench ' || n`, archived_at: 'null' } },
  {
    table: 'loyalty_events',
    changed: { ...stamped, user_id: busyCustomer, cause_id: 'null', idempotency_key: 'null' },
  },
  {
    table: 'customer_documents',
    changed: { id, user_id: busyCustomer, uploaded_at: at, superseded_at: at },
  },
  { table: 'audit_entries', template: `subject_type = 'order'`, changed: stamped },
  {
    table: 'webhook_deliveries',
    changed: { ...stamped, event_id: id, position: id, message_id: `'msg_' || n` },
  },
];

/** Above, a table's indexes are built anew. */
const rowsWithIndexesMax = 50_000;

/** Requests in a batch of the log: a busy shop writes several at once. */
const requestsPerBatch = 10;

/** A customer whose page is read all the time; also the endpoint of all deliveries. */
export const busyId = '4711';

/** Grows the tables of a shop without row-level security and triggers: minutes instead of hours. */
export class ListRows {
  readonly #admin: Client;
  readonly #organizationId: number;

  private constructor(admin: Client, organizationId: number) {
    this.#admin = admin;
    this.#organizationId = organizationId;
  }

  /**
   * `connection` must be one that sees all organizations; the requests in the log are those of `clientKey`. Makes the rare
   * rows old, and one location rare.
   */
  static async open(
    connection: ConnectionConfig,
    shop: Pick<DemoOrganization, 'id' | 'clientKey'>,
  ): Promise<ListRows> {
    const admin = new Client(connection);
    await admin.connect();
    const rows = new ListRows(admin, shop.id);
    await admin.query('create temp table calling_key (id bigint, integrator_id bigint)');
    await admin.query(
      `insert into calling_key
       select id, integrator_id from client_keys where organization_id = $1 and starts_with($2, key_prefix)`,
      [shop.id, shop.clientKey],
    );
    await rows.#prepare();
    return rows;
  }

  /** The tables that grow. */
  readonly tables: readonly string[] = [...grownTables.map(({ table }) => table), 'api_request_batches'];

  /** The single value that a query returns; $1 is the organization. */
  async value(sql: string): Promise<string> {
    const { rows } = await this.#admin.query({ text: sql, values: [this.#organizationId], rowMode: 'array' });
    if (rows[0] === undefined) throw new Error(`Nothing is found by ${sql}`);
    return String(rows[0][0]);
  }

  /** `only` names the tables; empty means all. */
  async growTo(count: number, only: readonly string[], onTable: (table: string) => void): Promise<void> {
    const isGrown = (table: string): boolean => only.length === 0 || only.includes(table);
    for (const grown of grownTables.filter(({ table }) => isGrown(table))) {
      onTable(grown.table);
      await this.#grow(grown, count);
    }
    if (isGrown('api_request_batches')) {
      onTable('api_request_batches');
      await this.#growRequests(count / requestsPerBatch);
    }
    onTable('statistics');
    await this.#admin.query('vacuum analyze');
    await this.#admin.query('checkpoint');
  }

  /** Bytes of every index of the tables, by name. */
  async indexSizes(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#admin.query<{ name: string; bytes: string }>(
      `select indexrelname as name, pg_relation_size(indexrelid) as bytes from pg_stat_user_indexes`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  }

  close(): Promise<void> {
    return this.#admin.end();
  }

  async #prepare(): Promise<void> {
    const organization = String(this.#organizationId);
    await this.#admin.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
    );
    await this.#admin.query(`select set_config('app.organization_id', $1, false)`, [organization]);
    await this.#admin.query(
      `create temp table busy_customer as
       select user_id as id from loyalty_events where organization_id = ${organization} limit 1`,
    );
    await this.#admin.query(
      `insert into webhook_endpoints (organization_id, id, integrator_id, client_key_id, url, types, enabled, secret,
              secret_master_key_id, position, created_at)
       select ${organization}, ${busyId}, integrator_id, id, 'https://hooks.example.com', '{}', false, '', 'bench', 0, now()
         from calling_key`,
    );
    await this.#admin.query(
      `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, body,
              attempts, last_attempt_at, last_status, duration_ms, delivered_at, created_at)
       values (${organization}, 1, ${busyId}, 1, 1, 'msg_0', 'order.created', 'order:1', '{}', 1, now(), 204, 12, now(), now())`,
    );
    await this.#admin.query(
      `update customers set last_name = 'Busybody' where organization_id = ${organization} and id = ${busyCustomer}`,
    );
    await this.#admin.query(
      `create temp table some_tokens as
       select k as id, search_tokens(${organization}, 'Bench ' || k, 'Bench') as tokens from generate_series(0, 999) k`,
    );
    await this.#admin.query('alter table some_tokens add primary key (id)');
    const former: Readonly<Record<string, string>> = {
      ...{ orders: 'created_at', stock_ledger_entries: 'created_at', audit_entries: 'created_at' },
      ...{ order_line_fulfillments: 'order_created_at', products: 'created_at', customers: 'joined_at' },
      ...{ order_returns: 'created_at', packages: 'created_at', customer_documents: 'uploaded_at' },
      ...{ product_texts: 'created_at', product_searches: 'created_at', sub_category_products: 'created_at' },
    };
    for (const [table, column] of Object.entries(former)) {
      await this.#admin.query(`update ${table} set ${column} = ${column} - interval '400 days'`);
    }
    // Before the rare rows are made, or all copies may be as rare as they.
    for (const { table, template = 'true' } of grownTables) {
      await this.#admin.query(
        `create temp table template_of_${table} as
         select * from ${table} where organization_id = ${organization} and (${template}) limit 1`,
      );
    }
    await this.#admin.query(
      `insert into inventory_locations select (jsonb_populate_record(l, '{"id": 999999999, "name": "Rare"}')).*
         from inventory_locations l where organization_id = ${organization} limit 1`,
    );
    for (const table of ['order_line_fulfillments', 'stock_ledger_entries', 'stock_balances']) {
      await this.#admin.query(
        `update ${table} set inventory_location_id = 999999999
          where ctid = any(array(select ctid from ${table} where organization_id = ${organization} limit 5))`,
      );
    }
    await this.#admin.query(
      `update products set is_active = false where ctid = any(array(
         select ctid from products where organization_id = ${organization} limit 5))`,
    );
    await this.#admin.query(
      `update product_photos set location = 'https://pictures.example.com/', gave_up_at = now()
        where ctid = any(array(select ctid from product_photos where organization_id = ${organization} limit 5))`,
    );
    await this.#admin.query(
      `create temp table other_location as
       select max(id) as id from inventory_locations
        where organization_id = ${organization} and id < 999999999
          and id <> (select inventory_location_id from template_of_order_line_fulfillments)`,
    );
  }

  async #grow({ table, changed, of = 'true' }: GrownTable, count: number): Promise<void> {
    const { rows } = await this.#admin.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
        where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const names = rows.map(({ name }) => name);
    const before = this.#grown.get(table) ?? 0;
    const indexes = count - before < rowsWithIndexesMax ? [] : await this.#dropIndexes(table);
    const { rowCount } = await this.#admin.query(
      `insert into ${table} (${names.join(', ')})
       select ${names.map((name) => changed[name] ?? `t.${name}`).join(', ')}
         from template_of_${table} t, generate_series(${before + 1}, ${count}) n where ${of}`,
    );
    if (rowCount === 0) throw new Error(`${table}: no row of the demo shop serves as a template`);
    for (const definition of indexes) await this.#admin.query(definition);
    this.#grown.set(table, count);
  }

  /** Drops what is faster to build at once than with each row. Resolves to the statements that make it again. */
  async #dropIndexes(table: string): Promise<string[]> {
    const { rows } = await this.#admin.query<{ name: string; definition: string }>(
      `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = '${table}'::regclass and not indisunique and not indisprimary`,
    );
    for (const { name } of rows) await this.#admin.query(`drop index ${name}`);
    return rows.map(({ definition }) => definition);
  }

  readonly #grown = new Map<string, number>();

  async #growRequests(count: number): Promise<void> {
    const before = this.#grown.get('api_request_batches') ?? 0;
    const ms = `(extract(epoch from date_trunc('day', now()) - interval '1 day') * 1000)::bigint + n * 100`;
    // A batch of one customer's page, then one of the menu, and so on; the first five are refused orders.
    const values = `
      select k.integrator_id, k.id as client_key_id, n, ms, n <= 5 as is_refused,
             case when n <= 5 then '/api/v1/orders' when n % 2 = 0 then '/api/v1/customers/{customerId}'
                  else '/api/v1/menu' end as template,
             case when n <= 5 or n % 2 = 1 then '' when n % 10 = 0 then '${busyId}' else (n / 10)::text end as id,
             case when n <= 5 then 422 else 200 end as status,
             case when n <= 5 then 'OUT_OF_STOCK' else '' end as code
        from calling_key k,
             generate_series(${before + 1}, ${count}) n, lateral (select ${ms} as ms) at`;
    // As api-request-marks.ts writes them.
    const kindMark = `hashtextextended(client_key_id || ' ' || status || ' ' || code || ' ' || template, 0)`;
    const idMark = `hashtextextended(client_key_id || ' ' || status || ' ' || code || ' ' || template || ' ' || v.id, 0)`;
    const organization = [this.#organizationId];
    await this.#admin.query(
      `insert into api_request_batches (organization_id, first_at_ms, last_at_ms, id, integrator_id, client_key_id,
         is_refused, request_count, times_ms, methods, path_templates, paths, statuses, codes, microseconds, request_ids,
         marks)
       select $1, ms, ms, ${id}, integrator_id, client_key_id, is_refused, ${requestsPerBatch},
              array_fill(ms, array[${requestsPerBatch}]), '{GET}', array[template],
              array[case when v.id = '' then '' else '/api/v1/customers/' || v.id end], array[status]::smallint[],
              array[code], array_fill(800, array[${requestsPerBatch}]),
              array(select 'bench-' || n * ${requestsPerBatch} + r from generate_series(1, ${requestsPerBatch}) r),
              case when v.id = '' then array[${kindMark}] else array[${kindMark}, ${idMark}] end
         from (${values}) v`,
      organization,
    );
    await this.#admin.query(
      `insert into api_request_marks (organization_id, mark, last_at_ms, batch_id, request_count)
       select b.organization_id, mark, b.last_at_ms, b.id, b.request_count from api_request_batches b, unnest(b.marks) mark
        where b.organization_id = $1
       on conflict do nothing`,
      organization,
    );
    await this.#admin.query(
      `insert into api_request_kinds (organization_id, period, integrator_id, client_key_id, path_template, status, code)
       select distinct $1::bigint, ms / 2592000000, integrator_id, client_key_id, template, status, code from (${values}) v
       on conflict do nothing`,
      organization,
    );
    this.#grown.set('api_request_batches', count);
  }
}
