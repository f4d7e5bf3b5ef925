import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { Text, Timestamp, withErrorCode } from '../../platform/http/schemas.ts';
import { IntegerArray } from '../../platform/statements/statement.ts';
import { type SoughtMark, soughtMarks, withoutLastSlash } from './api-request-marks.ts';
import {
  type ApiRequestFilter,
  type ApiRequestRow,
  anyApiRequests,
  apiRequestAgeMsMax,
  apiRequestsPerPage,
  batchMsMax,
  markedApiRequests,
  selectApiRequestCursor,
  selectApiRequestKinds,
} from './api-request-queries.ts';

/** The filters and the cursor of the log, which goes back that many days. */
export function requestFilters(days: number) {
  return {
    status: Type.Optional(
      Type.String({
        maxLength: 3,
        pattern: '^[1-5]([0-9]{2}|xx)$',
        'x-expected': 'a status such as 409, or a class such as 4xx',
        description: 'A status such as `409`, or a class: `4xx`',
      }),
    ),
    code: Type.Optional(Text({ min: 1, max: 100, description: 'An error code such as `OUT_OF_STOCK`' })),
    path: Type.Optional(
      Text({
        min: 1,
        max: 200,
        description:
          'The start of the path template, or the first parts of the requested path: `/api/v1/orders`, ' +
          '`/api/v1/customers/4711`',
      }),
    ),
    from: Type.Optional(Timestamp({ description: `Inclusive start; by default ${days} days ago` })),
    to: Type.Optional(Timestamp({ description: 'Exclusive end' })),
    startingAfter: Type.Optional(
      withErrorCode(Text({ max: 100, description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
    ),
  };
}

/** What a page of the log is asked by. */
interface ApiRequestQuery {
  readonly integratorId?: number;
  readonly clientKeyId?: number;
  readonly status?: string;
  readonly code?: string;
  readonly path?: string;
  readonly from?: string;
  readonly to?: string;
  readonly startingAfter?: string;
}

/** A page of the log, newest first. Fails with INVALID_CURSOR. */
export async function readRequests(
  context: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  query: ApiRequestQuery,
): Promise<readonly ApiRequestRow[]> {
  const cursor = query.startingAfter === undefined ? null : readCursor(query.startingAfter);
  if (cursor !== null) {
    const [found] = await context.database.read(organization, selectApiRequestCursor(cursor));
    if (found.length === 0) throw invalidCursor();
  }
  return pageAfter(context, organization, query, cursor);
}

/** The id of a request, which is a cursor too. */
export function requestIdOf(row: ApiRequestRow): string {
  return `${row.at_ms}-${row.batch_id}-${row.number}`;
}

/** The place of a request in the log. */
interface Cursor {
  readonly [name: string]: number;
  readonly atMs: number;
  readonly batchId: number;
  readonly number: number;
}

/** An id contains time, batch and position, so that finding a request needs no index. */
function readCursor(text: string): Cursor {
  const [, atMs, batchId, number] = /^(\d{1,13})-(\d{1,16})-(\d{1,4})$/.exec(text) ?? [];
  if (atMs === undefined || !Number.isSafeInteger(Number(batchId))) throw invalidCursor();
  return { atMs: Number(atMs), batchId: Number(batchId), number: Number(number) };
}

function invalidCursor() {
  return failure('INVALID_CURSOR', 'startingAfter must be the id of a request on the previous page.');
}

/** A full page and as much again: requests at the edge of the last batch are not shown yet. */
const soughtFirst = 2 * apiRequestsPerPage;
const unfilteredFirst = 2000;

/** A filter finds the batches that contain what it asks for by their marks, and reads no others. */
async function pageAfter(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  query: ApiRequestQuery,
  cursor: Cursor | null,
): Promise<readonly ApiRequestRow[]> {
  const filter = filterOf(query, cursor, clock.now());
  const { status, code, path, clientKeyId, integratorId } = query;
  if ([status, code, path, clientKeyId, integratorId].every((value) => value === undefined)) {
    const { selectUnread, selectPage } = anyApiRequests;
    return readNewest(
      unfilteredFirst,
      async (readMax) => (await database.read(organization, selectUnread({ ...filter, readMax })))[0],
      async (_, unreadMs) => (await database.read(organization, selectPage({ ...filter, unreadMs })))[0],
    );
  }
  const [kinds] = await database.read(organization, selectApiRequestKinds(filter));
  const marks = soughtMarks(kinds, filter.path);
  if (marks.length === 0) return [];
  const { selectUnread, selectPage } = markedApiRequests;
  const sought = {
    ...filter,
    ...columnsOfMarks(marks),
    pathParts: path === undefined ? null : withoutLastSlash(path),
  };
  return readNewest(
    soughtFirst,
    async (readMax) => (await database.read(organization, selectUnread({ ...sought, readMax })))[0],
    async (readMax, unreadMs) =>
      (await database.read(organization, selectPage({ ...sought, readMax, unreadMs })))[0],
  );
}

function columnsOfMarks(marks: readonly SoughtMark[]) {
  const hashes = (which: 0 | 1) =>
    new IntegerArray(
      'bigint',
      marks.map((mark) => mark.hashes?.[which] ?? 0),
    );
  return { marks: marks.map(({ text }) => text), firstHashes: hashes(0), hashSteps: hashes(1) };
}

/** Reads the newest batches: as many as usually fill a page, then more, until the page is full or none are left. */
async function readNewest(
  readFirst: number,
  selectUnread: (readMax: number) => Promise<readonly { readonly last_at_ms: number }[]>,
  selectPage: (readMax: number, unreadMs: number) => Promise<readonly ApiRequestRow[]>,
): Promise<readonly ApiRequestRow[]> {
  for (let readMax = readFirst; ; readMax *= 8) {
    const [unread] = await selectUnread(readMax);
    // Unread batches are not newer than this.
    const rows = await selectPage(readMax, unread?.last_at_ms ?? 0);
    if (rows.length === apiRequestsPerPage || unread === undefined) return rows;
  }
}

function filterOf(query: ApiRequestQuery, cursor: Cursor | null, nowMs: number): ApiRequestFilter {
  const { status } = query;
  const class_ = status?.endsWith('xx') ? Number(status[0]) * 100 : undefined;
  const statusMin = class_ ?? Number(status ?? 0);
  const toMs = query.to === undefined ? Number.MAX_SAFE_INTEGER - batchMsMax : Date.parse(query.to);
  return {
    integratorId: query.integratorId ?? null,
    clientKeyId: query.clientKeyId ?? null,
    statusMin,
    statusMax: class_ === undefined ? Number(status ?? 599) : class_ + 99,
    code: query.code ?? null,
    path: query.path ?? null,
    fromMs: query.from === undefined ? nowMs - apiRequestAgeMsMax : Date.parse(query.from),
    toMs,
    afterMs: cursor?.atMs ?? toMs,
    afterBatchId: cursor?.batchId ?? 0,
    afterNumber: cursor?.number ?? 0,
  };
}

/** To a tenth of a millisecond. */
export function millisecondsOf(microseconds: number): number {
  return Math.round(microseconds / 100) / 10;
}
