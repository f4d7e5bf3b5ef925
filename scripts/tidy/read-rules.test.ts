// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code in texts is what is tested here
import { describe, expect, test } from 'vitest';
import { declaredReadingsHold, readersAreDeclared, sqlStandsInItsRooms } from './read-rules.ts';
import { architecture, check } from './small-projects.test-support.ts';

describe('readers of tables', () => {
  const project = {
    'migrations/0001_create.sql':
      'create table orders (\n  id bigint\n);\ncreate table brands (\n  id bigint\n);\ncreate table counted_changes (\n  id bigint\n);\n',
    'src/shop/orders/order-queries.ts': "export const addOrders = insertMany('orders', { id: 'id' });",
    'src/shop/catalog/brand-queries.ts': "export const addBrands = insertMany('brands', { id: 'id' });",
  };
  /** A statement of orders. */
  const read = (sql: string) => ({
    'src/shop/orders/list-queries.ts': `const page = 'limit 5';\nexport const selectAll = statement('select_all', \`${sql}\`);\n`,
  });
  const arrows = ['orders > catalog', 'catalog > kernel'];
  const brandsForOrders = architecture({ arrows, offers: ['brands: catalog > orders'] });

  test.each([
    'select b.id from brands b',
    'select o.id from orders o left join brands b on b.id = o.id ${page}',
    'select o.id, (select max(b.id) from brands b) from orders o',
    'select o.id from orders o, brands b where o.id = b.id',
    'with brand as (select id from brands) select id from brand',
    'delete from orders using brands b where b.id = orders.id',
    'insert into orders (id) select id from brands',
    'update orders set id = b.id from brands b',
  ])('a reader that is not declared is refused: %s', (sql) => {
    expect(check(readersAreDeclared, { ...project, ...read(sql), ...architecture({ arrows }) })).toEqual([
      'src/shop/orders/list-queries.ts:2 selectAll reads brands, a table of catalog, which does not offer it to orders: ' +
        'ask catalog through its front door, or add orders to its row in docs/ARCHITECTURE.md.',
    ]);
    expect(check(readersAreDeclared, { ...project, ...read(sql), ...brandsForOrders })).toEqual([]);
    expect(check(declaredReadingsHold, { ...project, ...read(sql), ...brandsForOrders })).toEqual([]);
  });

  test.each([
    'with brands as (select id from orders) select id from brands',
    'select id from orders where id is distinct from brands',
    'select id from orders -- not from brands',
  ])('what is no reading of the table is none: %s', (sql) => {
    expect(check(readersAreDeclared, { ...project, ...read(sql), ...architecture({ arrows }) })).toEqual([]);
  });

  test('prose that names a table after "from" is no reading', () => {
    const code = "export const summary = 'Takes a product from brands, and joins it to another brand';";
    const files = { ...project, 'src/shop/orders/order-routes.ts': code, ...architecture({ arrows }) };
    expect(check(readersAreDeclared, files)).toEqual([]);
  });

  test.each([
    ["const source = 'brands b where b.id > 0';", '${source}'],
    ["const rows = 'select id from brands';", '(${rows}) as rows'],
  ])('a reading is found through a constant: %s', (constant, sql) => {
    const code = `${constant}\nexport const all = statement('all', \`select id from ${sql}\`);`;
    const files = { ...project, 'src/shop/orders/list-queries.ts': code, ...architecture({ arrows }) };
    expect(check(readersAreDeclared, files)).toEqual([expect.stringContaining('reads brands')]);
  });

  test('a reading is found where a function gets the name of the table', () => {
    const code =
      "function rowsOf(table: string) {\n  return statement(table, `select id from ${table}`);\n}\nconst rows = rowsOf('brands');\n";
    const files = { ...project, 'src/shop/orders/list-queries.ts': code, ...architecture({ arrows }) };
    expect(check(readersAreDeclared, files)).toEqual([expect.stringContaining('rowsOf reads brands')]);
  });

  test('a reader below the owner is sent to its caller', () => {
    const files = {
      ...project,
      ...read('select id from brands'),
      ...architecture({ arrows: ['catalog > orders'] }),
    };
    expect(check(readersAreDeclared, files)).toEqual([
      expect.stringContaining('orders may not import catalog: let the caller pass in a statement of catalog'),
    ]);
  });

  test('a table that no code writes has its owner in the declaration', () => {
    const sql = read('select id from counted_changes');
    expect(check(readersAreDeclared, { ...project, ...sql, ...architecture({ arrows }) })).toEqual([
      expect.stringContaining('reads counted_changes, which has no owner'),
    ]);
    const owned = architecture({ arrows, offers: ['counted_changes: orders > no'] });
    expect(check(readersAreDeclared, { ...project, ...sql, ...owned })).toEqual([]);
  });

  test('a declared reading that does not happen is refused, and a table that is not there', () => {
    const files = {
      ...project,
      ...read('select id from orders'),
      ...architecture({ arrows, offers: ['brands: catalog > orders', 'breads: catalog > orders'] }),
    };
    expect(check(declaredReadingsHold, files)).toEqual([
      expect.stringContaining('ARCHITECTURE.md:13 There is no table breads'),
      expect.stringContaining('ARCHITECTURE.md:12 orders does not read brands'),
      expect.stringContaining('ARCHITECTURE.md:13 orders does not read breads'),
    ]);
  });

  test('an owner that does not write the table is refused', () => {
    const files = {
      ...project,
      ...read('select id from brands'),
      ...architecture({ arrows: ['orders > menus'], offers: ['brands: menus > orders'] }),
    };
    expect(check(declaredReadingsHold, files)).toEqual([
      expect.stringContaining('catalog writes brands, so catalog is its owner, not menus'),
    ]);
  });

  test('an offer against the arrows is refused, and allowed as an exception with its reason', () => {
    const files = { ...project, ...read('select id from brands') };
    const below = ['catalog > orders', 'orders > kernel'];
    const refusalsOf = (declared: Parameters<typeof architecture>[0]) =>
      check(declaredReadingsHold, { ...files, ...architecture(declared) });
    const row = (reason: string) => [`| \`orders\` | \`brands\` | \`catalog\` | ${reason} |`];
    expect(refusalsOf({ arrows: below, offers: ['brands: catalog > orders'] })).toEqual([
      expect.stringContaining('which it may not import: let the caller pass in a statement of catalog'),
    ]);
    expect(refusalsOf({ arrows: below, exceptions: row('One lock covers both.') })).toEqual([]);
    expect(refusalsOf({ arrows: below, exceptions: row('') })).toEqual([
      expect.stringContaining('Say why orders reads brands against the arrows'),
    ]);
    expect(refusalsOf({ arrows, exceptions: row('One lock covers both.') })).toEqual([
      expect.stringContaining('orders may import catalog, so reading brands is no exception'),
    ]);
    expect(refusalsOf({ arrows, offers: ['brands: catalog > orders', 'brands: catalog > orders'] })).toEqual([
      expect.stringContaining('orders reads brands is declared twice'),
    ]);
  });

  test.each([
    ['src/shop/menus/menu-page.ts', "export const all = statement('all', 'select 1');"],
    ['src/shop/menus/menu-page.ts', 'const rows = `select id from orders`;'],
    ['seed/load.ts', "export async function load() {\n  await client.query('delete from orders');\n}"],
  ])('SQL in a room without SQL is refused: %s %s', (path, code) => {
    expect(check(sqlStandsInItsRooms, { ...architecture({}), [path]: code })).toEqual([
      expect.stringMatching(/ (menus|seed) has no SQL: make it a statement of the slice/),
    ]);
  });

  test('a room without SQL may speak of selecting, and other rooms have SQL', () => {
    const files = {
      ...architecture({}),
      'src/shop/menus/menu-page.ts': 'const style = `select { color: red }`;',
      'src/shop/orders/order-queries.ts': "export const all = statement('all', 'select 1');",
    };
    expect(check(sqlStandsInItsRooms, files)).toEqual([]);
  });
});
