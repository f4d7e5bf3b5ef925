import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';

/**
 * Makes a data folder with an embedded database of the current schema, as a first start leaves it. The run makes one, and
 * this copies it: making one takes two seconds of the processor, a copy a tenth. Tests of a first start make their own.
 */
export async function layCluster(dataDir: string): Promise<void> {
  const made = join(inject('server').folder, 'made-cluster');
  if (!existsSync(made)) await makeCluster(made);
  await mkdir(dirname(dataDir), { recursive: true });
  // Much faster than Node's own copy of a thousand files.
  if (process.platform === 'win32') await cp(made, dataDir, { recursive: true });
  else await promisify(execFile)('cp', ['-a', made, dataDir]);
}

/** Made under another name and renamed when complete; of two workers that make one, the first one counts. */
async function makeCluster(made: string): Promise<void> {
  const draft = await mkdtemp(`${made}-`);
  const dataDir = join(draft, 'data');
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {}, settings: { fsync: 'off' } });
  try {
    await migrate(server.ownerConnection);
  } finally {
    await server.stop();
  }
  await rename(dataDir, made).catch((error) => {
    if (!existsSync(made)) throw error;
  });
  await rm(draft, { recursive: true });
}
