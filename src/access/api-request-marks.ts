import type { Batch } from './api-request-batch.ts';
import type { RequestKind } from './api-request-queries.ts';

/** The kinds in a batch, and its marks with the number of requests of each. */
export interface BatchMarks {
  readonly kinds: readonly RequestKind[];
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * A batch has a mark for each kind in it, and one for each kind with the first id in a path. The database keeps their
 * hashes (migration 0065 writes the same texts).
 */
function markOf({ clientKeyId, status, code, pathTemplate }: RequestKind): string {
  return `${clientKeyId} ${status} ${code} ${pathTemplate}`;
}

function markWithId(mark: string, firstId: string): string {
  return `${mark} ${firstId}`;
}

/** The place of the first parameter among the parts of a template; -1: none. */
function firstIdAt(templateParts: readonly string[]): number {
  return templateParts.findIndex((part) => part.startsWith('{'));
}

/** Takes less than half a microsecond for each request. */
export function marksOf({ caller: { clientKeyId }, columns }: Batch): BatchMarks {
  const { timesMs, pathTemplates, statuses, codes, paths } = columns;
  const kinds = new Map<string, RequestKind>();
  const counts = new Map<string, number>();
  const add = (mark: string, count: number): void => void counts.set(mark, (counts.get(mark) ?? 0) + count);
  const isOfOneKind = pathTemplates.length === 1 && statuses.length === 1 && codes.length === 1;
  const isOfOnePath = isOfOneKind && paths.length === 1;
  const countOfEach = isOfOnePath ? timesMs.length : 1;
  for (let at = 0; at < timesMs.length; at += countOfEach) {
    const kind: RequestKind = {
      clientKeyId,
      pathTemplate: valueAt(pathTemplates, at),
      status: valueAt(statuses, at),
      code: valueAt(codes, at),
    };
    const mark = markOf(kind);
    if (!kinds.has(mark)) kinds.set(mark, kind);
    add(mark, countOfEach);
    const path = valueAt(paths, at);
    if (path !== '') {
      const firstId = path.split('/')[firstIdAt(kind.pathTemplate.split('/'))] ?? '';
      add(markWithId(mark, firstId), countOfEach);
    }
  }
  return { kinds: [...kinds.values()], counts };
}

function valueAt<Value>(column: readonly Value[], at: number): Value {
  return column[column.length === 1 ? 0 : at]!;
}

/**
 * The marks of the batches that contain a request of these kinds at `path`: the start of a template, or the first parts
 * of a path. No mark: no request matches. Without a path, all requests of the kinds match.
 */
export function soughtMarks(kinds: readonly RequestKind[], path: string | null): string[] {
  const parts = path === null ? [] : withoutLastSlash(path).split('/');
  return kinds.flatMap((kind) => {
    const { pathTemplate } = kind;
    const mark = markOf(kind);
    if (
      path === null ||
      pathTemplate.startsWith(path) ||
      `${pathTemplate}/`.startsWith(`${parts.join('/')}/`)
    )
      return [mark];
    const templateParts = pathTemplate.split('/');
    const idAt = firstIdAt(templateParts);
    const fits = parts.every((part, at) => templateParts[at] === part || templateParts[at]?.startsWith('{'));
    return fits && idAt >= 0 && idAt < parts.length ? [markWithId(mark, parts[idAt]!)] : [];
  });
}

/** The sought path, which matches by whole parts. */
export function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
