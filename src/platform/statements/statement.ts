import { assert } from '../../kernel/assert.ts';

/** How a column's value is written. */
interface RowOptions {
  /** Instants in milliseconds, for `timestamptz`. */
  readonly instants?: readonly string[];
  /** Structures, or their JSON text, for `jsonb`. */
  readonly structures?: readonly string[];
  /** A text of kilobytes, never null. It is sent beside the rows, in which it would be escaped. */
  readonly longText?: string;
  /** The first column: the id of the record that has the rows, given once for all of them. */
  readonly owner?: string;
}

/**
 * An import inserts thousands: a statement of its own for each part keeps within the time limit. It is the maximum number of lines in a
 * cart, so that an order of any size is the same number of statements.
 */
const rowsPerStatementMax = 200;

const typesOfRows = new Map<string, readonly string[]>();

/** The composite types of rows and their attributes, as the program writes them; a test compares them with the database. */
export function writtenRowTypes(): ReadonlyMap<string, readonly string[]> {
  return typesOfRows;
}

/**
 * Declares an insert of any number of rows into a tenant table as one prepared statement: the rows come as an array of texts
 * of a composite type, `order_tax_row` for `order_taxes`. A multi-row `VALUES` needs a statement for each number of
 * rows, and orders that are placed together have any number of lines. PostgreSQL reads such a text in half the time of a
 * JSON object (6 µs against 12 for the 32 columns of a line of an order). The columns are those of the type, in its order. Null
 * fields are null.
 */
export function insertRows<Row extends object>(
  table: string,
  rowType: string,
  columns: { readonly [Column in keyof Row & string]: string },
  options: RowOptions = {},
): (rows: readonly Row[]) => BoundStatement<never>[] {
  const { textOf, bind } = rowsOf(table, rowType, columns, options);
  return (rows) =>
    bind(
      rows.map((row) => textOf(row)),
      options.longText === undefined
        ? undefined
        : rows.map((row) => row[options.longText as keyof Row] as string),
    );
}

/** The same for the rows of some records. The rows do not name their record: to copy each with its id took as long as to write it. */
export function insertOwnedRows<Row extends object>(
  table: string,
  rowType: string,
  columns: { readonly [Column in keyof Row & string]: string },
  options: Omit<RowOptions, 'longText'> & { readonly owner: string },
): (owned: readonly { readonly owner: string; readonly rows: readonly Row[] }[]) => BoundStatement<never>[] {
  const { textOf, bind } = rowsOf(table, rowType, columns, options);
  return (owned) => {
    const texts: string[] = [];
    for (const { owner, rows } of owned) for (const row of rows) texts.push(textOf(row, owner));
    return bind(texts);
  };
}

function rowsOf<Row extends object>(
  table: string,
  rowType: string,
  columns: { readonly [Column in keyof Row & string]: string },
  { instants = [], structures = [], longText, owner }: RowOptions,
) {
  const name = `insert_rows_of_${table}`;
  const keys = (Object.keys(columns) as (keyof Row & string)[]).filter((key) => key !== longText);
  const attributes = [...(owner === undefined ? [] : [owner]), ...keys.map((key) => columns[key])];
  const list = attributes.join(', ');
  typesOfRows.set(rowType, attributes);
  const given = `unnest($2::text[]::${rowType}[])`;
  const text =
    longText === undefined
      ? `insert into ${table} (organization_id, ${list})
   select $1, ${list} from ${given}`
      : `insert into ${table} (organization_id, ${list}, ${columns[longText as keyof Row & string]})
   select $1, ${list}, given.unnest
     from rows from (${given}, unnest($3::text[])) as given`;
  registerStatement(name, text, true);
  const writers = keys.map((key) => ({
    key,
    write: instants.includes(key) ? instantText : structures.includes(key) ? quotedStructure : fieldText,
  }));
  const textOf = (row: Row, ownerId?: string): string => {
    // An id of a record has nothing to escape.
    let fields = ownerId ?? '';
    let isFirst = ownerId === undefined;
    for (const { key, write } of writers) {
      const value = row[key];
      if (value === undefined) assert(false, `${table}.${key} is not given`);
      if (isFirst) isFirst = false;
      else fields += ',';
      if (value !== null) fields += write(value);
    }
    return `(${fields})`;
  };
  const bind = (texts: readonly string[], longTexts?: readonly string[]): BoundStatement<never>[] => {
    const bound: BoundStatement<never>[] = [];
    for (let start = 0; start < texts.length; start += rowsPerStatementMax) {
      const parts = [texts, longTexts ?? []].filter(({ length }) => length > 0);
      const chunks = parts.map((part) => new TextArray(part.slice(start, start + rowsPerStatementMax)));
      bound.push({ name, text, values: [organizationPlaceholder, ...chunks] });
    }
    return bound;
  };
  return { textOf, bind };
}

/** The rows of a write share their instants, and making such a text takes as long as ten other fields. */
let latestMs = Number.NaN;
let latestText = '';

function instantText(value: unknown): string {
  if (value !== latestMs) {
    // An ISO text has nothing to escape.
    latestText = new Date(value as number).toISOString();
    latestMs = value as number;
  }
  return latestText;
}

function quotedStructure(value: unknown): string {
  return quoted(structureText(value));
}

/** A structure, or its JSON text, as JSON text. */
export function structureText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const needsQuotes = /[\s"\\(),]/;

/** A field of a composite value; an empty one would be null. */
function fieldText(value: unknown): string {
  if (typeof value === 'string') return value === '' || needsQuotes.test(value) ? quoted(value) : value;
  if (Array.isArray(value)) {
    assert(
      value.every((item) => typeof item === 'number'),
      'arrays of rows are arrays of numbers',
    );
    return `"{${value.join(',')}}"`;
  }
  return String(value);
}

/** Both characters are doubled. A text is what to look for, because a pattern takes three times as long. */
function quoted(text: string): string {
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
  return `"${escaped.replaceAll('"', '""')}"`;
}

/**
 * SQL as named, static statements. Every statement of the program is a constant: its text is compiled
 * once, prepared once per connection under its name, and never assembled from input. Parameters are
 * written `:name`; `:organizationId` is special: callers cannot pass it, the tenant transaction binds it.
 *
 * Why not a query builder: the statements of this program are few and hot, a compiled builder costs the
 * same at run time, and plain SQL can carry the comments that explain locks and indexes. What a builder
 * would check is checked by a test that prepares every registered statement on the migrated schema.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | SqlArray
  | IntegerArray
  | TextArray;
type SqlArray = readonly (string | number | bigint)[];
export type SqlParameters = Readonly<Record<string, SqlValue>>;

/**
 * Integers for an array of `integer` or `bigint`, sent in binary: for arrays so long that parsing text costs noticeable
 * time.
 */
export class IntegerArray {
  readonly type: 'integer' | 'bigint';
  readonly values: readonly number[];

  constructor(type: 'integer' | 'bigint', values: readonly number[]) {
    this.type = type;
    this.values = values;
  }
}

/** Long texts for an array of `text`, sent in binary: they take no escaping. */
export class TextArray {
  readonly values: readonly string[];

  constructor(values: readonly string[]) {
    this.values = values;
  }
}

/** A statement with its values, ready for a transaction. */
export interface BoundStatement<Row> {
  readonly name: string;
  readonly text: string;
  /** Values in order; `organizationPlaceholder` until the organization is bound. */
  readonly values: readonly (SqlValue | typeof organizationPlaceholder)[];
  /** See {@link StatementOptions}. */
  readonly isLong?: boolean;
  /** What a distributed database gets instead, if it cannot run this; see `distributedText`. */
  readonly onDistributed?: Pick<BoundStatement<Row>, 'text' | 'values'>;
  /** For type inference only. */
  readonly row?: Row;
}

export const organizationPlaceholder: unique symbol = Symbol('organization');

interface StatementOptions {
  /** The number of rows has no bound: a read with it may take longer than others. */
  readonly isLong?: boolean;
  /** A text that does the same, for a distributed database that cannot run the usual one. */
  readonly onDistributed?: string;
}

/** Calling a statement binds its parameters. */
export interface Statement<Parameters extends SqlParameters, Row> {
  (parameters: Parameters): BoundStatement<Row>;
  readonly statementName: string;
  readonly text: string;
  readonly usesTenant: boolean;
}

interface Registered {
  readonly text: string;
  readonly usesTenant: boolean;
  readonly onDistributed?: string | undefined;
}

const registry = new Map<string, Registered>();

/** Declare statements that are otherwise declared when they are first asked for. */
const laterDeclarations: (() => void)[] = [];

/** All statements of the program, for the tests that prepare them all. */
export function registeredStatements(): ReadonlyMap<string, Registered> {
  for (const declareAll of laterDeclarations.splice(0)) declareAll();
  return registry;
}

/** For statements that are declared when they are first asked for: `declareAll` declares those that were not. */
export function registerLater(declareAll: () => void): void {
  laterDeclarations.push(declareAll);
}

/** `:name` but not `::cast`. */
const parameterPattern = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** Adds a statement to `registeredStatements`. */
export function registerStatement(
  name: string,
  text: string,
  usesTenant: boolean,
  onDistributed?: string,
): void {
  assert(
    /^[a-z][a-z0-9_]{2,60}$/.test(name),
    () => `statement name ${name} must be snake_case, at most 61 long`,
  );
  const known = registry.get(name);
  assert(known === undefined || known.text === text, `two statements are called ${name}`);
  registry.set(name, { text, usesTenant, onDistributed });
}

/** Declares a statement. `name` is unique in the program; it becomes the prepared statement's name. */
export function statement<Parameters extends SqlParameters, Row = Record<never, never>>(
  name: string,
  text: string,
  { isLong = false, onDistributed }: StatementOptions = {},
): Statement<Parameters, Row> {
  const usual = compile(text);
  const other = onDistributed === undefined ? undefined : compile(onDistributed);
  const usesTenant = usual.order.includes('organizationId');
  registerStatement(name, usual.compiled, usesTenant, other?.compiled);
  const bind = (parameters: Parameters): BoundStatement<Row> => ({
    name,
    text: usual.compiled,
    ...(isLong && { isLong }),
    values: valuesOf(name, usual.order, parameters),
    ...(other && {
      onDistributed: { text: other.compiled, values: valuesOf(name, other.order, parameters) },
    }),
  });
  return Object.assign(bind, { statementName: name, text: usual.compiled, usesTenant });
}

const parameterNames = new Map<string, string>();

/** One string for all parameters of a name. What is found in a text keeps all of the text: five megabytes for all statements. */
function sharedName(found: string): string {
  const known = parameterNames.get(found);
  if (known !== undefined) return known;
  parameterNames.set(found, found);
  return found;
}

/** Numbers the parameters of a text; `order` has the name of each. */
function compile(text: string): { readonly compiled: string; readonly order: readonly string[] } {
  const order: string[] = [];
  const compiled = text.replace(parameterPattern, (_, parameter: string) => {
    let at = order.indexOf(parameter);
    if (at < 0) at = order.push(sharedName(parameter)) - 1;
    return `$${at + 1}`;
  });
  return { compiled, order };
}

function valuesOf(
  name: string,
  order: readonly string[],
  parameters: SqlParameters,
): BoundStatement<never>['values'] {
  return order.map((parameter) => {
    if (parameter === 'organizationId') return organizationPlaceholder;
    const value = parameters[parameter];
    assert(value !== undefined, () => `${name}: parameter ${parameter} is not given`);
    return value;
  });
}

/**
 * A digest of the rows of a read, different whenever the rows differ. A cache compares digests instead of reading the
 * rows.
 */
export function digestOf({
  name,
  text,
  values,
}: BoundStatement<unknown>): BoundStatement<{ digest: string }> {
  return {
    name: `digest_${name}`,
    text: `select encode(sha256(convert_to(coalesce(string_agg(r::text, ' '), ''), 'UTF8')), 'base64') as digest
             from (${text}) r`,
    values,
  };
}

/** Inserts of up to this many rows are kept prepared, one statement for each number of rows. */
const preparedRowsMax = 20;

/**
 * Declares an insert of many rows into a tenant table. Multi-row VALUES, not unnest: PostgreSQL plans it
 * at no cost, and it stays a single-tenant statement if the schema is distributed. More than
 * `rowsPerStatementMax` rows become several statements.
 */
export function insertMany<Row extends SqlParameters>(
  table: string,
  columns: { readonly [Column in keyof Row & string]: string },
): (rows: readonly Row[]) => BoundStatement<never>[] {
  const keys = Object.keys(columns) as (keyof Row & string)[];
  const columnList = ['organization_id', ...keys.map((key) => columns[key])].join(', ');
  const textFor = (rowCount: number): string => {
    const tuples = Array.from({ length: rowCount }, (_, row) => {
      const places = keys.map((__, column) => `$${2 + row * keys.length + column}`);
      return `($1, ${places.join(', ')})`;
    });
    return `insert into ${table} (${columnList}) values ${tuples.join(', ')}`;
  };
  const texts = new Map<number, string>();
  registerStatement(`insert_${table}_1`, textFor(1), true);
  return (rows) => {
    const bound: BoundStatement<never>[] = [];
    for (let start = 0; start < rows.length; start += rowsPerStatementMax) {
      const chunk = rows.slice(start, start + rowsPerStatementMax);
      const isPrepared = chunk.length <= preparedRowsMax;
      const text = texts.get(chunk.length) ?? textFor(chunk.length);
      if (isPrepared) texts.set(chunk.length, text);
      const values: (SqlValue | typeof organizationPlaceholder)[] = [organizationPlaceholder];
      for (const row of chunk) {
        for (const key of keys) {
          const value = row[key];
          assert(value !== undefined, () => `${table}.${key} is not given`);
          values.push(value);
        }
      }
      bound.push({ name: isPrepared ? `insert_${table}_${chunk.length}` : '', text, values });
    }
    return bound;
  };
}

/** The columns of a table as a select list, with the names that `insertMany` uses. */
export function columnList(columns: Readonly<Record<string, string>>, alias: string): string {
  return Object.entries(columns)
    .map(([key, column]) => `${alias}.${column} as "${key}"`)
    .join(', ');
}

const writePattern = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?([a-z_]+)/g;
const writtenTables = new Map<string, ReadonlySet<string>>();

/** The tables that a statement writes, found in its text. The result is cached by text. */
export function tablesWrittenBy(text: string): ReadonlySet<string> {
  let tables = writtenTables.get(text);
  if (tables === undefined) {
    tables = new Set(Array.from(text.matchAll(writePattern), ([, table]) => table!));
    writtenTables.set(text, tables);
  }
  return tables;
}
