import { readFileSync } from 'node:fs';
import { textOf, UnreadableFile } from '../src/shop/imports/imports.ts';
import { UsageError } from './usage-error.ts';

/** The content of a mapping file. Fails with a UsageError or an UnreadableFile. */
export function mappingAt(path: string): unknown {
  try {
    return JSON.parse(textOf(path, readFileSync(path)));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UsageError(`--mapping: ${path} cannot be read: ${(error as Error).message}`);
  }
}
