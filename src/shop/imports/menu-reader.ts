import { readMapping } from './column-mapping.ts';
import type { SourceFile } from './file-text.ts';
import { type Guess, guessMapping } from './guess-mapping.ts';
import { knownHeadings } from './heading-names.ts';
import { readRecords } from './import-file.ts';
import { type ImportItem, readItems } from './import-items.ts';
import { KeyTable } from './key-table.ts';
import { parseItem } from './parse-item.ts';
import type { PresetName } from './preset-names.ts';
import { productImport } from './product-import.ts';
import type { SentMapping } from './sent-mapping.ts';
import { UnreadableFile } from './unreadable-file.ts';

export const menuRecordsMax = 200_000;

/** What is known of a menu before its columns are corrected. */
export interface MenuOutline {
  readonly recordCount: number;
  /** Null: the file has our own columns. */
  readonly mapping: SentMapping | null;
}

export interface ItemsAsked {
  /** Reads no more records than this. */
  readonly recordsMax?: number;
  /** The items that were dealt with before: they are checked for doubles only. */
  readonly skipped?: number;
}

/** Reads a menu: its text, its columns, its products by all rules that need no database. All fail with an UnreadableFile. */
export interface MenuReader {
  /** Also fails for a file without records or with too many. */
  outline(): Promise<MenuOutline>;
  guess(preset: PresetName | null): Promise<Guess>;
  /** The products; one without problems has a body that `productImport.read` accepts. */
  items(mapping: SentMapping | null, asked: ItemsAsked): AsyncIterable<ImportItem>;
}

/** Reads in the thread that calls it. */
export class MenuFileReader implements MenuReader {
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    this.#file = file;
  }

  async outline(): Promise<MenuOutline> {
    let recordCount = 0;
    const headings = knownHeadings(productImport.fields, null);
    for await (const { values, problem } of readRecords(this.#file, headings)) {
      if (values !== null || problem !== undefined) recordCount++;
    }
    if (recordCount === 0) throw new UnreadableFile('The file has no products.');
    if (recordCount > menuRecordsMax) {
      throw new UnreadableFile(
        `The file has more than ${menuRecordsMax.toLocaleString('en-US')} records; split it.`,
      );
    }
    return { recordCount, mapping: (await this.guess(null)).mapping };
  }

  guess(preset: PresetName | null): Promise<Guess> {
    return guessMapping(this.#file, productImport, preset);
  }

  async *items(
    sent: SentMapping | null,
    { recordsMax, skipped = 0 }: ItemsAsked,
  ): AsyncGenerator<ImportItem> {
    const mapping = sent === null ? null : readMapping(sent, productImport.fields);
    const change = await productImport.loadChange();
    // Also of what is skipped: a product may not occur twice in the file.
    const lineOfKey = new KeyTable();
    let read = 0;
    for await (const item of readItems(this.#file, productImport, mapping, recordsMax)) {
      const changed = { ...item, body: change(item.body) };
      const parsed = parseItem(productImport, changed, lineOfKey);
      if (read++ < skipped) continue;
      yield 'row' in parsed ? changed : refused(item, parsed.problems);
    }
  }
}

/** A refused item has its problems and remarks only. */
function refused({ line, share, notes }: ImportItem, problems: ImportItem['problems']): ImportItem {
  return { line, share, problems, notes, body: null, places: { rows: [], sayers: {} } };
}
