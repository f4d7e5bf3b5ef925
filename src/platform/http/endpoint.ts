import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { ApprovalKind } from '../../kernel/approval-kinds.ts';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import {
  type Address,
  type Permission,
  type RateGroup,
  rateGroupOf,
} from '../../kernel/permission-catalog.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import { approvalHeader } from './approval.ts';
import type { Reply } from './endpoint-replies.ts';
import type { DeclaredHeader, EndpointRequest, SignInRequest, StaffRequest } from './endpoint-requests.ts';
import type { ListFacts } from './list-facts.ts';
import { directionsOf, type RowSorts, sortFields, sortRows } from './list-sorts.ts';
import { isWholeList, metaWithTotal } from './list-total.ts';
import type { BodyTooLarge } from './request-body.ts';

/* Declarations of operations. What a handler gets is in endpoint-requests.ts, what it returns in endpoint-replies.ts. */
export {
  type EventStream,
  type RawJsonReply,
  type Reply,
  reply,
  replyEmpty,
  replyFile,
  replyRawJson,
  replyStream,
} from './endpoint-replies.ts';
export type {
  Attempt,
  Caller,
  CallersSandbox,
  CountedAttempt,
  EndpointRequest,
  FinishedRequest,
  RequestLog,
  SignInRequest,
  StaffCaller,
  StaffRequest,
  StaffStanding,
} from './endpoint-requests.ts';

/** The path of a missing body field, or of several alternatives of which one is required. */
export type AbsentField = string | readonly [path: string, ...alternatives: string[]];

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
  /** `menu`: served at the menu address, too. The base address serves all operations. */
  readonly address: Address;
  /** Null: any valid keys are enough. */
  readonly permission: Permission | null;
  /**
   * Whether the key of a web page may call it (D67). Its text is public, so `allowed` means: every visitor may, and the
   * reply shows only what is for every visitor, unless the request proves who asks.
   */
  readonly publishableKey: 'allowed' | 'refused';
  /** Enough instead of `permission`; the handler shows such a caller less. */
  readonly permissionForLess?: Permission;
  readonly kind: 'read' | 'write';
  /**
   * A standby may answer its reads, if there is one (0025): for lists, reports, menus, exports and feeds. By default the primary
   * does: for keys, sessions, and whatever leads to an order. A list says why.
   */
  readonly readsFrom?: 'standby' | { readonly primary: string };
  /** What cannot be read off the schemas of a list. */
  readonly list?: ListFacts<RowOf<Immutable<Static<Data>>>, Static<Query>>;
  /** Why a shop of the demo has no rows to show. */
  readonly emptyInDemo?: string;
  /** Neither its request nor its reply has an email or a phone: it tells a key without vouched customers nothing (D62). */
  readonly namesNoContact?: true;
  /** Default: that of its permission. */
  readonly rateGroup?: RateGroup;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
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
    readonly status: 200 | 201 | 202 | 204;
    readonly data?: Data;
    /** A narrower schema of `data`, which replies to secret keys with vouched customers fulfil (D62): for clients that have one. */
    readonly vouchedData?: TSchema;
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
  /** Headers of its own: `request.header` reads them. */
  readonly headers?: readonly DeclaredHeader[];
  /** The write ignores Idempotency-Key; its description says why. */
  readonly ignoresIdempotencyKey?: true;
  /** Rejects a caller who may not see what a request with Idempotency-Key was answered: headers are no part of that request. */
  refuseReplay?(request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>>): Promise<unknown>;
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
    | 'handle'
    | 'refuseReplay'
    | 'list'
    | 'resourceParams'
    | 'rateGroup'
    | 'bodyBytesMax'
    | 'success'
    | 'requestExample'
  > {
  readonly list?: ListFacts<never, never>;
  readonly rateGroup: RateGroup;
  readonly bodyBytesMax: number;
  readonly bodyTooLarge?: BodyTooLarge;
  readonly resourceParams: Readonly<Record<string, ErrorCode>>;
  readonly requestExample?: unknown;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly data?: TSchema;
    readonly vouchedData?: TSchema;
    readonly meta?: TSchema;
    readonly file?: readonly string[];
    readonly description: string;
    readonly example?: unknown;
    readonly metaExample?: unknown;
    readonly revalidates?: true;
  };
  refuseReplay?(request: EndpointRequest<unknown, unknown, unknown>): Promise<unknown>;
  handle(request: EndpointRequest<unknown, unknown, unknown>): Awaitable<Reply>;
}

const bodyBytesMaxDefault = 1_048_576;

/** For operations without keys and session. */
const openBodyBytesMax = 4_096;

/** Declares an operation. The handler's types come from the schemas. */
export function endpoint<
  Params extends TSchema = TObject<Record<never, never>>,
  Query extends TSchema = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Data extends TSchema = TSchema,
  Meta extends TSchema = TSchema,
>(declaration: Declaration<Params, Query, Body, Data, Meta>): Endpoint {
  return {
    rateGroup: rateGroupOf(declaration.permission),
    bodyBytesMax: bodyBytesMaxDefault,
    resourceParams: {},
    ...declaration,
  } as unknown as Endpoint;
}

type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : never;

interface StaffDeclaration<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
  Meta extends TSchema,
> extends Omit<
    Declaration<Params, Query, Body, Data, Meta>,
    'address' | 'permission' | 'publishableKey' | 'namesNoContact' | 'rateGroup' | 'refuseReplay' | 'handle'
  > {
  /** Under `/staff/v1`. */
  readonly path: `/staff/v1/${string}`;
  /** The roles that may call it; an `owner` always may. */
  readonly roles: readonly StaffRole[];
  /** The decisions that define it, if any. */
  /** If-Match may carry the expected `updatedAt`; the write calls `refuseStaleEdit`. */
  readonly takesIfMatch?: true;
  /** What a list that answers all its rows can be sorted by, its own order first. It takes `sortBy` and `sortDirection`. */
  readonly sorts?: RowSorts<RowOf<Immutable<Static<Data>>>>;
  /** Instead of `body`: a raw file of one of these media types. The handler checks its content. */
  readonly bodyFile?: readonly string[];
  /** See `StaffEndpoint`. */
  readonly exported?: Exported;
  readonly recentProof?: RecentProof;
  readonly approvable?: ApprovalKind;
  readonly isOpenWithoutFactor?: true;
  readonly refusesUnknownNames?: true;
  handle(
    request: StaffRequest<Static<Params>, Static<Query>, Static<Body>>,
  ): Promise<Reply<Immutable<Static<Data>>, Immutable<Static<Meta>>>>;
}

/** Whether the export of an organization has what an operation answers, in a file of another name than its path says; or why not. */
export type Exported = true | { readonly as: string } | { readonly not: string };

/**
 * Whether an operation needs a proof of who uses the session that is less than ten minutes old (D72): always, or on a
 * condition, in words that complete "Needs a recent proof …"; then the handler asks `lackOfProof`.
 */
export type RecentProof = 'always' | `if ${string}`;

/** One operation of the organization's staff, on the same frame. */
export interface StaffEndpoint
  extends Omit<
    Endpoint,
    'permission' | 'publishableKey' | 'namesNoContact' | 'rateGroup' | 'refuseReplay' | 'handle'
  > {
  readonly audience: 'staff';
  /** `anyone`: no session is required. */
  readonly roles: readonly StaffRole[] | 'anyone';
  readonly takesIfMatch?: true;
  /** What a list that answers all its rows can be sorted by, as `sortBy` names it. */
  readonly sorts?: RowSorts<never>;
  /** See `Exported`. By default the export has every list. */
  readonly exported?: Exported;
  /** A name that neither the body nor the reply has is refused, anywhere in the body. By default settings do. */
  readonly refusesUnknownNames?: boolean;
  readonly bodyFile?: readonly string[];
  readonly recentProof?: RecentProof;
  /** With `X-Approval`, of a member who may do it, for those who may not do it alone. */
  readonly approvable?: ApprovalKind;
  /** Served to people who must set up a second factor first: what leads them there, and signing out. */
  readonly isOpenWithoutFactor?: true;
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
  const endpoint = {
    ...staffDefaults,
    refusesUnknownNames: settingTags.has(declaration.tag),
    ...declaration,
    ...(declaration.approvable && { headers: [...(declaration.headers ?? []), approvalHeader] }),
  } as unknown as StaffEndpoint;
  return endpoint.method === 'GET' && isWholeList(endpoint) ? wholeList(endpoint) : endpoint;
}

/** A list without pages says how many rows it has, and sorts them; one with pages does both itself. */
function wholeList(endpoint: StaffEndpoint): StaffEndpoint {
  const sorts = endpoint.sorts as RowSorts<unknown> | undefined;
  return {
    ...endpoint,
    ...(sorts && {
      query: Type.Object({ ...endpoint.query?.properties, ...sortFields(directionsOf(sorts)) }),
    }),
    success: { ...endpoint.success, ...metaWithTotal(endpoint) },
    handle: async (request) => {
      const answer = await endpoint.handle(request);
      if (answer.kind !== 'json') return answer;
      const rows = answer.data as readonly unknown[];
      const data = sorts ? sortRows(sorts, rows, request.query as SortQuery) : rows;
      return { ...answer, data, meta: { ...answer.meta, total: rows.length, more: false } };
    },
  };
}

/**
 * What is set here holds for all later carts, orders and callers: a condition or restriction that is ignored, because its name is not
 * known, would let more happen than was meant (D91).
 */
const settingTags: ReadonlySet<string> = new Set(['Keys', 'Marketing', 'Settings', 'Staff', 'Webhooks']);

const staffDefaults = {
  audience: 'staff',
  address: 'base',
  bodyBytesMax: bodyBytesMaxDefault,
  resourceParams: {},
} as const;

/**
 * Declares an operation without keys and session: signing in, and what other services report, which proves nothing by itself. The
 * separate function prevents operations that are open by mistake, and its handler has no `staff`.
 */
export function signInEndpoint<
  Body extends TSchema = TObject<Record<never, never>>,
  Data extends TSchema = TSchema,
  Params extends TSchema = TObject<Record<never, never>>,
>(
  declaration: Omit<
    StaffDeclaration<Params, TObject<Record<never, never>>, Body, Data, TSchema>,
    'roles' | 'handle'
  > & {
    handle(
      request: SignInRequest<Static<Params>, Record<never, never>, Static<Body>> &
        Pick<StaffRequest<unknown, unknown, unknown>, 'file'>,
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
