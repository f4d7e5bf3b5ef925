import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { readBytes, readText, textOf } from './file-text.ts';
import { UsageError } from './usage-error.ts';

/** One row of a file in any format. */
export interface FileRecord {
  /** Its first line, from 1; in a JSON list the number of its entry. */
  readonly line: number;
  /** The values by the file's names; null: not a record. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** Why it is not a record. */
  readonly problem?: string;
  /** The part of the file read so far, from 0 to 1. */
  readonly share: number;
}

export type ImportFormat = 'csv' | 'json' | 'ndjson';

/** The format by the file's name. Fails with a UsageError. */
export function formatOf(path: string): ImportFormat {
  const ending = extname(path).toLowerCase().slice(1);
  if (ending === 'csv' || ending === 'json' || ending === 'ndjson') return ending;
  throw new UsageError(`${path}: the file's name must end in .csv, .json or .ndjson`);
}

/**
 * The records of a file, in order. CSV is RFC 4180 in UTF-8 with names in its first line; JSON is a list of objects; NDJSON has
 * one object per line. Fails with a UsageError: before the first record if the file cannot be read or is not UTF-8, otherwise
 * where it becomes unreadable.
 */
export function readRecords(path: string, format: ImportFormat): AsyncGenerator<FileRecord> {
  if (format === 'csv') return csvRecords(path);
  return format === 'json' ? jsonRecords(path) : ndjsonRecords(path);
}

async function* csvRecords(path: string): AsyncGenerator<FileRecord> {
  const size = await textBytes(path);
  const parser = parse({
    info: true,
    // Each line can have its own line ending: files are combined from several sources.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // Errors are thrown where the records are read.
  pipeline(readText(path), parser, () => {});
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
    // Text after an unclosed quote cannot be told apart from quoted text.
    if (error instanceof CsvError) throw new UsageError(`The CSV cannot be read: ${error.message}`);
    throw error;
  }
  if (names === null) throw new UsageError('The CSV must have a line with the names of the columns.');
}

/** Reads the whole file once, so nothing is imported if its end is unreadable. At least 1. */
async function textBytes(path: string): Promise<number> {
  let bytes = 0;
  for await (const piece of readText(path)) bytes += Buffer.byteLength(piece);
  return Math.max(1, bytes);
}

function readHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The column ${twice} must not occur twice.`);
  return names;
}

async function* jsonRecords(path: string): AsyncGenerator<FileRecord> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(path)) chunks.push(chunk);
  const text = textOf(path, Buffer.concat(chunks));
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The file is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(list)) throw new UsageError('The JSON must be a list of objects.');
  for (const [index, entry] of list.entries()) {
    yield recordOf(entry, index + 1, (index + 1) / list.length);
  }
}

async function* ndjsonRecords(path: string): AsyncGenerator<FileRecord> {
  const size = await textBytes(path);
  let line = 0;
  let bytes = 0;
  for await (const read of linesOf(readText(path))) {
    line++;
    bytes += Buffer.byteLength(read) + 1;
    const text = read.trim();
    if (text === '') continue;
    const share = Math.min(1, bytes / size);
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

/** Not node:readline: it splits at characters that JSON allows within text. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const piece of pieces) {
    const lines = (begun + piece).split(/\r\n|\n|\r/);
    begun = lines.pop()!;
    yield* lines;
  }
  if (begun !== '') yield begun;
}

function recordOf(entry: unknown, line: number, share: number): FileRecord {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    return { line, share, values: entry as Record<string, unknown> };
  }
  return { line, share, values: null, problem: 'must be an object' };
}
