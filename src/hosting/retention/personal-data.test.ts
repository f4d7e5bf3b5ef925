import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { columnsWithoutPeople } from './columns-without-people.ts';
import { kindsWithoutPeople, personalData, recordTable } from './personal-data.ts';
import { retainedKindNames } from './retention.ts';

const service = await startTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const listed = (tables: Readonly<Record<string, string>>): string[] =>
  Object.entries(tables).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`));

test('each column that can hold words, days or files is personal data of a kind, or known not to be', async () => {
  const found = await witness.query(
    `select c.relname || '.' || a.attname as name
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        and format_type(a.atttypid, null) not in
          ('bigint', 'bigint[]', 'integer', 'integer[]', 'smallint', 'smallint[]', 'boolean', 'numeric', 'uuid',
           'timestamp with time zone', 'timestamp with time zone[]', 'oid', 'bit')
      order by 1`,
  );
  const columns = [...personalData.flatMap((kind) => listed(kind.columns)), ...listed(columnsWithoutPeople)];
  // A new column goes into personal-data.ts, with its end, or into columns-without-people.ts.
  expect([...columns].sort()).toEqual(found.map(({ name }) => name).sort());
});

test('each kind of retention ends personal data, or is known to be without', () => {
  const ends = new Set([...personalData.flatMap((kind) => kind.ends), ...kindsWithoutPeople]);
  expect([...ends].sort()).toEqual([...retainedKindNames].sort());
});

test('the record of processing has the columns and times of the program', () => {
  const page = readFileSync('docs/DATA-PROTECTION.md', 'utf8');
  for (const line of recordTable().split('\n')) expect(page).toContain(line);
  const rows = page
    .split('\n')
    .filter((line) => /^\| .* \| (?:customers|staff|callers|suppliers) \|/.test(line));
  expect(rows).toHaveLength(personalData.length);
});
