import type { Client } from 'pg';

/**
 * Gathers the planner's statistics of every table with rows, as autovacuum does within a minute. An empty table is left alone:
 * once it is known to be empty, plans read it as a whole, also after it has grown, until its next statistics.
 */
export async function gatherStatistics(
  owner: Pick<Client, 'query'>,
  command: 'analyze' | 'vacuum analyze',
): Promise<void> {
  const { rows } = await owner.query<{ names: string }>(
    `select string_agg(quote_ident(relname), ', ') as names
       from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`,
  );
  await owner.query(`${command} ${rows[0]!.names}`);
}
