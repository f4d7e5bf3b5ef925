import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';

const pieceBytes = 1_048_576;

/**
 * The tar archive of a folder that does not change meanwhile, folders first, by name. It is streamed: of a file one piece is in
 * memory.
 */
export function packFolder(folder: string): AsyncIterable<Uint8Array> {
  const archive = pack();
  addFolder(archive, folder, '').then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  return archive;
}

async function addFolder(archive: Pack, folder: string, below: string): Promise<void> {
  for (const name of (await readdir(join(folder, below))).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const source = join(folder, path);
    const found = await stat(source);
    const mode = found.mode & 0o777;
    if (found.isDirectory()) {
      archive.entry({ name: `${path}/`, type: 'directory', mode });
      await addFolder(archive, folder, path);
    } else if (found.isFile()) {
      // Fails when the file has another size by now.
      const entry = archive.entry({ name: path, size: found.size, mode });
      await pipeline(createReadStream(source, { highWaterMark: pieceBytes }), entry);
    }
  }
}

/**
 * Unpacks an archive of `packFolder` into an empty folder. Fails if it ends early, is damaged, or has a name that leads out of
 * the folder.
 */
export async function unpackInto(folder: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  const entries = extract();
  // To the last byte: only then is the whole file authenticated.
  const fed = pipeline(archive, entries);
  fed.catch(() => {});
  for await (const entry of entries) {
    const { name, type, mode } = entry.header;
    const target = placeIn(folder, name);
    if (type === 'directory') {
      await mkdir(target, { recursive: true, mode });
      entry.resume();
    } else if (type === 'file') {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(target, { flags: 'wx', mode }));
    } else {
      throw new Error(`the archive has a ${type}, which a backup has not`);
    }
  }
  await fed;
}

function placeIn(folder: string, path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part)) || path.includes('\0')) {
    throw new Error('the archive has a name that leads out of its folder');
  }
  return join(folder, ...parts);
}
