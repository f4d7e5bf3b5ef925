import { assert } from '../../kernel/assert.ts';

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
/** The maximum number of lines in a cart, so that an order of any size is the same number of statements. */
const rowsPerStatementMax = 200;

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
