import { failure } from '../kernel/failure.ts';

/**
 * The records of a CSV text (RFC 4180: commas, quotes doubled inside quotes, CRLF or LF), each by the names of the first
 * one; names are matched without case, spaces and underscores. Empty lines are no records. Fails with INVALID_PARAMS
 * for a quote that does not end, a name that is not among `columns` or comes twice, and a record of another length.
 */
export function csvRows<Column extends string>(
  text: string,
  columns: readonly Column[],
  rowsMax: number,
): Partial<Record<Column, string>>[] {
  const [header, ...records] = recordsOf(text).filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (header === undefined || records.length === 0) {
    throw failure('INVALID_PARAMS', 'csv must have a line with the names of the columns, and rows below it.');
  }
  if (records.length > rowsMax) {
    throw failure('INVALID_PARAMS', `csv must have at most ${rowsMax.toLocaleString('en')} rows.`);
  }
  const byName = new Map(columns.map((column) => [plain(column), column]));
  const names = header.map((cell, index) => {
    const name = byName.get(plain(cell));
    if (name !== undefined) return name;
    throw failure(
      'INVALID_PARAMS',
      `csv: the name of column ${index + 1} must be one of ${columns.join(', ')}.`,
    );
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw failure('INVALID_PARAMS', `csv must not have the column ${twice} twice.`);
  return records.map((cells, index) => {
    if (cells.length !== names.length) {
      throw failure(
        'INVALID_PARAMS',
        `csv: row ${index + 1} must have ${names.length} cells, as the first line has.`,
      );
    }
    return Object.fromEntries(names.map((name, at) => [name, cells[at]])) as Partial<Record<Column, string>>;
  });
}

function plain(name: string): string {
  return name.replace(/[\s_\uFEFF]/g, '').toLowerCase();
}

function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  // A cell, quoted or plain, and what ends it; sticky, so that nothing is stepped over.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y;
  while (cell.lastIndex < text.length || record.length > 0) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) {
      const line = text.slice(0, at).split('\n').length;
      throw failure(
        'INVALID_PARAMS',
        `csv: the quotes of line ${line} must end, before a comma or the end of the line.`,
      );
    }
    const [, quoted, plainText = '', end] = match;
    record.push(quoted === undefined ? plainText : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
    if (end === '') break;
  }
  return records;
}
