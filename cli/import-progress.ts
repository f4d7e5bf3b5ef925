import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from './file-at.ts';

/** The progress of an import. */
interface ImportCounts {
  readonly created: number;
  readonly known: number;
  readonly refused: number;
}

export interface ImportMark extends ImportCounts {
  /** The number of items done. */
  readonly done: number;
}

/**
 * The progress mark of an import of a file, stored beside the data. It is written after each batch is committed, so a killed
 * run has done at most one batch more than the mark says; the next run recognizes what that batch created.
 */
export class ImportProgress {
  readonly #folder: string;
  readonly #file: string;

  private constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#file = join(folder, `${key}.json`);
  }

  /**
   * The mark belongs to the file's content and all options that affect the result. Fails with an UnreadableFile if the file cannot
   * be read.
   */
  static async of(dataDir: string, path: string, ...options: readonly string[]): Promise<ImportProgress> {
    const digest = createHash('sha256');
    for await (const bytes of readBytes(path)) digest.update(bytes);
    digest.update(JSON.stringify(options));
    return new ImportProgress(join(dataDir, 'imports'), digest.digest('hex').slice(0, 32));
  }

  /** Null: no import to continue. */
  read(): ImportMark | null {
    try {
      // Written by this program, always complete.
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
