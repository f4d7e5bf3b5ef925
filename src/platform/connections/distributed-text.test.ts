import { expect, test } from 'vitest';
import type { DistributedForms } from '../distribution/distributed-forms.ts';
import { distributedStatements, splitStatements } from '../schema/distributed-migration.ts';
import { distributedText } from './distributed-text.ts';

test('each joined table is held to the organization by value', () => {
  expect(
    distributedText(
      'select 1 from orders o left join customers c on c.organization_id = o.organization_id and c.id = o.user_id where o.organization_id = $2',
    ),
  ).toBe(
    'select 1 from orders o left join customers c on (c.organization_id = $2 and o.organization_id = $2) and c.id = o.user_id where o.organization_id = $2',
  );
});

test('rows that a statement brings along are made beside the row of their organization', () => {
  const made = distributedText(
    'insert into tags (organization_id, id) select $1::bigint, t.id from unnest($2::bigint[]) as t(id) on conflict do nothing',
  );
  expect(made.replaceAll(/\s+/g, ' ')).toBe(
    'insert into tags (organization_id, id) select tenant.organization_id, t.id from ( select id as organization_id from organizations where id = $1) tenant cross join unnest($2::bigint[]) as t(id) on conflict do nothing',
  );
});

test('other statements stay as they are', () => {
  const text = 'select name from tags where organization_id = $1 and id = $2';
  expect(distributedText(text)).toBe(text);
});

const forms: DistributedForms = {
  statements: [],
  functions: new Map([['note_row', 'create function note_row() returns trigger …']]),
  triggers: new Map([
    ['noted', 'create trigger noted after insert on toys for each row execute function note_row()'],
  ]),
};

test('a migration is told to a distributed database one change at a time', () => {
  const migration = `-- Toys; many.
alter table toys add column size text not null default 'a;b' constraint small check (length(size) < 9) check (size <> ','),
  -- Of whom.
  add column maker_id bigint references makers on delete set null, drop column colour;
create policy tenant on toys using (organization_id = (select current_organization_id()));
do $$ begin perform set_config('app.organization_id', organization::text, true); end $$;
create function note_rows() returns trigger as $$ begin return null; end $$;
create or replace function note_row() returns trigger as $$ begin return 1; end $$;
create trigger noted after insert on toys referencing new table as added for each statement execute function note_rows();
create trigger kept after insert on toys for each row execute function note_rows();
`;
  expect(splitStatements(migration).flatMap((one) => distributedStatements(one, forms))).toEqual([
    `alter table toys add column size text not null default 'a;b'`,
    'alter table toys add constraint small check (length(size) < 9)',
    `alter table toys add constraint toys_size_check1 check (size <> ',')`,
    'alter table toys add column maker_id bigint',
    'alter table toys add constraint toys_maker_id_fkey foreign key (maker_id) references makers on delete set null',
    'alter table toys drop column colour',
    'create policy tenant on toys using (organization_id = current_organization_id())',
    `do $$ begin execute format('set local app.organization_id = %L', organization::text); end $$`,
    'create function note_rows() returns trigger as $$ begin return null; end $$',
    'create or replace function note_row() returns trigger …',
    'create or replace function note_row() returns trigger …',
    'create trigger noted after insert on toys for each row execute function note_row()',
    'create trigger kept after insert on toys for each row execute function note_rows()',
  ]);
});

test('a trigger for all rows of a statement is refused without its form for each row', () => {
  const text =
    'create trigger summed after update on toys referencing old table as former for each statement execute function sum()';
  expect(() => distributedStatements(text, forms)).toThrow(
    'schema.sql has no form of the trigger summed for each row',
  );
});
