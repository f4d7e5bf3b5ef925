import { afterAll, expect, inject, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { productSearch } from './product-list-queries.ts';

const service = await startTestService();
const shop = await createTestShop(service.context, {});
const stranger = await createTestShop(service.context, {});
const owner = await service.staff(shop);
const strangers = await service.staff(stranger);
afterAll(() => service.close());

const path = '/staff/v1/products';
type Member = typeof owner;

interface Wanted {
  readonly name: string;
  readonly brand?: string;
  readonly strain?: string;
  readonly sku?: string;
  readonly unit?: 'gram' | 'item';
  readonly options?: readonly { readonly name?: string; readonly amount: number; readonly upc?: string }[];
}

async function create(
  member: Member,
  { name, brand, options = [{ amount: 1 }], unit = 'item', ...rest }: Wanted,
) {
  service.clock.advance(1_000);
  const reply = await member.call('POST', path, {
    ...{
      name,
      description: '',
      unit,
      strainType: 'hybrid',
      category: 'Flower',
      subCategories: [],
      photos: [],
    },
    ...(brand !== undefined && { brandName: brand }),
    ...rest,
    options: options.map((option) => ({ price: 1_000, content: '1', ...option })),
  });
  expect(reply.error).toBeUndefined();
  return reply.data.id as number;
}

async function found(search: string, query: Record<string, string | number> = {}, member: Member = owner) {
  const reply = await member.call('GET', path, undefined, { query: { search, ...query } });
  expect(reply.status).toBe(200);
  expect(reply.meta.total).toBeGreaterThanOrEqual(reply.data.length);
  return { names: reply.data.map(({ name }: { name: string }) => name), meta: reply.meta };
}
const names = async (search: string) => (await found(search)).names;

await create(owner, { name: 'Velvety Gummies', brand: 'Wyld', strain: 'Blue Dream', sku: 'VG-10' });
await create(owner, {
  name: 'Gelato No. 41',
  brand: 'Quiet Acres',
  unit: 'gram',
  options: [{ amount: 1, upc: '850012345678' }, { amount: 3.5 }],
});
await create(owner, {
  name: 'Sundae Bar',
  brand: 'Dream House',
  options: [{ name: 'Family Pack', amount: 1 }],
});
await create(owner, { name: 'Dream Cart', brand: 'Quiet Acres', sku: '850012345678-B' });
await create(strangers, { name: 'Velvety Secret', brand: 'Wyld', sku: 'VG-10' });

test('a search within a category finds what the whole search has of it', async () => {
  const inCategory = async (search: string, category: string) =>
    (await found(search, { productCategoryId: shop.categoryId(category) })).names;
  for (const search of ['dream', 'velv', 'dreem', '850012345678'])
    expect(await inCategory(search, 'Flower')).toEqual(await names(search));
  expect(await inCategory('dream', 'Edibles')).toEqual([]);
});

test('words are found in any order, over name, brand, strain, options, SKU and UPC', async () => {
  expect(await names('wyld dream')).toEqual(['Velvety Gummies']);
  expect(await names('DREAM  wyld')).toEqual(['Velvety Gummies']);
  expect(await names('1g gelato')).toEqual(['Gelato No. 41']);
  expect(await names('gelato 3.5 grams')).toEqual(['Gelato No. 41']);
  expect(await names('pack sundae')).toEqual(['Sundae Bar']);
  expect(await names('vg-10')).toEqual(['Velvety Gummies']);
  expect(await names('2345678 quiet')).toEqual(['Dream Cart', 'Gelato No. 41']);
  expect(await names('wyld sundae')).toEqual([]);
});

test('a whole code comes first, then names that begin with the text, then the others, each newest first', async () => {
  expect(await names('850012345678')).toEqual(['Gelato No. 41', 'Dream Cart']);
  expect(await names('dream')).toEqual(['Dream Cart', 'Sundae Bar', 'Velvety Gummies']);
});

test('the label of a package finds its product', async () => {
  const [product] = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select id from products where name = 'Sundae Bar'`,
  );
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update packages set product_id = $1, label = '1A4FF0000000000000777' where id = (select min(id) from packages)`,
    Number(product!.id),
  );
  expect(await names('1a4ff0000000000000777')).toEqual(['Sundae Bar']);
});

test('one wrong letter is forgiven, of one word of four letters or more, if nothing has all words', async () => {
  for (const typed of [
    'velvety',
    'velvtey',
    'velvey',
    'vellvety',
    'vexvety',
    'wyld velvety',
    'wyld velvity',
    'evlvety',
    'veelvety',
  ]) {
    expect([typed, await names(typed)]).toEqual([typed, ['Velvety Gummies']]);
  }
  for (const typed of ['vexxety', 'wild velvity', 'xyz', '(((((', 'a.*b.*c']) {
    expect([typed, await names(typed)]).toEqual([typed, []]);
  }
  // What is right finds no neighbour.
  expect(await names('cart')).toEqual(['Dream Cart']);
});

test('the list says how many there are, and its pages continue in the order of the search', async () => {
  const many = [];
  for (let at = 0; at < 60; at++) many.push(await create(owner, { name: `Copper ${at}`, brand: 'Zest' }));
  await create(owner, { name: 'Old Copper' });
  const all = await owner.call('GET', path);
  expect(all.meta).toEqual({ total: all.meta.total, more: false });
  const first = await owner.call('GET', path, undefined, { query: { search: 'copper' } });
  expect(first.meta).toEqual({ total: 61, more: false });
  expect(first.data[0].name).toBe('Copper 59');
  const second = await owner.call('GET', path, undefined, {
    query: { search: 'copper', startingAfter: first.data.at(-1).id },
  });
  expect(second.data.map(({ name }: { name: string }) => name)).toEqual([
    ...Array.from({ length: 10 }, (_, at) => `Copper ${9 - at}`),
    'Old Copper',
  ]);
  expect((await found('zest', { active: 'true' })).meta).toEqual({ total: 0, more: false });
  const active = await owner.call('GET', path, undefined, { query: { active: 'false' } });
  expect(active.meta.total).toBeGreaterThan(60);
});

test('what was renamed or lost its option is found by what it is called now, and nothing of another organization', async () => {
  const id = await create(owner, {
    name: 'Zephyr Oil',
    strain: 'Lantern',
    options: [{ name: 'Vial', amount: 1 }],
  });
  await owner.call('PUT', `${path}/${id}`, { name: 'Harbor Oil', strain: 'Ember' });
  expect([await names('zephyr'), await names('lantern'), await names('ember harbor')]).toEqual([
    [],
    [],
    ['Harbor Oil'],
  ]);
  await owner.call('PUT', `${path}/${id}`, { deletedAt: new Date(service.clock.now()).toISOString() });
  expect(await names('ember harbor')).toEqual([]);
  expect((await found('velvety', {}, strangers)).names).toEqual(['Velvety Secret']);
});

// Settings that leave an index the only way do not reach the server of an organization, and neither does `insert … select` there.
const onOneServer = test.skipIf(inject('server').isDistributed);

onOneServer(
  'each part of a search is an index or a bounded number of rows, however many products there are',
  async () => {
    const sought = { whole: 'copper', patterns: ['%copper%'], expression: 'copp.?r' };
    const filter = { active: null, categoryId: null, subCategoryId: null };
    const inCategory = { ...filter, categoryId: shop.categoryId('Flower') };
    const behind = { lastAt: 'infinity', lastId: 0, foundMax: 1000 };
    const { first, more, byTokens, nearly } = productSearch;
    const asked = [
      first(sought, filter),
      more(sought, { ...filter, ...behind }),
      byTokens(sought, filter),
      nearly(sought, filter),
      first(sought, inCategory),
      byTokens(sought, inCategory),
      nearly(sought, inCategory),
    ];
    const plans = asked.map(async ({ text, values }, at) => {
      const bound = values.map((value) => (typeof value === 'symbol' ? shop.organizationId : value));
      return service.context.database.write(shop.organizationId, async (tx) => {
        const run = (name: string, sql: string, ...of: typeof bound) =>
          tx.run({ name, text: sql, values: of });
        await run(
          'test_no_scan_of_products',
          `select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
        );
        const [rows] = await run(`test_plan_of_products_${at}`, `explain (costs off) ${text}`, ...bound);
        return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n');
      });
    });
    const made = await Promise.all(plans);
    const [ofFirst, ofMore, , , ofFirstInCategory] = made;
    // Behind row-level security, an index that looks into a text is not one that a search can use.
    for (const plan of [ofFirst, ofFirstInCategory]) {
      expect(plan).toMatch(/Index Cond: .*name_key >= .*name_key < /);
      expect(plan).toMatch(/using product_texts_in_order/);
    }
    expect(ofMore).toMatch(/using product_texts_in_order/);
    for (const plan of made) expect(plan).not.toMatch(/Seq Scan on p/);
    for (const plan of made.slice(4)) expect(plan).toMatch(/CTE narrowed/);
  },
);

onOneServer('a product that came without options is found as well', async () => {
  const { organizationId } = shop;
  await tenantSql(
    service.context.database,
    organizationId,
    `insert into products select (jsonb_populate_record(p, '{"id": 999999999, "name": "Optionless Hemp"}')).*
       from products p where p.deleted_at is null limit 1`,
  );
  expect(await names('optionless')).toEqual(['Optionless Hemp']);
});
