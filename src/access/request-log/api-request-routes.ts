import Type, { type Static } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import {
  DecimalNumber,
  List,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { millisecondsOf, readRequests, requestFilters, requestIdOf } from './api-request-pages.ts';
import { type ApiRequestRow, apiRequestsPerPage } from './api-request-queries.ts';
import { loggedMessageMax } from './logged-message.ts';
import { type Operation, operationFinder } from './logged-operation.ts';

const days = 7;
const ageMsMax = days * 24 * 3_600_000;

const OwnRequest = Named(
  'OwnRequest',
  Type.Object({
    id: Text({ max: 40 }),
    at: Timestamp({ description: 'Time of the reply' }),
    operation: Nullable(
      Text({ max: 100, description: 'The operationId; null for one that is no longer there' }),
    ),
    method: Text({ description: 'HTTP method', max: 20 }),
    path: Text({
      max: 200,
      description: 'The requested path, without query; parts that are not ids are left out',
    }),
    status: WholeNumber({ min: 100, max: 599, description: '499: the caller disconnected before the reply' }),
    code: Nullable(Text({ max: 100, description: 'The error code of a refusal' })),
    message: Nullable(
      Text({
        max: loggedMessageMax,
        description: 'The message of a refusal; `…` stands for values that were sent',
      }),
    ),
    ms: DecimalNumber({
      min: 0,
      max: 2_147_484,
      description: 'From the arrival of the headers to the reply',
    }),
    requestId: Text({ max: 100, description: 'X-Request-Id of the reply' }),
  }),
);

/** The integrator's own requests. `operations` are those of integrators. */
export function apiRequestRoutes(context: Context, operations: () => readonly Operation[]): Endpoint[] {
  const operationOf = operationFinder(operations);
  return [
    endpoint({
      id: 'listOwnRequests',
      method: 'GET',
      path: '/api/v1/requests',
      address: 'base',
      permission: null,
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: {
        primary:
          'the log of requests is committed without waiting for the disk, so its place in the log is not known',
      },
      list: {
        order: {
          descending: ['at', ({ id }) => Number(id.split('-')[1]), ({ id }) => Number(id.split('-')[2])],
        },
      },
      emptyInDemo: 'requests with fresh keys',
      namesNoContact: true,
      summary: 'List own requests',
      description:
        `The requests of the last ${days} days that this integrator sent to this organization, with any of its keys, newest first, ` +
        `${apiRequestsPerPage} a page. They appear within seconds, without bodies and queries. In an overload some may be missing.`,
      tag: 'Organization',
      query: Type.Object(requestFilters(days)),
      success: {
        status: 200,
        data: List(OwnRequest, { max: apiRequestsPerPage }),
        description: 'Requests',
        example: [
          {
            id: '1772384709123-90210-17',
            at: '2026-03-01T17:05:09.123Z',
            operation: 'placeOrder',
            method: 'POST',
            path: '/api/v1/orders',
            status: 409,
            code: 'OUT_OF_STOCK',
            message: 'Not enough stock of Moonlit Grove for a quantity of 2',
            ms: 8.4,
            requestId: 'web-4711',
          },
        ],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ caller, query }) => {
        const oldestMs = context.clock.now() - ageMsMax;
        const fromMs = query.from === undefined ? oldestMs : Math.max(oldestMs, Date.parse(query.from));
        const rows = await readRequests(context, caller.organizationId, {
          ...query,
          from: isoTimestamp(fromMs),
          integratorId: caller.integratorId,
        });
        return reply(rows.map((row) => shown(row, operationOf(row))));
      },
    }),
  ];
}

function shown(row: ApiRequestRow, operation: Operation | undefined): Static<typeof OwnRequest> {
  return {
    id: requestIdOf(row),
    at: isoTimestamp(row.at_ms),
    operation: operation?.id ?? null,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    message: row.message,
    ms: millisecondsOf(row.microseconds),
    requestId: row.request_id,
  };
}
