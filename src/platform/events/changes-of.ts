/**
 * The changes of an edit, for the audit log (D58): the old and new value of each changed field, by the names and in the
 * values of the API. Pure.
 */
import { isDeepStrictEqual } from 'node:util';

/** Fields by `{from, to}`; personal ones only by their names, together under `fields`. */
export type Changes = Readonly<Record<string, unknown>>;

/** Entries are kept forever, and a page of the log has 50 of them: an entry must stay small. */
const textMax = 500;
const listMax = 100;
/** For longer lists, additions and removals are shorter and clearer than two complete lists. */
const wholeListMax = 20;

/**
 * The fields of `after` that differ from `before`; null: none. A field that is undefined in `after` is unchanged.
 * `personal` lists fields whose values are left out: an entry outlives the erasure of its customer.
 */
export function changesOf<After extends object>(
  before: { readonly [Name in keyof After]?: unknown },
  after: After,
  personal: readonly (keyof After & string)[] = [],
): Changes | null {
  const fields: string[] = [];
  const changes: Record<string, unknown> & { fields?: string[] } = {};
  for (const [name, to] of Object.entries(after)) {
    const from = before[name as keyof After] ?? null;
    if (to === undefined || isDeepStrictEqual(from, to)) continue;
    if ((personal as readonly string[]).includes(name)) fields.push(name);
    else changes[name] = changeOf(from, to);
  }
  if (fields.length > 0) changes.fields = fields;
  return Object.keys(changes).length === 0 ? null : changes;
}

/**
 * The changes of a list of rows with ids: added, removed and changed rows, and the new sequence if the remaining rows
 * are in another order; null: none.
 */
export function rowChangesOf<Row extends { readonly id: string | number }>(
  before: readonly Row[],
  after: readonly Row[],
): Changes | null {
  const former = new Map(before.map((row) => [row.id, row]));
  const present = new Set(after.map(({ id }) => id));
  const added = after.filter(({ id }) => !former.has(id));
  const removed = before.filter(({ id }) => !present.has(id));
  const changed = after.flatMap((row) => {
    const was = former.get(row.id);
    const changes = was === undefined ? null : changesOf(was, row);
    return changes === null ? [] : [{ id: row.id, ...changes }];
  });
  const from = before.flatMap(({ id }) => (present.has(id) ? [id] : []));
  const to = after.flatMap(({ id }) => (former.has(id) ? [id] : []));
  const changes = {
    ...(added.length > 0 && { added: bounded(added) }),
    ...(removed.length > 0 && { removed: bounded(removed) }),
    ...(changed.length > 0 && { changed: bounded(changed) }),
    ...(!isDeepStrictEqual(from, to) && { sequence: bounded({ from, to }) }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

function changeOf(from: unknown, to: unknown): unknown {
  if (!isPlainList(from) || !isPlainList(to) || Math.max(from.length, to.length) <= wholeListMax) {
    return { from: bounded(from), to: bounded(to) };
  }
  const [was, is] = [new Set(from), new Set(to)];
  return {
    added: bounded([...is].filter((it) => !was.has(it))),
    removed: bounded([...was].filter((it) => !is.has(it))),
  };
}

/** A list of names or ids. */
function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((it) => typeof it !== 'object');
}

/** Shortens values: the start of a text, the start of a list and the number of the rest. */
export function briefly(values: object): Changes {
  return bounded(values) as Changes;
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string' && value.length > textMax) {
    // Never in the middle of a surrogate pair, which PostgreSQL refuses.
    return `${value.slice(0, textMax).replace(/[\ud800-\udbff]$/, '')}…`;
  }
  if (Array.isArray(value)) {
    const more = value.length - listMax;
    return [...value.slice(0, listMax).map(bounded), ...(more > 0 ? [`and ${more} more`] : [])];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, bounded(it)]));
  }
  return value;
}
