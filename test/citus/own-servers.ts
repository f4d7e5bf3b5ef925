import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** For tests that make servers of their own: where they may put them. */
export default function setUp(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-citus-'));
  // PostgreSQL's account must pass.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  const none = { connectionString: '' };
  project.provide('server', {
    owner: none,
    serving: none,
    admin: none,
    template: '',
    folder,
    isDistributed: true,
  });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
