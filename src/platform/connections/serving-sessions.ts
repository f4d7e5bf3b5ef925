import type { Client } from 'pg';

/** Sessions of a release whose newest migration has this number. */
interface EarlierProcesses {
  readonly schemaNumber: string;
  readonly sessions: number;
}

const ownName = 'dispensary-commerce';

/** The name of a session of this program in `pg_stat_activity`. */
export function sessionName(schemaNumber: string): string {
  return `${ownName} ${schemaNumber}`;
}

/**
 * The connected processes of releases that do not know a migration. A serving process asks for the law in force once a second,
 * so each of them has a session.
 */
export async function earlierProcesses(client: Client, file: string): Promise<readonly EarlierProcesses[]> {
  const { rows } = await client.query<{ name: string; sessions: number }>(
    `select application_name as name, count(*)::int as sessions from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name ~ $1
      group by application_name order by application_name`,
    [`^${ownName} \\d{4}$`],
  );
  return rows
    .map(({ name, sessions }) => ({ schemaNumber: name.slice(ownName.length + 1), sessions }))
    .filter(({ schemaNumber }) => schemaNumber < file.slice(0, 4));
}
