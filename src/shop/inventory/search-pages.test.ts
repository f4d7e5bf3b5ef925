import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { readSearchPage, type SearchPage } from '../../platform/lists/search.ts';
import { searchNewestPackages } from './package-queries.ts';
import { searchStockLevels } from './stock-list-queries.ts';

const service = await startTestService();
const { context } = service;
const { database } = context;
afterAll(() => service.close());

const words = [
  'Grün',
  'ÖL',
  '100%',
  'a_b',
  'Haze',
  'haze',
  'Moon\\lit',
  'Kush',
  'OG',
  'x',
  'ß',
  'kus',
  "Tom's",
];
/** Drawn from a seed: every run looks for the same. */
let drawn = 7;
function draw(below: number): number {
  drawn = (drawn * 48_271) % 2_147_483_647;
  return drawn % below;
}
function someText(): string {
  const said = Array.from({ length: 1 + draw(3) }, () => words[draw(words.length)]);
  return said.join([' ', '', '-'][draw(3)]);
}

const products = Array.from({ length: 40 }, (_, at) => ({
  key: `${someText()} ${at}`,
  inventoryType: at % 3 === 0 ? ('product' as const) : ('option' as const),
  options: [{ key: `option ${at}`, name: someText(), priceCents: 1000, content: '0.1' }],
  stock: [{ ...(at % 3 !== 0 && { option: `option ${at}` }), amount: '5', label: `${someText()}-${at}` }],
}));
const shop = await createTestShop(context, { products });
const { organizationId } = shop;
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(database, organizationId, text, ...values);

const anyLevel = {
  ...{ at: new Date(0).toISOString(), locationId: null },
  ...{ afterProductId: 0, afterOptionId: 0, afterLocationId: 0, afterPackageId: 0 },
};

/** A page by all ways: among the first rows and among more, which here are all, and by tokens. */
async function bothWays<Row>(page: SearchPage<Row>): Promise<number> {
  const [first] = await database.read(organizationId, page.amongFirst);
  const neverFull = { ...page, rowsPerPage: Number.POSITIVE_INFINITY };
  const bounds = { rowsFirst: -1, candidatesMax: 1_000, rowsMax: 1_000 };
  for (const ofWay of [bounds, { ...bounds, candidatesMax: -1 }]) {
    const found = await readSearchPage(database, organizationId, { ...neverFull, bounds: ofWay });
    expect(found, page.text).toEqual(first);
  }
  return first.length;
}

async function compareAll(text: string): Promise<number> {
  return (
    (await bothWays(searchNewestPackages(text, { startingAfter: null, status: null }))) +
    (await bothWays(searchStockLevels(text, anyLevel)))
  );
}

/** A part of a text that is there, of any length, in any case; at times with an end that is nowhere. */
function soughtIn(text: string): string {
  const from = draw(text.length);
  const part = text.slice(from, from + 1 + draw(6));
  return [part, part.toLowerCase(), part.toUpperCase(), `${part}qz`][draw(4)]!;
}

test('what tokens find is what a reading of all rows finds, also after every kind of change of a name', async () => {
  let found = 0;
  const changes = [
    async () => undefined,
    async () => sql(`update products set name = $1 where id % 3 = 0`, 'Ganz neu BENANNT'),
    async () =>
      sql(`update product_options set name = $1, upc = '410001006029' where id % 2 = 0`, 'Röhrchen'),
    async () => sql(`update packages set label = label || 'Ende' where id % 2 = 1`),
    async () => sql(`update packages set external_product_name = 'Vom Lieferschein' where id % 5 = 0`),
    async () => sql(`update product_options set deleted_at = now() where id % 4 = 0`),
    async () => {
      const [brand] = await sql(
        `insert into brands (organization_id, id, name, created_at, updated_at)
         values ($1, 77, 'Waldrand', now(), now()) returning id`,
        Number(organizationId),
      );
      await sql(`update products set brand_id = $1 where id % 2 = 0`, Number(brand!.id));
    },
    async () => sql(`update brands set name = 'Heimweh Ölmühle' where id = 77`),
    async () => sql(`update products set deleted_at = now() where id % 7 = 0`),
  ];
  const texts = [
    ...['Ganz neu', 'BENANNT', 'röhr', '006029', 'Ende', 'lieferschein', 'waldrand', 'heimweh', 'MÜHLE'],
    ...['%', '_', '\\', 'q', 'qz', 'zzqqzzqq'],
  ];
  for (const change of changes) {
    await change();
    for (let at = 0; at < casesOf({ everyRun: 2, long: 6 }); at++)
      found += await compareAll(soughtIn(products[draw(products.length)]!.key));
    for (const text of texts) found += await compareAll(text);
  }
  expect(found).toBeGreaterThan(casesOf({ everyRun: 100, long: 500 }));
});

test('a text whose parts too many rows have, and too few of the first all of it, is refused with the field', async () => {
  const pages: readonly SearchPage<unknown>[] = [
    searchNewestPackages('a', { startingAfter: null, status: null }),
    searchStockLevels('a', anyLevel),
  ];
  for (const page of pages) {
    const bounds = { rowsFirst: 2, candidatesMax: 1, rowsMax: 3 };
    await expect(readSearchPage(database, organizationId, { ...page, bounds })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('search must be more specific'),
    });
    // It is answered if its rows fill the page, if few have its parts, and if the list is short.
    for (const change of [
      { rowsPerPage: 1 },
      { bounds: { ...bounds, candidatesMax: 1_000 } },
      { bounds: { ...bounds, rowsMax: 1_000 } },
    ]) {
      const found = await readSearchPage(database, organizationId, { ...page, bounds, ...change });
      expect(found.length).toBeGreaterThan(0);
    }
  }
});

test('the products of a sub-category are those whose list has it, after every change of it', async () => {
  const [first, second] = [1, 2];
  for (const change of [
    `update products set sub_category_ids = array[${first}, ${second}, ${first}] where id % 2 = 0`,
    `update products set sub_category_ids = array[${second}] where id % 4 = 0`,
    `update products set deleted_at = now() where id % 3 = 0`,
    `update products set deleted_at = null where id % 6 = 0`,
    `update products set sub_category_ids = '{}' where id % 8 = 0`,
  ]) {
    await sql(change);
    const kept = await sql(
      `select sub_category_id as s, product_id as p from sub_category_products order by 1, 2`,
    );
    const told = await sql(
      `select distinct s.id as s, p.id as p from products p, unnest(p.sub_category_ids) s(id)
        where p.deleted_at is null order by 1, 2`,
    );
    expect(kept).toEqual(told);
  }
});

test("another organization's rows are behind the wall, whatever is sought", async () => {
  const other = await createTestShop(context, { products: products.slice(0, 2) });
  const sought = searchNewestPackages('a', { startingAfter: null, status: null });
  const ownIds = (await readSearchPage(database, other.organizationId, sought)).map(({ id }) => id);
  const strangers = await sql('select package_id as id from package_searches');
  for (const { id } of strangers) expect(ownIds).not.toContain(id);
  const tables = ['product_texts', 'product_searches', 'package_searches', 'sub_category_products'];
  for (const table of tables) {
    expect(await sql(`select from ${table} where organization_id <> $1`, Number(organizationId))).toEqual([]);
  }
});
