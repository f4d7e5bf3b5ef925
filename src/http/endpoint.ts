import type { BaseLogger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../kernel/error-catalogue.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { Permission } from '../kernel/permission-catalogue.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import type { BodyTooLarge } from './request-body.ts';

/** The path of a missing body field, or of several alternatives of which one is required. */
export type AbsentField = string | readonly [path: string, ...alternatives: string[]];

/** The caller that the two keys identify (D7). */
export interface Caller {
  readonly organizationId: OrganizationId;
  readonly integratorId: number;
  readonly integratorName: string;
  readonly clientKeyId: number;
  readonly permissions: ReadonlySet<Permission>;
  /** Unknown names in bodies and queries are refused (D5). */
  readonly strict: boolean;
  readonly rateLimitPerSecond: Readonly<Record<RateGroup, number>>;
}

/** A signed-in member of the organization's staff. */
export interface StaffCaller {
  readonly organizationId: OrganizationId;
  readonly staffId: number;
  readonly sessionId: number;
  readonly role: StaffRole;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The log entry of an integrator's request, made after its reply. */
export interface FinishedRequest {
  readonly caller: Caller;
  readonly method: string;
  readonly routeId: string;
  /** As sent, with the query. */
  readonly url: string;
  /** 499: the caller disconnected before the reply. */
  readonly status: number;
  readonly errorCode: ErrorCode | undefined;
  readonly ms: number;
  readonly requestId: string;
}

/** The menu group and all other operations have separate limits (D10). */
export type RateGroup = 'menu' | 'other';

/** The two listeners (D1). */
export type Address = 'base' | 'menu';

export type RequestLog = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** A request that has passed authentication, permission, rate limit and validation. */
export interface EndpointRequest<Params, Query, Body> {
  readonly caller: Caller;
  readonly params: Readonly<Params>;
  readonly query: Readonly<Query>;
  readonly body: Body;
  readonly requestId: string;
  /** Lines carry the request id. Secrets in texts are masked; the writer must leave personal data out. */
  readonly log: RequestLog;
  /** If-None-Match as sent, for handlers that can save work when it matches. */
  readonly ifNoneMatch: string | undefined;
  /** The id of the last event that the caller received from a stream. */
  readonly lastEventId: string | undefined;
  /** Whether Accept names this media type explicitly. */
  asksFor(mediaType: string): boolean;
  /** The remaining requests of the key's rate group; null when nothing is counted. */
  readonly requestsLeft: number | null;
  /**
   * Waits for something that may take long, without counting as work under way. The signal aborts when the caller has
   * gone away or the server stops.
   */
  pause<Value>(wait: (over: AbortSignal) => Promise<Value>): Promise<Value>;
}

/** A request of signed-in staff that has passed session, role, rate limit and validation. */
export interface StaffRequest<Params, Query, Body> extends SignInRequest<Params, Query, Body> {
  readonly staff: StaffCaller;
  /** The `updatedAt` of If-Match, if it was sent and the operation takes it (`takesIfMatch`). */
  readonly expectedUpdatedAtMs: number | undefined;
  /** The body of an operation that takes a file (`bodyFile`); empty for others. */
  readonly file: Buffer;
}

/** A request without a session, from a sender who is not authenticated yet. */
export interface SignInRequest<Params, Query, Body>
  extends Omit<EndpointRequest<Params, Query, Body>, 'caller' | 'requestsLeft' | 'pause'> {
  /** Counts an attempt, or throws RATE_LIMITED. The handler gives a successful attempt back. */
  countAttempt(attempt: Attempt): { giveBack(): void };
  /** The client's network address, behind the trusted proxies. */
  readonly clientAddress: string;
  /** Whether the browser reports a page of this service as the sender; programs send no such report. */
  readonly isFromOwnPage: boolean;
  /** The value of a cookie of this service by its plain name, as sent. */
  cookie(name: string): string | undefined;
}

/**
 * The names that an authentication attempt counts against. `account`: an email or a one-time link, and the network
 * address, shared with attempts of unknown callers. `device`: a browser that signed in to the account before.
 * `session`: a signed-in user. Names are digests or ids, never the text that was typed.
 */
export interface Attempt {
  readonly kind: 'account' | 'device' | 'session';
  readonly name: string;
}

type ReplyHeaders = Readonly<Record<string, string | string[]>>;

interface JsonReply<Data, Meta> {
  readonly kind: 'json';
  readonly data: Data;
  readonly meta?: Meta;
  readonly headers?: ReplyHeaders;
}

export interface RawJsonReply {
  readonly kind: 'raw-json';
  readonly text: string | Uint8Array;
  readonly etag: string | undefined;
  readonly headers: ReplyHeaders | undefined;
  /** The same bytes are sent again and again, so they are compressed once. */
  readonly isKept: boolean;
}

interface FileReply {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly headers?: ReplyHeaders;
}

/** A reply that continues until either side ends it. */
export interface EventStream {
  write(text: string): void;
  end(): void;
  /** Ends it without waiting for the caller to read pending bytes. */
  cut(): void;
  /** Bytes written and not yet received by the caller's side. */
  readonly unreadBytes: number;
  onceClosed(then: () => void): void;
}

interface StreamReply {
  readonly kind: 'stream';
  readonly mediaType: string;
  readonly start: (stream: EventStream) => Promise<void>;
  readonly headers?: ReplyHeaders;
}

interface EmptyReply {
  readonly kind: 'empty';
  readonly headers?: ReplyHeaders;
}

/** The result of a handler. A handler in a separate file may leave Data open. */
// biome-ignore lint/suspicious/noExplicitAny: an open reply must be assignable to every declared one; the serializer and the contract test check it
export type Reply<Data = any, Meta = any> =
  | JsonReply<Data, Meta>
  | RawJsonReply
  | FileReply
  | StreamReply
  | EmptyReply;

/** A reply `{data}`, or `{data, meta}`, written by the serializer of the endpoint's schema. */
export function reply<const Data, const Meta = never>(
  data: Data,
  options: { readonly headers?: ReplyHeaders; readonly meta?: Meta } = {},
): JsonReply<Data, Meta> {
  return { kind: 'json', data, ...options };
}

/**
 * A reply of a complete envelope that is JSON text already; the bytes are sent unchanged. With `etag` (an entity tag
 * with its quotes) a caller that has it gets 304 without a body.
 */
export function replyRawJson(
  text: string | Uint8Array,
  {
    etag,
    headers,
    isKept = false,
  }: { readonly etag?: string; readonly headers?: ReplyHeaders; readonly isKept?: boolean } = {},
): RawJsonReply {
  return { kind: 'raw-json', text, etag, headers, isKept };
}

/** A private file. The headers prevent a browser from sniffing its type and from running its content. */
export function replyFile(
  bytes: Uint8Array,
  mediaType: string,
  options: { readonly headers?: ReplyHeaders } = {},
): FileReply {
  const headers = {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    ...options.headers,
  };
  return { kind: 'file', bytes, mediaType, headers };
}

/**
 * A stream. `start` gets it and writes to it; it ends with the server at the latest. The request counts as answered
 * from now on. `start` must handle its own errors.
 */
export function replyStream(mediaType: string, start: StreamReply['start']): StreamReply {
  return { kind: 'stream', mediaType, start };
}

/** A 204 reply without a body. */
export function replyEmpty(options: { readonly headers?: ReplyHeaders } = {}): EmptyReply {
  return { kind: 'empty', ...options };
}

type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

interface Declaration<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
  Meta extends TSchema,
> {
  /** operationId: verb and noun, `placeOrder`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/v1/orders/{orderId}` */
  readonly path: string;
  readonly address: Address;
  /** Null: any valid keys are enough. */
  readonly permission: Permission | null;
  readonly kind: 'read' | 'write';
  /** Default: `menu` for the permission `menu`, `other` for the rest. */
  readonly rateGroup?: RateGroup;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The decisions that define it. */
  readonly source: readonly `D${number}`[];
  readonly tag: string;
  /** A path value that does not fit its type is answered with the 404 code of `resourceParams`. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Paths of missing body fields that other fields make required, for MISSING_PARAMS. The body is not validated yet.
   */
  readonly alsoMissing?: (body: unknown) => readonly AbsentField[];
  /** Default: 1 MB (`bodyBytesMaxDefault`). */
  readonly bodyBytesMax?: number;
  /** The refusal of a larger body; default: PAYLOAD_TOO_LARGE. */
  readonly bodyTooLarge?: BodyTooLarge;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly data?: Data;
    readonly meta?: Meta;
    /** Instead of data, or as an alternative that a query selects: the reply is a file of one of these media types. */
    readonly file?: readonly string[];
    readonly description: string;
    /** An example of `data`. */
    readonly example?: Immutable<Static<Data>>;
    readonly metaExample?: Immutable<Static<Meta>>;
    /** The reply carries an ETag, and If-None-Match is answered with 304. */
    readonly revalidates?: true;
  };
  readonly requestExample?: Immutable<Static<Body>>;
  /** The refusals beyond those of the frame. */
  readonly failures: readonly ErrorCode[];
  /** The write ignores Idempotency-Key; its description says why. */
  readonly ignoresIdempotencyKey?: true;
  /** The reply shows a secret that is stored as a digest only: Idempotency-Key must be too long to guess. */
  readonly answersSecret?: true;
  /** Path parameters that identify a tenant's resource, with the 404 code for callers of other organizations (D13). */
  readonly resourceParams?: { readonly [Name in keyof Static<Params>]?: ErrorCode };
  /** Returns a promise only if it has to wait. */
  handle(
    request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>>,
  ): Awaitable<Reply<Immutable<Static<Data>>, Immutable<Static<Meta>>>>;
}

type Awaitable<Value> = Promise<Value> | Value;

/** One operation of the interface. Router, validation, serialization, OpenAPI and tests derive from it. */
export interface Endpoint
  extends Omit<
    Declaration<TObject, TObject, TObject, TSchema, TSchema>,
    'handle' | 'resourceParams' | 'rateGroup' | 'bodyBytesMax' | 'success' | 'requestExample'
  > {
  readonly rateGroup: RateGroup;
  readonly bodyBytesMax: number;
  readonly bodyTooLarge?: BodyTooLarge;
  readonly resourceParams: Readonly<Record<string, ErrorCode>>;
  readonly requestExample?: unknown;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly data?: TSchema;
    readonly meta?: TSchema;
    readonly file?: readonly string[];
    readonly description: string;
    readonly example?: unknown;
    readonly metaExample?: unknown;
    readonly revalidates?: true;
  };
  handle(request: EndpointRequest<unknown, unknown, unknown>): Awaitable<Reply>;
}

export const bodyBytesMaxDefault = 1_048_576;

/** For operations without keys and session. */
export const openBodyBytesMax = 4_096;

/** Declares an operation. The handler's types come from the schemas. */
export function endpoint<
  Params extends TSchema = TObject<Record<never, never>>,
  Query extends TSchema = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Data extends TSchema = TSchema,
  Meta extends TSchema = TSchema,
>(declaration: Declaration<Params, Query, Body, Data, Meta>): Endpoint {
  return {
    rateGroup: declaration.permission === 'menu' ? 'menu' : 'other',
    bodyBytesMax: bodyBytesMaxDefault,
    resourceParams: {},
    ...declaration,
  } as unknown as Endpoint;
}

interface StaffDeclaration<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
  Meta extends TSchema,
> extends Omit<
    Declaration<Params, Query, Body, Data, Meta>,
    'address' | 'permission' | 'rateGroup' | 'handle' | 'source'
  > {
  /** Under `/staff/v1`. */
  readonly path: `/staff/v1/${string}`;
  /** The roles that may call it; an `owner` always may. */
  readonly roles: readonly StaffRole[];
  /** The decisions that define it, if any. */
  readonly source?: readonly `D${number}`[];
  /** If-Match may carry the expected `updatedAt`; the write calls `refuseStaleEdit`. */
  readonly takesIfMatch?: true;
  /** Instead of `body`: a raw file of one of these media types. The handler checks its content. */
  readonly bodyFile?: readonly string[];
  handle(
    request: StaffRequest<Static<Params>, Static<Query>, Static<Body>>,
  ): Promise<Reply<Immutable<Static<Data>>, Immutable<Static<Meta>>>>;
}

/** One operation of the organization's staff, on the same frame. */
export interface StaffEndpoint extends Omit<Endpoint, 'permission' | 'rateGroup' | 'handle'> {
  readonly audience: 'staff';
  /** `anyone`: no session is required. */
  readonly roles: readonly StaffRole[] | 'anyone';
  readonly takesIfMatch?: true;
  readonly bodyFile?: readonly string[];
  handle(
    request: StaffRequest<unknown, unknown, unknown> & SignInRequest<unknown, unknown, unknown>,
  ): Promise<Reply>;
}

/** An operation of either audience. */
export type AnyEndpoint = Endpoint | StaffEndpoint;

/** Declares a staff operation. It is served at the base address; the handler's types come from the schemas. */
export function staffEndpoint<
  Params extends TSchema = TObject<Record<never, never>>,
  Query extends TSchema = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Data extends TSchema = TSchema,
  Meta extends TSchema = TSchema,
>(declaration: StaffDeclaration<Params, Query, Body, Data, Meta>): StaffEndpoint {
  return { ...staffDefaults, ...declaration } as unknown as StaffEndpoint;
}

const staffDefaults = {
  audience: 'staff',
  address: 'base',
  source: [],
  bodyBytesMax: bodyBytesMaxDefault,
  resourceParams: {},
} as const;

/**
 * Declares a staff operation without a session. Only signing in is one. The separate function prevents operations that
 * are open by mistake, and its handler has no `staff`.
 */
export function signInEndpoint<Body extends TSchema, Data extends TSchema>(
  declaration: Omit<
    StaffDeclaration<TObject<Record<never, never>>, TObject<Record<never, never>>, Body, Data, TSchema>,
    'roles' | 'handle'
  > & {
    handle(
      request: SignInRequest<Record<never, never>, Record<never, never>, Static<Body>>,
    ): Promise<Reply<Immutable<Static<Data>>>>;
  },
): StaffEndpoint {
  return {
    ...staffDefaults,
    bodyBytesMax: openBodyBytesMax,
    ...declaration,
    roles: 'anyone',
  } as unknown as StaffEndpoint;
}
