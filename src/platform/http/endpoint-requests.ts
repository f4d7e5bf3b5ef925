import type { BaseLogger } from 'pino';
import type { ClockSetting } from '../../kernel/clock.ts';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { KeyPermission, RateGroup } from '../../kernel/permission-catalog.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { UnprovenLimits } from './rate-limits.ts';

/** The caller that the two keys identify (D7). */
export interface Caller {
  readonly organizationId: OrganizationId;
  readonly integratorId: number;
  readonly integratorName: string;
  readonly clientKeyId: number;
  readonly permissions: ReadonlySet<KeyPermission>;
  /** The origins whose pages may use a publishable key (D67); null for a secret key. */
  readonly origins: readonly string[] | null;
  /** The integrator signs its customers in itself: who it names is the customer (D62). Never for a publishable key. */
  readonly vouches: boolean;
  /** Unknown names in bodies and queries are refused (D5). */
  readonly strict: boolean;
  readonly rateLimitPerSecond: Readonly<Record<RateGroup, number>>;
  /** The sandbox that the organization is (D60); null: it trades. */
  readonly sandbox: CallersSandbox | null;
  /** The operator has suspended the organization: writes are refused. */
  readonly isSuspended: boolean;
}

/** What a request of a sandbox needs of it. */
export interface CallersSandbox {
  readonly clock: ClockSetting;
}

/** A signed-in member of the organization's staff. */
export interface StaffCaller {
  readonly organizationId: OrganizationId;
  readonly staffId: number;
  readonly sessionId: number;
  /** The own one; with an approval, that of who approved. */
  readonly role: StaffRole;
  /** Who approved this request on the spot (`approvable`), for the audit log. */
  readonly approvedByStaffId?: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** As for a caller with keys. */
  readonly sandbox?: CallersSandbox | null;
  /** As for a caller with keys. */
  readonly isSuspended?: boolean;
  readonly standing: StaffStanding;
}

/** What is known of how the person of a session proved who they are (D72). */
export interface StaffStanding {
  /** The last proof: signing in, or a later one in the session. */
  readonly provenAtMs: number;
  readonly hasSecondFactor: boolean;
  /** A passkey is one, and proves who they are without the password. */
  readonly hasPasskey: boolean;
  /** The role needs a second factor, and the person has none yet. */
  readonly mustSetUpFactor: boolean;
  /** Whether the organization's staff may act from a network address; null: from every one. */
  readonly isAllowedFrom: ((address: string) => boolean) | null;
  /** Money of more than this is given back with a recent proof only; null: any is given without. */
  readonly proofAboveCents: number | null;
}

/** A client key and whose it is. */
export type KnownKey = Pick<Caller, 'organizationId' | 'integratorId' | 'clientKeyId'>;

/** Why a client key that exists was refused. */
export type KeyProblem = 'revoked' | 'expired' | 'other-consumer-key' | 'other-address' | 'other-origin';

/** A client key that exists, with the reason why it is refused. The reply does not tell; the log of its owner does. */
export interface RefusedKey extends KnownKey {
  readonly problem: KeyProblem;
}

/** The log entry of an integrator's request, made after its reply. */
export interface FinishedRequest {
  readonly caller: KnownKey;
  readonly method: string;
  readonly routeId: string;
  /** As sent, with the query. */
  readonly url: string;
  /** 499: the caller disconnected before the reply. */
  readonly status: number;
  readonly errorCode: ErrorCode | undefined;
  readonly ms: number;
  readonly requestId: string;
  /** The message of a refusal. */
  readonly message?: string | undefined;
  /** The key was refused. */
  readonly keyProblem?: KeyProblem | undefined;
}

/** A header that a slice declares for its operations. Pages of other origins may send it, too. */
export interface DeclaredHeader {
  /** As documented, `X-Order-Token`. */
  readonly name: `X-${string}` | 'ap-signature';
  readonly description: string;
}

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
  /**
   * Counts what a caller does without a proof of who it is, or throws RATE_LIMITED: for the address of a web page's visitor, for the key,
   * and for these names.
   */
  countUnproven(limits: UnprovenLimits, names?: readonly string[]): Promise<CountedAttempt>;
  /** A header as sent. */
  header(declared: DeclaredHeader): string | undefined;
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
  /**
   * RECENT_PROOF_REQUIRED, for the handler to throw, if the last proof is too old; null otherwise. For operations whose
   * `recentProof` has a condition.
   */
  readonly lackOfProof: () => Promise<Failure | null>;
}

/** A request without a session, from a sender who is not authenticated yet. */
export interface SignInRequest<Params, Query, Body>
  extends Omit<EndpointRequest<Params, Query, Body>, 'caller' | 'countUnproven' | 'requestsLeft' | 'pause'> {
  /** Counts an attempt, or throws RATE_LIMITED. The handler gives a successful attempt back. */
  countAttempt(attempt: Attempt): Promise<CountedAttempt>;
  /** Counts an attempt, or says why it is refused, for a handler that has another way. */
  tryToCount(attempt: Attempt): Promise<CountedAttempt | RefusedAttempt>;
  /** The client's network address, behind the trusted proxies. */
  readonly clientAddress: string;
  /** As the browser or program names itself; null if it does not. */
  readonly userAgent: string | null;
  /** Whether the browser reports a page of this service as the sender; programs send no such report. */
  readonly isFromOwnPage: boolean;
  /** The origin of the page of this service that sent the request, as the browser names it; null: none does. */
  readonly pageOrigin: string | null;
  /** The value of a cookie of this service by its plain name, as sent. */
  cookie(name: string): string | undefined;
}

/**
 * What an authentication attempt counts against, besides the network address. `account`: an email or a one-time link, shared with
 * attempts of unknown callers. `device`: a browser that has opened the account before, and all such browsers of the account.
 * `address`: the network address alone. `session`: a session of the account, and all of its sessions. `factor`: the second factor
 * of a member, after the right password. `reset`: an email whose owner asks for a new password. Names are digests or ids, never
 * the text that was typed; an account is `organization/member`.
 */
export type Attempt =
  | { readonly kind: 'account' | 'address' | 'factor' | 'reset'; readonly name: string }
  | { readonly kind: 'device' | 'session' | 'pin'; readonly name: string; readonly account: string };

export interface CountedAttempt {
  giveBack(): void;
}

export interface RefusedAttempt {
  /** RATE_LIMITED, for the handler to throw; the reply then says when to try again. */
  refused(): Failure;
}
