import type { Batch } from './api-request-batch.ts';
import { placesPerId, type RequestKind } from './api-request-queries.ts';

/** What the database keeps of a batch to find it by. */
interface BatchMark {
  readonly text: string;
  /** Requests of the batch with this mark; of many ids, the least that an id in the filter has. */
  readonly count: number;
  /** Base64: the filter of many ids; else empty. */
  readonly filter: string;
}

interface BatchMarks {
  readonly kinds: readonly RequestKind[];
  readonly marks: readonly BatchMark[];
}

/** A mark that a search looks for: of a batch with many ids, it counts only if these hashes are in its filter. */
export interface SoughtMark {
  readonly text: string;
  readonly hashes: IdHashes | null;
}

/** Two numbers of 32 bits; their sums are the places of an id in a filter. */
type IdHashes = readonly [number, number];

/** A batch of more ids has filters of them: a row for each id of a thousand cost as much as a row for each request. */
const idMarksMax = 64;

/**
 * A filter has 12 bits for each id, four of them set by it: 0.6 % of the batches without a sought id look as if they had it. The search reads these for nothing and shows nothing wrong.
 */
const bitsPerId = 12;

interface KindInBatch {
  readonly kind: RequestKind;
  /** The place of the first parameter among the parts of the template; -1: none. */
  readonly idAt: number;
  count: number;
  /** Requests by the first id in their path. */
  readonly ids: Map<string, number>;
}

/**
 * A batch has a mark for each kind in it, and one for each kind with the first id in a path. The database keeps their
 * hashes.
 */
function markOf({ clientKeyId, status, code, pathTemplate }: RequestKind): string {
  return `${clientKeyId} ${status} ${code} ${pathTemplate}`;
}

function markWithId(mark: string, firstId: string): string {
  return `${mark} ${firstId}`;
}

/** The mark with a filter of many ids. No id is a star. */
function markWithMany(mark: string): string {
  return markWithId(mark, '*');
}

function firstIdAt(templateParts: readonly string[]): number {
  return templateParts.findIndex((part) => part.startsWith('{'));
}

/** Takes less than half a microsecond for each request. */
export function marksOf(batch: Batch): BatchMarks {
  const kinds = kindsOf(batch);
  let idCount = 0;
  for (const { ids } of kinds.values()) idCount += ids.size;
  const marks: BatchMark[] = [];
  for (const [text, { count, ids }] of kinds) {
    marks.push({ text, count, filter: '' });
    if (idCount > idMarksMax && ids.size > 0) {
      marks.push({ text: markWithMany(text), count: 1, filter: filterOf(ids) });
      continue;
    }
    for (const [id, ofId] of ids) marks.push({ text: markWithId(text, id), count: ofId, filter: '' });
  }
  return { kinds: [...kinds.values()].map(({ kind }) => kind), marks };
}

function kindsOf({ caller: { clientKeyId }, columns }: Batch): ReadonlyMap<string, KindInBatch> {
  const { timesMs, pathTemplates, statuses, codes, paths } = columns;
  const kinds = new Map<string, KindInBatch>();
  const isOfOneKind = pathTemplates.length === 1 && statuses.length === 1 && codes.length === 1;
  const isOfOnePath = isOfOneKind && paths.length === 1;
  const countOfEach = isOfOnePath ? timesMs.length : 1;
  let sole: KindInBatch | undefined;
  for (let at = 0; at < timesMs.length; at += countOfEach) {
    let of = sole;
    if (of === undefined) {
      const kind: RequestKind = {
        clientKeyId,
        pathTemplate: valueAt(pathTemplates, at),
        status: valueAt(statuses, at),
        code: valueAt(codes, at),
      };
      const mark = markOf(kind);
      of = kinds.get(mark);
      if (of === undefined) {
        of = { kind, idAt: firstIdAt(kind.pathTemplate.split('/')), count: 0, ids: new Map() };
        kinds.set(mark, of);
      }
      if (isOfOneKind) sole = of;
    }
    of.count += countOfEach;
    const path = valueAt(paths, at);
    if (path === '') continue;
    const firstId = path.split('/')[of.idAt] ?? '';
    of.ids.set(firstId, (of.ids.get(firstId) ?? 0) + countOfEach);
  }
  return kinds;
}

function valueAt<Value>(column: readonly Value[], at: number): Value {
  return column[column.length === 1 ? 0 : at]!;
}

/** A Bloom filter, read by `select_marked_api_requests`: bit `n` is the bit `n % 8`, from the lowest, of byte `n / 8`. */
function filterOf(ids: ReadonlyMap<string, number>): string {
  const bytes = Buffer.alloc(Math.ceil((ids.size * bitsPerId) / 8));
  const bits = bytes.length * 8;
  for (const id of ids.keys()) {
    const [first, step] = hashesOf(id);
    for (let nth = 0; nth < placesPerId; nth++) {
      const place = (first + nth * step) % bits;
      bytes[place >> 3]! |= 1 << (place & 7);
    }
  }
  return bytes.toString('base64');
}

/** FNV-1a, mixed twice: takes 50 ns, where a digest takes a microsecond. */
function hashesOf(id: string): IdHashes {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return [mixed(hash), mixed(hash ^ 0x5bd1e995)];
}

/** The last step of MurmurHash3. */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * The marks of the batches that contain a request of these kinds at `path`: the start of a template, or the first parts
 * of a path. No mark: no request matches. Without a path, all requests of the kinds match.
 */
export function soughtMarks(kinds: readonly RequestKind[], path: string | null): SoughtMark[] {
  const parts = path === null ? [] : withoutLastSlash(path).split('/');
  return kinds.flatMap((kind) => {
    const { pathTemplate } = kind;
    const mark = markOf(kind);
    if (
      path === null ||
      pathTemplate.startsWith(path) ||
      `${pathTemplate}/`.startsWith(`${parts.join('/')}/`)
    )
      return [{ text: mark, hashes: null }];
    const templateParts = pathTemplate.split('/');
    const idAt = firstIdAt(templateParts);
    const fits = parts.every((part, at) => templateParts[at] === part || templateParts[at]?.startsWith('{'));
    if (!fits || idAt < 0 || idAt >= parts.length) return [];
    const id = parts[idAt]!;
    return [
      { text: markWithId(mark, id), hashes: null },
      { text: markWithMany(mark), hashes: hashesOf(id) },
    ];
  });
}

/** The sought path, which matches by whole parts. */
export function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
