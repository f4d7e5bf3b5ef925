import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredEndpoints, listRequests, readsAll, wholeLists } from '../../bench/list-requests.ts';

/** Lists of staff without a sort, and why. */
const unsorted: Readonly<Record<string, string>> = {
  listApiRequests:
    'a log that is written in batches, of which the newest that fit are read: `from` and `to` name a time of it',
  listCustomerDuplicates: 'a list of work to do, the latest pair first',
  listStaffSessions: 'the few places where one person is signed in, the newest first',
  listMySessions: 'the few places where one person is signed in, the newest first',
  listMyPasskeys: 'at most 20 of one person, the oldest first',
  listParkedCarts:
    'the carts of one day at the counter, the newest first; they are told apart by their names',
  staffListProductPhotos: 'at most 20, in the order that staff give them: that of the menu',
  staffListOptionPhotos: 'at most 20, in the order that staff give them: that of the menu',
};

/** Sorts of lists with pages that no table of the console offers, and why. */
const notInConsole: Readonly<Record<string, string>> = {
  'listCustomerDocuments reviewedAt': 'the table shows the day of the upload and the last valid one',
  'listDrawerSessions float': 'the table has no column of it',
  'listOfflineSales soldAt': 'a list of cards to settle, the oldest first',
  'listOfflineSales receivedAt': 'as above',
  'listOfflineSales total': 'as above',
  'listInventoryVendors createdAt': 'the order that the table has by itself',
  'listInventoryVendors updatedAt': 'the table has no column of it',
  'listPhotosNotStored id': 'the order that the table has by itself',
  'listStockLevels productId': 'the order that the table has by itself',
  'staffListMenuImports records': 'the table says what became of them',
  'staffListMenuImports startedAt': 'the table shows the upload',
  'staffListMenuImports finishedAt': 'the table shows the upload',
  'staffListOrderReturns createdAt': 'the console shows the returns of one order',
  'staffListOrderReturns refundTotal': 'the console shows the returns of one order',
  'staffListOrders updatedAt': 'the table has no column of it',
  'staffListPackages createdAt': 'the order that the table has by itself',
  'staffListPackages receivedAt': 'the table has no column of it',
  'staffListProducts createdAt': 'the order that the table has by itself',
  'staffListPurchaseOrders updatedAt': 'the table has no column of it',
};

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const lists = declaredEndpoints().filter(
  ({ path, method, success }) =>
    path.startsWith('/staff/') && method === 'GET' && (success.data as Schema | undefined)?.type === 'array',
);
const queryOf = (list: (typeof lists)[number]) => (list.query as Schema | undefined)?.properties ?? {};

test('every list of staff can be sorted, or says why not', () => {
  expect(lists.length).toBeGreaterThan(30);
  const silent = lists.filter((list) => !('sortBy' in queryOf(list)) && !(list.id in unsorted));
  expect(
    silent.map(({ id }) => id),
    'Give a list that answers all its rows `sorts`, one with pages `...sortFields(list.sorts)` of a sortedList; or name ' +
      'it in `unsorted` with the reason',
  ).toEqual([]);
  const known = new Map(lists.map((list) => [list.id, list]));
  expect(Object.keys(unsorted).filter((id) => !known.has(id) || 'sortBy' in queryOf(known.get(id)!))).toEqual(
    [],
  );
});

test.each(lists.filter((list) => 'sortBy' in queryOf(list)).map((list) => [list.id, list] as const))(
  '%s says its order by itself, the direction of each sort, and takes both directions',
  (_, list) => {
    const { sortBy, sortDirection } = queryOf(list);
    const names = sortBy?.enum ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(sortBy?.description).toMatch(new RegExp(`^By default \`${names[0]}\`\\. By themselves: `));
    for (const name of names) {
      expect(sortBy?.description).toMatch(new RegExp(`\`${name}\` (ascending|descending)`));
    }
    expect(sortDirection?.enum).toEqual(['ascending', 'descending']);
  },
);

test('the growth of lists is measured for each sort of a list with pages, or is said to follow all its rows', async () => {
  const requests = await listRequests(declaredEndpoints(), { value: async () => '1' });
  const sorts = lists
    .filter((list) => 'startingAfter' in queryOf(list) && !Object.hasOwn(wholeLists, list.id))
    .flatMap((list) => (queryOf(list).sortBy?.enum ?? []).map((sort) => [list.id, `sortBy: ${sort}`]));
  const missing = sorts.filter(
    ([id, sort]) =>
      !Object.hasOwn(readsAll, `${id} ${sort}`) &&
      !requests.some(({ name }) => name.startsWith(`${id} `) && name.endsWith(` ${sort}`)),
  );
  expect(missing).toEqual([]);
  const declared = new Set(sorts.map((names) => names.join(' ')));
  expect(Object.keys(readsAll).filter((name) => !declared.has(name))).toEqual([]);
});

test('the console offers each sort of a list with pages, or says why not', () => {
  const folder = join(import.meta.dirname, '..', '..', 'console', 'src');
  const offered = new Map<string, Set<string>>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.tsx')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const table = /const sorts\b[^{]*\{([^}]*)\}/.exec(text)?.[1] ?? '';
    const sorts = [...table.matchAll(/: '([^']+)'/g)].map((found) => found[1]!);
    for (const [, path] of text.matchAll(/pageOf\(\s*api\.GET\(\s*'([^']+)'/g)) {
      offered.set(path!, new Set([...(offered.get(path!) ?? []), ...sorts]));
    }
  }
  const missing = lists
    .filter((list) => Object.keys(queryOf(list)).some((name) => name.startsWith('startingAfter')))
    .flatMap((list) =>
      (queryOf(list).sortBy?.enum ?? [])
        .filter((sort) => !offered.get(list.path)?.has(sort))
        .map((sort) => `${list.id} ${sort}`),
    );
  expect(missing.sort()).toEqual(Object.keys(notInConsole).sort());
});
