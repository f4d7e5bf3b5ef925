import { expect, test } from 'vitest';
import { migrationsKeepTheFormerRelease, migrationsLockShortly } from './migration-rules.ts';
import { check } from './small-projects.test-support.ts';

const held = (sql: string) => check(migrationsKeepTheFormerRelease, { 'migrations/9000_change.sql': sql });

test.each([
  ['drop table notes', 'drops'],
  ['alter table notes drop column name', 'drops'],
  ['alter table notes\n  add column a text,\n  drop constraint notes_check', 'drops'],
  ['alter table notes rename column name to title', 'renames'],
  ['alter table notes alter column name set not null', 'tightens'],
  ['alter table notes alter column name type integer using 1', 'tightens'],
  ['alter table notes add column name text not null', 'tightens'],
  ["alter table notes add constraint notes_name check (name <> '')", 'tightens'],
  ['revoke update on notes from dispensary_app', 'takes rights away'],
  ['drop trigger t on notes', 'drops'],
  ['create policy p on notes using (true)', 'tightens'],
])('a migration that breaks the former release is refused unless it is a contract: %s', (sql, word) => {
  expect(held(`-- Why.\n${sql};`)).toEqual([expect.stringContaining(`This ${word}`)]);
  expect(held(`-- contract: releases before this one use it\n${sql};`)).toEqual([]);
  expect(held(`-- expand: releases before this one work without it\n${sql};`)).toEqual([]);
});

test.each([
  'create table notes (id bigint not null unique); alter table notes add constraint c check (id > 0); create index i on notes (id)',
  'alter table notes add column name text',
  "alter table notes add column name text not null default ''",
  'create or replace function f() returns void language sql as $$ drop table notes; $$',
  "insert into notes values ('drop table notes; drop table others')",
  'grant select on notes to dispensary_app',
  'drop trigger t on notes; create trigger t after insert on notes for each row execute function f()',
])('a migration that only adds is allowed: %s', (sql) => {
  expect(held(`${sql};`)).toEqual([]);
});

test('an index of a table that is there is made concurrently, in pairs that can be tried again', () => {
  const pair = 'drop index concurrently if exists i;\ncreate index concurrently i on notes (id);';
  const waits = 'Writes to the table wait until this index is made';
  expect(held('create index i on notes (id);')).toEqual([expect.stringContaining(waits)]);
  expect(held('-- contract: why\ncreate index i on notes (id);')).toEqual([expect.stringContaining(waits)]);
  expect(held(`-- concurrently: notes can be large\n${pair}`)).toEqual([]);
  for (const sql of [
    'create index concurrently i on notes (id);',
    `${pair}\nalter table notes add column a text;`,
  ]) {
    expect(held(`-- concurrently: why\n${sql}`)).toEqual([
      expect.stringContaining('A concurrent file has pairs'),
    ]);
  }
});

test('the baseline is not held to what later migrations are: no release is before it', () => {
  const text = 'create policy p on notes using (true);\nalter table notes alter column name set not null;';
  for (const rule of [migrationsKeepTheFormerRelease, migrationsLockShortly]) {
    expect(check(rule, { 'migrations/0001_baseline.sql': text })).toEqual([]);
    expect(check(rule, { 'migrations/0002_change.sql': text })).not.toEqual([]);
  }
});

test.each([
  ['update notes set name = 1', 'writes all rows of notes'],
  ['delete from notes where name is null', 'writes all rows of notes'],
  ['alter table notes alter column id type bigint', 'writes all rows of notes'],
  ["alter table notes add constraint c check (name <> '')", 'reads all rows of notes'],
  ['alter table notes alter column name set not null', 'reads all rows of notes'],
])('a lock that lasts as long as a large table takes is refused: %s', (sql, words) => {
  const lock = (text: string) => check(migrationsLockShortly, { 'migrations/0002_change.sql': text });
  expect(lock(`-- contract: why\n${sql};`)).toEqual([expect.stringContaining(`This ${words}`)]);
  expect(lock(`-- locks: notes has a row for each organization\n${sql};`)).toEqual([]);
  expect(lock(`create table notes (id bigint);\n${sql};`)).toEqual([]);
});

test.each([
  "alter table notes add constraint c check (name <> '') not valid",
  'alter table notes validate constraint c',
  "alter table notes add column name text not null default ''",
  'drop index i',
])('what is written in steps is allowed: %s', (sql) => {
  expect(check(migrationsLockShortly, { 'migrations/0002_change.sql': `${sql};` })).toEqual([]);
});
