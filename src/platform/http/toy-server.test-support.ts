import inject, { type InjectOptions } from 'light-my-request';
import type { DestinationStream } from 'pino';
import Type from 'typebox';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { permissions } from '../../kernel/permission-catalog.ts';
import { type Caller, type Endpoint, endpoint, reply, replyEmpty, replyRawJson } from './endpoint.ts';
import { createLogger } from './logging.ts';
import { createMetrics } from './metrics.ts';
import { RateLimits } from './rate-limits.ts';
import {
  Cents,
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from './schemas.ts';
import { createServer, type HttpServer, type ServerOptions } from './server.ts';

/* A small artificial interface for the tests of the frame. */

const Line = Named(
  'Line',
  Type.Object({
    productOptionId: Id({ description: 'The product option to buy' }),
    quantity: withErrorCode(WholeNumber({ min: 1, max: 10_000 }), 'INVALID_ORDER_QUANTITY'),
    note: Type.Optional(Nullable(Text({ max: 20 }))),
  }),
);

const Basket = Type.Object({
  lineItems: List(Line, { min: 1, max: 100 }),
  type: OneOf(['delivery', 'pickup']),
  idempotencyKey: Type.Optional(withErrorCode(UuidV4(), 'INVALID_IDEMPOTENCY_KEY')),
  deliverOn: Type.Optional(LocalDate()),
  seenAt: Type.Optional(Timestamp()),
  tip: Type.Optional(Cents()),
  content: Type.Optional(DecimalText({ sign: 'positive' })),
  address: Type.Optional(Type.Object({ street1: Text({ min: 1, max: 100 }), city: Text({ max: 50 }) })),
});

/** The error that /toys/broken throws. */
export const brokenError = { message: 'boom' };

export const toyEndpoints: readonly Endpoint[] = [
  endpoint({
    id: 'placeToy',
    method: 'POST',
    path: '/api/v1/toys',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'refused',
    kind: 'write',
    summary: 'Place a toy',
    description: 'Returns the sent values.',
    tag: 'Toys',
    query: Type.Object({
      dryRun: Type.Optional(Flag()),
      limit: Type.Optional(WholeNumber({ min: 1, max: 50 })),
    }),
    body: Basket,
    bodyBytesMax: 2_000_000,
    success: {
      status: 201,
      data: Named(
        'Toy',
        Type.Object({ lineCount: Id(), lines: List(Line, { max: 100 }), key: Nullable(UuidV4()) }),
      ),
      description: 'The toy',
      example: { lineCount: 1, lines: [{ productOptionId: 7, quantity: 2 }], key: null },
    },
    requestExample: { lineItems: [{ productOptionId: 7, quantity: 2 }], type: 'pickup' },
    failures: ['OUT_OF_STOCK', 'INVALID_ORDER_QUANTITY', 'INVALID_IDEMPOTENCY_KEY'],
    handle: async ({ body }) =>
      reply({ lineCount: body.lineItems.length, lines: body.lineItems, key: body.idempotencyKey ?? null }),
  }),
  endpoint({
    id: 'getToy',
    method: 'GET',
    path: '/api/v1/toys/{toyId}',
    address: 'base',
    permission: 'analytics',
    publishableKey: 'refused',
    kind: 'read',
    summary: 'Retrieve a toy',
    description: 'One toy.',
    tag: 'Toys',
    params: Type.Object({ toyId: Id() }),
    query: Type.Object({
      startingOn: Type.Optional(LocalDate()),
      search: Type.Optional(Text({ max: 30 })),
      deep: Type.Optional(Flag()),
    }),
    success: {
      status: 200,
      data: Type.Object({ id: Id(), search: Nullable(Text({ max: 30 })) }),
      meta: Type.Object({ deep: Flag() }),
      description: 'The toy',
      example: { id: 7, search: null },
      metaExample: { deep: false },
    },
    failures: ['PRODUCT_NOT_FOUND'],
    resourceParams: { toyId: 'PRODUCT_NOT_FOUND' },
    handle: async ({ params, query }) => {
      if (params.toyId === 404) throw failure('PRODUCT_NOT_FOUND', 'There is no such product.');
      return reply(
        { id: params.toyId, search: query.search ?? null },
        { meta: { deep: query.deep ?? false } },
      );
    },
  }),
  endpoint({
    id: 'removeToy',
    method: 'DELETE',
    path: '/api/v1/toys/{toyId}',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'refused',
    kind: 'write',
    summary: 'Remove a toy',
    description: 'Deletes it.',
    tag: 'Toys',
    params: Type.Object({ toyId: Id() }),
    success: { status: 204, description: 'Removed' },
    failures: ['PRODUCT_NOT_FOUND'],
    resourceParams: { toyId: 'PRODUCT_NOT_FOUND' },
    handle: async () => replyEmpty(),
  }),
  endpoint({
    id: 'listToys',
    method: 'GET',
    path: '/api/v1/toys',
    address: 'base',
    permission: 'analytics',
    publishableKey: 'refused',
    kind: 'read',
    summary: 'List toys',
    description: 'Stored text, revalidated by entity tag.',
    tag: 'Toys',
    query: Type.Object({ kind: OneOf(['soft', 'hard']) }),
    success: {
      status: 200,
      data: List(Text({ max: 9 }), { max: 50 }),
      description: 'Toys',
      example: ['ball'],
      revalidates: true,
    },
    failures: [],
    handle: async () =>
      replyRawJson('{"data":["ball"]}', { etag: '"v1"', headers: { 'Cache-Control': 'private, max-age=5' } }),
  }),
  endpoint({
    id: 'breakToy',
    method: 'POST',
    path: '/api/v1/toys/broken',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'refused',
    kind: 'write',
    summary: 'Break a toy',
    description: 'Throws.',
    tag: 'Toys',
    body: Type.Object({ gently: Type.Optional(Flag()) }),
    success: { status: 200, data: Type.Object({}), description: 'Never', example: {} },
    requestExample: {},
    failures: [],
    handle: async ({ log }) => {
      log.info({ email: 'someone@example.com', nested: { firstName: 'Wilhelmina' } }, brokenError.message);
      throw new Error(brokenError.message);
    },
  }),
  endpoint({
    id: 'getToyMenu',
    method: 'GET',
    path: '/api/v1/toy-menu',
    address: 'menu',
    permission: 'menu',
    publishableKey: 'refused',
    kind: 'read',
    summary: 'Read the menu of toys',
    description: 'At both addresses.',
    tag: 'Menu',
    success: {
      status: 200,
      data: List(Text({ max: 9 }), { max: 50 }),
      description: 'Menu',
      example: ['ball'],
    },
    failures: [],
    handle: async () => reply(['ball']),
  }),
];

export function toyCaller(changes: Partial<Caller> = {}): Caller {
  return {
    organizationId: 1001 as OrganizationId,
    integratorId: 5,
    integratorName: 'Toy Maker',
    clientKeyId: 77,
    sandbox: null,
    isSuspended: false,
    permissions: new Set(permissions),
    origins: null,
    vouches: true,
    strict: false,
    rateLimitPerSecond: { menu: 4, other: 15 },
    ...changes,
  };
}

export const goodKeys = { 'x-consumer-key': 'dcc_test_good', 'x-client-key': 'dck_test_good' };

export interface ToyOptions extends Partial<Omit<ServerOptions, 'clock' | 'rateLimits'>> {
  readonly rateLimits?: 'on' | 'off';
  readonly caller?: Partial<Caller>;
  readonly clock?: Clock;
  readonly destination?: DestinationStream;
}

/** A server of the toy endpoints that accepts one pair of keys. */
export function createToyServer(toy: ToyOptions = {}): HttpServer {
  const { caller, destination, clock = systemClock, rateLimits = 'off', ...options } = toy;
  const known = toyCaller(caller);
  return createServer({
    endpoints: toyEndpoints,
    address: 'base',
    authenticate: async (consumerKey, clientKey) =>
      consumerKey === goodKeys['x-consumer-key'] && clientKey === goodKeys['x-client-key'] ? known : null,
    // Keys are never reused.
    runIdempotently: async (_, work) => ({ reply: await work(), isReplay: false }),
    clock,
    logger: createLogger({ level: destination ? 'info' : 'silent', ...(destination && { destination }) }),
    metrics: createMetrics(),
    rateLimits: rateLimits === 'on' ? new RateLimits(clock) : undefined,
    readiness: async () => true,
    ...options,
  });
}

interface ToyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The code of an error body. */
  readonly code: string | undefined;
  readonly message: string;
  readonly json: {
    data?: unknown;
    meta?: unknown;
    error?: { code: string; message: string; meta?: unknown };
  };
}

/** Sends a request with valid keys unless others are given. */
export async function ask(server: HttpServer, request: InjectOptions): Promise<ToyReply> {
  const reply = await inject(server.handle, { ...request, headers: { ...goodKeys, ...request.headers } });
  const isJson = String(reply.headers['content-type']).startsWith('application/json') && reply.payload !== '';
  const json = isJson ? JSON.parse(reply.payload) : {};
  return {
    status: reply.statusCode,
    headers: reply.headers as Record<string, string | undefined>,
    text: reply.payload,
    code: json.error?.code,
    message: json.error?.message ?? '',
    json,
  };
}
