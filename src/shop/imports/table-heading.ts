import { CellScanner, cellOf } from './table-cells.ts';

/** Finds out how a table is written: what separates its cells, and where its headings are. Pure. */

interface TableShape {
  readonly delimiter: string;
  /** The number of lines before the headings. */
  readonly linesBefore: number;
}

/** Lines that can be above the headings, and what is looked at to find them. */
export const headingLinesMax = 30;

const delimiters = [',', ';', '\t', '|'] as const;

/** Names of columns are compared by their letters and digits. */
export function plainHeading(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The cells of a single line. */
function lineCells(line: string, delimiter: string): readonly string[] {
  const scanner = new CellScanner(delimiter);
  scanner.feed(line);
  const cells = scanner.isOpen ? line.split(delimiter) : scanner.cells;
  return cells.map((cell) => cellOf(cell).trim());
}

/**
 * The shape of a table by its first lines. The headings are the line with the most names that are known; where none is, the first
 * line of the usual number of cells. `sep=;` in the first line, as spreadsheets write it, says what separates the cells.
 *
 * @param known plain names of columns: our fields, those of other systems, those of a mapping.
 */
export function shapeOfTable(head: readonly string[], known: ReadonlySet<string>): TableShape {
  const lines = head.slice(0, headingLinesMax);
  const first = lines.findIndex((line) => line.trim() !== '');
  const [, said] = /^\s*"?sep=(.|\\t)"?\s*$/i.exec(lines[first] ?? '') ?? [];
  const start = said === undefined ? 0 : first + 1;
  const choices = said === undefined ? delimiters : [said.toLowerCase() === '\\t' ? '\t' : said];
  const found = choices.map((delimiter) => ({ delimiter, ...headingOf(lines, start, delimiter, known) }));
  return found.reduce((best, other) => (isBetter(other, best) ? other : best));
}

interface Heading {
  readonly linesBefore: number;
  readonly known: number;
  /** Lines of the usual number of cells, if that is more than one. */
  readonly alike: number;
}

function isBetter(one: Heading, other: Heading): boolean {
  return one.known === other.known ? one.alike > other.alike : one.known > other.known;
}

function headingOf(
  lines: readonly string[],
  start: number,
  delimiter: string,
  known: ReadonlySet<string>,
): Heading {
  const rows = lines.map((line, at) => (at < start ? [] : lineCells(line, delimiter)));
  const filled = rows.map((cells) => cells.filter((cell) => cell !== ''));
  const widths = filled.filter((cells) => cells.length > 0).map((cells) => cells.length);
  const widest = Math.max(0, ...widths);
  const scores = filled.map((cells) => cells.filter((cell) => known.has(plainHeading(cell))).length);
  const best = Math.max(0, ...scores);
  // A title such as "Products" is no heading of a table with more columns.
  const named = filled.findIndex((cells, at) => scores[at] === best && (cells.length > 1 || widest === 1));
  const isKnown = best > 0 && named >= 0;
  const usual = rows.map((cells) => cells.length).filter((width) => width > 1);
  const width = mostFrequent(usual);
  const wide = rows.findIndex((cells, at) => cells.length === width && filled[at]!.length * 2 > width);
  const any = filled.findIndex((cells) => cells.length > 0);
  return {
    linesBefore: isKnown ? named : wide >= 0 ? wide : Math.max(start, any),
    known: isKnown ? best : 0,
    alike: usual.filter((one) => one === width).length,
  };
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
