import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { execute, onDatabase } from './test-connection.ts';

/*
 * A distributed database is copied by a copy of its part on each server: the list of servers and what is where are rows of it. That
 * takes two seconds, where migrating and distributing anew takes a minute.
 */

/** The servers of a distributed database, in the name of a superuser; the coordinator is the first. */
export async function serversOf(
  admin: ConnectionConfig,
  database: string,
): Promise<readonly ConnectionConfig[]> {
  const rows = await execute(
    onDatabase(admin, database),
    `select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid <> 0, nodeid`,
  );
  return rows.map(({ host, port }) => {
    const url = new URL(admin.connectionString!);
    url.hostname = String(host);
    url.port = String(port);
    // A session is not on the database that it copies or drops.
    url.pathname = '/postgres';
    return { connectionString: url.href };
  });
}

/** Copies a database to which no session is connected but the extension's own, which end. */
export async function copyDistributed(
  servers: readonly ConnectionConfig[],
  from: string,
  to: string,
  owner: string,
): Promise<void> {
  for (const server of servers) {
    await execute(server, `alter database ${from} with allow_connections false`);
    await endSessions(server, from);
    await execute(server, `create database ${to} owner ${owner} template ${from} strategy file_copy`);
    // Tests that ask as a superuser, past row-level security, run the functions that the serving role may run.
    const { username } = new URL(server.connectionString!);
    await execute(
      server,
      `alter role ${username} in database ${to} set citus.allow_nested_distributed_execution = on`,
    );
  }
}

/** Lets sessions in again after a copy of it was made. */
export async function reopenDistributed(servers: readonly ConnectionConfig[], name: string): Promise<void> {
  for (const server of servers) await execute(server, `alter database ${name} with allow_connections true`);
}

export async function dropDistributed(servers: readonly ConnectionConfig[], name: string): Promise<void> {
  for (const server of servers) {
    await execute(server, `drop database if exists ${name} with (force)`);
  }
}

async function endSessions(server: ConnectionConfig, name: string): Promise<void> {
  const sessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  for (;;) if ((await execute(server, sessions)).length === 0) return;
}
