import { type Failure, failure } from '../kernel/failure.ts';
import type { RateLimitState } from './attempt-counts.ts';
import type { Caller, Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { failuresOfAddress, type RateLimits } from './rate-limits.ts';

/** The sender of a request; used only for keys with an address list. */
export interface Sender {
  readonly clientAddress: string;
}

type Admitting = Pick<Endpoint, 'permission' | 'permissionForLess' | 'rateGroup'>;

/** Finds the caller of two keys; null when the keys are invalid, for any reason (D7). */
export type Authenticate = (
  consumerKey: string | undefined,
  clientKey: string | undefined,
  from: Sender,
) => Promise<Caller | null> | Caller | null;

/**
 * Checks keys, permission and rate limit, in this order (D13), and throws a refusal. A request without the permission
 * counts against the limit, too. Without `rateLimits` nothing is counted (D10). Returns no promise unless it has to
 * wait.
 */
export function admit(
  exchange: Exchange,
  endpoint: Admitting,
  authenticate: Authenticate,
  rateLimits: RateLimits | undefined,
): Promise<Caller> | Caller {
  const { headers } = exchange.request;
  const known = authenticate(
    headers['x-consumer-key'] as string | undefined,
    headers['x-client-key'] as string | undefined,
    exchange,
  );
  return known instanceof Promise
    ? known.then((caller) => letIn(exchange, endpoint, caller, rateLimits))
    : letIn(exchange, endpoint, known, rateLimits);
}

function letIn(
  exchange: Exchange,
  { rateGroup, permission, permissionForLess }: Admitting,
  caller: Caller | null,
  rateLimits: RateLimits | undefined,
): Caller {
  if (!caller) {
    countFailure(exchange, rateLimits);
    throw failure(
      'INVALID_API_CREDENTIALS',
      'X-Consumer-Key and X-Client-Key must be valid and belong together.',
    );
  }
  exchange.caller = caller;

  const limit = takeRequest(
    exchange,
    rateLimits,
    caller.clientKeyId,
    rateGroup,
    caller.rateLimitPerSecond[rateGroup],
  );
  if (permission !== null && !caller.permissions.has(permission)) {
    const isEnough = permissionForLess !== undefined && caller.permissions.has(permissionForLess);
    if (!isEnough) throw missingPermission(permission, permissionForLess);
  }
  if (limit?.allowed === false) {
    throw limited(exchange, limit, `The limit is ${caller.rateLimitPerSecond[rateGroup]} requests a second.`);
  }
  return caller;
}

function missingPermission(...permissions: readonly (string | undefined)[]): Failure {
  const needed = permissions.filter((permission) => permission !== undefined).join(' or ');
  return failure('INSUFFICIENT_PERMISSIONS', `The client key must have the permission ${needed}.`);
}

/** Counts failures only: valid keys are never refused because of wrong keys from the same address. */
export function countFailure(exchange: Exchange, rateLimits: RateLimits | undefined): void {
  if (rateLimits === undefined) return;
  const refusal = rateLimits.takeFailures(...failuresOfAddress('keys', exchange.clientAddress));
  if (refusal) throw limited(exchange, refusal.state, 'Too many failed sign-ins from this address.');
}

/** Counts a request and sets the RateLimit headers. The caller decides later whether it is allowed (D13). */
export function takeRequest(
  exchange: Exchange,
  rateLimits: RateLimits | undefined,
  id: number,
  group: string,
  perSecond: number,
): RateLimitState | undefined {
  const limit = rateLimits?.takeRequest(id, group, perSecond);
  if (limit) setLimitHeaders(exchange, limit);
  return limit;
}

function setLimitHeaders({ headers }: Exchange, limit: RateLimitState): void {
  headers['ratelimit-limit'] = limit.limit;
  headers['ratelimit-remaining'] = limit.remaining;
  headers['ratelimit-reset'] = limit.resetSeconds;
}

/** The refusal of a request over a limit; its reply names the limit and the time to wait. */
export function limited(exchange: Exchange, limit: RateLimitState, message: string): Failure {
  setLimitHeaders(exchange, limit);
  exchange.headers['retry-after'] = limit.retryAfterSeconds;
  return failure('RATE_LIMITED', message);
}
