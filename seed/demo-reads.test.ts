import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationId } from '../src/kernel/ids.ts';
import { compressed } from '../src/platform/http/compression.ts';
import type { Endpoint, StaffEndpoint } from '../src/platform/http/endpoint.ts';
import { DiskBlobStore } from '../src/platform/storage/blob-store.ts';
import { dispatchStatuses } from '../src/shop/orders/order-schemas.ts';
import { Receiver, testWorker } from '../src/shop/webhooks/webhooks.test-support.ts';
import {
  buyExempt,
  type Call,
  followEverything,
  openExemptShop,
  readEverything,
  writeEverything,
} from '../test/contract/demo-requests.ts';
import { expectGolden } from '../test/contract/golden-replies.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService, type TestReply, type TestService } from '../test/harness/test-service.ts';
import type { TestKeys } from '../test/harness/test-shop.ts';
import { bearerHeader } from '../test/harness/test-staff.ts';
import type { DemoOrganization } from './load-shop.ts';
import { seedDemo } from './seed-demo.ts';

/** A twentieth of the plain history, and all staged orders. */
const portion = 0.05;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-demo-reads-'));
let service: TestService;
let shops: DemoOrganization[];
const tokens: string[] = [];

beforeAll(async () => {
  service = await startOwnTestService();
  const files = { photos: new DiskBlobStore(folder), documents: service.documentFiles };
  shops = await seedDemo(service.context, 'production', files, () => {}, portion);
  for (const { staff } of shops) {
    const { data } = await service.call('POST', '/staff/v1/sessions', { body: staff });
    tokens.push(data.token);
  }
}, 120_000);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
  rmSync(folder, { recursive: true });
});

const sql = (at: number, text: string) =>
  tenantSql(service.context.database, organizationId(shops[at]!.id), text);

/** Rows that a path can name, by its parameter, oldest first: enough to find one that has rows itself. */
const namedBy: Readonly<Record<string, string>> = {
  customerId: `select id from customers where id in (select user_id from customer_documents)
                union select user_id from customer_credits`,
  staffId: 'select staff_id as id from staff_sessions where revoked_at is null limit 1',
  documentId: 'select id from customer_documents order by id',
  orderId: 'select id from orders order by created_at desc limit 1',
  label: `select label as id from packages where status = 'received' order by id limit 1`,
  customerGroupId: 'select id from customer_groups order by id limit 1',
  discountId: 'select id from discounts order by id limit 1',
  loyaltyRewardId: 'select id from loyalty_rewards order by id limit 1',
  packageId: 'select id from packages order by id limit 1',
  purchaseOrderId: 'select id from purchase_orders order by id limit 1',
  stateReportId: 'select id from state_reports order by id limit 1',
  // The first product with an option that has photos, and that option.
  productId: `select o.product_id as id from product_options o
               where o.id = (select min(h.product_option_id) from product_photos h)`,
  productOptionId: 'select min(product_option_id) as id from product_photos',
};

/** Every combination of rows of a shop for the path of an operation. */
async function pathsOf(at: number, path: string): Promise<string[]> {
  const [, name] = /\{([^}]+)\}/.exec(path) ?? [];
  if (name === undefined) return [path];
  const query = namedBy[name];
  if (query === undefined) throw new Error(`${path}: no value known for ${name} of a demo shop`);
  const rows = await sql(at, query);
  const filled = await Promise.all(rows.map(({ id }) => pathsOf(at, path.replace(`{${name}}`, String(id)))));
  return filled.flat();
}

/** What an operation must be sent to show rows. */
async function queryOf(path: string, at: number): Promise<Record<string, string>> {
  if (path.endsWith('/menu')) return { type: 'pickup' };
  if (path.endsWith('/inventory/sellable')) {
    const products = await sql(at, 'select product_id as id from stock_balances where on_hand > 0 limit 2');
    return { products: products.map(({ id }) => id).join() };
  }
  if (!path.endsWith('/orders/statuses')) return {};
  const rows = await sql(at, 'select id from orders order by id limit 2');
  return { ids: rows.map(({ id }) => id).join() };
}

/** A list without rows, an object of empty lists only, an empty report. */
function isEmpty({ data, bytes }: TestReply): boolean {
  if (data === null) return true;
  if (data === undefined) return bytes.length === 0;
  const parts = Array.isArray(data) ? [data] : 'rows' in data ? [data.rows] : Object.values(data);
  return parts.every((part) => Array.isArray(part) && part.length === 0);
}

/** A stream does not end. */
const isRead = ({ method, success, emptyInDemo }: Endpoint | StaffEndpoint): boolean =>
  method === 'GET' && !success.file?.includes('text/event-stream') && emptyInDemo === undefined;

describe.each([
  ['integrators', () => service.endpoints.filter(isRead)],
  ["the shop's own people", () => service.staffEndpoints.filter(isRead)],
] as const)('what %s read', (audience, operations) => {
  test('has rows in a demo shop', async () => {
    const empty: string[] = [];
    for (const { id, path, address } of operations()) {
      let isShown = false;
      for (const at of [0, 1]) {
        const { consumerKey, clientKey } = shops[at]!;
        for (const filled of isShown ? [] : await pathsOf(at, path)) {
          const query = await queryOf(path, at);
          const reply = await service.call(
            'GET',
            filled,
            audience === 'integrators'
              ? { keys: { consumerKey, clientKey }, query, address: address as 'base' | 'menu' }
              : { headers: bearerHeader(tokens[at]!), query },
          );
          // Some of the rows that a path names do not belong together.
          if (reply.status === 200 && !isEmpty(reply)) isShown = true;
          if (isShown) break;
        }
      }
      if (!isShown) empty.push(id);
    }
    expect(empty, 'Seed rows of it, or declare `emptyInDemo` with the reason').toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
type Shown = any;

describe.each([
  ['California', 0],
  ['Michigan', 1],
] as const)('the orders of the demo shop of %s', (_state, at) => {
  /** All orders, as integrators read them. */
  async function allOrders(): Promise<Shown[]> {
    const { consumerKey, clientKey } = shops[at]!;
    const orders: Shown[] = [];
    for (;;) {
      const query = { startingAfter: orders.at(-1)?.id };
      const { data } = await service.call('GET', '/api/v1/orders', {
        keys: { consumerKey, clientKey },
        query,
      });
      if (data.length === 0) return orders;
      orders.push(...data);
    }
  }
  const distinct = (values: readonly unknown[]) => [...new Set(values)].sort();

  test('show every status, several payments with both kinds of fee, gifts by staff, and lines of several packages', async () => {
    const orders = await allOrders();
    expect(distinct(orders.map(({ status }) => status))).toEqual([
      'canceled',
      'draft',
      'fulfilled',
      'new',
      'packed',
    ]);
    const split = orders.filter(({ payments }) => payments.length === 3);
    expect(
      split.map(({ payments }) => payments.map((it: Shown) => [it.fee > 0, it.feePercent !== '0'])),
    ).toEqual([
      [
        [false, true],
        [true, false],
        [false, false],
      ],
    ]);
    const given = orders.flatMap(({ adjustments }) => adjustments.map((it: Shown) => it.description));
    expect(given).toEqual(expect.arrayContaining(['Dented box', 'Gift bag']));
    const packages = orders.flatMap(({ lineItems }) => lineItems.map((line: Shown) => line.fulfillAs.length));
    expect(Math.max(...packages)).toBeGreaterThan(1);
    expect(orders.some(({ placedBy, shift }) => placedBy.id && shift?.name === 'Day')).toBe(true);
    expect(orders.some(({ type, userId }) => type === 'in-store' && userId === undefined)).toBe(true);
    expect(orders.some(({ cancelationReason }) => cancelationReason !== null)).toBe(true);
  });

  test('show credits of both kinds and every kind of reward, with the points taken and given back', async () => {
    const orders = await allOrders();
    const credits = orders.flatMap((it) => it.credits);
    expect(distinct(credits.map(({ type }: Shown) => type))).toEqual(['promo-code', 'store-credit']);
    const [row] = await sql(
      at,
      `select (select array_agg(distinct type order by type) from order_loyalty_redemptions) as rewards,
              (select array_agg(distinct type order by type) from loyalty_events) as points`,
    );
    expect(row!.rewards).toEqual(['cash-back', 'flat', 'free-product', 'percent']);
    expect(row!.points).toEqual(['adjusted', 'earned', 'given-back', 'open-api', 'redeemed', 'taken-back']);
  });

  test('show a tax exemption that staff set and one that they took away', async () => {
    const reasons = await sql(
      at,
      `select distinct tax_exempt, asked #>> '{taxExempt,exempt}' as asked from orders
        where asked #>> '{taxExempt,reason}' <> '' order by 1`,
    );
    expect(reasons).toEqual([
      { tax_exempt: false, asked: 'false' },
      { tax_exempt: true, asked: 'true' },
    ]);
  });

  test('show deliveries in every state', async () => {
    const states = await sql(at, 'select distinct status from order_dispatch_tasks');
    expect(distinct(states.map(({ status }) => status))).toEqual([...dispatchStatuses].sort());
  });

  test('show returns of every kind, valid and voided, and one order that came back completely', async () => {
    const { consumerKey, clientKey } = shops[at]!;
    const list = async (query: object) =>
      (
        await service.call('GET', '/api/v1/order-returns', {
          keys: { consumerKey, clientKey },
          query: { ...query },
        })
      ).data as Shown[];
    expect((await list({ voided: true })).length).toBeGreaterThan(0);
    const valid = await list({ voided: false });
    expect(distinct(valid.map(({ refundType }) => refundType))).toEqual([
      'none',
      'payment-method',
      'store-credit',
    ]);
    const lines = valid.flatMap(({ lineItems }) => lineItems);
    expect(distinct(lines.map(({ type }: Shown) => type))).toEqual(['exchange', 'return']);
    expect(distinct(lines.map(({ inventoryAction }: Shown) => inventoryAction))).toEqual([
      'inventory',
      'vendor',
      'waste',
    ]);
    const [whole] = await sql(
      at,
      `select count(*)::int as count from orders o where not exists (
         select from order_line_items l where l.order_id = o.id and l.returned_quantity < l.quantity)`,
    );
    expect(whole!.count).toBeGreaterThan(0);
  });
});

describe.each([
  ['California', 0],
  ['Michigan', 1],
] as const)('the people and the stock of the demo shop of %s', (_state, at) => {
  test('have documents that are waiting, valid, expired and rejected, and patients with and without documents', async () => {
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    const papers = await sql(
      at,
      `select d.type, d.status, d.mime, d.expires_on < '${today}' as has_expired, c.medical_expiration >= '${today}' as is_patient
         from customer_documents d join customers c on c.id = d.user_id`,
    );
    for (const status of ['pending', 'approved', 'rejected']) {
      const types = papers.filter((it) => it.status === status).map(({ type }) => type);
      expect([status, [...new Set(types)].sort()]).toEqual([status, ['license', 'recommendation']]);
    }
    const held = papers.filter(({ type, status }) => type === 'recommendation' && status === 'approved');
    expect(new Set(held.map((it) => `${it.has_expired} ${it.is_patient}`))).toEqual(
      new Set(['false true', 'true false']),
    );
    expect(new Set(papers.map(({ mime }) => mime))).toEqual(
      new Set(['application/pdf', 'image/jpeg', 'image/png']),
    );
  });

  test('have a ledger with every cause, and active and revoked keys', async () => {
    const causes = await sql(at, 'select distinct cause from stock_ledger_entries order by 1');
    expect(causes.map(({ cause }) => cause)).toEqual([
      'adjusted',
      'counted',
      'given-back',
      'moved',
      'received',
      'returned',
      'taken',
    ]);
    const [keys] = await sql(
      at,
      'select count(*)::int as all, count(revoked_at)::int as revoked from client_keys',
    );
    // Among them one for web pages and one of the integrator of all shops.
    expect(keys).toEqual({ all: 6, revoked: 1 });
  });
});

test('show rare cases: nothing to pay, no brand, excise, points taken, packages without a product', async () => {
  const [{ consumerKey, clientKey }] = shops as [DemoOrganization];
  const read = async (path: string, query = {}): Promise<Shown[]> =>
    (await service.call('GET', `/api/v1/${path}`, { keys: { consumerKey, clientKey }, query })).data;
  const free = (await read('menu', { type: 'pickup' })).filter(({ options }) => options[0].price === 0);
  expect(free).toMatchObject([{ brand: null, inStock: true, options: [{ salesPrice: null }] }]);
  const orders: Shown[] = [];
  for (;;) {
    const page = await read('orders', { startingAfter: orders.at(-1)?.id });
    orders.push(...page);
    if (page.length < 50) break;
  }
  const lines = orders.flatMap(({ lineItems }) => lineItems);
  expect(lines).toContainEqual(
    expect.objectContaining({ optionPrice: 0, finalPrice: 0, productBrand: null, productBrandId: null }),
  );
  const redeemed = orders.flatMap(({ loyaltyRedemptions }) => loyaltyRedemptions);
  expect(redeemed.map(({ pointsAmount }) => Number(pointsAmount)).every((points) => points < 0)).toBe(true);
  expect(redeemed.length).toBeGreaterThan(0);
  const bought = (await read('purchase-orders')).find(({ expectedAt }) => expectedAt === null);
  expect(bought).toMatchObject({ paymentTerms: 'net30', paymentTermsDueDate: null });
  expect(bought.caExciseTotal).toBe(24 * 135 * bought.lineItems.length);
  expect(bought.finalTotal).toBe(
    bought.lineItems.reduce((sum: number, line: Shown) => sum + line.subtotal + line.caExciseTotal, 4500),
  );
  const arriving = (await read('compliance-transfers')).flatMap(({ packages }) => packages);
  expect(new Set(arriving.map(({ product }) => product === null))).toEqual(new Set([true, false]));
});

test("a web page of the demo's origins reads the menu with the publishable key, and one of another origin does not", async () => {
  for (const { publishableKey, origins } of shops) {
    expect(origins.length).toBeGreaterThan(0);
    const menuAt = (origin: string) =>
      service.call('GET', '/api/v1/menu', {
        keys: { clientKey: publishableKey },
        headers: { origin },
        address: 'menu',
      });
    for (const origin of origins) {
      const { status, headers } = await menuAt(origin);
      expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
    }
    expect((await menuAt('https://elsewhere.example.com')).error?.code).toBe('ORIGIN_NOT_ALLOWED');
  }
});

test('the menu of the larger shop takes at most 45 KB on the wire, 56 KB with gzip, and what one sale changes at most 2 KB', async () => {
  const [{ consumerKey, clientKey }] = shops as [DemoOrganization];
  const keys = { consumerKey, clientKey };
  const menu = (query = {}) =>
    service.call('GET', '/api/v1/menu', { keys, query: { type: 'pickup', ...query }, address: 'menu' });
  const whole = await menu();
  expect(whole.text.length).toBeGreaterThan(500_000);
  const sold = whole.data.find(({ options }: Shown) => options[0]?.maxQuantity > 5);
  const body = {
    type: 'pickup',
    lineItems: [{ productOptionId: sold.options[0].id, quantity: 1 }],
    idempotencyKey: randomUUID(),
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
  };
  const placed = await service.call('POST', '/api/v1/orders', { keys, body });
  const accept = { headers: bearerHeader(tokens[0]!), body: {} };
  const accepted = await service.call('POST', `/staff/v1/orders/${placed.data.id}/accept`, accept);
  expect(accepted.error).toBeUndefined();
  const update = await menu({ changedSince: whole.headers.etag });
  expect(update.data.map(({ id }: Shown) => id)).toEqual([sold.id]);
  for (const [encoding, bytesMax] of [
    ['br', 45_000],
    ['gzip', 56_000],
  ] as const) {
    expect((await compressed(Buffer.from(whole.text), encoding, true)).length).toBeLessThan(bytesMax);
    expect((await compressed(update.text, encoding, false)).length).toBeLessThan(2_000);
  }
});

test('one integrator works for both shops, with a client key for each', async () => {
  const [first, second] = shops.map(({ integratorOfAllShops }) => integratorOfAllShops!);
  expect(second!.consumerKey).toBe(first!.consumerKey);
  for (const [at, { consumerKey, clientKey }] of [first!, second!].entries()) {
    const { data } = await service.call('GET', '/api/v1/whoami', { keys: { consumerKey, clientKey } });
    expect(data).toMatchObject({
      organization: { id: shops[at]!.id },
      integrator: { name: 'Crosstown Courier' },
    });
  }
});

test('a second integrator of each shop has a proven key, as real shops give it', async () => {
  for (const { id, consumerKey, provenIntegrator } of shops) {
    const { name, ...keys } = provenIntegrator!;
    const { data } = await service.call('GET', '/api/v1/whoami', { keys });
    expect(data).toMatchObject({
      ...{ organization: { id }, integrator: { name } },
      key: { customers: 'proven', permissions: ['create-orders', 'menu'] },
    });
    expect(keys.consumerKey).not.toBe(consumerKey);
  }
});

test('show integrators the fields of the golden files, each with a value somewhere', async () => {
  const replies = new Map<string, unknown[]>();
  const callWith =
    (keys: TestKeys): Call =>
    async (operation, params = {}, request = {}) => {
      const [method, path] = operation.split(' ') as ['GET', string];
      const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
      const reply = await service.call(method, url, { keys, ...request });
      if (reply.error !== undefined) throw new Error(`${operation}: ${reply.text}`);
      const { id } = service.endpoints.find((it) => it.method === method && it.path === path)!;
      const body = reply.text === '' ? undefined : JSON.parse(reply.text);
      replies.set(id, [...(replies.get(id) ?? []), body]);
      return reply.data;
    };
  for (const [at, { consumerKey, clientKey }] of shops.entries()) {
    const call = callWith({ consumerKey, clientKey });
    await readEverything(call);
    await writeEverything(
      call,
      (text) => sql(at, text),
      async (operation, body) => {
        const [method, path] = operation.split(' ') as ['POST', string];
        const reply = await service.call(method, path, { body, headers: bearerHeader(tokens[at]!) });
        if (reply.error !== undefined) throw new Error(`${operation}: ${reply.text}`);
        return reply.data;
      },
    );
  }
  // No demo shop includes taxes in its prices.
  const { shop, cart } = await openExemptShop(service.context);
  await buyExempt(callWith(shop.keys), cart);
  const worker = testWorker(service);
  const receivers = await Promise.all([204, 500, 410].map((status) => Receiver.answering(status)));
  await followEverything(callWith(shop.keys), [...receivers, { url: 'http://127.0.0.1:1/' }], () =>
    worker.pass(shop.organizationId),
  );
  await worker.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  for (const [id, bodies] of replies) await expectGolden('demo-replies', id, bodies);
}, 120_000);
