import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import { casesOf } from '../harness/long-suite.ts';
import { startTestService } from '../harness/test-service.ts';
import { propertyNames } from './contract-world.ts';
import {
  contradictions,
  type Facts,
  type FilterMeaning,
  filterMeaning,
  notFiltering,
  type Query,
  type Value,
} from './filter-meaning.ts';
import { createFilterWorld } from './filter-world.ts';
import { type Comparator, type ListMeaning, meaningOfList } from './list-meaning.ts';
import { seeds } from './malformed-requests.ts';
import { ask, type DeclaredFilter, type DeclaredList, listsAmong, readToEnd } from './read-lists.ts';
import type { Row } from './search-meaning.ts';

/*
 * Every list, with each of its filters and sorts and with several of them, against a plain reading of all its rows: the
 * same rows, in the same order, on the same pages. Lists and filters are found by themselves; what they mean is said in
 * filter-meaning.ts.
 */

const valuesPerFilter = casesOf({ everyRun: 3, long: 100 });
const combinationsPerList = casesOf({ everyRun: 2, long: 500 });

const service = await startTestService();
const world = await createFilterWorld(service);
const lists = listsAmong([...service.endpoints, ...service.staffEndpoints]);
afterAll(async () => {
  expect(service.faults.slice(0, 1)).toEqual([]);
  await service.close();
});

const meaningOf = (list: DeclaredList, { name }: DeclaredFilter): FilterMeaning | undefined =>
  filterMeaning[`${list.id}.${name}`] ?? filterMeaning[name];
const meanings = new Map(lists.map((list) => [list.id, meaningOfList(list.endpoint)]));
const listMeaning = ({ id }: DeclaredList): ListMeaning => meanings.get(id)!;
const orderOf = (list: DeclaredList, query: Query): Comparator => listMeaning(list).orderOf(query);

const understood = lists.filter(
  (list) => meanings.get(list.id) && list.filters.every((filter) => meaningOf(list, filter)),
);
const allRows = new Map<string, readonly Row[]>();
for (const list of understood) {
  const query = listMeaning(list).everything;
  const rows = await readToEnd(service, world, list, {
    query,
    cursor: listMeaning(list).cursor,
    until: 'an empty page',
  });
  allRows.set(list.id, rows);
}
const facts: Facts = { world, rowsOf: (operation) => allRows.get(operation)! };

test('every list declares how it is ordered, and every filter says what it keeps, in filter-meaning.ts', () => {
  const missing = lists.flatMap((list) => [
    ...(meanings.get(list.id) ? [] : [`${list.id}: declare \`list: { order }\`, or sorts`]),
    ...list.filters
      .filter((filter) => meaningOf(list, filter) === undefined)
      .map(
        ({ name }) =>
          `filterMeaning: add '${list.id}.${name}' with the rows that it keeps, and values to try`,
      ),
  ]);
  expect(missing, 'Say what these mean').toEqual([]);
});

test('every list of staff says how many rows it has', () => {
  const silent = service.staffEndpoints
    .filter(
      ({ method, success }) => method === 'GET' && (success.data as { type?: string })?.type === 'array',
    )
    .filter(
      ({ success: { meta } }) =>
        !['total', 'more'].every((name) => propertyNames(meta as never).includes(name)),
    )
    .map(({ id }) => id);
  expect(silent, 'Give these `meta: ListTotal` and a count').toEqual([]);
});

test('filter-meaning.ts names existing filters only', () => {
  const known = new Set(
    lists.flatMap(({ id, filters }) => filters.flatMap(({ name }) => [name, `${id}.${name}`])),
  );
  expect(Object.keys(filterMeaning).filter((name) => !known.has(name))).toEqual([]);
  const declared = new Set(
    service.endpoints.flatMap(({ id, query }) => propertyNames(query).map((name) => `${id}.${name}`)),
  );
  expect(Object.keys(notFiltering).filter((name) => !declared.has(name))).toEqual([]);
});

describe.each(understood.map((list) => [list.id, list] as const))('%s', (_, list) => {
  const rows = allRows.get(list.id)!;

  test('shows each row once, in its order, and continues after any of them', async () => {
    expect(rows.length, 'filter-world.ts makes too few rows of it').toBeGreaterThan(1);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const query = listMeaning(list).everything;
    await property(casesOf({ everyRun: 1, long: 20 }), (random) => expectPlainReading(list, query, random));
  });

  test.each(list.filters.map((filter) => [filter.name, filter] as const))(
    '%s keeps the rows that a plain reading keeps',
    async (_name, filter) => {
      let hasTold = false;
      await property(1, async (random) => {
        for (const value of chosenValues(list, filter, random)) {
          const query = queryOf(list, [[filter, value]]);
          hasTold ||= tellsRowsApart(list, query);
          await expectPlainReading(list, query, random);
        }
      });
      // A list by time has one sort, that of the list by itself; its direction tells.
      if (filter.name === 'sortBy' && filter.named?.length === 1) return;
      expect(
        hasTold,
        'no value keeps some rows and leaves others out: filter-world.ts must make such rows',
      ).toBe(true);
    },
  );

  if (list.filters.length < 2) return;
  test('keeps, with several filters, the rows that all of them keep', async () => {
    await property(1, async (random) => {
      for (const pair of pairsOf(list.filters))
        await expectPlainReading(list, mattering(list, pair, random), random);
    });
    await property(combinationsPerList, async (random) => {
      const count = random.integer(2, Math.min(4, list.filters.length));
      const query = queryLikeARow(list, random.shuffle(list.filters).slice(0, count), random);
      await expectPlainReading(list, query, random);
    });
  }, 120_000);
});

function pairsOf<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((one, at) => items.slice(at + 1).map((other) => [one, other] as const));
}

/** Values of one row, so that it is kept; now and then those of another. */
function queryLikeARow(list: DeclaredList, filters: readonly DeclaredFilter[], random: SeededRandom): Query {
  const row = random.pick(allRows.get(list.id)!);
  return queryOf(
    list,
    filters.map((filter) => {
      const like = random.chance(0.8) ? row : random.pick(allRows.get(list.id)!);
      const values = valuesOf(list, filter, [like], random);
      return [filter, random.pick(values.length > 0 ? values : chosenValues(list, filter, random))];
    }),
  );
}

/** A query with two filters in which each of them matters: without either, other rows would be shown. */
function mattering(list: DeclaredList, [one, other]: readonly DeclaredFilter[], random: SeededRandom): Query {
  const tries = Array.from({ length: 40 }, () => queryLikeARow(list, [one!, other!], random));
  const without = (query: Query, { name }: DeclaredFilter) =>
    plainReading(list, Object.fromEntries(Object.entries(query).filter(([asked]) => asked !== name)));
  return (
    tries.find((query) => {
      const both = idsOf(plainReading(list, query));
      return both !== '' && [one, other].every((filter) => idsOf(without(query, filter!)) !== both);
    }) ?? tries[0]!
  );
}

/** A failure says the seed, which fast-check takes again. */
async function property(count: number, prove: (random: SeededRandom) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.noShrink(seeds), (seed) => prove(seededRandom(String(seed)))),
    { numRuns: count, endOnFailure: true },
  );
}

type Chosen = readonly (readonly [filter: DeclaredFilter, value: Value])[];

function queryOf(list: DeclaredList, chosen: Chosen): Query {
  const said = Object.fromEntries(chosen.map(([{ name }, value]) => [name, value]));
  const beside = chosen.map(([filter, value]) =>
    meaningOf(list, filter)?.beside?.(value, allRows.get(list.id)!),
  );
  return Object.assign({}, ...beside, said);
}

function valuesOf(list: DeclaredList, filter: DeclaredFilter, rows: readonly Row[], random: SeededRandom) {
  return filter.named ?? meaningOf(list, filter)?.values?.(rows, random, facts) ?? [];
}

/** All values that the schema names; else one that tells rows apart, if there is one, and some others. */
function chosenValues(list: DeclaredList, filter: DeclaredFilter, random: SeededRandom): readonly Value[] {
  if (filter.named) return filter.named;
  const rows = allRows.get(list.id)!;
  const values = random.shuffle([...new Set(valuesOf(list, filter, rows, random))]);
  const telling = values.findIndex((value) => tellsRowsApart(list, queryOf(list, [[filter, value]])));
  const first = telling < 0 ? [] : values.splice(telling, 1);
  const always = meaningOf(list, filter)?.always?.(rows) ?? [];
  return [...first, ...always, ...values.slice(0, valuesPerFilter)];
}

/** Whether a query shows neither all rows in their order nor none. */
function tellsRowsApart(list: DeclaredList, query: Query): boolean {
  const some = idsOf(plainReading(list, query));
  return some !== '' && some !== idsOf(plainReading(list, listMeaning(list).everything));
}

function idsOf(rows: readonly Row[]): string {
  return rows.map(({ id }) => id).join();
}

/** What a list must answer, by reading all rows. */
function plainReading(list: DeclaredList, query: Query): Row[] {
  const asked = list.filters.filter(({ name }) => query[name] !== undefined || isDefault(list, name));
  const kept = allRows.get(list.id)!.filter((row) =>
    asked.every((filter) => {
      const { keeps } = meaningOf(list, filter)!;
      return keeps === undefined || keeps(row, (query[filter.name] ?? false) as never, facts, query);
    }),
  );
  return kept.toSorted(orderOf(list, query));
}

/** A filter that leaves rows out also when it is not sent, as `false` does. */
function isDefault(list: DeclaredList, name: string): boolean {
  return listMeaning(list).everything[name] !== undefined;
}

async function expectPlainReading(list: DeclaredList, query: Query, random: SeededRandom): Promise<void> {
  const { isCursor, cursor } = listMeaning(list);
  const request = `${list.id} with ${JSON.stringify(query)}`;
  if (contradictions[list.id]?.(query)) {
    const { status, error } = await ask(service, world, list, query);
    expect([request, status, error?.code]).toEqual([request, 400, 'INVALID_PARAMS']);
    return;
  }
  const expected = plainReading(list, query);
  const all = await readToEnd(service, world, list, { query, cursor, until: 'a page that is not full' });
  expectSame(request, all, expected);
  await expectTotal(list, query, expected.length);
  if (!list.isPaged) return;
  // After a row that is shown, and after one that the filters may leave out.
  const order = orderOf(list, query);
  const cursors = allRows.get(list.id)!.filter((row) => isCursor(row, query));
  for (const row of [
    ...(cursors.length > 0 ? [random.pick(cursors)] : []),
    ...expected
      .slice(random.integer(0, expected.length))
      .filter((row) => isCursor(row, query))
      .slice(0, 1),
  ]) {
    const page = await ask(service, world, list, { ...query, ...cursor(row) });
    expect([request, row.id, page.error]).toEqual([request, row.id, undefined]);
    const behind = expected.filter((other) => order(row, other) < 0);
    expectSame(`${request} after ${row.id}`, page.data, behind.slice(0, list.pageSize));
  }
}

/** A list of staff says how many rows it has with its filters, or how many at least. */
async function expectTotal(list: DeclaredList, query: Query, count: number): Promise<void> {
  if (!list.endpoint.path.startsWith('/staff/')) return;
  const { meta } = await ask(service, world, list, query);
  const { total, more } = meta as { total: number; more: boolean };
  const request = `${list.id} with ${JSON.stringify(query)}`;
  expect([request, more ? total <= count : total]).toEqual([request, more || count]);
}

function expectSame(request: string, shown: readonly Row[], expected: readonly Row[]): void {
  if (idsOf(shown) === idsOf(expected)) return;
  const missing = notAmong(shown, expected);
  const wrong = notAmong(expected, shown);
  const faults = [
    missing.length > 0 && `leaves out ${missing.length} of ${expected.length} rows: ${missing.slice(0, 5)}`,
    wrong.length > 0 && `shows ${wrong.length} rows that it must not show: ${wrong.slice(0, 5)}`,
    missing.length + wrong.length === 0 && 'shows the right rows in another order, or one twice',
  ];
  throw new Error(`${request} ${faults.filter(Boolean).join('; ')}`);
}

function notAmong(some: readonly Row[], others: readonly Row[]): (string | number)[] {
  const known = new Set(some.map(({ id }) => id));
  return others.map(({ id }) => id).filter((id) => !known.has(id));
}
