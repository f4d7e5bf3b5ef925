import { checkColumns } from './file-bounds.ts';
import type { FileNote, FileRecord } from './file-record.ts';
import { notReadable, readAs1252, readLines, type SourceFile, type TextLine } from './file-text.ts';
import { CellScanner, cellOf, plainCells } from './table-cells.ts';
import { headingLinesMax, shapeOfTable } from './table-heading.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** A cell of several lines has no more than these. */
const linesOfCellMax = 1000;
const linesAheadMin = 10;
const cellsTextMax = 600_000;

/**
 * The rows of a table, in order, whatever separates its cells and wherever its headings are. A line that cannot be read is told by
 * its row, and takes no other row with it. Fails with an UnreadableFile when there are no headings.
 */
export async function* tableRecords(
  file: SourceFile,
  known: ReadonlySet<string>,
): AsyncGenerator<FileRecord> {
  const size = Math.max(1, await file.size());
  const lines = new LineWindow(file);
  await lines.fill(headingLinesMax);
  const { delimiter, linesBefore } = shapeOfTable(lines.texts, known);
  const notes: FileNote[] = [];
  if (linesBefore > 0 && lines.texts.slice(0, linesBefore).some((text) => !isEmptyOrSep(text))) {
    notes.push({ line: 1, message: aboveHeadings(linesBefore) });
  }
  lines.skip(linesBefore);
  const rows = new RowReader(lines, delimiter);
  const heading = await rows.next(null);
  if (heading === null || heading.cells === null || heading.cells.every((cell) => cell.trim() === '')) {
    throw new UnreadableFile('The file must have a line with the names of its columns.');
  }
  if (heading.flaw === 'unreadable')
    throw new UnreadableFile(`${file.name}, line ${heading.line}: ${notReadable}.`);
  const names = namesOf(heading.cells, heading.line, notes);
  const width = names.length;
  const places = names.flatMap((name, at) => (name === '' ? [] : [[name, at] as const]));
  const headingText = heading.cells.join('\u0000');
  const cellCount = heading.cells.length;
  for (let row = await rows.next(cellCount); row !== null; row = await rows.next(cellCount)) {
    const { line, cells, problem, flaw } = row;
    const share = Math.min(1, rows.bytes / size);
    const said = { line, share, ...(notes.length > 0 && { notes: notes.splice(0) }) };
    if (flaw === 'unreadable') {
      yield { ...said, values: null, problem: notReadable };
      continue;
    }
    if (cells === null) {
      yield { ...said, values: null, problem: problem! };
      continue;
    }
    const left = leftOut(cells, headingText, width);
    if (left !== null) {
      notes.push(...(said.notes ?? []));
      if (left !== '') notes.push({ line, message: left });
      continue;
    }
    if (cells.length < width || cells.slice(width).some((cell) => cell.trim() !== '')) {
      const message = `must have ${width} cells, as the headings have, not ${cells.length}`;
      yield { ...said, values: null, problem: message };
      continue;
    }
    const remarks = [...(said.notes ?? []), ...(flaw === null ? [] : [{ line, message: readAs1252 }])];
    if (problem !== null) remarks.push({ line, message: problem });
    yield {
      line,
      share,
      values: Object.fromEntries(places.map(([name, at]) => [name, cells[at]])),
      ...(remarks.length > 0 && { notes: remarks }),
    };
  }
  if (notes.length > 0) yield { line: notes[0]!.line, share: 1, values: null, notes };
}

function aboveHeadings(count: number): string {
  if (count === 1) return 'stands above the headings, and was left out';
  return `and the lines up to ${count} stand above the headings, and were left out`;
}

function isEmptyOrSep(text: string): boolean {
  return text.trim() === '' || /^\s*"?sep=/i.test(text);
}

/** The names of the columns; a column without one has '', and is not read. */
function namesOf(cells: readonly string[], line: number, notes: FileNote[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === '') names.pop();
  checkColumns(names);
  const seen = new Map<string, number>();
  return names.map((name) => {
    if (name === '') return name;
    const plain = name.replace(/[\s_]+/g, '').toLowerCase();
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    if (before === 0) return name;
    const other = `${name} (${before + 1})`;
    notes.push({
      line,
      message: `has the heading ${JSON.stringify(name)} more than once: the first column counts, another one is read as ${JSON.stringify(other)}`,
    });
    return other;
  });
}

const totalsLabel = /^(?:(?:grand|sub|report|page|overall|store|shop)[\s-]?)?totals?\b/i;

/** Why a row is no product and no person; '': it is empty; null: it is a row. */
function leftOut(cells: readonly string[], headingText: string, width: number): string | null {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const [first, ...others] = filled;
  if (first === undefined) return '';
  if (cells.join('\u0000') === headingText) return 'repeats the headings, and was left out';
  const isTotals =
    width > 1 &&
    filled.length < width &&
    totalsLabel.test(first.trim()) &&
    !/\p{L}/u.test(
      first.replace(totalsLabel, '').replace(/\b(?:rows?|items?|products?|customers?)\b/gi, ''),
    ) &&
    others.every((cell) => !/\p{L}/u.test(cell));
  return isTotals ? 'is a row of totals, and was left out' : null;
}

/** The next lines of a file. */
class LineWindow {
  readonly #batches: AsyncGenerator<readonly TextLine[]>;
  #lines: TextLine[] = [];
  #from = 0;
  #isDone = false;
  /** The number of the first line in the window. */
  number = 1;

  constructor(file: SourceFile) {
    this.#batches = readLines(file);
  }

  /** The lines that are here. */
  get texts(): readonly string[] {
    return this.#lines.slice(this.#from, this.#from + headingLinesMax).map(({ text }) => text);
  }

  at(index: number): TextLine | undefined {
    return this.#lines[this.#from + index];
  }

  /** Reads on until there are so many lines, if the file has them. */
  async fill(count: number): Promise<void> {
    while (!this.#isDone && this.#lines.length - this.#from < count) {
      const { done, value } = await this.#batches.next();
      if (done) {
        this.#isDone = true;
        return;
      }
      this.#lines = [...this.#lines.slice(this.#from), ...value];
      this.#from = 0;
    }
  }

  skip(count: number): void {
    this.#from += count;
    this.number += count;
  }
}

interface Row {
  readonly line: number;
  /** Null: the line is no row. */
  readonly cells: readonly string[] | null;
  /** Why it is no row, or what is to be said about it. */
  readonly problem: string | null;
  readonly flaw: TextLine['flaw'];
}

const strayQuote = 'has a quotation mark that is not closed, and was read as it stands: check it';

/** Reads rows of one line or several. */
class RowReader {
  readonly #lines: LineWindow;
  readonly #delimiter: string;
  /** How far it looks for the end of a cell: less after each search in vain, or a file of open cells would be read again for each line. */
  #linesAhead = linesOfCellMax;
  /** The bytes that were read so far. */
  bytes = 0;

  constructor(lines: LineWindow, delimiter: string) {
    this.#lines = lines;
    this.#delimiter = delimiter;
  }

  /** The next row that is not empty; null: there is none. @param width its usual number of cells; null: any. */
  async next(width: number | null): Promise<Row | null> {
    for (;;) {
      await this.#lines.fill(1);
      const first = this.#lines.at(0);
      if (first === undefined) return null;
      if (first.text.trim() !== '') return this.#row(first, width);
      this.#take(1);
    }
  }

  #take(count: number): void {
    for (let at = 0; at < count; at++) this.bytes += this.#lines.at(at)!.bytes;
    this.#lines.skip(count);
  }

  async #row(first: TextLine, width: number | null): Promise<Row> {
    const line = this.#lines.number;
    const scanner = new CellScanner(this.#delimiter);
    scanner.feed(first.text);
    const fits = (cells: readonly string[]) => width === null || hasWidth(cells, width);
    if (scanner.isOpen) {
      const whole = await this.#severalLines(scanner, first, width);
      if (whole !== null) {
        this.#linesAhead = linesOfCellMax;
        this.#take(whole.count);
        return { line, cells: scanner.cells.map(cellOf), problem: null, flaw: whole.flaw };
      }
    }
    this.#take(1);
    const flaw = first.flaw;
    if (!scanner.isOpen && (!scanner.hasStray || fits(scanner.cells))) {
      return { line, cells: scanner.cells.map(cellOf), problem: null, flaw };
    }
    const plain = plainCells(first.text, this.#delimiter);
    if (fits(plain)) return { line, cells: plain.map(cellOf), problem: strayQuote, flaw };
    const problem = `has a quotation mark that is not closed: ${plain.length} cells, not ${width}`;
    return { line, cells: null, problem, flaw };
  }

  /** Reads on to the end of a cell of several lines; null: no such end makes a row, and the mark is a stray one. */
  async #severalLines(
    scanner: CellScanner,
    first: TextLine,
    width: number | null,
  ): Promise<{ readonly count: number; readonly flaw: TextLine['flaw'] } | null> {
    let length = first.text.length;
    let flaw = first.flaw;
    const hadStray = scanner.hasStray;
    for (let count = 1; count <= this.#linesAhead && length <= cellsTextMax; count++) {
      await this.#lines.fill(count + 1);
      const next = this.#lines.at(count);
      if (next === undefined) return null;
      length += next.text.length;
      if (flaw !== 'unreadable') flaw = next.flaw ?? flaw;
      scanner.feed(next.text);
      if (scanner.hasStray !== hadStray) return null;
      if (!scanner.isOpen) {
        return width === null || hasWidth(scanner.cells, width) ? { count: count + 1, flaw } : null;
      }
      if (width !== null && width > 3 && isRow(next.text, this.#delimiter, width)) return null;
    }
    this.#linesAhead = Math.max(linesAheadMin, this.#linesAhead >> 1);
    return null;
  }
}

/** Whether a row has so many cells; more of them are empty. */
function hasWidth(cells: readonly string[], width: number): boolean {
  return cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '');
}

/** Whether a line is a whole row by itself: then it is no part of a cell. */
function isRow(text: string, delimiter: string, width: number): boolean {
  const scanner = new CellScanner(delimiter);
  scanner.feed(text);
  return !scanner.isOpen && !scanner.hasStray && scanner.cells.length === width;
}
