import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { californiaShop } from '../seed/california-shop.ts';
import { type DemoOrganization, loadShop, type ShopFiles } from '../seed/load-shop.ts';
import { LawBook } from '../src/engines/jurisdictions/law-book.ts';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import type { Context } from '../src/platform/database/context.ts';
import { type ConnectionConfig, Database } from '../src/platform/database/database.ts';
import { IdSource } from '../src/platform/database/id-source.ts';
import { Sealing } from '../src/platform/database/sealing.ts';
import { gatherStatistics } from '../src/platform/schema/gather-statistics.ts';
import { migrate } from '../src/platform/schema/migrate.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../src/shop/files/document-files.ts';
import { usualFileLimits } from '../src/shop/files/file-limits.ts';

/** Carts and customers take turns: a shop's buyers want different packages. */
const cartCount = 200;
/** Enough that each buys a few times on the day of a run, as customers do: limits look at all orders of the day. */
const buyerCount = 5_000;

/** Shortens the set-up: the other orders are copies of these. */
const placedOrderCount = 600;

export interface BenchCart {
  readonly lineItems: readonly { readonly productOptionId: number; readonly quantity: number }[];
  readonly customer: { readonly firstName: string; readonly lastName: string; readonly email: string };
}

/** It reports to no state: a report's work is measured for itself. */
const benchShop = { ...californiaShop, reportsToState: false };

/** Fills a data directory with the Californian demo shop and sufficient stock; stops the database. */
export async function makeBenchShop(dataDir: string): Promise<DemoOrganization> {
  return (await makeBenchShops(dataDir, 1))[0]!;
}

/** The same with that many shops; all but the first have few customers and orders. */
export async function makeBenchShops(dataDir: string, count: number): Promise<DemoOrganization[]> {
  return fillDataDir(dataDir, async ({ context, files, adminConnection }) => {
    const organizations: DemoOrganization[] = [];
    while (organizations.length < count) {
      const size =
        organizations.length === 0
          ? { customers: 500, days: 60, orders: placedOrderCount }
          : { customers: 100, days: 2, orders: 10 };
      organizations.push(await loadShop(context, 'production', files, benchShop, size));
    }
    const admin = new Client(adminConnection);
    await admin.connect();
    await admin.query('update stock_balances set on_hand = on_hand + 1000000000');
    // Buyers come back many times on the same day: the amounts are too small to reach a purchase limit.
    for (const { id } of organizations) {
      await admin.query(`select set_config('app.organization_id', $1, false)`, [String(id)]);
      await admin.query(
        'update product_options set content = 0.000001 where content is not null and organization_id = $1',
        [id],
      );
    }
    await admin.end();
    return organizations;
  });
}

interface Filling {
  readonly context: Context;
  readonly files: ShopFiles;
  /** Sees all organizations. */
  readonly adminConnection: ConnectionConfig;
}

/** Migrates the database of a data directory, fills it with the serving code, gathers statistics, and stops the database. */
export async function fillDataDir<Result>(
  dataDir: string,
  fill: (filling: Filling) => Promise<Result>,
): Promise<Result> {
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  try {
    await migrate(server.ownerConnection);
    // Only during the set-up: the measured program commits to the disk.
    const unsynced = { ...server.servingConnection, options: '-c synchronous_commit=off' };
    const database = new Database(unsynced, undefined, undefined, patientDeadlines);
    const context = {
      database,
      ids: new IdSource(database),
      clock: systemClock,
      wallClock: systemClock,
      law: new LawBook(),
      fileLimits: usualFileLimits,
      sealing: new Sealing(),
      randomBytes,
    };
    const stores = openBlobStores({ dataDir }, () => {});
    const documents = openDocumentFiles({ dataDir, documentMasterKeys: [] }, stores.documents);
    const files = { photos: stores.photos, documents };
    const adminConnection = { ...server.adminConnection, database: server.ownerConnection.database };
    const filled = await fill({ context, files, adminConnection });
    await database.close();
    const admin = new Client(adminConnection);
    await admin.connect();
    // As autovacuum does within a minute: during a row it would change plans.
    await gatherStatistics(admin, 'vacuum analyze');
    await admin.end();
    return filled;
  } finally {
    await server.stop();
  }
}

/** Direct access to the bench database, without row-level security, for set-up that no operation offers. */
export class BenchDatabase {
  readonly #admin: Client;
  readonly organizationId: number;

  private constructor(admin: Client, organizationId: number) {
    this.#admin = admin;
    this.organizationId = organizationId;
  }

  /** `connection` must be one that sees all organizations. */
  static async open(connection: ConnectionConfig, organizationId: number): Promise<BenchDatabase> {
    const admin = new Client(connection);
    await admin.connect();
    // Triggers read the organization of a change.
    await admin.query(`select set_config('app.organization_id', $1, false)`, [String(organizationId)]);
    return new BenchDatabase(admin, organizationId);
  }

  /** The names of the shop's products. */
  async productNames(): Promise<string[]> {
    const { rows } = await this.#admin.query<{ name: string }>(
      'select name from products where organization_id = $1 and deleted_at is null order by id',
      [this.organizationId],
    );
    return rows.map(({ name }) => name);
  }

  /** Carts of five options to which every tax of the shop applies, each for a known customer. */
  async carts(): Promise<BenchCart[]> {
    const options = await this.#ids(
      `select o.id from product_options o join products p using (organization_id)
        where p.id = o.product_id and p.is_active and o.organization_id = $1 and p.inventory_type = 'option'
          and not exists (select from taxes t where t.organization_id = $1
                             and p.primary_category_id = any(t.excluded_category_ids))
          and exists (select from stock_balances b
                        join inventory_locations l on l.organization_id = $1 and l.id = b.inventory_location_id
                        join packages k on k.organization_id = $1 and k.id = b.package_id
                       where b.organization_id = $1 and b.product_id = p.id and b.product_option_id = o.id
                         and l.name = 'Storefront' and k.status = 'received' and not k.on_hold
                         and not k.trade_sample and coalesce(k.expiration_date > now(), true))
        order by o.id`,
    );
    const customers = await this.#admin.query<BenchCart['customer']>(
      // Without credits: the replay of one order as the baseline would soon use them up.
      `select first_name as "firstName", last_name as "lastName", email from customers c
        where organization_id = $1 and email is not null and medical_expiration is null
          and not exists (select from customer_credits k where k.organization_id = $1 and k.user_id = c.id)
        order by id limit $2`,
      [this.organizationId, cartCount],
    );
    return customers.rows.map((customer, index) => ({
      customer,
      lineItems: Array.from({ length: 5 }, (_, line) => ({
        productOptionId: Number(options[(index * 5 + line) % options.length]),
        quantity: line + 1,
      })),
    }));
  }

  /** Carts like those, for many more customers, who are added to the shop. */
  async cartsOfManyBuyers(): Promise<BenchCart[]> {
    const carts = await this.carts();
    await this.#admin.query(
      `insert into customers (organization_id, id, hash_id, first_name, last_name, email, email_normalized,
                              marketing_opt_in, joined_at, updated_at)
       select $1, 800000000 + n, 'bench-' || n, 'Buyer', n::text, b.email, b.email, false, now(), now()
         from unnest($2::text[]) with ordinality as b(email, n)
       on conflict do nothing`,
      [this.organizationId, Array.from({ length: buyerCount }, (_, at) => emailOfBuyer(at))],
    );
    await this.#admin.query('vacuum analyze customers');
    return Array.from({ length: buyerCount }, (_, at) => ({
      lineItems: carts[at % carts.length]!.lineItems,
      customer: { firstName: 'Buyer', lastName: String(at + 1), email: emailOfBuyer(at) },
    }));
  }

  /** Events of 50 products, in one transaction. */
  async announceProducts(count: number): Promise<void> {
    await this.#admin.query(
      `insert into outbox_events (organization_id, id, type, subject_id, payload, created_at)
       select $1, (select max(id) from outbox_events where organization_id = $1) + n, 'product.updated',
              (1000 + n % 50)::text, jsonb_build_object('productId', 1000 + n % 50, 'at', n), now()
         from generate_series(1, $2::integer) n`,
      [this.organizationId, count],
    );
  }

  /** The newest orders, newest first. */
  orderIds(count: number, offset: number): Promise<string[]> {
    return this.#ids(
      `select id from orders where organization_id = $1 order by created_at desc, id desc limit $2 offset $3`,
      count,
      offset,
    );
  }

  /** A payment type without a fee. */
  async paymentTypeId(): Promise<number> {
    const [id] = await this.#ids(
      `select id from payment_types where organization_id = $1 and fee_percent = 0 and fee_cents = 0 and archived_at is null limit 1`,
    );
    return Number(id);
  }

  /** Has PostgreSQL count the rows of all tables, and plan its statements anew. */
  async analyze(): Promise<void> {
    await this.#admin.query('analyze');
  }

  /** D21: the first status of pickup orders. */
  async setStatusOnCreation(status: 'draft' | 'new'): Promise<void> {
    await this.#admin.query('update organizations set pickup_status_on_creation = $2 where id = $1', [
      this.organizationId,
      status,
    ]);
  }

  /**
   * Sets up that many running discounts, as in a real shop: of ten, half apply to a cart of five lines, and half have
   * a condition that it does not meet. Their ids have a realistic size.
   */
  async setLiveDiscounts(count: number): Promise<void> {
    await this.#admin.query(
      `update discounts set ends_at = now() where organization_id = $1 and coalesce(ends_at > now(), true)`,
      [this.organizationId],
    );
    await this.#admin.query(
      `insert into discounts (organization_id, id, name, kind, type, amount, category_ids, brand_ids,
              customer_group_ids, minimum_subtotal_cents, schedule, trigger, stackable, priority, created_at, updated_at)
       select $1, 900000000 + n, 'Bench ' || n,
              (array['line', 'line', 'product', 'product', 'order', 'order', 'order', 'line', 'order', 'line'])[n % 10 + 1],
              'percent', 3,
              case when n % 10 < 2 then category_ids[n % 10 + 1:n % 10 + 1] else '{}' end,
              case when n % 10 in (2, 3) then brand_ids[n % 10 - 1:n % 10 - 1] else '{}' end,
              case when n % 10 = 8 then array[1] else '{}' end,
              case when n % 10 = 5 then 100000000 end,
              case when n % 10 = 7
                then jsonb_build_array(jsonb_build_object('days', jsonb_build_array(extract(isodow from now())::int % 7 + 1),
                  'fromMinute', 1438, 'toMinute', 1439)) else '[]' end,
              case when n % 10 = 6 then 'code' when n % 10 = 9 then 'manual' else 'automatic' end, true, n, now(), now()
         from generate_series(0, $2::int - 1) n,
              (select array_agg(id order by id) as category_ids from product_categories
                where organization_id = $1 and cannabis_type <> 'none') categories,
              (select array_agg(id order by id) as brand_ids from brands where organization_id = $1) brands
       on conflict (organization_id, id) do update set ends_at = null`,
      [this.organizationId, count],
    );
    await this.#admin.query(
      `insert into discount_codes (organization_id, code_key, discount_id, code)
       select organization_id, 'bench' || id, id, 'BENCH' || id from discounts
        where organization_id = $1 and id >= 900000000 and trigger = 'code'
       on conflict do nothing`,
      [this.organizationId],
    );
  }

  /** Copies the placed orders further and further into the past, up to that number. */
  async growOrders(count: number): Promise<void> {
    const { rows } = await this.#admin.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
        where attrelid = 'orders'::regclass and attnum > 0 and not attisdropped`,
    );
    const age = `age * interval '60 days'`;
    const changed: Record<string, string> = {
      id: `uuidv7(created_at - ${age} - clock_timestamp())`,
      created_at: `created_at - ${age}`,
      fulfilled_at: `fulfilled_at - ${age}`,
      number: 'number + age::bigint * 1000000000',
    };
    const names = rows.map(({ name }) => name);
    const newest = (await this.#admin.query<{ at: Date }>('select max(created_at) as at from orders'))
      .rows[0]!.at;
    const oldest = (await this.#admin.query<{ at: Date }>('select min(created_at) as at from orders'))
      .rows[0]!.at;
    const existing = await this.#count();
    const firstAge = Math.ceil((newest.getTime() - oldest.getTime()) / (60 * 24 * 3_600_000));
    await this.#admin.query('set synchronous_commit = off');
    await this.#admin.query(
      `with copies as materialized (
         select id as copied_id, ${names.map((name) => `${changed[name] ?? name} as ${name}`).join(', ')}
           from generate_series(${firstAge}, ${firstAge} + ${Math.ceil(count / placedOrderCount)}) as age,
                (select * from orders where organization_id = $1 order by created_at desc, id desc
                  limit ${placedOrderCount}) as newest
          limit ${Math.max(0, count - existing)}
       ), heads as (
         insert into orders (${names.join(', ')}) select ${names.join(', ')} from copies
       )
       insert into order_explanations (organization_id, order_id, shown_rows)
       select k.organization_id, c.id, k.shown_rows
         from copies c join order_explanations k on k.organization_id = $1 and k.order_id = c.copied_id`,
      [this.organizationId],
    );
    await this.#admin.query('set synchronous_commit = on');
    await this.#admin.query('vacuum analyze orders, order_explanations');
    await this.#admin.query('checkpoint');
  }

  close(): Promise<void> {
    return this.#admin.end();
  }

  async #count(): Promise<number> {
    const { rows } = await this.#admin.query<{ count: string }>('select count(*) from orders');
    return Number(rows[0]!.count);
  }

  async #ids(text: string, ...values: number[]): Promise<string[]> {
    const { rows } = await this.#admin.query<{ id: string }>(text, [this.organizationId, ...values]);
    return rows.map((row) => row.id);
  }
}

function emailOfBuyer(at: number): string {
  return `buyer-${at + 1}@bench.example.com`;
}
