import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { boundProblem, checkColumns } from './file-bounds.ts';
import { readText, type SourceFile, textOf } from './file-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

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

/** The format by the file's name. Fails with an UnreadableFile. */
export function formatOf(path: string): ImportFormat {
  const ending = extname(path).toLowerCase().slice(1);
  if (ending === 'csv' || ending === 'json' || ending === 'ndjson') return ending;
  throw new UnreadableFile(`${path}: the file's name must end in .csv, .json or .ndjson`);
}

/**
 * The records of a file, in order. CSV is RFC 4180 in UTF-8 with names in its first line; JSON is a list of objects; NDJSON has
 * one object per line. Fails with an UnreadableFile: before the first record if the file cannot be read or is not UTF-8, otherwise
 * where it becomes unreadable. A record that holds more than it may (file-bounds.ts) is none.
 */
export async function* readRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  for await (const record of recordsOf(file)) {
    const problem = record.values === null ? null : boundProblem(record.values);
    yield problem === null ? record : { ...record, values: null, problem };
  }
}

function recordsOf(file: SourceFile): AsyncGenerator<FileRecord> {
  const format = formatOf(file.name);
  if (format === 'csv') return csvRecords(file);
  return format === 'json' ? jsonRecords(file) : ndjsonRecords(file);
}

async function* csvRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  const size = await textBytes(file);
  const parser = parse({
    info: true,
    // Each line can have its own line ending: files are combined from several sources.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // Errors are thrown where the records are read.
  pipeline(readText(file), parser, () => {});
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
    if (error instanceof CsvError) throw new UnreadableFile(`The CSV cannot be read: ${error.message}`);
    throw error;
  }
  if (names === null) throw new UnreadableFile('The CSV must have a line with the names of the columns.');
}

/** Reads the whole file once, so nothing is imported if its end is unreadable. At least 1. */
async function textBytes(file: SourceFile): Promise<number> {
  let bytes = 0;
  for await (const piece of readText(file)) bytes += Buffer.byteLength(piece);
  return Math.max(1, bytes);
}

function readHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  checkColumns(names);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new UnreadableFile(`The column ${twice} must not occur twice.`);
  return names;
}

async function* jsonRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.bytes()) chunks.push(chunk);
  const text = textOf(file.name, Buffer.concat(chunks));
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(`The file is not JSON: ${(error as Error).message}`);
  }
  const entries = listWithin(list);
  if (entries === null)
    throw new UnreadableFile('The JSON must be a list of objects, or have one within it.');
  for (const [index, entry] of entries.entries()) {
    yield recordOf(entry, index + 1, (index + 1) / entries.length);
  }
}

const wrappersMax = 4;

/** The list itself, or the longest list of objects that wrappers such as `{"data": {"products": […]}}` have. */
function listWithin(value: unknown, depth = 0): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || depth === wrappersMax) return null;
  const lists = Object.values(value).flatMap((entry) => {
    const list = listWithin(entry, depth + 1);
    return list === null || !list.every((one) => typeof one === 'object' && one !== null) ? [] : [list];
  });
  return lists.sort((a, b) => b.length - a.length)[0] ?? null;
}

async function* ndjsonRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  const size = await textBytes(file);
  let line = 0;
  let bytes = 0;
  for await (const read of linesOf(readText(file))) {
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
  // Only the new piece is split: a line can be as long as the file.
  let begun: string[] = [];
  for await (const piece of pieces) {
    const [first, ...others] = piece.split(/\r\n|\n|\r/);
    begun.push(first!);
    for (const line of others) {
      yield begun.join('');
      begun = [line];
    }
  }
  const last = begun.join('');
  if (last !== '') yield last;
}

function recordOf(entry: unknown, line: number, share: number): FileRecord {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    return { line, share, values: entry as Record<string, unknown> };
  }
  return { line, share, values: null, problem: 'must be an object' };
}
