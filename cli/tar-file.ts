import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/*
 * A folder as a tar archive (POSIX ustar; long names by pax), so that other tools can unpack it, too. It is streamed: of a file one
 * piece is in memory.
 */

const blockBytes = 512;
const pieceBytes = 1_048_576;

/** The archive of a folder that does not change meanwhile, folders first, by name. */
export async function* packFolder(folder: string, below = ''): AsyncGenerator<Uint8Array> {
  const names = (await readdir(join(folder, below))).sort();
  for (const name of names) {
    const path = below === '' ? name : `${below}/${name}`;
    const source = join(folder, path);
    const entry = await stat(source);
    if (entry.isDirectory()) {
      yield headerOf(`${path}/`, { size: 0, mode: entry.mode, type: '5' });
      yield* packFolder(folder, path);
    } else if (entry.isFile()) {
      yield headerOf(path, { size: entry.size, mode: entry.mode, type: '0' });
      let bytes = 0;
      for await (const piece of createReadStream(source, { highWaterMark: pieceBytes })) {
        bytes += (piece as Buffer).length;
        yield piece as Buffer;
      }
      if (bytes !== entry.size) throw new Error(`${path} has changed while it was packed`);
      yield padding(bytes);
    }
  }
  if (below === '') yield Buffer.alloc(2 * blockBytes);
}

function padding(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
}

interface Entry {
  readonly size: number;
  readonly mode: number;
  readonly type: '0' | '5' | 'x';
}

function headerOf(path: string, entry: Entry): Buffer {
  const name = Buffer.from(path);
  if (name.length <= 100) return blockOf(name, entry);
  // The length of a pax record counts its own digits.
  const text = ` path=${path}\n`;
  let length = Buffer.byteLength(text);
  while (String(length).length + Buffer.byteLength(text) !== length) {
    length = String(length).length + Buffer.byteLength(text);
  }
  const record = Buffer.from(`${length}${text}`);
  const pax = blockOf(Buffer.from('pax'), { size: record.length, mode: 0o600, type: 'x' });
  return Buffer.concat([pax, record, padding(record.length), blockOf(name.subarray(0, 100), entry)]);
}

function blockOf(name: Buffer, { size, mode, type }: Entry): Buffer {
  const block = Buffer.alloc(blockBytes);
  name.copy(block, 0);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.write(`${octal(mode & 0o777, 7)}\0`, 100);
  block.write(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108);
  block.write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148);
  return block;
}

/** The sum of the bytes, with spaces in place of the sum itself. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

/**
 * Unpacks an archive of `packFolder` into an empty folder. Fails if it ends early, is damaged, or has a name that leads out of
 * the folder.
 */
export async function unpackInto(folder: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  const reader = new PieceReader(archive);
  let longPath: string | null = null;
  for (;;) {
    const block = await reader.exactly(blockBytes);
    if (block.every((byte) => byte === 0)) break;
    const { path, size, mode, type } = readHeader(block);
    if (type === 'x') {
      const record = (await reader.exactly(size + padding(size).length)).subarray(0, size).toString();
      longPath = /^\d+ path=([^\n]+)\n$/.exec(record)?.[1] ?? null;
      continue;
    }
    const target = placeIn(folder, longPath ?? path);
    longPath = null;
    if (type === '5') {
      await mkdir(target, { recursive: true, mode });
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, 'wx', mode);
    try {
      for (let left = size; left > 0; ) {
        const piece = await reader.atMost(left);
        await file.writeFile(piece);
        left -= piece.length;
      }
    } finally {
      await file.close();
    }
    await reader.exactly(padding(size).length);
  }
  // To the last byte: only then is the whole file authenticated.
  await reader.drain();
}

function readHeader(block: Buffer) {
  const text = (from: number, to: number) => block.toString('utf8', from, to).replace(/\0.*$/s, '');
  const number = (from: number, to: number) => Number.parseInt(text(from, to).trim(), 8);
  const type = text(156, 157);
  const isOurs = number(148, 156) === checksumOf(block) && ['0', '5', 'x'].includes(type);
  if (!isOurs) throw new Error('the archive is damaged, or none of this program');
  return { path: text(0, 100), size: number(124, 136), mode: number(100, 108), type };
}

function placeIn(folder: string, path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part)) || path.includes('\0')) {
    throw new Error('the archive has a name that leads out of its folder');
  }
  return join(folder, ...parts);
}

/** Pieces of any length as the counts of bytes that are asked for. */
class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next bytes, at least one. */
  async atMost(count: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done) throw new Error('the archive ends early');
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
    }
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.atMost(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async drain(): Promise<void> {
    while (!(await this.#pieces.next()).done);
  }
}
