import Type, { type Static } from 'typebox';
import { totalOfPage } from '../../kernel/list-count.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  DecimalNumber,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { healthOf, healthStates } from './api-health.ts';
import { millisecondsOf, readRequests, requestFilters, requestIdOf } from './api-request-pages.ts';
import {
  type ApiRequestRow,
  apiRequestsPerPage,
  type IntegratorHealthRow,
  selectIntegratorHealth,
} from './api-request-queries.ts';
import { loggedMessageMax } from './logged-message.ts';
import { type Operation, operationFinder, referencePathOf } from './logged-operation.ts';

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
    message: Nullable(
      Text({
        max: loggedMessageMax,
        description:
          'The message of a refusal, without sent values. Null also for requests that were logged without it',
      }),
    ),
    operation: Nullable(
      Text({ max: 100, description: 'The operationId; null for one that is no longer there' }),
    ),
    referencePath: Nullable(
      Text({ max: 300, description: 'The place of the operation in the reference page of this service' }),
    ),
    keyPrefix: Nullable(Text({ max: 40, description: 'The start of the client key' })),
    keyProblem: Nullable(
      OneOf(['revoked', 'expired', 'other-consumer-key', 'other-address', 'other-origin'], {
        description:
          'Why the keys were refused: the client key is revoked or expired, was sent with a consumer key that it does not ' +
          'belong to, or from an address that is not allowed',
      }),
    ),
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
    state: OneOf(healthStates, {
      description:
        '`silent`: no requests; `failing`: 1 % or more failed, or half or more were refused; `disturbed`: any failed, or a ' +
        'tenth or more were refused; else `healthy`',
    }),
  }),
);

const Query = Type.Object({
  integratorId: Type.Optional(Id()),
  clientKeyId: Type.Optional(Id()),
  ...requestFilters(30),
});

/** Integrators' requests and their outcomes. `operations` are those of integrators. */
export function apiRequestStaffRoutes(
  context: Context,
  operations: () => readonly Operation[],
): StaffEndpoint[] {
  return [listApiRequestsEndpoint(context, operations), listIntegratorHealthEndpoint(context)];
}

function listApiRequestsEndpoint(context: Context, operations: () => readonly Operation[]): StaffEndpoint {
  const operationOf = operationFinder(operations);
  return staffEndpoint({
    id: 'listApiRequests',
    method: 'GET',
    path: '/staff/v1/api-requests',
    roles,
    kind: 'read',
    readsFrom: {
      primary:
        'the log of requests is committed without waiting for the disk, so its place in the log is not known',
    },
    list: {
      unsorted:
        'a log that is written in batches, of which the newest that fit are read: `from` and `to` name a time of it',
      order: {
        descending: ['at', ({ id }) => Number(id.split('-')[1]), ({ id }) => Number(id.split('-')[2])],
      },
    },
    exported: { not: 'a log with a retention of some days' },
    emptyInDemo: 'requests with fresh keys',
    summary: "List integrators' requests",
    description:
      'Requests of the last 30 days with client keys of this organization, newest first, 50 a page; also those whose keys ' +
      'were refused. They appear within seconds, without bodies and queries. In an overload some may be missing.',
    tag: 'Keys',
    query: Query,
    success: {
      status: 200,
      data: List(ApiRequest, { max: apiRequestsPerPage }),
      meta: ListTotal,
      metaExample: listTotalExample,
      description: 'Requests; `meta` is of the page',
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
          message: 'Not enough stock of Moonlit Grove for a quantity of 2',
          operation: 'placeOrder',
          referencePath: '/docs/#tag/orders/POST/api/v1/orders',
          keyPrefix: 'dck_live_7Qm2',
          keyProblem: null,
        },
      ],
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const rows = await readRequests(context, staff.organizationId, query);
      return reply(
        rows.map((row) => shown(row, operationOf(row))),
        { meta: totalOfPage(rows.length, apiRequestsPerPage, query.startingAfter === undefined) },
      );
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
    readsFrom: {
      primary:
        'the log of requests is committed without waiting for the disk, so its place in the log is not known',
    },
    list: { staysSmall: 'a row for each integrator' },
    exported: { not: 'derived from a log with a retention of some days' },
    summary: 'Show the health of integrations',
    description:
      'Counts and times of the last 24 hours for each integrator that has or had a key, from the request log.',
    tag: 'Keys',
    sorts: {
      integratorId: 'ascending',
      integratorName: 'ascending',
      requests: 'descending',
      refused: 'descending',
      failed: 'descending',
      medianMs: 'descending',
      p95Ms: 'descending',
      lastRequestAt: 'descending',
    },
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
          state: 'healthy',
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

function shown(row: ApiRequestRow, operation: Operation | undefined): Static<typeof ApiRequest> {
  return {
    id: requestIdOf(row),
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
    message: row.message,
    operation: operation?.id ?? null,
    referencePath: operation === undefined ? null : referencePathOf(operation),
    keyPrefix: row.key_prefix,
    keyProblem: row.key_problem,
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
    state: healthOf(row),
  };
}
