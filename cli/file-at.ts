import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type SourceFile, UnreadableFile } from '../src/shop/imports/imports.ts';

/** A file of the machine, to import. */
export function fileAt(path: string): SourceFile {
  return { name: path, bytes: () => readBytes(path) };
}

/** The bytes of a file. Fails with an UnreadableFile that names the file if it cannot be read. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) throw new UnreadableFile(`${path} must be a file.`);
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UnreadableFile(`${path}: there is no such file`);
    if (code === undefined) throw error;
    throw new UnreadableFile(`${path} cannot be read: ${message}`);
  }
}
