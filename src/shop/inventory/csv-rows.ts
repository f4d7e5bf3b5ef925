import { CsvError, parse } from 'csv-parse/sync';
import { failure } from '../../kernel/failure.ts';

/**
 * The records of a CSV text (RFC 4180: quotes doubled inside quotes, CRLF or LF), with commas, or the semicolons or tabs
 * that its first line has, and the names of that line. A line `sep=;` before it and empty lines are skipped. Fails with
 * INVALID_PARAMS for an unclosed quote, a record with a different number of cells, and too many records.
 */
export function csvRows(
  text: string,
  rowsMax: number,
): { readonly names: readonly string[]; readonly records: readonly (readonly string[])[] } {
  const [names, ...records] = recordsOf(text, rowsMax);
  if (names === undefined || records.length === 0) {
    throw failure('INVALID_PARAMS', 'csv must have a line with the column names, and rows below it.');
  }
  for (const [index, cells] of records.entries()) {
    if (cells.length === names.length) continue;
    throw failure(
      'INVALID_PARAMS',
      `csv: row ${index + 1} must have ${names.length} cells, like the first line.`,
    );
  }
  return { names, records };
}

/** The sign between the cells: the most frequent one of the line with the names. */
function delimiterOf(line: string): string {
  const counts = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]![0];
}

/** Longer than any valid row; reading stops here. */
const recordLengthMax = 20_000;

/** Stops reading as soon as the text is known to be too long. */
function recordsOf(text: string, rowsMax: number): string[][] {
  let count = 0;
  try {
    // The first line with text has the names; a line before it may only say the sign.
    const table = text.replace(/^\uFEFF?sep=.\r?\n/i, '');
    const head = /[^\s\uFEFF][^\r\n]{0,20000}/.exec(table)?.[0] ?? '';
    return parse(table, {
      bom: true,
      delimiter: delimiterOf(head),
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
