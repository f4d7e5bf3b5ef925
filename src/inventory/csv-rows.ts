import { CsvError, parse } from 'csv-parse/sync';
import { failure } from '../kernel/failure.ts';

/**
 * The records of a CSV text (RFC 4180: commas, quotes doubled inside quotes, CRLF or LF), with the names from the
 * first line as keys; names match without case, spaces and underscores. Empty lines are skipped. Fails with
 * INVALID_PARAMS for an unclosed quote, a name that is not in `columns` or occurs twice, a record with a different
 * number of cells, and too many records.
 */
export function csvRows<Column extends string>(
  text: string,
  columns: readonly Column[],
  rowsMax: number,
): Partial<Record<Column, string>>[] {
  const [header, ...records] = recordsOf(text, rowsMax);
  if (header === undefined || records.length === 0) {
    throw failure('INVALID_PARAMS', 'csv must have a line with the column names, and rows below it.');
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
        `csv: row ${index + 1} must have ${names.length} cells, like the first line.`,
      );
    }
    return Object.fromEntries(names.map((name, at) => [name, cells[at]])) as Partial<Record<Column, string>>;
  });
}

function plain(name: string): string {
  return name.replace(/[\s_\uFEFF]/g, '').toLowerCase();
}

/** Longer than any valid row; reading stops here. */
const recordLengthMax = 20_000;

/** Stops reading as soon as the text is known to be too long. */
function recordsOf(text: string, rowsMax: number): string[][] {
  let count = 0;
  try {
    return parse(text, {
      bom: true,
      max_record_size: recordLengthMax,
      on_record: (cells: string[]) => {
        if (cells.every((cell) => cell.trim() === '')) return null;
        count++;
        if (count > rowsMax + 1) throw tooManyRows(rowsMax);
        return cells;
      },
      // Lines can have different endings, because files may have been joined.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      throw failure(
        'INVALID_PARAMS',
        `csv: line ${error.lines} must have at most ${recordLengthMax} characters.`,
      );
    }
    throw failure(
      'INVALID_PARAMS',
      `csv: the quotes of line ${error.lines} must end, before a comma or the end of the line.`,
    );
  }
}

function tooManyRows(rowsMax: number) {
  return failure('INVALID_PARAMS', `csv must have at most ${rowsMax.toLocaleString('en')} rows.`);
}
