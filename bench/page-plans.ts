import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ConnectionConfig } from '../src/platform/database/database.ts';

/** What EXPLAIN (ANALYZE, BUFFERS) says of a statement, as far as it is read here. */
interface LoggedPlan {
  readonly 'Query Text': string;
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

/**
 * Counts the blocks of 8 KB that the program's own statements read, from plans that PostgreSQL logs: unlike a time, the count is
 * the same on a busy machine.
 */
export class PagePlans {
  readonly #admin: Client;
  readonly #logPath: string;

  private constructor(admin: Client, dataDir: string) {
    this.#admin = admin;
    this.#logPath = join(dataDir, 'postgres.log');
  }

  /** Takes effect with the next connections: start the program afterwards. */
  static async prepare(connection: ConnectionConfig): Promise<void> {
    const admin = new Client(connection);
    await admin.connect();
    const settings = {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_buffers': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
      'auto_explain.log_parameter_max_length': '0',
    };
    for (const [name, value] of Object.entries(settings)) {
      await admin.query(`alter system set ${name} = '${value}'`);
    }
    await admin.query('select pg_reload_conf()');
    await admin.end();
  }

  static async open(connection: ConnectionConfig, dataDir: string): Promise<PagePlans> {
    const admin = new Client(connection);
    await admin.connect();
    return new PagePlans(admin, dataDir);
  }

  /** Plans cost time, so they are logged only while blocks are counted. */
  async logging(isOn: boolean): Promise<void> {
    await this.#admin.query(`alter system set auto_explain.log_min_duration = '${isOn ? 0 : -1}'`);
    await this.#admin.query('select pg_reload_conf()');
  }

  /** The blocks read by the queries of a request; nothing else may use the database meanwhile. */
  async blocksOf(request: () => Promise<unknown>): Promise<number> {
    const start = statSync(this.#logPath).size;
    await request();
    return this.#saidSince(start)
      .split(/^(?=\d{4}-\d\d-\d\d )/m)
      .filter((entry) => entry.includes(' plan:\n'))
      .map((entry) => JSON.parse(entry.slice(entry.indexOf(' plan:\n') + 7)) as LoggedPlan)
      .filter((plan) => /^\s*(select|with)\b/.test(plan['Query Text']))
      .reduce((sum, { Plan: plan }) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
  }

  #saidSince(start: number): string {
    const said = Buffer.alloc(statSync(this.#logPath).size - start);
    const file = openSync(this.#logPath, 'r');
    try {
      readSync(file, said, 0, said.length, start);
    } finally {
      closeSync(file);
    }
    return said.toString('utf8');
  }

  close(): Promise<void> {
    return this.#admin.end();
  }
}
