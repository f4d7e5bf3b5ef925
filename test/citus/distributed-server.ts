import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isDistributed } from '../../src/platform/connections/is-distributed.ts';
import {
  copyDistributed,
  dropDistributed,
  reopenDistributed,
  serversOf,
} from '../harness/distributed-copies.ts';
import { execute } from '../harness/test-connection.ts';

/**
 * The distributed database of DATABASE_URL. With CITUS_ADMIN_URL, a superuser of the coordinator, test files get copies of it, one
 * that they share and some of their own, and it stays as it is. Without, they share it: each makes shops of its own in it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // What a transaction sets is told to each server that it reaches, also for tests' own sessions.
  const owner = {
    connectionString: process.env.DATABASE_URL!,
    options: '-c citus.propagate_set_commands=local',
    isDistributed: true,
  };
  if (!(await isDistributed(owner)))
    throw new Error('DATABASE_URL: run `node dispensary.mjs distribute` on it first');
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-citus-'));
  process.env.TMPDIR = folder;
  const adminUrl = process.env.CITUS_ADMIN_URL;
  const copies = await makeTemplate(adminUrl);
  project.provide('server', {
    owner,
    serving: { ...owner, options: '-c role=dispensary_app' },
    admin: adminUrl ? { ...owner, connectionString: adminUrl } : owner,
    template: copies?.template ?? '',
    folder,
    isDistributed: true,
    ...(copies !== undefined && { copies: { servers: copies.servers, owner: copies.owner } }),
  });
  return async () => {
    await copies?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(connectionString: string | undefined) {
  if (!connectionString) return undefined;
  const admin = { connectionString };
  const { pathname, username: owner } = new URL(process.env.DATABASE_URL!);
  const name = pathname.slice(1);
  const servers = await serversOf(admin, name);
  const template = `${name}_test_${randomBytes(4).toString('hex')}`;
  await copyDistributed(servers, name, template, owner);
  await reopenDistributed(servers, name);
  const drop = async () => {
    // Also copies of test files that ended without dropping theirs.
    const ours = `select datname as name from pg_database where starts_with(datname, '${template}')`;
    for (const copy of await execute(servers[0]!, ours)) await dropDistributed(servers, String(copy.name));
  };
  return { servers, owner, template, drop };
}
