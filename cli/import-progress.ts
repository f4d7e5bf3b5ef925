import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from './file-text.ts';

/** What an import has done so far. */
export interface ImportCounts {
  readonly created: number;
  readonly known: number;
  readonly refused: number;
}

export interface ImportMark extends ImportCounts {
  /** So many things of the file are behind it. */
  readonly done: number;
}

/**
 * Where an import of a file has come to, kept beside the data: written after each batch is committed, so a run that was
 * killed has done at most one batch more than the mark says, and what that made is known to the next run.
 */
export class ImportProgress {
  readonly #folder: string;
  readonly #file: string;

  private constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#file = join(folder, `${key}.json`);
  }

  /**
   * The mark belongs to the file's content and to all that decides what is made of it. Fails with a UsageError for a file
   * that cannot be read.
   */
  static async of(dataDir: string, path: string, ...decides: readonly string[]): Promise<ImportProgress> {
    const digest = createHash('sha256');
    for await (const bytes of readBytes(path)) digest.update(bytes);
    digest.update(JSON.stringify(decides));
    return new ImportProgress(join(dataDir, 'imports'), digest.digest('hex').slice(0, 32));
  }

  /** Null: nothing is under way. */
  read(): ImportMark | null {
    try {
      // Written by ourselves, as a whole.
      return JSON.parse(readFileSync(this.#file, 'utf8')) as ImportMark;
    } catch {
      return null;
    }
  }

  write(mark: ImportMark): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(mark));
    renameSync(`${this.#file}.new`, this.#file);
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }
}
