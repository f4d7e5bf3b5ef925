import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { copyDistributed, dropDistributed } from './distributed-copies.ts';
import { execute, onDatabase } from './test-connection.ts';

/** A database of one test file, migrated and empty; or that of a worker, which its files share. */
export interface TestDatabase {
  readonly isShared?: true;
  readonly owner: ConnectionConfig;
  /** In the serving role: row-level security applies. */
  readonly serving: ConnectionConfig;
  /** Ends every session on it and removes it. */
  drop(): Promise<void>;
}

/** Clones the migrated template of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { owner, serving, admin, template, isDistributed, copies } = inject('server');
  if (isDistributed && copies === undefined) return { isShared: true, owner, serving, drop: async () => {} };
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  if (copies !== undefined) {
    await copyDistributed(copies.servers, template, name, copies.owner);
    return {
      owner: onDatabase(owner, name),
      serving: onDatabase(serving, name),
      drop: () => dropDistributed(copies.servers, name),
    };
  }
  await execute(owner, `create database ${name} template ${template} strategy file_copy`);
  return {
    owner: onDatabase(owner, name),
    serving: onDatabase(serving, name),
    drop: () => dropDatabase(admin, name),
  };
}

const forbidden = '42501';

/**
 * Ends the sessions on a database and removes it. Only a superuser may end a worker of autovacuum; without force, the
 * server asks the worker to end, and waits for it.
 */
async function dropDatabase(admin: ConnectionConfig, name: string): Promise<void> {
  try {
    await execute(admin, `drop database ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== forbidden) throw error;
    await execute(admin, `drop database ${name}`);
  }
}
