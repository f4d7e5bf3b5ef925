import { quotedText } from '../../kernel/quoted-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * How much a row may hold, whatever its format. It is looked at before anything is converted, so that what follows has a bound
 * for its time and its depth.
 */

const cellBytesMax = 32_768;
/** Columns of a table, fields of an object, entries of a list. */
const columnsMax = 500;
const nameMax = 500;
const depthMax = 10;
/** An object with everything in it: each of its options repeats what the product says. */
const recordBytesMax = 16 * cellBytesMax;
const valuesMax = 20_000;

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en-US')} KB`;

/** Refuses a table with too many columns, or with names that are no names. Fails with an UnreadableFile. */
export function checkColumns(names: readonly string[]): void {
  if (names.length > columnsMax) {
    throw new UnreadableFile(
      `The file has ${names.length.toLocaleString('en-US')} columns; at most ${columnsMax} can be read. Leave out what is no product's data.`,
    );
  }
  const long = names.findIndex((name) => name.length > nameMax);
  if (long >= 0) {
    throw new UnreadableFile(
      `The name of column ${long + 1} must have at most ${nameMax} characters, not ${names[long]!.length.toLocaleString('en-US')}.`,
    );
  }
}

/** What of a row is over its bound, in words that fit after its line; null: nothing. */
export function boundProblem(values: Readonly<Record<string, unknown>>): string | null {
  try {
    new RowBounds().check(values);
    return null;
  } catch (problem) {
    if (problem instanceof OverBound) return problem.message;
    throw problem;
  }
}

class OverBound extends Error {
  override name = 'OverBound';
}

/** What has been seen of a row so far. */
class RowBounds {
  #bytes = 0;
  #values = 0;

  /** Fails with OverBound. */
  check(values: Readonly<Record<string, unknown>>): void {
    this.#object(values, 0);
  }

  /** The columns that it would have as a row: objects within it are columns of it, lists are one each. */
  #object(values: Readonly<Record<string, unknown>>, depth: number): number {
    let columns = 0;
    for (const name in values) {
      if (name.length > nameMax) {
        throw new OverBound(`must have names of at most ${nameMax} characters, not ${quotedText(name)}`);
      }
      this.#count(name.length);
      columns += this.#value(values[name], name, depth);
      if (columns > columnsMax) throw new OverBound(`must have at most ${columnsMax} fields in one object`);
    }
    return columns;
  }

  #value(value: unknown, name: string, depth: number): number {
    if (typeof value === 'string') this.#count(textBytes(value, name));
    if (typeof value !== 'object' || value === null) return 1;
    if (depth === depthMax) {
      throw new OverBound(`must have at most ${depthMax} levels within each other, in ${quotedText(name)}`);
    }
    if (!Array.isArray(value)) return this.#object(value as Readonly<Record<string, unknown>>, depth + 1);
    if (value.length > columnsMax) {
      throw new OverBound(
        `must have at most ${columnsMax} entries in ${quotedText(name)}, not ${value.length.toLocaleString('en-US')}`,
      );
    }
    for (const entry of value) this.#value(entry, name, depth + 1);
    return 1;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > recordBytesMax) {
      throw new OverBound(`must have at most ${kilobytes(recordBytesMax)} in all`);
    }
    if (++this.#values > valuesMax) {
      throw new OverBound(`must have at most ${valuesMax.toLocaleString('en-US')} values in all`);
    }
  }
}

function textBytes(text: string, name: string): number {
  // No letter takes more than three bytes for each of its units, so most texts need no counting.
  if (text.length <= cellBytesMax / 3) return text.length;
  const bytes = Buffer.byteLength(text);
  if (bytes <= cellBytesMax) return bytes;
  throw new OverBound(
    `must have at most ${kilobytes(cellBytesMax)} in ${quotedText(name)}, not ${kilobytes(bytes)}`,
  );
}
