import Type, { type Static } from 'typebox';
import type { Context } from '../database/context.ts';
import { IntegerArray } from '../database/statement.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import {
  DecimalNumber,
  Id,
  List,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../http/schemas.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type SoughtMark, soughtMarks, withoutLastSlash } from './api-request-marks.ts';
import {
  type ApiRequestFilter,
  type ApiRequestRow,
  anyApiRequests,
  apiRequestAgeMsMax,
  apiRequestsPerPage,
  batchMsMax,
  type IntegratorHealthRow,
  markedApiRequests,
  selectApiRequestCursor,
  selectApiRequestKinds,
  selectIntegratorHealth,
} from './api-request-queries.ts';

const healthMs = 24 * 3_600_000;
const roles = ['owner'] as const;

function Milliseconds() {
  return DecimalNumber({
    min: 0,
    max: 2_147_484,
    description: 'From the arrival of the headers to the reply',
  });
}

function Count(description: string) {
  return WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, description });
}

const ApiRequest = Named(
  'ApiRequest',
  Type.Object({
    id: Text({ max: 40 }),
    at: Timestamp({ description: 'Time of the reply' }),
    integratorId: Id(),
    integratorName: Text({ max: 200 }),
    clientKeyId: Id(),
    method: Text({ max: 20 }),
    pathTemplate: Text({ max: 200, description: 'The path template of the operation' }),
    path: Text({
      max: 200,
      description: 'The requested path, without query; parts that are not ids are left out',
    }),
    status: WholeNumber({ min: 100, max: 599, description: '499: the caller disconnected before the reply' }),
    code: Nullable(Text({ max: 100, description: 'The error code of a refusal' })),
    ms: Milliseconds(),
    requestId: Text({ max: 100 }),
  }),
);

const IntegratorHealth = Named(
  'IntegratorHealth',
  Type.Object({
    integratorId: Id(),
    integratorName: Text({ max: 200 }),
    requests: Count('All requests'),
    succeeded: Count('Answered with a status below 400'),
    refused: Count('With 400 to 499'),
    failed: Count('With 500 and above'),
    medianMs: Nullable(Milliseconds()),
    p95Ms: Nullable(Milliseconds()),
    lastRequestAt: Nullable(Timestamp({ description: 'The last request of the last 30 days' })),
  }),
);

const Query = Type.Object({
  integratorId: Type.Optional(Id()),
  clientKeyId: Type.Optional(Id()),
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
  from: Type.Optional(Timestamp({ description: 'Inclusive start; by default 30 days ago' })),
  to: Type.Optional(Timestamp({ description: 'Exclusive end' })),
  startingAfter: Type.Optional(
    withErrorCode(Text({ max: 100, description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
  ),
});

/** Integrators' requests and their outcomes. */
export function apiRequestStaffRoutes(context: Context): StaffEndpoint[] {
  return [listApiRequestsEndpoint(context), listIntegratorHealthEndpoint(context)];
}

function listApiRequestsEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listApiRequests',
    method: 'GET',
    path: '/staff/v1/api-requests',
    roles,
    kind: 'read',
    summary: "List integrators' requests",
    description:
      'Requests with valid keys of the last 30 days, newest first, 50 a page. They appear within seconds, without ' +
      'bodies and queries. In an overload some may be missing.',
    source: ['D14'],
    tag: 'Keys',
    query: Query,
    success: {
      status: 200,
      data: List(ApiRequest, { max: apiRequestsPerPage }),
      description: 'Requests',
      example: [
        {
          id: '1772384709123-90210-17',
          at: '2026-03-01T17:05:09.123Z',
          integratorId: 501,
          integratorName: 'Corner Cart',
          clientKeyId: 3001,
          method: 'POST',
          pathTemplate: '/api/v1/orders',
          path: '/api/v1/orders',
          status: 409,
          code: 'OUT_OF_STOCK',
          ms: 8.4,
          requestId: 'web-4711',
        },
      ],
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const cursor = query.startingAfter === undefined ? null : readCursor(query.startingAfter);
      if (cursor !== null) {
        const [found] = await context.database.read(staff.organizationId, selectApiRequestCursor(cursor));
        if (found.length === 0) throw invalidCursor();
      }
      const rows = await readPage(context, staff.organizationId, query, cursor);
      return reply(rows.map(shown));
    },
  });
}

function listIntegratorHealthEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listIntegratorHealth',
    method: 'GET',
    path: '/staff/v1/integrators/health',
    roles,
    kind: 'read',
    summary: 'Show the health of integrations',
    description:
      'Counts and times of the last 24 hours for each integrator that has or had a key, from the request log.',
    tag: 'Keys',
    success: {
      status: 200,
      data: List(IntegratorHealth, { max: 10_000 }),
      description: 'Integrators',
      example: [
        {
          integratorId: 501,
          integratorName: 'Corner Cart',
          requests: 1204,
          succeeded: 1190,
          refused: 14,
          failed: 0,
          medianMs: 1.8,
          p95Ms: 9.6,
          lastRequestAt: '2026-03-01T17:05:09.123Z',
        },
      ],
    },
    failures: [],
    handle: async ({ staff }) => {
      const sinceMs = context.clock.now() - healthMs;
      const [rows] = await context.database.read(staff.organizationId, selectIntegratorHealth({ sinceMs }));
      return reply(rows.map(shownHealth));
    },
  });
}

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
async function readPage(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  query: Static<typeof Query>,
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

function filterOf(query: Static<typeof Query>, cursor: Cursor | null, nowMs: number): ApiRequestFilter {
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

function millisecondsOf(microseconds: number): number {
  return Math.round(microseconds / 100) / 10;
}

function shown(row: ApiRequestRow): Static<typeof ApiRequest> {
  return {
    id: `${row.at_ms}-${row.batch_id}-${row.number}`,
    at: isoTimestamp(row.at_ms),
    integratorId: row.integrator_id,
    integratorName: row.integrator_name,
    clientKeyId: row.client_key_id,
    method: row.method,
    pathTemplate: row.path_template,
    path: row.path,
    status: row.status,
    code: row.code,
    ms: millisecondsOf(row.microseconds),
    requestId: row.request_id,
  };
}

function shownHealth(row: IntegratorHealthRow): Static<typeof IntegratorHealth> {
  return {
    integratorId: row.integrator_id,
    integratorName: row.integrator_name,
    requests: row.requests,
    succeeded: row.succeeded,
    refused: row.refused,
    failed: row.failed,
    medianMs: row.median_us === null ? null : millisecondsOf(row.median_us),
    p95Ms: row.p95_us === null ? null : millisecondsOf(row.p95_us),
    lastRequestAt: row.last_at_ms === null ? null : isoTimestamp(row.last_at_ms),
  };
}
