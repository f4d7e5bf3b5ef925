import type { BaseLogger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../kernel/error-catalogue.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { Permission } from '../kernel/permission-catalogue.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import type { BodyTooLarge } from './request-body.ts';

/** The path of a body field that is absent, or of the first of several of which one would do. */
export type AbsentField = string | readonly [path: string, ...alternatives: string[]];

/** Who is asking: what the two keys stand for (D7). */
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

/** Who is asking on the organization's own side: a signed-in member of its staff. */
export interface StaffCaller {
  readonly organizationId: OrganizationId;
  readonly staffId: number;
  readonly sessionId: number;
  readonly role: StaffRole;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A request of an integrator, after its reply: what a log may keep of it. */
export interface FinishedRequest {
  readonly caller: Caller;
  readonly method: string;
  readonly routeId: string;
  /** As it was sent, with the query. */
  readonly url: string;
  /** 499: the caller went away before it was answered. */
  readonly status: number;
  readonly errorCode: ErrorCode | undefined;
  readonly ms: number;
  readonly requestId: string;
}

/** The menu group and everything else are limited apart (D10). */
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
  /** Lines carry the request id. Secrets in texts are masked, personal data is the writer's duty. */
  readonly log: RequestLog;
  /** The entity tags that the caller holds, as sent: for handlers that can save work by knowing. */
  readonly ifNoneMatch: string | undefined;
  /** The id of the last event of a stream that the caller had before. */
  readonly lastEventId: string | undefined;
  /** Whether Accept names this media type: for those that nobody gets unasked. */
  asksFor(mediaType: string): boolean;
  /** Of the key's rate group, after this request; null: nothing is counted. */
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
  /** The `updatedAt` of If-Match, where the operation takes it (`takesIfMatch`) and it was sent. */
  readonly expectedUpdatedAtMs: number | undefined;
  /** What was sent to an operation that takes a file (`bodyFile`); of others empty. */
  readonly file: Buffer;
}

/** A request that needs no session: its sender is yet to say who they are. */
export interface SignInRequest<Params, Query, Body>
  extends Omit<EndpointRequest<Params, Query, Body>, 'caller' | 'requestsLeft' | 'pause'> {
  /** Counts an attempt, or throws RATE_LIMITED. What did not fail is given back. */
  countAttempt(attempt: Attempt): { giveBack(): void };
  /** The network address that it comes from, behind the proxies that are trusted. */
  readonly clientAddress: string;
  /** Whether a page of ours sends it: a browser says so, programs do not. */
  readonly isOfOurPages: boolean;
  /** The value of a cookie of ours by its plain name, as it was sent. */
  cookie(name: string): string | undefined;
}

/**
 * What an attempt to prove who one is counts against. `account`: an email or a one-time link, and the network address,
 * with all that strangers try. `device`: a browser that has signed in before, with that account. `session`: who is
 * signed in already. Names are digests or ids, never what was typed.
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
}

interface FileReply {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly headers?: ReplyHeaders;
}

/** A reply that goes on until either side ends it. */
export interface EventStream {
  write(text: string): void;
  end(): void;
  /** Ends it without waiting for what was written to be read. */
  cut(): void;
  /** Written, and not taken by the caller's side yet. */
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

/** What a handler gives back. A handler in a file of its own may leave Data open. */
// biome-ignore lint/suspicious/noExplicitAny: an open reply must be assignable to every declared one; the serializer and the contract test check it
export type Reply<Data = any, Meta = any> =
  | JsonReply<Data, Meta>
  | RawJsonReply
  | FileReply
  | StreamReply
  | EmptyReply;

/** Answers `{data}`, or `{data, meta}`, written by the serializer of the endpoint's schema. */
export function reply<const Data, const Meta = never>(
  data: Data,
  options: { readonly headers?: ReplyHeaders; readonly meta?: Meta } = {},
): JsonReply<Data, Meta> {
  return { kind: 'json', data, ...options };
}

/**
 * Answers a whole envelope that is JSON text already; the bytes are sent as they are. With `etag` (an
 * entity tag with its quotes) a caller that holds it gets 304 without a body.
 */
export function replyRawJson(
  text: string | Uint8Array,
  { etag, headers }: { readonly etag?: string; readonly headers?: ReplyHeaders } = {},
): RawJsonReply {
  return { kind: 'raw-json', text, etag, headers };
}

/**
 * Answers a file that is for this caller only. Whatever is in it, a browser neither guesses at its type nor runs
 * anything of it.
 */
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
 * Answers a stream that `start` is given to write to, and that ends with the server at the latest. It counts as
 * answered from now on. `start` has nobody to throw to.
 */
export function replyStream(mediaType: string, start: StreamReply['start']): StreamReply {
  return { kind: 'stream', mediaType, start };
}

/** Answers 204 without a body. */
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
  /** Null: good keys are enough. */
  readonly permission: Permission | null;
  readonly kind: 'read' | 'write';
  /** By default `menu` for the permission `menu`, `other` for the rest. */
  readonly rateGroup?: RateGroup;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The decisions that it follows. */
  readonly source: readonly `D${number}`[];
  readonly tag: string;
  /** A path value that does not fit its type answers the 404 code of `resourceParams`. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Paths of absent body fields that are required because of what others say: they are MISSING_PARAMS like the
   * rest. Is given the body unchecked.
   */
  readonly alsoMissing?: (body: unknown) => readonly AbsentField[];
  /** By default 1 MB (`bodyBytesMaxDefault`). */
  readonly bodyBytesMax?: number;
  /** How a larger body is refused: by default with PAYLOAD_TOO_LARGE. */
  readonly bodyTooLarge?: BodyTooLarge;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly data?: Data;
    readonly meta?: Meta;
    /** In place of data, or beside it where a query asks for it: the reply is a file of one of these media types. */
    readonly file?: readonly string[];
    readonly description: string;
    /** Of `data`. */
    readonly example?: Immutable<Static<Data>>;
    readonly metaExample?: Immutable<Static<Meta>>;
    /** The reply carries an ETag and answers If-None-Match with 304. */
    readonly revalidates?: true;
  };
  readonly requestExample?: Immutable<Static<Body>>;
  /** The refusals beyond those that the frame itself can answer. */
  readonly failures: readonly ErrorCode[];
  /** A write that the header Idempotency-Key changes nothing about; the description says why. */
  readonly ignoresIdempotencyKey?: true;
  /** The reply shows a secret of which only a digest is stored: Idempotency-Key must be too long to be guessed. */
  readonly answersSecret?: true;
  /** Path parameters that name a tenant's resource, with the 404 code that a stranger gets (D13). */
  readonly resourceParams?: { readonly [Name in keyof Static<Params>]?: ErrorCode };
  /** A promise unless all that it needs is at hand. */
  handle(
    request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>>,
  ): Awaitable<Reply<Immutable<Static<Data>>, Immutable<Static<Meta>>>>;
}

type Awaitable<Value> = Promise<Value> | Value;

/** One operation of the interface: router, validation, serialization, OpenAPI and tests read it. */
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

/** Of operations that need neither keys nor session. */
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
  /** The roles that may. An `owner` may everything, named or not. */
  readonly roles: readonly StaffRole[];
  /** The decisions that it follows, where there are any. */
  readonly source?: readonly `D${number}`[];
  /** If-Match may say which state is meant; the write calls `refuseStaleEdit`. */
  readonly takesIfMatch?: true;
  /** In place of `body`: a file of one of these media types, as it is. What it holds is the handler's to check. */
  readonly bodyFile?: readonly string[];
  handle(
    request: StaffRequest<Static<Params>, Static<Query>, Static<Body>>,
  ): Promise<Reply<Immutable<Static<Data>>, Immutable<Static<Meta>>>>;
}

/** One operation of the organization's own side: the same frame for another audience. */
export interface StaffEndpoint extends Omit<Endpoint, 'permission' | 'rateGroup' | 'handle'> {
  readonly audience: 'staff';
  /** `anyone`: before there is a session. */
  readonly roles: readonly StaffRole[] | 'anyone';
  readonly takesIfMatch?: true;
  readonly bodyFile?: readonly string[];
  handle(
    request: StaffRequest<unknown, unknown, unknown> & SignInRequest<unknown, unknown, unknown>,
  ): Promise<Reply>;
}

/** An operation of either audience. */
export type AnyEndpoint = Endpoint | StaffEndpoint;

/** Declares an operation of the staff. It is served at the base address; the handler's types come from the schemas. */
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
 * Declares an operation of the staff that asks for no session. Signing in is the only kind: it has a function of its
 * own, so that no operation is left open by forgetting its roles, and its handler has no `staff` to mistake for
 * somebody.
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
