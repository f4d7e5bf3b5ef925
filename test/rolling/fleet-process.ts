import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import type { TestDatabase } from '../harness/test-database.ts';

/** One of several programs on a database that is not theirs, on ports of its own that stay the same over its restarts. */
export interface FleetProcess {
  readonly port: number;
  readonly menuPort: number;
  /** What the present one has said, on both streams. */
  readonly said: readonly string[];
  /** Resolves when it accepts requests. */
  start(): Promise<void>;
  /** SIGTERM; resolves when it has ended, with 0. */
  stop(): Promise<void>;
}

interface FleetSettings {
  /** The folder of the program, in which `main.mjs` is. */
  readonly folder: string;
  readonly running: Set<ChildProcess>;
  readonly database: TestDatabase;
  readonly env?: Readonly<Record<string, string>>;
}

export async function fleetProcess(
  name: string,
  { folder, running, database, env = {} }: FleetSettings,
): Promise<FleetProcess> {
  const [port, menuPort] = await freePorts(2);
  const said: string[] = [];
  let program: ChildProcess | undefined;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  return {
    port: port!,
    menuPort: menuPort!,
    said,
    start: async () => {
      said.length = 0;
      const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          DATA_DIR: dataDir,
          DATABASE_URL: urlOf(database.owner),
          DATABASE_APP_URL: urlOf(database.serving),
          DOCUMENT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
          PORT: String(port),
          MENU_PORT: String(menuPort),
          RATE_LIMITS: 'off',
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      program = child;
      running.add(child);
      child.once('exit', () => running.delete(child));
      await new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          createInterface(stream).on('line', (line) => {
            said.push(line);
            if (/^ +Data /.test(line)) resolve();
          });
        }
        child.once('close', (code) =>
          reject(new Error(`The program ended with ${code}: ${said.join('\n')}`)),
        );
      });
    },
    stop: async () => {
      const ended = once(program!, 'exit');
      program!.kill('SIGTERM');
      expect(await ended, said.join('\n')).toEqual([0, null]);
    },
  };
}

/** Ports that nothing listened on a moment ago. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function urlOf({
  connectionString,
  host,
  port,
  user,
  password,
  database,
  options,
}: ConnectionConfig): string {
  if (connectionString !== undefined && options === undefined) return connectionString;
  const url = new URL(connectionString ?? `postgres://localhost/${database}`);
  if (user !== undefined) url.username = user;
  if (typeof password === 'string') url.password = password;
  if (host !== undefined) url.searchParams.set('host', host);
  if (port !== undefined) url.searchParams.set('port', String(port));
  if (options !== undefined) url.searchParams.set('options', options);
  return url.href;
}
