import { type CcrsFileType, ccrsFileTypes, ccrsKeys } from './ccrs-columns.ts';

/** What the state mailed about a file. */
export interface CcrsReply {
  readonly file: CcrsFileType;
  /** Null: the state took the whole file. Otherwise what it says of rows, by their identifiers. */
  readonly refused: readonly CcrsRefusal[] | null;
}

export interface CcrsRefusal {
  /** Null: the file as a whole. */
  readonly id: string | null;
  readonly words: readonly string[];
}

/** Words that mean that the state has the row already. */
const duplicates = ['duplicate strain', 'duplicate external identifier', 'duplicate sale for licensee'];

/** Whether a refusal says only that the state has it. */
export function isFiledAlready({ words }: CcrsRefusal): boolean {
  return (
    words.length > 0 && words.every((it) => duplicates.some((known) => it.toLowerCase().startsWith(known)))
  );
}

/**
 * Reads a mail of the state, or the file that came with it, whose cells are `rows`; null: it is neither. Files are read by their headings, whose order is another
 * one than that of what was sent; several errors stand in one cell, with colons between them.
 */
export function readCcrsReply(
  text: string,
  rows: readonly (readonly string[])[],
  fileName = '',
): CcrsReply | null {
  const file = typeIn(fileName) ?? typeIn(text);
  if (file === null) return null;
  if (/processing successful/i.test(text)) return { file, refused: null };
  const headAt = rows.findIndex((cells) => cells.some((cell) => cell.trim() === 'ErrorMessage'));
  if (headAt < 0) {
    if (!/processing error|errors for file/i.test(text)) return null;
    return { file, refused: [{ id: null, words: ['The state could not read the file.'] }] };
  }
  const names = rows[headAt]!.map((cell) => cell.trim());
  const [errorAt, idAt] = [names.indexOf('ErrorMessage'), idColumn(names, file)];
  const refused = rows.slice(headAt + 1).flatMap((cells) => {
    const words = (cells[errorAt] ?? '').split(':').flatMap((it) => it.trim() || []);
    return words.length === 0 ? [] : [{ id: cells[idAt]?.trim() || null, words }];
  });
  return { file, refused };
}

/** The echo of Inventory calls its identifier otherwise. */
function idColumn(names: readonly string[], file: CcrsFileType): number {
  const at = names.indexOf(ccrsKeys[file]);
  return at < 0 && file === 'Inventory' ? names.indexOf('InventoryIdentifier') : at;
}

/** The longest name that fits: `InventoryAdjustment_…` is not `Inventory_…`. */
function typeIn(text: string): CcrsFileType | null {
  return ccrsFileTypes.find((type) => momentIn(text, type) !== null) ?? null;
}

/** When the file was made that a text names, as its name says it: digits of the wall time. Null: it names none. */
export function momentIn(text: string, type: CcrsFileType): string | null {
  return new RegExp(`\\b${type}_\\w+?_(\\d{8,14})`, 'i').exec(text)?.[1] ?? null;
}
