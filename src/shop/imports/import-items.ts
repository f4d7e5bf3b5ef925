import type { Failure } from '../../kernel/failure.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { nameText } from '../../kernel/name-text.ts';
import { quotedText } from '../../kernel/quoted-text.ts';
import {
  type ColumnMapping,
  ColumnReader,
  leftOutBy,
  type MappedRow,
  type RowProblem,
} from './column-mapping.ts';
import type { FileRecord } from './file-record.ts';
import type { SourceFile } from './file-text.ts';
import { knownHeadings } from './heading-names.ts';
import { readRecords } from './import-file.ts';
import type { ImportFields, ImportKind } from './import-kind.ts';
import { KeyTable } from './key-table.ts';
import { rowsOf } from './presets.ts';
import { noPrice, notSoldNote, tidyBody } from './tidy-values.ts';

/** One item to import, from one row or several. Plain values only: items are read in a thread of their own. */
export interface ImportItem {
  readonly line: number;
  /** The request body; null if the rows cannot be read. */
  readonly body: unknown;
  readonly problems: readonly RowProblem[];
  /** What was read in another way than it is written; it does not stop the item. */
  readonly notes: readonly RowProblem[];
  readonly share: number;
  readonly places: ItemPlaces;
}

/** Where the values of an item stand in the file. */
type ItemPlaces =
  | {
      /** The rows of its options. */
      readonly rows: readonly PlacedRow[];
      /** The row that says a field of the whole item. */
      readonly sayers: Readonly<Record<string, PlacedRow>>;
    }
  | {
      /** The item is an object of the file, whose paths are those of the body. */
      readonly rows: null;
      readonly body: unknown;
      /** By the option of the body its place in the file; null: the same. */
      readonly optionPlaces: readonly number[] | null;
    };

/** A row as far as messages need it. */
type PlacedRow = Pick<MappedRow, 'line' | 'columnOf' | 'textOf'>;

/** Where a value of an item stands in the file. */
interface ItemPlace {
  readonly line: number;
  readonly column: string;
  /** What is there; undefined: nothing, or it is personal. */
  readonly text?: string | undefined;
}

/** More than the options that a product may have. */
const rowsPerProductMax = 500;

type Shape = Pick<ImportKind<never>, 'fields' | 'groupedBy' | 'emptyLists' | 'equalRowsAreOne' | 'ofExport'>;

/**
 * The items that a file describes: rows of columns, grouped; or, in JSON without a mapping, objects with `options`, which
 * are request bodies. Only of the first `recordsMax` records. Fails with an UnreadableFile.
 */
export async function* readItems(
  file: SourceFile,
  kind: Shape,
  mapping: ColumnMapping | null,
  recordsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<ImportItem> {
  const known = knownHeadings(kind.fields, mapping);
  const rowsOfFile = () => rowsOf(first(readRecords(file, known), recordsMax), mapping?.preset ?? null);
  const { lastRowOf, withCommas } = await firstLook(rowsOfFile(), kind, mapping);
  const reader = new ColumnReader(mapping, kind.fields, withCommas);
  const groups = new Map<string, MappedRow[]>();
  /** Remarks of the file, for the next item; those after the last one are told with it. */
  let notes: RowProblem[] = [];
  let held: ImportItem | null = null;
  const withNotes = (item: ImportItem): ImportItem => {
    const told = notes.length === 0 ? item : { ...item, notes: [...notes, ...item.notes] };
    notes = [];
    return told;
  };
  let at = 0;
  for await (const record of rowsOfFile()) {
    at++;
    notes.push(...(record.notes ?? []).map((note) => ({ ...note, column: null })));
    const item = itemOfRecord(record);
    if (item === null) continue;
    if (held !== null) yield held;
    held = withNotes(item);
  }
  if (held !== null) yield { ...held, notes: [...held.notes, ...notes] };

  function itemOfRecord({ line, values, problem, share }: FileRecord): ImportItem | null {
    if (values === null) return problem === undefined ? null : unreadable(line, problem, share);
    const exported = mapping === null ? kind.ofExport(values) : null;
    if (typeof exported === 'string') {
      notes.push({ line, column: null, message: exported });
      return null;
    }
    if (exported !== null) return bodyItem(line, exported, share, kind, true);
    if (isBody(values, mapping)) return bodyItem(line, values, share, kind, false);
    const left = leftOutBy(mapping, values);
    if (left !== null) {
      notes.push({ line, column: null, message: left });
      return null;
    }
    const row = reader.read(line, values);
    const key = groupKey(row, kind);
    const rows = groups.get(key) ?? [];
    // A product of more rows is refused for their number.
    if (rows.length <= rowsPerProductMax) rows.push(row);
    if (key !== '' && lastRowOf.get(key) !== at) {
      groups.set(key, rows);
      return null;
    }
    groups.delete(key);
    return itemOf(rows, share, kind);
  }
}

async function* first(records: AsyncIterable<FileRecord>, count: number): AsyncGenerator<FileRecord> {
  let at = 0;
  for await (const record of records) {
    if (at++ === count) return;
    yield record;
  }
}

interface FirstLook {
  /** The last row of each group, wherever its rows stand. So only the rows of groups that have begun are kept. */
  readonly lastRowOf: Pick<KeyTable, 'get'>;
  /** The columns with decimal commas: `1.250` is doubtful in all of their rows, also in those before the first comma. */
  readonly withCommas: ReadonlySet<string>;
}

/** What must be known of all rows before the first is read. Of kinds without groups, whose fields are no numbers, nothing. */
async function firstLook(
  rows: AsyncIterable<FileRecord>,
  kind: Shape,
  mapping: ColumnMapping | null,
): Promise<FirstLook> {
  const lastRowOf = new KeyTable();
  const reader = new ColumnReader(mapping, kind.fields);
  if (kind.groupedBy.length === 0) return { lastRowOf, withCommas: reader.withCommas };
  let at = 0;
  for await (const { line, values } of rows) {
    at++;
    if (values === null || isBody(values, mapping) || leftOutBy(mapping, values) !== null) continue;
    const key = groupKey(reader.read(line, values), kind);
    if (key !== '') lastRowOf.set(key, at);
  }
  return { lastRowOf, withCommas: reader.withCommas };
}

function isBody(values: Readonly<Record<string, unknown>>, mapping: ColumnMapping | null): boolean {
  return mapping === null && Array.isArray(values.options);
}

/** Names the item of a row. Empty: the row is an item by itself. */
function groupKey({ values }: MappedRow, { groupedBy }: Shape): string {
  const [first] = groupedBy;
  if (first === undefined || values[first] === undefined) return '';
  return JSON.stringify(groupedBy.map((field) => nameText(String(values[field] ?? '')).toLowerCase()));
}

function unreadable(line: number, problem: string, share: number): ImportItem {
  return {
    line,
    share,
    body: null,
    problems: [{ line, column: null, message: problem }],
    notes: [],
    places: { rows: null, body: null, optionPlaces: null },
  };
}

function bodyItem(
  line: number,
  sent: NonNullable<FileRecord['values']>,
  share: number,
  { fields }: Shape,
  isExported: boolean,
): ImportItem {
  const { body, notes, optionPlaces, problem } = tidyBody(sent, fields, isExported);
  return {
    line,
    share,
    body,
    problems: problem === null ? [] : [{ line, column: 'options[0].price', message: problem }],
    notes: notes.map(({ path, message }) => ({ line, column: path, message })),
    places: { rows: null, body, optionPlaces },
  };
}

/** The value that a path of a body names, as text. */
function textAt(body: unknown, path: string): string | undefined {
  const value = path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step)
          ? (at as Record<string, unknown>)[step]
          : undefined,
      body,
    );
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text that messages repeat is shortened (`quotedText`). */
const textKept = 200;

function placedRow({ line, columnOf, textOf }: MappedRow): PlacedRow {
  const texts = Object.entries(textOf).map(([field, text]) => [field, text.slice(0, textKept)] as const);
  return { line, columnOf, textOf: Object.fromEntries(texts) };
}

function itemOf(
  rows: readonly MappedRow[],
  share: number,
  { fields, emptyLists, equalRowsAreOne }: Shape,
): ImportItem {
  const [first] = rows as readonly [MappedRow, ...MappedRow[]];
  const hasOptions = Object.values(fields).some(({ optionName }) => optionName !== undefined);
  const isShared = (field: string) => fields[field]!.optionName === undefined;
  // What one row leaves blank, another one may say.
  const sayers = new Map<string, MappedRow>();
  for (const row of rows) {
    for (const field of Object.keys(row.values)) {
      if (isShared(field) && !sayers.has(field)) sayers.set(field, row);
    }
  }
  const shared = [...sayers].map(([field, row]) => [field, row.values[field]] as const);
  const contradictions = rows.flatMap((row) => contradictionsOf(row, sayers));
  const offered = rows.filter((row) => row.isSold);
  const sold = equalRowsAreOne ? differentRows(offered, fields) : offered;
  const isNotSold = rows.length > 0 && sold.length === 0;
  const kept = new Map(rows.map((row) => [row, placedRow(row)]));
  const priceColumn = Object.keys(fields).find((field) => fields[field]!.optionName === 'price') ?? 'price';
  return {
    line: first.line,
    share,
    body: {
      ...Object.fromEntries(emptyLists.map((field) => [field, []])),
      ...Object.fromEntries(shared),
      ...(hasOptions && { options: sold.map((row) => optionOf(row, fields)) }),
    },
    problems: [
      ...rows.flatMap(({ problems }) => problems),
      ...contradictions,
      ...(isNotSold
        ? [{ line: first.line, column: first.columnOf[priceColumn] ?? priceColumn, message: noPrice }]
        : []),
    ],
    notes: [
      ...rows.flatMap(({ notes }) => notes),
      ...(isNotSold ? [] : rows.filter((row) => !row.isSold).map(notSold)),
    ],
    places: {
      rows: sold.map((row) => kept.get(row)!),
      sayers: Object.fromEntries([...sayers].map(([field, row]) => [field, kept.get(row)!])),
    },
  };
}

function differentRows(rows: readonly MappedRow[], fields: ImportFields): MappedRow[] {
  const first = new Map<string, MappedRow>();
  for (const row of rows) {
    const said = JSON.stringify(optionOf(row, fields));
    if (!first.has(said)) first.set(said, row);
  }
  return [...first.values()];
}

function notSold({ line, columnOf, values }: MappedRow): RowProblem {
  return { line, column: columnOf.price ?? 'price', message: notSoldNote(values.optionName) };
}

function optionOf({ values }: MappedRow, fields: ImportFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const name = fields[field]!.optionName;
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

/** The fields of a row that another row of the same item has said differently. */
function contradictionsOf(row: MappedRow, sayers: ReadonlyMap<string, MappedRow>): RowProblem[] {
  return Object.entries(row.values).flatMap(([field, value]): RowProblem[] => {
    const sayer = sayers.get(field);
    if (sayer === undefined || sayer === row) return [];
    const said = sayer.values[field];
    const isName = typeof value === 'string' && typeof said === 'string';
    const isSame = isName
      ? value.toLowerCase() === said.toLowerCase()
      : JSON.stringify(value) === JSON.stringify(said);
    if (isSame) return [];
    const column = row.columnOf[field] ?? field;
    const message = `must be as in line ${sayer.line}, of the same product, or blank`;
    return [{ line: row.line, column, message: withText(message, row.textOf[field]) }];
  });
}

/** The place of a path of the body: `options[1].price` is the column of `price` in the second row. */
export function placeOf({ line, places }: ImportItem, path: string, fields: ImportFields): ItemPlace {
  const [option, at] = /^options\[(\d+)\]/.exec(path) ?? [];
  if (places.rows === null) {
    const place = at === undefined ? undefined : places.optionPlaces?.[Number(at)];
    const column = place === undefined ? path : `options[${place}]${path.slice(option!.length)}`;
    return { line, column, text: textAt(places.body, path) };
  }
  const below = option === undefined ? undefined : /^\.(\w+)/.exec(path.slice(option.length))?.[1];
  const name = below ?? /^\w+/.exec(path)?.[0] ?? path;
  const field =
    below === undefined
      ? name
      : (Object.keys(fields).find((candidate) => fields[candidate]!.optionName === below) ?? below);
  const row = (below === undefined ? places.sayers[field] : places.rows[Number(at)]) ?? places.rows[0];
  if (row === undefined) return { line, column: field };
  return { line: row.line, column: row.columnOf[field] ?? field, text: row.textOf[field] };
}

/** Translates a refusal into problems of cells. */
export function problemsOf(item: ImportItem, { message, meta }: Failure, fields: ImportFields): RowProblem[] {
  const missing = meta?.missing;
  if (Array.isArray(missing)) {
    return missing.map((path) => {
      const { line, column } = placeOf(item, String(path), fields);
      return { line, column, message: 'is required' };
    });
  }
  const [, path, rest] =
    /^(\w+(?:\[\d+\])?(?:\.\w+(?:\[\d+\])?)*) ((?:must|names|is|belongs)\b.*)$/s.exec(message) ?? [];
  const words = (rest ?? message).replace(/\.$/, '');
  if (path === undefined) return [{ line: item.line, column: null, message: words }];
  const { line, column, text } = placeOf(item, path, fields);
  return [{ line, column, message: withText(words, text) }];
}

/** A message with the text that was there, unless it repeats it already: `must be x, not "text"`, `is not x: "text"; …`. */
function withText(message: string, text: string | undefined): string {
  if (text === undefined || /, not "|: "/.test(message)) return message;
  if (!message.startsWith('is not ')) return `${message}, not ${quotedText(text)}`;
  const [said] = message.split(';', 1);
  return `${said}: ${quotedText(text)}${message.slice(said!.length)}`;
}

/** The remarks on an item that was written, or was there already. */
export function warningsOf(item: ImportItem, outcome: ImportOutcome, fields: ImportFields): RowProblem[] {
  if (outcome.kind === 'refused') return [];
  return (outcome.warnings ?? []).map(({ path, message }) => {
    const { line, column } = placeOf(item, path, fields);
    return { line, column, message };
  });
}
