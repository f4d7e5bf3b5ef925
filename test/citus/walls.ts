import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { startTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';

/* Row-level security on each server of a distributed database. */

const service = await startTestService();
const { context, database } = service;
afterAll(() => service.close());

const tables = (
  await execute(
    database.owner,
    `select p.logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = 'h' and c.relrowsecurity order by 1`,
  )
).map(({ name }) => String(name));

/** Whom and what the policies of a table permit, and whether its owner keeps them. */
const policiesOf = (table: string) =>
  `select (select relrowsecurity::text || relforcerowsecurity from pg_class where oid = ''${table}''::regclass)
     || string_agg(polname || polpermissive || polcmd::text || polroles::regrole[]::text
          || coalesce(pg_get_expr(polqual, polrelid), '''') || coalesce(pg_get_expr(polwithcheck, polrelid), ''''), '', '' order by polname)
     from pg_policy where polrelid = ''${table}''::regclass`;

test('the part of a table on each server has the policies of the table', async () => {
  expect(tables.length).toBeGreaterThan(100);
  for (const table of tables) {
    const found = await execute(
      database.owner,
      `select distinct success, result, result = (${policiesOf(table).replaceAll("''", "'")}) as is_same
         from run_command_on_shards('${table}', '${policiesOf('%1$s')}')`,
    );
    expect([table, found.map(({ success, is_same }) => [success, is_same])]).toEqual([table, [[true, true]]]);
  }
});

test('an organization reads no row of another one, on any server', async () => {
  const shops = [];
  for (let count = 0; count < 4; count += 1) shops.push(await createTestShop(context));
  for (const { organizationId } of shops) {
    for (const table of tables) {
      const key = table === 'organizations' ? 'id' : 'organization_id';
      const [row] = await tenantSql(
        context.database,
        organizationId,
        `select count(*)::int as strangers from ${table} where ${key} <> $1`,
        organizationId,
      );
      expect([table, row!.strangers]).toEqual([table, 0]);
    }
  }
});
