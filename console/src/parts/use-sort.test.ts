import { expect, test } from 'vitest';
import { sortedRows, sortForAddress, sortIn } from './use-sort.ts';

const rows = [
  { id: 1, name: 'ounce 10', price: 900 },
  { id: 2, name: 'Ounce 9', price: null },
  { id: 3, name: 'eighth', price: 3_500 },
];
const ids = (sorted: readonly { id: number }[]) => sorted.map(({ id }) => id);

test('texts are sorted without case, numbers in them by their value', () => {
  const column = { id: 'name', header: 'Name', cell: (row: (typeof rows)[number]) => row.name };
  expect(ids(sortedRows(rows, column, 'ascending'))).toEqual([3, 2, 1]);
  expect(ids(sortedRows(rows, column, 'descending'))).toEqual([1, 2, 3]);
});

test('a row without a value comes last in both directions', () => {
  const column = {
    id: 'price',
    header: 'Price',
    cell: () => null,
    sortBy: (row: (typeof rows)[number]) => row.price,
  };
  expect(ids(sortedRows(rows, column, 'ascending'))).toEqual([1, 3, 2]);
  expect(ids(sortedRows(rows, column, 'descending'))).toEqual([3, 1, 2]);
});

test('the address keeps column and direction, and what it names wrongly sorts by nothing', () => {
  const columns = ['name', 'joined'];
  for (const sort of [
    { column: 'name', direction: 'ascending' },
    { column: 'joined', direction: 'descending' },
  ] as const) {
    expect(sortIn(sortForAddress(sort), columns)).toEqual(sort);
  }
  expect(sortForAddress(null)).toBe('');
  expect(['', '-', 'price', '--name', undefined].map((address) => sortIn(address, columns))).toEqual(
    Array.from({ length: 5 }, () => null),
  );
});
