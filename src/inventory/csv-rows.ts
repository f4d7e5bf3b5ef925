import { CsvError, parse } from 'csv-parse/sync';
import { failure } from '../kernel/failure.ts';

/**
 * The records of a CSV text (RFC 4180: commas, quotes doubled inside quotes, CRLF or LF), each by the names of the first
 * one; names are matched without case, spaces and underscores. Empty lines are no records. Fails with INVALID_PARAMS
 * for a quote that does not end, a name that is not among `columns` or comes twice, a record of another length, and too
 * many of them.
 */
export function csvRows<Column extends string>(
  text: string,
  columns: readonly Column[],
  rowsMax: number,
): Partial<Record<Column, string>>[] {
  const [header, ...records] = recordsOf(text, rowsMax);
  if (header === undefined || records.length === 0) {
    throw failure('INVALID_PARAMS', 'csv must have a line with the names of the columns, and rows below it.');
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

/** Longer than a row of our columns can be: what is behind it is not read. */
const recordLengthMax = 20_000;

/** Reads no further than is needed to refuse a text that is too long. */
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
      // Each line may end as it likes, not all of them as the first: files are put together from others.
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
