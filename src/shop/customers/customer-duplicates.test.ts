import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { namesFit } from '../../kernel/person-name.ts';
import { importPeople } from './people.test-support.ts';

/* The list of customers who may be one person (D85). */

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const birthday = '1980-05-06';

async function openShop() {
  const shop = await createTestShop(context);
  const manager = await service.staff(shop, 'manager');
  const list = async (query = '') => {
    const { data, meta, error } = await manager.call('GET', `/staff/v1/customer-duplicates${query}`);
    expect(error).toBeUndefined();
    const rows = data as { id: number; customer: { id: number }; earlier: { id: number } }[];
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ customer }) => customer.id));
    return { meta, pairs: rows.map(({ customer, earlier }) => [customer.id, earlier.id]) };
  };
  const add = (people: readonly (readonly [string, string, string?])[]) =>
    importPeople(
      context,
      shop.organizationId,
      people.map(([firstName, lastName, day = birthday]) => ({ firstName, lastName, birthday: day })),
    );
  return { shop, manager, list, add };
}

const named = (firstName: string, lastName: string) => ({ firstName, lastName });

test.each([
  [named('Ann', 'O’Brien'), named('ANN', 'OBRIEN'), true],
  [named('Łukasz', 'Dąb'), named('LUKASZ', 'DAB'), true],
  [named('Maria José', 'García-López'), named('MARIA-JOSE', 'GARCIA LOPEZ'), true],
  [named('Maria José', 'Hale'), named('MARIAJOSE', 'HALE'), true],
  [named('Robert', 'Hale'), named('ROBERT JAMES', 'HALE'), true],
  [named('Robert James', 'Hale'), named('Robert Paul', 'Hale'), true],
  [named('Robert', 'Hale'), named('ROBERT', 'HALE III'), true],
  [named('Robert', 'Hale Junior'), named('ROBERT', 'HALE, JR.'), true],
  [named('Robert', 'Hale Jr.'), named('ROBERT', 'HALE III'), false],
  [named('Robert', 'Hale'), named('Roberta', 'Hale'), false],
  [named('Robert', 'Hale'), named('Robert', 'Haley'), false],
  [named('Suharto', ''), named('SUHARTO', ''), true],
  [named('James Robert', 'Hale'), named('Robert', 'Hale'), false],
])('%j and %j with one birthday are a pair, once, as a card fits: %j', async (one, other, isPair) => {
  const { list, add } = await openShop();
  const [a, b] = await add([
    [one.firstName, one.lastName],
    [other.firstName, other.lastName],
    [other.firstName, other.lastName, '1980-05-07'],
  ]);
  expect(namesFit(one, other)).toBe(isPair);
  expect(await list()).toEqual({
    pairs: isPair ? [[b, a]] : [],
    meta: { total: isPair ? 1 : 0, more: false },
  });
});

test('people without a birthday, without a name, and of another organization are no pairs', async () => {
  const { shop, list } = await openShop();
  const stranger = await openShop();
  const ann = { firstName: 'Ann', lastName: 'Hale' };
  const blank = { firstName: '', lastName: '', birthday };
  await importPeople(context, shop.organizationId, [ann, ann, blank, blank, { ...ann, birthday }]);
  await stranger.add([['Ann', 'Hale']]);
  expect((await list()).pairs).toEqual([]);
  expect((await stranger.list()).pairs).toEqual([]);
  const [twin] = await stranger.add([['ANN', 'HALE']]);
  expect((await stranger.list()).pairs).toMatchObject([[twin, expect.any(Number)]]);
  expect((await list()).pairs).toEqual([]);
});

test('three records of one person are two pairs, and a merge or an erasure takes one away', async () => {
  const { manager, list, add } = await openShop();
  const [a, b, c, d] = await add([
    ['Ann', 'Hale'],
    ['ANN', 'HALE'],
    ['Ann Marie', 'Hale'],
    ['Ánn', 'Hale'],
  ]);
  expect((await list()).pairs).toEqual([
    [d, c],
    [c, b],
    [b, a],
  ]);
  const merge = await manager.call('POST', `/staff/v1/customers/${b}/merge`, { intoCustomerId: a });
  expect(merge.error).toBeUndefined();
  expect((await list()).pairs).toEqual([
    [d, c],
    [c, a],
  ]);
  expect((await manager.call('DELETE', `/staff/v1/customers/${c}`)).error).toBeUndefined();
  expect(await list()).toEqual({ pairs: [[d, a]], meta: { total: 1, more: false } });
  await manager.call('POST', `/staff/v1/customers/${a}/merge`, { intoCustomerId: d });
  expect((await list()).pairs).toEqual([]);
});

test('different suffixes stay apart, and each goes with the record without one', async () => {
  const { list, add } = await openShop();
  const [plain, junior, third, second] = await add([
    ['Robert', 'Hale'],
    ['Robert', 'Hale Jr'],
    ['Robert', 'Hale III'],
    ['Robert', 'Hale, 3rd'],
  ]);
  expect((await list()).pairs).toEqual([
    [second, third],
    [third, plain],
    [junior, plain],
  ]);
});

test('pages follow each other, and an unknown cursor is refused', async () => {
  const { manager, list, add } = await openShop();
  const ids = await add(
    Array.from({ length: 53 }, (_, at) => [at % 2 === 0 ? 'Ann' : 'ÁNN', 'Hale'] as const),
  );
  const expected = ids.slice(1).map((id, at) => [id, ids[at]]);
  const first = await list();
  expect(first).toEqual({ pairs: expected.toReversed().slice(0, 50), meta: { total: 52, more: false } });
  const last = await list(`?startingAfter=${first.pairs.at(-1)![0]}`);
  expect(last).toEqual({ pairs: expected.toReversed().slice(50), meta: { total: 52, more: false } });
  expect(await list(`?startingAfter=${ids[0]}`)).toEqual({ pairs: [], meta: { total: 52, more: false } });
  const unknown = await manager.call('GET', '/staff/v1/customer-duplicates?startingAfter=999999999999');
  expect(unknown.data ?? unknown.error?.code).toBe('INVALID_CURSOR');
});

test('only who may merge customers reads the list', async () => {
  const { shop } = await openShop();
  const budtender = await service.staff(shop, 'budtender');
  const { error } = await budtender.call('GET', '/staff/v1/customer-duplicates');
  expect(error?.code).toBe('INSUFFICIENT_PERMISSIONS');
});
