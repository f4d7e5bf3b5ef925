import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { upgradeResult } from '../../../cli/upgrade-commands.ts';
import { execute } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { migrate } from '../schema/migrate.ts';
import { blockTables, effectsOf } from '../schema/migration-effects.ts';
import { planUpgrade, type UpgradePlan } from './upgrade-plan.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'dispensary-upgrade-'));
  await execute(database.owner, 'drop schema public cascade');
  await execute(database.owner, 'create schema public');
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

test('a plan has what is missing, its phase, its locks and the rows of its tables, and changes nothing', async () => {
  write('0001_create.sql', 'create table notes (id integer primary key, words text)');
  expect(await planUpgrade(database.owner, folder)).toBeNull();
  await migrate(database.owner, { folder });
  await execute(
    database.owner,
    `insert into notes select n, repeat('x', 200) from generate_series(1, 20000) n`,
  );
  await execute(database.owner, 'analyze notes');
  expect(await planUpgrade(database.owner, folder)).toMatchObject({ expand: [], contract: [], seconds: 0 });
  write(
    '0002_add.sql',
    'alter table notes add column at timestamptz;\ncreate table more (id integer primary key);',
  );
  write(
    '0003_index.sql',
    '-- concurrently: notes are written\ndrop index concurrently if exists n;\ncreate index concurrently n on notes (words);',
  );
  write(
    '0004_rewrite.sql',
    '-- contract: old\nalter table notes alter column id type bigint; update more set id = 1',
  );
  const before = await execute(database.owner, 'select * from schema_migrations');
  const plan = (await planUpgrade(database.owner, folder))!;
  const short = ({ file, isConcurrent, effects }: UpgradePlan['expand'][number]) => ({
    ...{ file, isConcurrent },
    effects: effects.map(({ table, lock, work, rows }) => [table, lock, work, rows]),
  });
  expect(plan.expand.map(short)).toEqual([
    {
      file: '0002_add.sql',
      isConcurrent: false,
      effects: [['notes', 'stops reads and writes', 'none', 20_000]],
    },
    { file: '0003_index.sql', isConcurrent: true, effects: [['notes', 'none', 'reads', 20_000]] },
  ]);
  expect(plan.contract.map(short)).toEqual([
    {
      ...{ file: '0004_rewrite.sql', isConcurrent: false },
      effects: [
        ['notes', 'stops reads and writes', 'writes', 20_000],
        ['more', 'none', 'writes', 0],
      ],
    },
  ]);
  expect(plan.expand[0]!.lockedSeconds).toBe(0);
  expect(plan.contract[0]!.lockedSeconds).toBeGreaterThan(0);
  // The table is written anew, which takes its room once more; the index takes less.
  expect(plan.contract[0]!.diskBytes).toBeGreaterThan(20_000 * 200);
  expect(plan.expand[1]!.diskBytes).toBeLessThan(plan.contract[0]!.diskBytes);
  expect(await execute(database.owner, 'select * from schema_migrations')).toEqual(before);
  expect(await execute(database.owner, `select to_regclass('more') as made`)).toEqual([{ made: null }]);
});

test.each([
  ['create index i on orders (id)', ['orders', 'stops writes', 'reads']],
  ['create unique index concurrently i on orders (id)', ['orders', 'none', 'reads']],
  ['alter table orders add column note text', ['orders', 'stops reads and writes', 'none']],
  [
    'alter table orders add column n integer not null default 5',
    ['orders', 'stops reads and writes', 'none'],
  ],
  [
    'alter table orders add column n uuid default gen_random_uuid()',
    ['orders', 'stops reads and writes', 'writes'],
  ],
  [
    'alter table orders add column k text generated always as (lower(number::text)) stored',
    ['orders', 'stops reads and writes', 'writes'],
  ],
  ['alter table orders add constraint c check (total > 0)', ['orders', 'stops reads and writes', 'reads']],
  [
    'alter table orders add constraint c check (total > 0) not valid',
    ['orders', 'stops reads and writes', 'none'],
  ],
  ['alter table orders validate constraint c', ['orders', 'none', 'reads']],
  ['alter table orders alter column total set not null', ['orders', 'stops reads and writes', 'reads']],
  ['alter table orders set (fillfactor = 70)', ['orders', 'none', 'none']],
  ['update orders set total = 1', ['orders', 'none', 'writes']],
  ['insert into others select id from orders', ['orders', 'none', 'reads']],
])('%s', (text, [table, lock, work]) => {
  expect(effectsOf(`-- why\n${text};`)).toMatchObject([{ table, lock, work }]);
});

test('tables of a block are named, and its statements are not judged', () => {
  const text = `do $$ begin\n  execute format('alter table %I x', 'mails');\n  update orders set a = 1;\nend $$;`;
  expect(effectsOf(text)).toEqual([]);
  expect(blockTables(text)).toEqual(expect.arrayContaining(['mails', 'orders']));
});

test('the exit code asks to read first when a lock lasts more than a second, or the disk is too full', () => {
  const migration = {
    ...({ file: '0400_rewrite.sql', phase: 'expand', isConcurrent: false, seconds: 9 } as const),
    effects: [
      { table: 'orders', lock: 'stops writes', work: 'writes', rows: 9e6, bytes: 9e9, seconds: 9 } as const,
    ],
    ...{ lockedSeconds: 9, diskBytes: 9e9 },
  };
  const of = (changes: Partial<typeof migration>): UpgradePlan => ({
    ...{ expand: [{ ...migration, ...changes }], contract: [], seconds: 9, diskBytes: 9e9 },
    ...{ readRowsPerSecond: 1e6, writtenRowsPerSecond: 1e5 },
  });
  const quick = { lockedSeconds: 1 };
  expect(upgradeResult(of(quick), 2e10, '18').exitCode).toBe(0);
  expect(upgradeResult(of({}), 2e10, '18')).toMatchObject({ exitCode: 1 });
  const full = upgradeResult(of(quick), 1e10, '18');
  expect(full.exitCode).toBe(1);
  expect(full.lines.at(-1)).toBe('! the disk has 10.0 GB left, and about 18.0 GB are needed');
  expect(upgradeResult(of(quick), null, null).exitCode).toBe(0);
});
