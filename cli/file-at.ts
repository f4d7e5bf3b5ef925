import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type SourceFile, UnreadableFile } from '../src/shop/imports/imports.ts';

/** A file of the machine, to import. */
export function fileAt(path: string): SourceFile {
  return { name: path, size: () => sizeOf(path), bytes: () => readBytes(path) };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (!found.isFile()) throw new UnreadableFile(`${path} must be a file.`);
  return found.size;
}

/** The bytes of a file. Fails with an UnreadableFile that names the file if it cannot be read. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  // Opening a pipe would wait for its writer.
  await sizeOf(path);
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

function unreadable(path: string, error: NodeJS.ErrnoException): Error {
  const { code, message } = error;
  if (code === 'ENOENT') return new UnreadableFile(`${path}: there is no such file`);
  return code === undefined ? error : new UnreadableFile(`${path} cannot be read: ${message}`);
}
