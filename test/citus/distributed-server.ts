import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isDistributed } from '../../src/database/is-distributed.ts';

/** Test files share the one distributed database of DATABASE_URL: each makes shops of its own in it. */
export default async function setUp(project: TestProject): Promise<() => void> {
  // What a transaction sets is told to each server that it reaches, also for tests' own sessions.
  const owner = {
    connectionString: process.env.DATABASE_URL!,
    options: '-c citus.propagate_set_commands=local',
  };
  if (!(await isDistributed(owner)))
    throw new Error('DATABASE_URL: run `npx dispensary distribute` on it first');
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-citus-'));
  process.env.TMPDIR = folder;
  project.provide('server', {
    owner,
    serving: { ...owner, options: '-c role=dispensary_app', isDistributed: true },
    admin: owner,
    template: '',
    folder,
    isDistributed: true,
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
