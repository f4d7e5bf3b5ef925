import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { UsageError } from './usage-error.ts';

/** One row of a file, whatever its format. */
export interface FileRecord {
  /** Where it begins, from 1; in a JSON list the number of its entry. */
  readonly line: number;
  /** By the names of the file; null where it is no record at all. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** Why it is none. */
  readonly problem?: string;
  /** How much of the file lies behind it, from 0 to 1. */
  readonly share: number;
}

export type ImportFormat = 'csv' | 'json' | 'ndjson';

/** The format that a file's name says. Fails with a UsageError. */
export function formatOf(path: string): ImportFormat {
  const ending = extname(path).toLowerCase().slice(1);
  if (ending === 'csv' || ending === 'json' || ending === 'ndjson') return ending;
  throw new UsageError(`${path}: the file's name must end in .csv, .json or .ndjson`);
}

/**
 * The records of a file, in order. CSV is RFC 4180 in UTF-8, its first line the names; JSON a list of objects; NDJSON an
 * object a line. Fails with a UsageError for what cannot be read any further.
 */
export function readRecords(path: string, format: ImportFormat): AsyncGenerator<FileRecord> {
  if (format === 'csv') return csvRecords(path);
  return format === 'json' ? jsonRecords(path) : ndjsonRecords(path);
}

async function* csvRecords(path: string): AsyncGenerator<FileRecord> {
  const size = Math.max(1, statSync(path).size);
  const parser = createReadStream(path).pipe(
    parse({
      bom: true,
      info: true,
      // Each line may end as it likes, not all of them as the first: files are put together from others.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  );
  let names: readonly string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      if (names === null) {
        names = readHeader(record);
        continue;
      }
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      const line = info.lines - breaks;
      const share = Math.min(1, info.bytes / size);
      if (record.every((cell) => cell.trim() === '')) continue;
      yield record.length === names.length
        ? { line, share, values: Object.fromEntries(names.map((name, at) => [name, record[at]])) }
        : {
            line,
            share,
            values: null,
            problem: `must have ${names.length} cells, as the first line has, not ${record.length}`,
          };
    }
  } catch (error) {
    // What follows an unclosed quote cannot be told apart from what is quoted.
    if (error instanceof CsvError) throw new UsageError(`The CSV cannot be read: ${error.message}`);
    throw error;
  }
  if (names === null) throw new UsageError('The CSV must have a line with the names of the columns.');
}

function readHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The column ${twice} must not be there twice.`);
  return names;
}

async function* jsonRecords(path: string): AsyncGenerator<FileRecord> {
  let list: unknown;
  try {
    // Trimming also takes away the mark that some programs write before the text.
    list = JSON.parse((await readFile(path, 'utf8')).trim());
  } catch (error) {
    throw new UsageError(`The file is no JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(list)) throw new UsageError('The JSON must be a list of objects.');
  for (const [index, entry] of list.entries()) {
    yield recordOf(entry, index + 1, (index + 1) / list.length);
  }
}

async function* ndjsonRecords(path: string): AsyncGenerator<FileRecord> {
  const size = Math.max(1, statSync(path).size);
  const stream = createReadStream(path, 'utf8');
  let line = 0;
  for await (const read of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    const text = read.trim();
    if (text === '') continue;
    const share = Math.min(1, stream.bytesRead / size);
    let entry: unknown;
    try {
      entry = JSON.parse(text);
    } catch {
      yield { line, share, values: null, problem: 'must be a JSON object' };
      continue;
    }
    yield recordOf(entry, line, share);
  }
}

function recordOf(entry: unknown, line: number, share: number): FileRecord {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    return { line, share, values: entry as Record<string, unknown> };
  }
  return { line, share, values: null, problem: 'must be an object' };
}
