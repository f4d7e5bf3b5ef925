import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredEndpoints, listRequests } from '../../bench/list-requests.ts';

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
  const isSorted = (one: (typeof lists)[number]) => 'sortBy' in queryOf(one);
  expect(
    lists.filter((one) => isSorted(one) === (one.list?.unsorted !== undefined)).map(({ id }) => id),
    'Give a list that answers all its rows `sorts`, one with pages `...sortFields(list.sorts)` of a sortedList; or ' +
      'declare `list: { unsorted }` with the reason',
  ).toEqual([]);
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
    .filter((one) => 'startingAfter' in queryOf(one) && one.list?.staysSmall === undefined)
    .flatMap((one) => (queryOf(one).sortBy?.enum ?? []).map((sort) => [one, sort] as const));
  const isMeasured = (id: string, sort: string) =>
    requests.some(({ name }) => name.startsWith(`${id} `) && name.endsWith(` sortBy: ${sort}`));
  const wrong = sorts.filter(
    ([{ id, list }, sort]) => isMeasured(id, sort) === Object.hasOwn(list?.readsAll ?? {}, sort),
  );
  expect(wrong.map(([{ id }, sort]) => `${id} ${sort}`)).toEqual([]);
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
  const paged = lists.filter((one) =>
    Object.keys(queryOf(one)).some((name) => name.startsWith('startingAfter')),
  );
  for (const { id, path, list, ...one } of paged) {
    const sorts = queryOf(one as never).sortBy?.enum ?? [];
    const missing = sorts.filter((sort) => !offered.get(path)?.has(sort));
    expect([id, missing.toSorted()]).toEqual([id, Object.keys(list?.notInConsole ?? {}).toSorted()]);
  }
});
