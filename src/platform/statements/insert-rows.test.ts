import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { organizationId } from '../../kernel/ids.ts';
import { Database } from '../database/database.ts';
import { insertRows, statement } from './statement.ts';

interface Row {
  readonly id: number;
  readonly name: string | null;
  readonly isOn: boolean;
  readonly numbers: readonly number[];
  readonly facts: object | null;
  readonly at: number | null;
  readonly note: string;
}

const ours = organizationId(1);
const insertTestRows = insertRows<Row>(
  'test_rows',
  'test_row',
  { id: 'id', name: 'name', isOn: 'is_on', numbers: 'numbers', facts: 'facts', at: 'at', note: 'note' },
  { instants: ['at'], structures: ['facts'], longText: 'note' },
);
const selectRows = statement<{ ids: readonly number[] }, Row>(
  'test_select_rows',
  `select id, name, is_on as "isOn", numbers, facts, at, note from test_rows
    where organization_id = :organizationId and id = any(:ids::bigint[]) order by id`,
);

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const owner = new Client(testDatabase.owner);
  await owner.connect();
  await owner.query(`create type test_row as (id bigint, name text, is_on boolean, numbers bigint[], facts jsonb, at timestamptz);
    create table test_rows (organization_id bigint, id bigint, name text, is_on boolean, numbers bigint[], facts jsonb,
      at timestamptz, note text);
    grant select, insert on test_rows to public`);
  await owner.end();
  database = new Database(testDatabase.serving);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test('rows come back as they were written, whatever their texts', async () => {
  const awkward = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
    fc.constantFrom('', ' ', '"', '\\', '()', ',', 'null', 'NULL', '{1,2}', '\n\t', "O'Neil", '\u00a0'),
  );
  let nextId = 1;
  const row = fc.record({
    name: fc.option(awkward),
    isOn: fc.boolean(),
    numbers: fc.array(fc.integer(), { maxLength: 4 }),
    facts: fc.option(fc.dictionary(fc.constantFrom('a', 'b"', 'c\\'), awkward)),
    at: fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 })),
    note: awkward,
  });
  const rows = fc.array(row, { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (drawn) => {
      const written: Row[] = drawn.map((one) => ({ id: nextId++, ...one }));
      await database.write(ours, async (tx) => tx.queue(...insertTestRows(written)));
      const [read] = await database.read(ours, selectRows({ ids: written.map(({ id }) => id) }));
      expect(read).toEqual(written);
    }),
    { numRuns: 60 },
  );
});

test('a column that is not given is an error, and so is an array of anything but numbers', () => {
  const whole = { id: 1, name: 'A', isOn: true, numbers: [], facts: null, at: null, note: '' };
  const { name: _, ...nameless } = whole;
  expect(() => insertTestRows([nameless as unknown as Row])).toThrow('test_rows.name is not given');
  expect(() => insertTestRows([{ ...whole, numbers: ['1'] as unknown as number[] }])).toThrow(
    'arrays of numbers',
  );
});
