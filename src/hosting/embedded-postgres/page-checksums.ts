import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { layoutOf } from './cluster.ts';

/**
 * The checksums of PostgreSQL's pages, read from the files: what `pg_checksums` does for a stopped server, which the embedded
 * package does not have. A running server checks a page only when it reads it from the disk.
 */

export const pageBytes = 8_192;
/** A relation of more than a gigabyte is several files. */
const pagesPerFile = 131_072;
/** checksum_impl.h: 32 sums side by side, each with its own start. */
const lanes = 32;
const prime = 16_777_619;
const starts = Uint32Array.of(
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
);
const checksumAt = 8;
const upperAt = 14;

/** Copied into, so that its words are aligned. */
const copied = new Uint8Array(pageBytes);
const words = new Uint32Array(copied.buffer);
const sums = new Uint32Array(lanes);

/** The checksum that a page at this place of its relation must have. `page` has 8,192 bytes. */
export function pageChecksum(page: Uint8Array, pageNumber: number): number {
  copied.set(page);
  // The checksum itself counts as 0.
  copied[checksumAt] = 0;
  copied[checksumAt + 1] = 0;
  sums.set(starts);
  for (let at = 0; at < words.length; at += lanes) {
    for (let lane = 0; lane < lanes; lane++) mix(lane, words[at + lane]!);
  }
  for (let round = 0; round < 2; round++) for (let lane = 0; lane < lanes; lane++) mix(lane, 0);
  let all = 0;
  for (let lane = 0; lane < lanes; lane++) all ^= sums[lane]!;
  return (((all ^ pageNumber) >>> 0) % 65_535) + 1;
}

function mix(lane: number, value: number): void {
  const mixed = sums[lane]! ^ value;
  sums[lane] = Math.imul(mixed, prime) ^ (mixed >>> 17);
}

/** A page whose checksum is not that of its content, or a file that ends within a page. */
interface DamagedPage {
  /** Below the folder of the cluster, as `base/16384/2601`. */
  readonly file: string;
  /** In the relation, from 0. */
  readonly page: number;
  readonly words: string;
}

interface ChecksumRun {
  readonly dataDir: string;
  /** Waits for a page that the server may just be writing. */
  readonly isRunning: boolean;
  readonly onFile?: (share: number, pages: number) => void;
}

/** Files that have pages: `base/16384/2601`, with `_fsm`, `_vm`, `_init`, and `.1` of the second gigabyte on. */
const pageFile = /^(\d+)(_(?:fsm|vm|init))?(?:\.(\d+))?$/;

/** Reads every page of a cluster. Resolves to the damaged ones and to how many it read. */
export async function findDamagedPages({
  dataDir,
  isRunning,
  onFile,
}: ChecksumRun): Promise<{ readonly damaged: readonly DamagedPage[]; readonly pages: number }> {
  const { clusterDir } = layoutOf(dataDir);
  const files = await filesOf(clusterDir);
  const chunk = Buffer.alloc(bytesAtOnce);
  const damaged: DamagedPage[] = [];
  let pages = 0;
  for (const [index, file] of files.entries()) {
    const found = await checkFile(join(clusterDir, file), file, isRunning ? 3 : 0, chunk);
    damaged.push(...found.damaged);
    pages += found.pages;
    onFile?.((index + 1) / files.length, pages);
    if (index % 32 === 0) await turn();
  }
  return { damaged, pages };
}

async function filesOf(clusterDir: string): Promise<string[]> {
  const folders = ['global', ...(await readdir(join(clusterDir, 'base'))).map((name) => `base/${name}`)];
  const files: string[] = [];
  for (const folder of folders) {
    const names = await readdir(join(clusterDir, folder)).catch(() => []);
    files.push(...names.filter((name) => pageFile.test(name)).map((name) => `${folder}/${name}`));
  }
  return files;
}

/** Read at a time; then others of this process have their turn. */
const bytesAtOnce = 128 * pageBytes;

/**
 * Reads without the thread pool: an empty database has 1,500 files of a page or two, and on a busy machine each hand-over to
 * a thread costs more than the page.
 */
async function checkFile(path: string, file: string, attempts: number, chunk: Buffer) {
  const damaged: DamagedPage[] = [];
  const segment = Number(pageFile.exec(file.slice(file.lastIndexOf('/') + 1))?.[3] ?? 0);
  const first = segment * pagesPerFile;
  let page = first;
  let rest = 0;
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    for (let read = bytesAtOnce; read === bytesAtOnce; ) {
      read = readAt(handle, (page - first) * pageBytes, chunk);
      for (let at = 0; at + pageBytes <= read; at += pageBytes, page++) {
        if (isWhole(chunk.subarray(at, at + pageBytes), page)) continue;
        if (await becomesWhole(path, page - first, page, attempts)) continue;
        damaged.push({ file, page, words: `page ${page} does not have the checksum of its content` });
      }
      rest = read % pageBytes;
      if (read === bytesAtOnce) await turn();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A table that was just removed.
    if (code !== 'ENOENT') damaged.push({ file, page, words: message });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  if (rest > 0 && attempts === 0) {
    damaged.push({ file, page, words: `the file ends within page ${page}` });
  }
  return { damaged, pages: page - first };
}

/** Fills the chunk from there on; less at the file's end. */
function readAt(handle: number, position: number, chunk: Buffer): number {
  let read = 0;
  for (let more = -1; more !== 0 && read < chunk.length; read += more) {
    more = readSync(handle, chunk, read, chunk.length - read, position + read);
  }
  return read;
}

function isWhole(page: Buffer, number: number): boolean {
  // A page that was added and not used yet is all zeros.
  if (page.readUInt16LE(upperAt) === 0 && page.every((byte) => byte === 0)) return true;
  return page.readUInt16LE(checksumAt) === pageChecksum(page, number);
}

/** Whether a page that the server was just writing is whole at another reading. */
async function becomesWhole(path: string, inFile: number, page: number, attempts: number): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    await delay(20);
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const again = Buffer.alloc(pageBytes);
      const { bytesRead } = await file.read(again, 0, pageBytes, inFile * pageBytes);
      if (bytesRead < pageBytes || isWhole(again, page)) return true;
    } catch {
      return true;
    } finally {
      await file?.close();
    }
  }
  return false;
}
