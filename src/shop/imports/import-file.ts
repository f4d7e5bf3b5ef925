import { extname } from 'node:path';
import { boundProblem } from './file-bounds.ts';
import type { FileRecord } from './file-record.ts';
import { notReadable, readAs1252, readLines, type SourceFile, wholeText } from './file-text.ts';
import { tableRecords } from './table-records.ts';
import { UnreadableFile } from './unreadable-file.ts';

type ImportFormat = 'csv' | 'json' | 'ndjson';

const formats: Readonly<Record<string, ImportFormat>> = {
  ...{ csv: 'csv', tsv: 'csv', tab: 'csv', txt: 'csv' },
  ...{ json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' },
};

/** The format by the file's name. Fails with an UnreadableFile. */
export function formatOf(path: string): ImportFormat {
  const format = formats[extname(path).toLowerCase().slice(1)];
  if (format !== undefined) return format;
  const advice = /\.xlsx?$|\.ods$|\.numbers$/i.test(path) ? '; save the sheet of a spreadsheet as CSV' : '';
  throw new UnreadableFile(
    `${path}: the file's name must end in .csv, .tsv, .txt, .json or .ndjson${advice}`,
  );
}

/**
 * The records of a file, in order. A table has commas, semicolons, tabs or bars between its cells, and its headings among its first
 * lines; JSON is a list of objects; NDJSON has one object per line. What cannot be read is a record without values, and takes no
 * other with it; a record that holds more than it may (file-bounds.ts) is none. Fails with an UnreadableFile when nothing can be
 * read.
 *
 * @param known plain names of columns, by which the headings of a table are found.
 */
export async function* readRecords(
  file: SourceFile,
  known: ReadonlySet<string> = new Set(),
): AsyncGenerator<FileRecord> {
  for await (const record of recordsOf(file, known)) {
    const problem = record.values === null ? null : boundProblem(record.values);
    yield problem === null ? record : { ...record, values: null, problem };
  }
}

async function* recordsOf(file: SourceFile, known: ReadonlySet<string>): AsyncGenerator<FileRecord> {
  const format = formatOf(file.name);
  if (format === 'csv') {
    yield* tableRecords(file, known);
    return;
  }
  // Either is often saved under the other's name.
  const isList = format === 'json' ? !(await isLineByLine(file)) : await beginsWithList(file);
  yield* isList ? jsonRecords(file) : ndjsonRecords(file);
}

/** Whether a file has an object on each of its first lines. */
async function isLineByLine(file: SourceFile): Promise<boolean> {
  let objects = 0;
  for await (const lines of readLines(file)) {
    for (const { text } of lines) {
      if (text.trim() === '') continue;
      if (!text.trimStart().startsWith('{') || parsed(text) === undefined) return false;
      if (++objects === 2) return true;
    }
  }
  return false;
}

async function beginsWithList(file: SourceFile): Promise<boolean> {
  for await (const lines of readLines(file)) {
    const first = lines.find(({ text }) => text.trim() !== '');
    if (first === undefined) continue;
    if (!first.text.trimStart().startsWith('[')) return false;
    const list = parsed(first.text);
    return list === undefined || (Array.isArray(list) && typeof list[0] === 'object');
  }
  return false;
}

/** Undefined: it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* jsonRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  const { text, isGuessed } = await wholeText(file);
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
    const record = recordOf(entry, index + 1, (index + 1) / entries.length);
    yield isGuessed && index === 0 ? { ...record, notes: [{ line: 1, message: readAs1252 }] } : record;
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
  const size = Math.max(1, await file.size());
  let line = 0;
  let bytes = 0;
  for await (const lines of readLines(file)) {
    for (const read of lines) {
      line++;
      bytes += read.bytes;
      const text = read.text.trim();
      if (text === '') continue;
      const share = Math.min(1, bytes / size);
      if (read.flaw === 'unreadable') {
        yield { line, share, values: null, problem: notReadable };
        continue;
      }
      const entry = parsed(text);
      if (entry === undefined) {
        yield { line, share, values: null, problem: 'must be a JSON object' };
        continue;
      }
      const record = recordOf(entry, line, share);
      yield read.flaw === null ? record : { ...record, notes: [{ line, message: readAs1252 }] };
    }
  }
}

function recordOf(entry: unknown, line: number, share: number): FileRecord {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    return { line, share, values: entry as Record<string, unknown> };
  }
  return { line, share, values: null, problem: 'must be an object' };
}
