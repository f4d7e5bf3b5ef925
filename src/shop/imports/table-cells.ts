import { unwrappedCell } from '../catalog/products.ts';

/** The cells of lines, also of those that no program would write so: a stray quotation mark takes no other row with it. Pure. */

/** Reads one row, line by line, until no cell is open. */
export class CellScanner {
  readonly #delimiter: string;
  readonly #cells: string[] = [];
  #open: string | null = null;
  /** Whether a quotation mark stood where none may be. */
  hasStray = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Whether the last cell goes on in the next line. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  get cells(): readonly string[] {
    return this.#cells;
  }

  feed(line: string): void {
    let at = 0;
    let isCell = true;
    if (this.#open !== null) {
      this.#open += '\n';
      at = this.#quoted(line, 0);
      if (at < 0) return;
      isCell = at <= line.length;
    }
    while (isCell) {
      const start = quoteAt(line, at);
      if (start === null) {
        const end = line.indexOf(this.#delimiter, at);
        const cell = end < 0 ? line.slice(at) : line.slice(at, end);
        if (cell.includes('"')) this.hasStray = true;
        this.#cells.push(cell);
        if (end < 0) return;
        at = end + 1;
        continue;
      }
      this.#open = '';
      at = this.#quoted(line, start);
      if (at < 0) return;
      isCell = at <= line.length;
    }
  }

  /** Reads the rest of a quoted cell. Returns the place after its delimiter; beyond the line: it was the last one; -1: it is open. */
  #quoted(line: string, from: number): number {
    let at = from;
    for (;;) {
      const mark = line.indexOf('"', at);
      if (mark < 0) {
        this.#open += line.slice(at);
        return -1;
      }
      this.#open += line.slice(at, mark);
      if (line[mark + 1] === '"') {
        this.#open += '"';
        at = mark + 2;
        continue;
      }
      let end = mark + 1;
      while (line[end] === ' ') end++;
      if (end === line.length || line[end] === this.#delimiter) {
        this.#cells.push(this.#open ?? '');
        this.#open = null;
        return end + 1;
      }
      this.hasStray = true;
      this.#open += '"';
      at = mark + 1;
    }
  }
}

/** Where the text of a quoted cell begins: after `"`, or after the `="` of a spreadsheet. Null: it is not quoted. */
function quoteAt(line: string, from: number): number | null {
  let at = from;
  while (line[at] === ' ') at++;
  if (line[at] === '=' && line[at + 1] === '"') at++;
  return line[at] === '"' ? at + 1 : null;
}

/** The cells of a line in which quotation marks mean nothing; those around a cell are left out. */
export function plainCells(line: string, delimiter: string): readonly string[] {
  return line.split(delimiter).map((cell) => {
    const text = cell.trim();
    return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : cell;
  });
}

/** A cell without the signs of a spreadsheet. */
export function cellOf(text: string): string {
  return text.trimStart().startsWith('=') ? unwrappedCell(text.trim()) : text;
}
