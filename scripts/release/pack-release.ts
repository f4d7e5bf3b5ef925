import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** A file of a release, as its list of contents has it. */
interface ListedFile {
  /** Relative to the folder of the release, with `/`. */
  readonly path: string;
  readonly size: number;
  /** SHA-256 in hexadecimal digits; of a symbolic link `-> target`. */
  readonly digest: string;
}

/** Every file below a folder, by path. */
export function listFiles(folder: string): ListedFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .flatMap((name) => {
      const at = join(folder, name);
      const stats = lstatSync(at);
      if (stats.isDirectory()) return [];
      const path = name.split(sep).join('/');
      if (stats.isSymbolicLink()) return [{ path, size: 0, digest: `-> ${readlinkSync(at)}` }];
      return [{ path, size: stats.size, digest: digestOf(at) }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Packs a folder into `archive` so that the same files make the same bytes: sorted, with the time `madeAt` (seconds since 1970),
 * without accounts, names of this machine, or its modes. Writes the list of contents beside it. Needs GNU tar and gzip.
 */
export function packRelease(
  folder: string,
  archive: string,
  madeAt: number,
): { readonly unpackedBytes: number } {
  const files = listFiles(folder);
  const lines = files.map(({ path, size, digest }) => `${digest}  ${size}  ${path}`);
  writeFileSync(`${archive.replace(/\.tar\.gz$/, '')}.contents.txt`, `${lines.join('\n')}\n`);
  const tarArgs = [
    ...['--sort=name', `--mtime=@${madeAt}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'],
    ...['--mode=u+rw,go+r-w,a+X', '-C', dirname(folder), '-cf', '-', basename(folder)],
  ];
  const shell = 'set -o pipefail; archive=$1; shift; tar "$@" | gzip -n > "$archive"';
  const ran = spawnSync('bash', ['-c', shell, 'pack', archive, ...tarArgs], { stdio: ['ignore', 2, 2] });
  if (ran.status !== 0)
    throw new Error(`${archive} could not be packed (see above); GNU tar and gzip are needed.`);
  return { unpackedBytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** SHA256SUMS of files of one folder, as `sha256sum --check` reads it. */
export function writeSums(folder: string, names: readonly string[]): void {
  const lines = [...names].sort().map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/**
 * Signs `SHA256SUMS`, and by it the archives, their lists of contents and of packages, with an Ed25519 key in PEM; writes
 * `SHA256SUMS.sig`, which `openssl pkeyutl -verify` checks (docs/DEPLOYMENT.md). Refuses another kind of key.
 */
export function signSums(folder: string, privateKeyPem: string): void {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`The key is of the kind ${key.asymmetricKeyType}. Releases are signed with ed25519.`);
  }
  const sums = readFileSync(join(folder, 'SHA256SUMS'));
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, sums, key));
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
