/*
 * The third part of `npm run test:long`: a database of the former major version of PostgreSQL is moved to the one of this release, with
 * kills. Like PostgreSQL 15, the former version comes from this machine, or is fetched.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { majorOfInstallation } from '../src/hosting/embedded-postgres/binaries.ts';
import { formerPrograms } from '../src/hosting/embedded-postgres/former-programs.ts';

const former = String(Number(majorOfInstallation()) - 1);
const named = process.env.FORMER_PROGRAMS;

/** The folder of its programs, with a note where a package manager installs it. */
async function findPrograms(folder: string): Promise<string> {
  const usual = [`/usr/lib/postgresql/${former}`, `/usr/pgsql-${former}`];
  const given = named ?? usual.find((path) => existsSync(join(path, 'bin', 'initdb')));
  return formerPrograms(former, { given, folder: join(folder, 'programs') });
}

const folder = mkdtempSync(join(tmpdir(), 'former-postgres-'));
try {
  const programs = await findPrograms(folder).catch((error: Error) => error);
  if (programs instanceof Error) {
    console.log(`\nTHE MOVE FROM POSTGRESQL ${former} IS NOT TESTED. ${programs.message}`);
  } else {
    console.log(`\nFrom PostgreSQL ${former}:`);
    const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', 'cli/next-major.test.ts'], {
      ...{ stdio: 'inherit', env: { ...process.env, FORMER_PROGRAMS: programs } },
    });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
