import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { migrationsFolder } from '../../src/platform/connections/migration-files.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';

/*
 * Migrations of a later release, in the manner of those that there are, on a distributed database with shops in it.
 */

const service = await startOwnTestService();
const { context, database } = service;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-later-'));
cpSync(migrationsFolder, folder, { recursive: true });
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const later = (file: string, text: string) => writeFileSync(join(folder, file), text);
const apply = () => migrate(database.owner, { folder });
const kindOf = async (table: string) =>
  (
    await execute(
      database.owner,
      `select partmethod::text || ' beside ' || (colocationid = (select colocationid from pg_dist_partition
           where logicalrelid = 'organizations'::regclass))::text as kind
         from pg_dist_partition where logicalrelid = '${table}'::regclass`,
    )
  ).map(({ kind }) => kind);

test('a later table is distributed, filled for each organization, and kept by its trigger', async () => {
  const shops = [await createTestShop(context), await createTestShop(context)];
  later(
    '9001_add_shelf_marks.sql',
    `-- Marks of shelves; the semicolon of a comment ends nothing.
create table shelf_marks (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  mark text not null check (length(mark) <= 100),
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products on delete cascade
);
create index shelf_marks_in_order on shelf_marks (organization_id, mark, product_id);
alter table shelf_marks enable row level security;
alter table shelf_marks force row level security;
create policy tenant on shelf_marks using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
create function mark_shelf() returns trigger language plpgsql as $$
begin
  insert into shelf_marks (organization_id, product_id, mark) values (new.organization_id, new.id, 'new; ' || new.id)
    on conflict do nothing;
  return null;
end
$$;
create trigger shelf_marked after insert on products for each row execute function mark_shelf();
do $$
declare
  organization bigint;
begin
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    insert into shelf_marks (organization_id, product_id, mark)
    select p.organization_id, p.id, 'old' from products p where p.organization_id = organization
    on conflict do nothing;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
analyze shelf_marks;`,
  );
  expect(await apply()).toEqual({ applied: ['9001_add_shelf_marks.sql'], waiting: [] });
  expect(await kindOf('shelf_marks')).toEqual(['h beside true']);
  const marks = `select p.id, m.mark from products p
    join shelf_marks m on m.organization_id = p.organization_id and m.product_id = p.id
   where p.organization_id = $1 order by p.id`;
  for (const { organizationId } of shops) {
    const found = await tenantSql(context.database, organizationId, marks, organizationId);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ mark }) => mark))).toEqual(new Set(['old']));
  }
  const next = await createTestShop(context);
  const found = await tenantSql(context.database, next.organizationId, marks, next.organizationId);
  expect(found.map(({ id, mark }) => mark === `new; ${id}`)).toEqual(found.map(() => true));
  expect(found.length).toBeGreaterThan(0);
});

test('later columns with checks and references, indexes and columns of what requests look up first are added', async () => {
  const shop = await createTestShop(context);
  later(
    '9002_add_columns.sql',
    `alter table products add column shelf text not null default 'a;b' check (length(shelf) between 1 and 20),
  add column shelf_since timestamptz;
alter table client_key_digests add column note text;
create index products_of_shelf on products (organization_id, shelf);`,
  );
  later(
    '9003_index_shelves.sql',
    `-- concurrently: products are many
drop index concurrently if exists products_of_shelf_since;
create index concurrently products_of_shelf_since on products (organization_id, shelf_since);`,
  );
  expect((await apply()).applied).toEqual(['9002_add_columns.sql', '9003_index_shelves.sql']);
  const rows = await tenantSql(
    context.database,
    shop.organizationId,
    'select distinct shelf from products where organization_id = $1',
    shop.organizationId,
  );
  expect(rows).toEqual([{ shelf: 'a;b' }]);
  await expect(
    tenantSql(context.database, shop.organizationId, `update products set shelf = ''`),
  ).rejects.toThrow('products_shelf_check');
});

test('a trigger for all rows of a statement is refused by name, or gets its form for each row', async () => {
  const text = (name: string) => `create function note_of_${name}() returns trigger language plpgsql as $$
begin
  perform count(*) from added;
  return null;
end
$$;
create trigger ${name} after insert on brands referencing new table as added for each statement execute function note_of_${name}();`;
  later('9004_note_brands.sql', text('brands_noted'));
  await expect(apply()).rejects.toThrow(
    '9004_note_brands.sql on a distributed database: schema.sql has no form of the trigger brands_noted',
  );
  const known = await execute(database.owner, `select from pg_proc where proname = 'note_of_brands_noted'`);
  expect(known).toEqual([]);

  writeFileSync(
    join(folder, 'distributed/schema.sql'),
    `

create or replace function note_of_brands_noted() returns trigger language plpgsql as $$
begin
  update brands set name = name || '!' where organization_id = new.organization_id and id = new.id;
  return null;
end $$;

create trigger brands_noted after insert on brands
  for each row execute function note_of_brands_noted();
`,
    { flag: 'a' },
  );
  expect((await apply()).applied).toEqual(['9004_note_brands.sql']);
  const shop = await createTestShop(context);
  const [brand] = await tenantSql(
    context.database,
    shop.organizationId,
    'select name from brands where organization_id = $1 limit 1',
    shop.organizationId,
  );
  expect(brand!.name).toMatch(/!$/);
});
