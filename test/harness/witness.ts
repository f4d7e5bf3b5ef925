import { Client } from 'pg';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { TestDatabase } from './test-database.ts';

/** Looks at a database from beside the program, with the rights of its owner. */
export interface Witness {
  /**
   * A digest of every table's rows, per organization where it has one; of one organization or all. Two that
   * are equal: nothing was written between them.
   */
  contents(organization?: OrganizationId): Promise<Readonly<Record<string, string>>>;
  /** Runs a statement as the owner; with an organization, its rows are visible. */
  query(
    statement: string,
    values?: readonly unknown[],
    organization?: OrganizationId,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the columns that it asked for
  ): Promise<any[]>;
  end(): Promise<void>;
}

export async function openWitness(database: TestDatabase): Promise<Witness> {
  const client = new Client(database.owner);
  await client.connect();
  const query: Witness['query'] = async (statement, values = [], organization = undefined) => {
    // The owner is behind the wall of row-level security too, unless it is a superuser.
    await client.query(`select set_config('app.organization_id', $1, false)`, [String(organization ?? '')]);
    return (await client.query(statement, [...values])).rows;
  };
  const tables: { name: string; is_tenant: boolean }[] = await query(
    `select c.relname as name, p.oid is not null as is_tenant from pg_class c
       left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  const digestsOf = (isTenant: boolean) =>
    tables
      .filter((table) => table.is_tenant === isTenant)
      .map(({ name }) => {
        const column = name === 'organizations' ? 'id' : 'organization_id';
        const where = isTenant ? `where ${column} = current_organization_id()` : '';
        return `select '${name}' as name,
                       count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest
                  from ${name} t ${where}`;
      })
      .join(' union all ');

  return {
    contents: async (only) => {
      const contents: Record<string, string> = {};
      for (const { name, digest } of await query(digestsOf(false))) contents[name] = digest;
      const organizations = await query(
        'select id from organizations where $1::bigint is null or id = $1 order by id',
        [only ?? null],
      );
      for (const { id } of organizations) {
        for (const { name, digest } of await query(digestsOf(true), [], id)) {
          contents[`${name} of ${id}`] = digest;
        }
      }
      return contents;
    },
    query,
    end: () => client.end(),
  };
}
