import type { Failure } from '../src/kernel/failure.ts';
import { type ColumnMapping, ColumnReader, type MappedRow, type RowProblem } from './column-mapping.ts';
import type { FileRecord } from './import-file.ts';
import type { ImportFields, ImportKind } from './import-kinds.ts';

/** One item to import, from one row or several. */
export interface ImportItem {
  readonly line: number;
  /** The request body; null if the rows cannot be read. */
  readonly body: unknown;
  readonly problems: readonly RowProblem[];
  readonly share: number;
  /** The column of a path of the body. */
  placeOf(path: string): { readonly line: number; readonly column: string };
}

type Shape = Pick<ImportKind<never>, 'fields' | 'groupedBy' | 'emptyLists'>;

/**
 * The items that a file's records describe: rows of columns, grouped; or, in JSON without a mapping, objects with `options`,
 * which are request bodies.
 */
export async function* readItems(
  records: AsyncIterable<FileRecord>,
  kind: Shape,
  mapping: ColumnMapping | null,
): AsyncGenerator<ImportItem> {
  const reader = new ColumnReader(mapping, kind.fields);
  let group: { rows: MappedRow[]; key: string; share: number } | null = null;
  for await (const { line, values, problem, share } of records) {
    const row = values === null || isBody(values, mapping) ? null : reader.read(line, values);
    const key = row === null ? '' : groupKey(row, kind);
    if (row !== null && group !== null && key !== '' && key === group.key) {
      group.rows.push(row);
      group.share = share;
      continue;
    }
    if (group !== null) yield itemOf(group.rows, group.share, kind);
    group = null;
    if (row !== null) group = { rows: [row], key, share };
    else if (values === null) yield unreadable(line, problem!, share);
    else yield bodyItem(line, values, share);
  }
  if (group !== null) yield itemOf(group.rows, group.share, kind);
}

function isBody(values: Readonly<Record<string, unknown>>, mapping: ColumnMapping | null): boolean {
  return mapping === null && Array.isArray(values.options);
}

/** Empty: the row is an item by itself. */
function groupKey({ values }: MappedRow, { groupedBy }: Shape): string {
  const [first] = groupedBy;
  if (first === undefined || values[first] === undefined) return '';
  return JSON.stringify(groupedBy.map((field) => String(values[field] ?? '').toLowerCase()));
}

function unreadable(line: number, problem: string, share: number): ImportItem {
  return {
    line,
    share,
    body: null,
    problems: [{ line, column: null, message: problem }],
    placeOf: (path) => ({ line, column: path }),
  };
}

function bodyItem(line: number, body: unknown, share: number): ImportItem {
  return { line, share, body, problems: [], placeOf: (path) => ({ line, column: path }) };
}

function itemOf(rows: readonly MappedRow[], share: number, { fields, emptyLists }: Shape): ImportItem {
  const [first] = rows as readonly [MappedRow, ...MappedRow[]];
  const hasOptions = Object.values(fields).some(({ optionName }) => optionName !== undefined);
  const isShared = (field: string) => fields[field]!.optionName === undefined;
  const shared = Object.entries(first.values).filter(([field]) => isShared(field));
  const contradictions = rows.slice(1).flatMap((row) => contradictionsOf(row, first, isShared));
  return {
    line: first.line,
    share,
    body: {
      ...Object.fromEntries(emptyLists.map((field) => [field, []])),
      ...Object.fromEntries(shared),
      ...(hasOptions && { options: rows.map((row) => optionOf(row, fields)) }),
    },
    problems: [...rows.flatMap(({ problems }) => problems), ...contradictions],
    placeOf: (path) => placeOf(path, rows, fields),
  };
}

function optionOf({ values }: MappedRow, fields: ImportFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const name = fields[field]!.optionName;
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

function contradictionsOf(
  row: MappedRow,
  first: MappedRow,
  isShared: (field: string) => boolean,
): RowProblem[] {
  return Object.entries(row.values).flatMap(([field, value]): RowProblem[] => {
    const said = first.values[field];
    const isName = typeof value === 'string' && typeof said === 'string';
    const isSame = isName
      ? value.toLowerCase() === said.toLowerCase()
      : JSON.stringify(value) === JSON.stringify(said);
    if (!isShared(field) || isSame) return [];
    const column = row.columnOf[field] ?? field;
    return [
      { line: row.line, column, message: `must be as in line ${first.line}, of the same product, or blank` },
    ];
  });
}

/** `options[1].price` is the column of `price` in the second row. */
function placeOf(path: string, rows: readonly MappedRow[], fields: ImportFields) {
  const [, at, below] = /^options\[(\d+)\]\.(\w+)/.exec(path) ?? [];
  const row = rows[Number(at ?? 0)] ?? rows[0]!;
  const name = below ?? /^\w+/.exec(path)?.[0] ?? path;
  const field =
    below === undefined
      ? name
      : (Object.keys(fields).find((candidate) => fields[candidate]!.optionName === below) ?? below);
  return { line: row.line, column: row.columnOf[field] ?? field };
}

/** Translates a refusal into problems of cells. */
export function problemsOf(item: ImportItem, { message, meta }: Failure): RowProblem[] {
  const missing = meta?.missing;
  if (Array.isArray(missing)) {
    return missing.map((path) => ({ ...item.placeOf(String(path)), message: 'is required' }));
  }
  const [, path, rest] = /^(\w+(?:\[\d+\])?(?:\.\w+)?) ((?:must|names|is|belongs)\b.*)$/s.exec(message) ?? [];
  const words = (rest ?? message).replace(/\.$/, '');
  return path === undefined
    ? [{ line: item.line, column: null, message: words }]
    : [{ ...item.placeOf(path), message: words }];
}
