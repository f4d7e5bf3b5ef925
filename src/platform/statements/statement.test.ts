import { expect, test } from 'vitest';
import {
  columnList,
  insertMany,
  organizationPlaceholder,
  registeredStatements,
  registerLater,
  statement,
} from './statement.ts';

test('names become numbered parameters, each once, and casts stay', () => {
  const find = statement<{ id: number; at: string }, never>(
    'test_find_note',
    `select :id, :at::timestamptz, '{}'::text[] from notes where organization_id = :organizationId and id = :id`,
  );
  expect(find.text).toBe(
    `select $1, $2::timestamptz, '{}'::text[] from notes where organization_id = $3 and id = $1`,
  );
  expect(find({ id: 7, at: 'now' }).values).toEqual([7, 'now', organizationPlaceholder]);
  expect([find.statementName, find.usesTenant]).toEqual(['test_find_note', true]);
});

test('a missing value is refused; null is a value', () => {
  const find = statement<{ id: number | null }, never>('test_find_by_id', 'select :id');
  expect(find({ id: null }).values).toEqual([null]);
  expect(() => find({} as { id: number })).toThrow('test_find_by_id: parameter id is not given');
  const insert = insertMany<{ id: number }>('test_notes', { id: 'id' });
  expect(() => insert([{} as { id: number }])).toThrow('test_notes.id is not given');
});

test('a name belongs to one text in the whole program', () => {
  statement('test_same', 'select 1');
  expect(() => statement('test_same', 'select 1')).not.toThrow();
  expect(() => statement('test_same', 'select 2')).toThrow('two statements are called test_same');
  for (const name of ['Upper', 'a', 'with space', `x${'y'.repeat(61)}`]) {
    expect(() => statement(name, 'select 1')).toThrow('snake_case');
  }
  expect(registeredStatements().get('test_same')).toEqual({ text: 'select 1', usesTenant: false });
});

test('statements that are declared when they are asked for are among those of the program', () => {
  registerLater(() => statement('test_late', 'select 2'));
  expect(registeredStatements().get('test_late')).toEqual({ text: 'select 2', usesTenant: false });
});

test('up to two hundred rows are one statement, up to twenty a prepared one', () => {
  const insert = insertMany<{ id: number; body: string }>('test_rows', { id: 'id', body: 'body_text' });
  const rows = Array.from({ length: 445 }, (_, id) => ({ id, body: `row ${id}` }));
  const bound = insert(rows);
  expect(bound.map(({ name, values }) => [name, values.length])).toEqual([
    ['', 401],
    ['', 401],
    ['', 91],
  ]);
  expect(insert(rows.slice(0, 20)).map(({ name }) => name)).toEqual(['insert_test_rows_20']);
  expect(insert(rows.slice(0, 21)).map(({ name }) => name)).toEqual(['']);
  expect(insert(rows.slice(0, 2))[0]).toEqual({
    name: 'insert_test_rows_2',
    text: 'insert into test_rows (organization_id, id, body_text) values ($1, $2, $3), ($1, $4, $5)',
    values: [organizationPlaceholder, 0, 'row 0', 1, 'row 1'],
  });
  expect(bound.flatMap(({ values }) => values.slice(1))).toEqual(rows.flatMap(({ id, body }) => [id, body]));
  expect(insert([])).toEqual([]);
});

test('columns are read under the same names as rows are written', () => {
  expect(columnList({ id: 'id', createdAt: 'created_at' }, 'o')).toBe(
    'o.id as "id", o.created_at as "createdAt"',
  );
});
