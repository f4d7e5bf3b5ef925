import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationId } from '../src/kernel/ids.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import {
  startOwnTestService,
  type TestReply,
  type TestService,
  testNowMs,
} from '../test/harness/test-service.ts';
import { brokenRules } from '../test/simulation/trading-invariants.ts';
import { californiaShop } from './california-shop.ts';
import { drawIllustration } from './illustrations.ts';
import type { DemoOrganization } from './load-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import {
  isDemoUnfinished,
  markDemoUnfinished,
  openDemoFile,
  readDemoFile,
  seedDemo,
  writeDemoFile,
} from './seed-demo.ts';
import { stagedOrders } from './staged-orders.ts';

interface Photo {
  readonly id: number;
  readonly fullPath: string;
  readonly sizes: readonly { readonly width: number; readonly fullPath: string }[];
}

/** A twentieth of the people and orders; catalog, stock and terms are whole. */
const portion = 0.05;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-seed-'));
const contents = [californiaShop, michiganShop] as const;
let service: TestService;
let shops: DemoOrganization[];

beforeAll(async () => {
  service = await startOwnTestService({ dataFolder: folder });
  const photos = service.photoBlobs;
  const files = { photos, documents: service.documentFiles };
  shops = await seedDemo(service.context, 'production', files, () => {}, portion);
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['California', 0, { customers: 125, orders: 300 + stagedOrders.length }],
  ['Michigan', 1, { customers: 15, orders: 20 + stagedOrders.length }],
] as const)('the demo shop of %s', (_state, at, size) => {
  const sql = (text: string) => tenantSql(service.context.database, organizationId(shops[at]!.id), text);
  const values = async (column: string) =>
    (await sql(`select distinct ${column} as value from orders order by 1`)).map(({ value }) => value);

  test('has a consistent history: every order adds up, and the stock equals the ledger', async () => {
    expect(await brokenRules(service.context.database, organizationId(shops[at]!.id))).toEqual([]);
  });

  test('has people and orders in proportion, and every row of a whole catalog', async () => {
    const [counts] = await sql(
      `select (select count(*) from customers) as customers, (select count(*) from orders) as orders`,
    );
    expect(counts).toEqual(size);
    const [empty] = await sql(
      `select (select count(*) from products p where not exists (select from product_options o
                where o.organization_id = p.organization_id and o.product_id = p.id)) as products,
              (select count(*) from product_categories c where not exists (select from products p
                where p.organization_id = c.organization_id and p.primary_category_id = c.id)) as categories`,
    );
    expect(empty).toEqual({ products: 0, categories: 0 });
  });

  test('has two registers where it sells, which sell without the service, too', async () => {
    const [till] = await sql(
      `select (select count(*)::int from registers) as registers, (select bool_and(is_on) from offline_sale_limits) as offline`,
    );
    expect(till).toEqual({ registers: 2, offline: true });
  });

  test('shows orders of every type, from the past 60 days, none from the future', async () => {
    expect(await values('type')).toEqual(['delivery', 'in-store', 'pickup']);
    const [times] = await sql('select min(created_at) as first, max(created_at) as last from orders');
    expect(times!.first).toBeGreaterThan(testNowMs - 62 * 86_400_000);
    expect(times!.last).toBeLessThanOrEqual(testNowMs);
    expect(await values('status')).toContain('fulfilled');
  });

  test('has promotions that its orders used, ended and coming ones, and people with groups, points and credits', async () => {
    const [discounts] = await sql(
      `select count(*) filter (where ends_at <= '${new Date(testNowMs).toISOString()}')::int as ended,
              count(*) filter (where starts_at > '${new Date(testNowMs).toISOString()}')::int as coming,
              array_agg(distinct kind order by kind) as kinds, array_agg(distinct trigger order by trigger) as triggers
         from discounts`,
    );
    expect(discounts).toEqual({
      ended: 1,
      coming: 1,
      kinds: ['buy-x-get-y', 'line', 'order', 'product'],
      triggers: ['automatic', 'code', 'manual'],
    });
    const [counts] = await sql(
      `select (select count(distinct order_id) from order_discounts)::int as discounted,
              (select count(*) from loyalty_rewards)::int as rewards,
              (select count(*) from customer_groups)::int as groups,
              (select count(*) from customer_group_members)::int as members,
              (select count(*) from customer_credits)::int as credits,
              (select count(*) from loyalty_events where type = 'earned')::int as earnings,
              (select count(*) from loyalty_balances b where b.points <> (
                 select sum(e.points_amount) from loyalty_events e
                  where e.organization_id = b.organization_id and e.user_id = b.user_id))::int as wrong_balances`,
    );
    expect(counts).toMatchObject({ rewards: 4, groups: 4, wrong_balances: 0 });
    // Given by hand to the newest customers and to those of staged orders; returns add theirs.
    expect(counts!.credits).toBeGreaterThanOrEqual(12 + 6);
    expect(counts!.members).toBeGreaterThan(0);
    expect(counts!.discounted).toBeGreaterThan(size.orders / 20);
    expect(counts!.earnings).toBeGreaterThan(size.orders / 5);
  });

  test('has customers in both lines of the queue, some of them for the first time', async () => {
    const { consumerKey, clientKey } = shops[at]!;
    const { data } = await service.call('GET', '/api/v1/instore-queues', {
      keys: { consumerKey, clientKey },
    });
    expect([data.intake.length, data.pos.length]).toEqual([3, 2]);
    const isFirstTime = [...data.intake, ...data.pos].map((person) => person.isFirstTime);
    expect(isFirstTime).toContain(true);
    expect(isFirstTime).toContain(false);
  });

  test('has purchase orders (paid, in part, unpaid), packages of every status, two transfers', async () => {
    const { consumerKey, clientKey } = shops[at]!;
    const list = async (path: string) =>
      (await service.call('GET', `/api/v1/${path}`, { keys: { consumerKey, clientKey } })).data;
    const orders: { paymentStatus: string; status: string; totalAmountReceived: string }[] =
      await list('purchase-orders');
    expect(orders.map(({ paymentStatus, status }) => `${paymentStatus} ${status}`)).toEqual([
      'unpaid open',
      'unpaid open',
      'paid open',
      'partial open',
      'paid closed',
    ]);
    expect(orders.map(({ totalAmountReceived }) => totalAmountReceived)).toEqual([
      '0',
      '0',
      '24',
      '24',
      '72',
    ]);
    const transfers: { packages: unknown[] }[] = await list('compliance-transfers');
    expect(transfers.map(({ packages }) => packages.length)).toEqual([3, 3]);
    const [row] = await sql('select array_agg(distinct status order by status) as statuses from packages');
    expect(row!.statuses).toEqual([
      'finished',
      'ready',
      'received',
      'shipped',
      'syncing',
      'transfer-returned',
      'transferred',
    ]);
    const [pack] = await list('packages');
    expect(pack).toMatchObject({ producerName: expect.any(String), labDate: expect.any(String) });
  });

  test('can trade at once: its keys price a cart from its menu', async () => {
    const { consumerKey, clientKey } = shops[at]!;
    const keys = { consumerKey, clientKey };
    const menu = await service.call('GET', '/api/v1/menu', { keys, query: { type: 'pickup' } });
    const option = menu.data
      .flatMap(({ options }: { options: { id: number; maxQuantity: number | null }[] }) => options)
      .find(({ maxQuantity }: { maxQuantity: number | null }) => maxQuantity !== null && maxQuantity > 2);
    const body = { type: 'pickup', lineItems: [{ productOptionId: option.id, quantity: 2 }] };
    const priced = await service.call('POST', '/api/v1/orders/pricing', { keys, body });
    expect(priced.status).toBe(200);
    expect(priced.data.taxes.length).toBeGreaterThan(0);
  });

  test('offers every photo of its menus in all widths, and each address answers with a picture of that width', async () => {
    const { consumerKey, clientKey, publishableKey } = shops[at]!;
    const replies = await Promise.all(
      ['pickup', 'delivery'].map((type) =>
        service.call('GET', '/api/v1/menu', { keys: { consumerKey, clientKey }, query: { type } }),
      ),
    );
    const products: { photos: Photo[] }[] = replies.flatMap(({ data }) => data);
    const profile = await service.call('GET', '/api/v1/shop', {
      headers: { 'x-client-key': publishableKey, origin: 'http://localhost:3000' },
    });
    const logo: Omit<Photo, 'id'> = profile.data.logo;
    const photos = [...products.flatMap((product) => product.photos), logo];
    expect(products.filter((product) => product.photos.length === 0)).toEqual([]);
    const widthOf = new Map<string, number>();
    for (const [place, { sizes, fullPath }] of photos.entries()) {
      expect(sizes.map(({ width }) => width)).toEqual([320, 800, 1600]);
      expect(fullPath).toBe(sizes[2]!.fullPath);
      // A large picture takes a tenth of a second to draw: those of the first photos stand for all.
      for (const size of place < 3 ? sizes : sizes.slice(0, 1)) widthOf.set(size.fullPath, size.width);
    }
    for (const [url, width] of widthOf) {
      const { status, headers, bytes } = await service.call('GET', url);
      expect([url, status, headers['content-type']]).toEqual([url, 200, 'image/webp']);
      const picture = await sharp(bytes).metadata();
      expect([url, picture.format, picture.width]).toEqual([url, 'webp', width]);
    }
  }, 300_000);

  test('has a stored drawing behind every photo', async () => {
    const photos = await sql(`select distinct location from product_photos
      union select logo_location from shop_profiles`);
    const stored = new Set(await readdir(join(folder, 'photos')));
    const drawingOf = (location: string) => location.replace('/photos/', '').replace('-1600.webp', '.svg');
    expect(photos.length).toBeGreaterThan(0);
    // Names are short: no two drawings may share one.
    const illustrations = contents[at].products.flatMap((product) => [
      ...product.illustrations,
      ...product.options.flatMap((option) => option.illustrations ?? []),
    ]);
    const drawings = new Set(illustrations.map(drawIllustration));
    expect(photos.length).toBe(drawings.size + 1);
    expect(photos.filter(({ location }) => !stored.has(drawingOf(location)))).toEqual([]);
  });

  test('knows its past orders by the keys that placed them', async () => {
    const { consumerKey, clientKey } = shops[at]!;
    const [order] = await sql(
      `select o.id, o.idempotency_key as key from orders o join client_keys k using (organization_id, integrator_id)
        where o.idempotency_key is not null and k.name = 'Demo key' limit 1`,
    );
    const reply = await service.call('GET', '/api/v1/orders', {
      keys: { consumerKey, clientKey },
      query: { idempotencyKey: order!.key },
    });
    expect(reply.data.map(({ id }: { id: string }) => id)).toEqual([order!.id]);
  });
});

test('both shops together show every status and source that an order can have', async () => {
  const seen = await Promise.all(
    shops.map(({ id }) =>
      tenantSql(service.context.database, organizationId(id), 'select status, source from orders'),
    ),
  );
  const rows = seen.flat();
  expect([...new Set(rows.map(({ status }) => status))].sort()).toEqual([
    'canceled',
    'draft',
    'fulfilled',
    'new',
    'packed',
  ]);
  expect([...new Set(rows.map(({ source }) => source))].sort()).toEqual([
    'in-store',
    'kiosk',
    'menu',
    'open-api',
    'web-admin',
  ]);
});

test('the file of the demo keys is readable by its owner only, and removes the mark of an unfinished start', () => {
  expect(readDemoFile(folder)).toBeNull();
  markDemoUnfinished(folder);
  expect(isDemoUnfinished(folder)).toBe(true);
  const demo = { baseUrl: 'http://127.0.0.1:8080', menuUrl: 'http://127.0.0.1:8081', organizations: shops };
  writeDemoFile(folder, demo);
  expect(isDemoUnfinished(folder)).toBe(false);
  expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toEqual(demo);
  expect(readDemoFile(folder)).toEqual(demo);
});

test.each([
  ['is cut off', '{"baseUrl": "http://127'],
  ['is empty', ''],
  ['is null', 'null'],
  ['has no shops', '{"organizations": []}'],
  ['has a shop without keys', '{"organizations": [{"id": 1, "name": "Shop"}]}'],
  ['has something else', '[1, 2]'],
])('a file of the demo keys that %s is moved aside with a warning, and the service starts', (_, content) => {
  const damaged = mkdtempSync(join(tmpdir(), 'damaged-demo-'));
  writeFileSync(join(damaged, 'demo.json'), content);
  expect(() => readDemoFile(damaged)).toThrow('Repair or remove the file.');
  const warnings: string[] = [];
  expect(openDemoFile(damaged, (warning) => warnings.push(warning))).toBeNull();
  expect(warnings).toEqual([expect.stringContaining('node dispensary.mjs organization invite-owner --help')]);
  expect(readFileSync(join(damaged, 'demo.json.damaged'), 'utf8')).toBe(content);
  // The next start says nothing of it.
  expect(openDemoFile(damaged, (warning) => warnings.push(warning))).toBeNull();
  expect(warnings).toHaveLength(1);
});

test('a folder in the place of the file of the demo keys does not keep the service from starting', () => {
  const damaged = mkdtempSync(join(tmpdir(), 'damaged-demo-'));
  mkdirSync(join(damaged, 'demo.json'));
  const warnings: string[] = [];
  expect(openDemoFile(damaged, (warning) => warnings.push(warning))).toBeNull();
  expect(warnings).toHaveLength(1);
});

test('the menu shows for each option what one unit costs, and tells what needs an order as a condition', async () => {
  let conditions = 0;
  for (const { consumerKey, clientKey } of shops) {
    const keys = { consumerKey, clientKey };
    const menu = await service.call('GET', '/api/v1/menu', { keys, query: { type: 'pickup' } });
    const options = menu.data.flatMap((product: TestReply['data']) => product.options);
    expect(options.length).toBeGreaterThan(100);
    for (const { id, displayPrice, specialPrice, specialMinimumOrder } of options) {
      const body = { type: 'pickup', lineItems: [{ productOptionId: id, quantity: 1 }] };
      const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys, body });
      const costs = data.discounts.reduce(
        (left: number, { amountUsed }: TestReply['data']) => left - amountUsed,
        data.totalPrice,
      );
      if (specialMinimumOrder === null) expect([id, displayPrice]).toEqual([id, costs]);
      else {
        conditions += 1;
        expect([id, specialPrice]).toEqual([id, costs]);
        expect(displayPrice).toBeGreaterThan(costs);
        expect(displayPrice).toBeGreaterThanOrEqual(specialMinimumOrder);
      }
    }
  }
  expect(conditions).toBeGreaterThan(0);
}, 120_000);
