import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { folderStart, holdFolder, sweepFolders } from './run-folders.ts';
import { execute, onDatabase } from './test-connection.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    server: TestServer;
  }
}

/** The one PostgreSQL of a test run, and the migrated database in it that test files clone. */
interface TestServer {
  readonly owner: ConnectionConfig;
  readonly serving: ConnectionConfig;
  /** May end the sessions of the other roles. */
  readonly admin: ConnectionConfig;
  readonly template: string;
  /** The database of `owner` is distributed (`npm run test:citus`). */
  readonly isDistributed?: true;
  /** Where such a database is copied, and the login that owns copies; without, test files share that of `owner`. */
  readonly copies?: { readonly servers: readonly ConnectionConfig[]; readonly owner: string };
  /** The folder of all temporary files of the run. */
  readonly folder: string;
}

/**
 * A run needs no data afterwards, so it does not wait for the disk. Crash tests have their own servers. Each worker may
 * open the pools of several services at once.
 */
const forgetful = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // A run opens thousands of sessions, and hashing its password took half the time of each.
  scram_iterations: '1',
};

/**
 * Starts PostgreSQL once for the run (or uses the one of DATABASE_URL, as the program does) and migrates
 * the template.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const parent = quickFolder();
  sweepFolders(parent);
  const folder = mkdtempSync(folderStart(parent));
  holdFolder(folder);
  // As root, PostgreSQL runs as another account, which must pass.
  chmodSync(folder, 0o711);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // The workers, their servers and their browsers inherit it.
  process.env.TMPDIR = folder;
  const { stop, ...server } = await startServer(folder).catch((error) => {
    removeFolder();
    throw error;
  });
  const template = `test_${randomBytes(4).toString('hex')}`;
  try {
    await execute(server.owner, `create database ${template}`);
    await migrate(onDatabase(server.owner, template));
  } catch (error) {
    await stop();
    removeFolder();
    throw error;
  }
  project.provide('server', { ...server, template, folder });
  return async () => {
    // Also removes clones of test files that ended without dropping theirs.
    const ours = `select datname as name from pg_database where starts_with(datname, '${template}')`;
    for (const { name } of await execute(server.admin, ours)) {
      await execute(server.admin, `drop database ${name} with (force)`);
    }
    await stop();
    removeFolder();
  };
}

async function startServer(folder: string) {
  const { DATABASE_URL: connectionString, DATABASE_APP_URL: servingString } = process.env;
  if (connectionString) {
    // One login is enough for an external server: the program steps down to the serving role.
    const serving = servingString
      ? { connectionString: servingString }
      : { connectionString, options: '-c role=dispensary_app' };
    return { owner: { connectionString }, serving, admin: { connectionString }, stop: async () => {} };
  }
  const dataDir = join(folder, 'server');
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {}, settings: forgetful });
  const { ownerConnection, servingConnection, adminConnection, stop } = server;
  return { owner: ownerConnection, serving: servingConnection, admin: adminConnection, stop };
}

/** Linux's folder of files in memory. */
const memoryFolder = '/dev/shm';
/** Twice what a run uses at most. */
const memoryBytesMin = 3 * 2 ** 30;

/**
 * In memory, if there is enough: a run creates and removes a hundred thousand files, and its servers wait for the disk at
 * every commit. Tests end processes, not machines, so what a process wrote stays either way.
 */
function quickFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= memoryBytesMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
