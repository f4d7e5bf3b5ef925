import type { Client } from 'pg';
import { serialize } from 'pg-protocol';
import { assert } from '../../kernel/assert.ts';
import { IntegerArray, type SqlValue, TextArray } from '../statements/statement.ts';

/**
 * Sends several prepared statements to PostgreSQL in one round trip, with one Sync at the end.
 *
 * Why: a write of ten statements costs one network turn and one wake-up of the server instead of ten
 * (6.9–7.3 thousand durable orders a second against 3.1–3.5 thousand, measured on two cores). `pg`'s own
 * pipeline mode sends a Sync per statement (4.2–4.6 thousand) and an error in the middle does not stop the
 * statements behind it; with one Sync the server skips everything after the first error by itself.
 *
 * It rests on the submittable protocol of `pg` 8.23 (`submit`, `handleRowDescription`, …, the one that
 * pg-cursor uses) and on the messages of its `pg-protocol`, so both are pinned exactly and the tests cover failure
 * in the first, middle and last statement, parse errors, lost connections and reuse after an error.
 */
export interface PipelineStatement {
  /** Empty: not kept prepared; for texts that rarely repeat. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** See `BoundStatement`. */
  readonly onDistributed?: Pick<PipelineStatement, 'text' | 'values'>;
}

export type PipelineRow = Readonly<Record<string, unknown>>;

/** The part of `pg`'s Connection that is used here. */
interface WireConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): unknown };
}

interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Builds a row from the texts of its columns. */
type RowReader = (fields: readonly (string | null)[]) => PipelineRow;

/** Cached by columns, shared by the connections of a pool. A program has a few hundred statements. */
const rowReaders = new Map<string, RowReader>();
const rowReadersMax = 2000;

/**
 * The reader of rows with these columns: one object literal, compiled like schema checks and serializers. Built field
 * by field, a row of 24 columns takes 0.9 µs instead of 0.1, and V8 turns rows of more than some 16 columns into slow
 * hash tables.
 */
function rowReaderOf(fields: readonly FieldDescription[]): RowReader {
  const columns = JSON.stringify(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  let reader = rowReaders.get(columns);
  if (reader === undefined) {
    const members = fields.map(({ name }, index) => {
      const key = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
      return `${key}: f[${index}] === null ? null : p[${index}](f[${index}])`;
    });
    const parsers = fields.map(({ dataTypeID }) => parserFor(dataTypeID));
    // The names are quoted; no other part of a statement or its rows gets into the code.
    reader = new Function('p', `return (f) => ({ ${members.join(', ')} })`)(parsers) as RowReader;
    if (rowReaders.size >= rowReadersMax) rowReaders.clear();
    rowReaders.set(columns, reader);
  }
  return reader;
}

/**
 * The prepared statements of one connection. `reader` is set after the first execution; from then on the statement is
 * not described again. After an error it is unknown whether the failing statement was parsed, so its name is closed
 * (never an error in PostgreSQL) before it is parsed again.
 */
interface Prepared {
  reader: RowReader | null;
  certain: boolean;
}

const preparedByConnection = new WeakMap<object, Map<string, Prepared>>();

class Pipeline {
  readonly #statements: readonly PipelineStatement[];
  readonly #resolve: (rows: PipelineRow[][]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #rows: PipelineRow[][];
  readonly #newlyParsed = new Set<string>();
  #prepared: Map<string, Prepared> = new Map();
  /** The running statement, when it is unnamed. */
  #unnamed: Prepared = { reader: null, certain: true };
  #at = 0;
  #unreadable: unknown = null;

  constructor(
    statements: readonly PipelineStatement[],
    resolve: (rows: PipelineRow[][]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#statements = statements;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#rows = statements.map(() => []);
  }

  submit(connection: WireConnection): Error | null {
    let prepared = preparedByConnection.get(connection);
    if (prepared === undefined) {
      prepared = new Map();
      preparedByConnection.set(connection, prepared);
    }
    this.#prepared = prepared;
    // Encode everything first: a value that cannot be encoded must not leave half a batch on the wire.
    let encoded: (string | Uint8Array | null)[][];
    try {
      encoded = this.#statements.map((statement) => statement.values.map(encodeValue));
    } catch (error) {
      return error as Error;
    }
    // One write of one buffer: the connection's own methods write each message separately, and handing the socket a
    // dozen chunks costs more than joining them.
    const messages: Buffer[] = [];
    for (const [index, { name, text }] of this.#statements.entries()) {
      let known = prepared.get(name);
      if (known === undefined || !known.certain) {
        if (known !== undefined) messages.push(serialize.close({ type: 'S', name }));
        messages.push(serialize.parse({ name, text }));
        known = { reader: null, certain: true };
        if (name !== '') {
          prepared.set(name, known);
          this.#newlyParsed.add(name);
        }
      }
      messages.push(serialize.bind({ statement: name, values: encoded[index]! }));
      if (known.reader === null) messages.push(serialize.describe({ type: 'P', name: '' }));
      messages.push(serialize.execute({ portal: '', rows: 0 }));
    }
    messages.push(serialize.sync());
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription(message: { fields: readonly FieldDescription[] }): void {
    this.#current().reader = rowReaderOf(message.fields);
  }

  handleDataRow(message: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows[this.#at]!.push(this.#readRow(message.fields));
    } catch (error) {
      // Thrown here, inside the socket's event, it would end the process.
      this.#unreadable ??= error;
    }
  }

  #readRow(fields: readonly (string | null)[]): PipelineRow {
    const { reader } = this.#current();
    assert(reader !== null, 'a row came before its description');
    return reader(fields);
  }

  handleCommandComplete(): void {
    // A statement without result columns has no description: from now on it need not be described.
    const current = this.#current();
    current.reader ??= rowReaderOf([]);
    this.#unnamed = { reader: null, certain: true };
    this.#at++;
  }

  /** The server skips all statements after the failing one up to the Sync. */
  handleError(error: Error): void {
    for (let index = this.#at; index < this.#statements.length; index++) {
      const { name } = this.#statements[index]!;
      if (!this.#newlyParsed.has(name)) continue;
      // An earlier use of the statement in this batch proves that it was parsed.
      const used = this.#statements.slice(0, this.#at).some((statement) => statement.name === name);
      if (!used) this.#prepared.set(name, { reader: null, certain: false });
    }
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#unreadable !== null) {
      this.#reject(this.#unreadable);
    } else if (this.#at !== this.#statements.length) {
      this.#reject(new Error(`the server answered ${this.#at} of ${this.#statements.length} statements`));
    } else {
      this.#resolve(this.#rows);
    }
  }

  handleEmptyQuery(): void {
    this.#at++;
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('a pipeline does not support COPY');
  }

  handleCopyData(): void {}

  #current(): Prepared {
    const { name } = this.#statements[this.#at]!;
    const prepared = name === '' ? this.#unnamed : this.#prepared.get(name);
    assert(prepared !== undefined, 'the running statement is not registered');
    return prepared;
  }
}

/**
 * Runs the statements in order, in one round trip. Resolves to the rows of each. Rejects with the first error; the
 * statements behind it do not run. Without BEGIN the batch is one implicit transaction.
 */
export function runPipeline(
  client: Pick<Client, 'query'>,
  statements: readonly PipelineStatement[],
): Promise<PipelineRow[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, resolve, reject) as never);
  });
}

function encodeValue(value: SqlValue): string | Uint8Array | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'a number for the database must be finite');
    return String(value);
  }
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value instanceof Uint8Array) return encodeBytes(value);
  if (value instanceof IntegerArray) return encodeIntegers(value);
  if (value instanceof TextArray) return encodeTexts(value);
  return `{${value.map((item) => (typeof item === 'string' ? quoteArrayText(item) : String(item))).join(',')}}`;
}

/** From here on hexadecimal text, twice as long and copied some times, would take more memory than the file that it is of. */
const longBytes = 65_536;

function encodeBytes(value: Uint8Array): string | Buffer {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return bytes.length < longBytes ? `\\x${bytes.toString('hex')}` : bytes;
}

/**
 * The format that `array_recv` reads: dimensions, null flag, type, length, first index; then each element with its
 * length.
 */
function encodeIntegers({ type, values }: IntegerArray): Buffer {
  const [oid, byteCount, max] = type === 'integer' ? [23, 4, 2 ** 31 - 1] : [20, 8, Number.MAX_SAFE_INTEGER];
  const bytes = Buffer.allocUnsafe(20 + values.length * (4 + byteCount));
  const outOfRange = `a number for the database cannot be outside ${type}`;
  // The writes of a view are single instructions, those of a Buffer are calls.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  writeArrayHead(view, oid, values.length);
  let at = 20;
  for (const value of values) {
    assert(Number.isInteger(value) && Math.abs(value) <= max, outOfRange);
    view.setInt32(at, byteCount);
    if (type === 'bigint') view.setInt32(at + 4, Math.floor(value / 2 ** 32));
    view.setInt32(at + byteCount, value | 0);
    at += 4 + byteCount;
  }
  return bytes;
}

function encodeTexts({ values }: TextArray): Buffer {
  const lengths = values.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 20));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  writeArrayHead(view, 25, values.length);
  let at = 20;
  for (const [index, text] of values.entries()) {
    view.setInt32(at, lengths[index]!);
    bytes.write(text, at + 4);
    at += 4 + lengths[index]!;
  }
  return bytes;
}

function writeArrayHead(view: DataView, oid: number, length: number): void {
  for (const [index, field] of [1, 0, oid, length, 1].entries()) view.setInt32(index * 4, field);
}

function quoteArrayText(text: string): string {
  return quotedCharacter.test(text) ? `"${text.replace(/[\\"]/g, '\\$&')}"` : `"${text}"`;
}

const quotedCharacter = /[\\"]/;

const identity = (text: string): string => text;

/** Identifiers and cents are below 2^53 (checked in the schema), so bigint columns become numbers. */
function parseInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'an integer column holds a value beyond 2^53');
  return value;
}

/** timestamptz as milliseconds since the epoch; the session's time zone is UTC, so the text ends in +00. */
function parseTimestamp(text: string): number {
  const value = Date.parse(`${text.slice(0, 10)}T${text.slice(11).replace(/\+00$/, 'Z')}`);
  assert(Number.isFinite(value), () => `not a timestamp: ${text}`);
  return value;
}

function parseArray(parseItem: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => {
    if (text === '{}') return [];
    const items: unknown[] = [];
    // Items are quoted when they contain a comma, brace, quote, backslash or white space, or are empty.
    for (const match of text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)) {
      items.push(parseItem(match[1] === undefined ? match[2]! : match[1].replace(/\\(.)/g, '$1')));
    }
    return items;
  };
}

/** Types by PostgreSQL's fixed object ids. Numerics stay text: they are exact decimals, never floats. */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, parseInteger],
  [21, parseInteger],
  [23, parseInteger],
  // Measures of time and size, never amounts.
  [701, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
  [1184, parseTimestamp],
  [1016, parseArray(parseInteger)],
  [1009, parseArray(identity)],
]);

function parserFor(dataTypeId: number): (text: string) => unknown {
  return parsers.get(dataTypeId) ?? identity;
}
