import { type Failure, failure } from '../../kernel/failure.ts';
import { allows, namesEnough, type Permission } from '../../kernel/permission-catalog.ts';
import type { RateLimitState } from './attempt-counts.ts';
import type { Caller, Endpoint } from './endpoint.ts';
import type { CountedAttempt, RefusedKey } from './endpoint-requests.ts';
import { failureLimits, failuresOfAddress, type RateLimiter, type UnprovenLimits } from './rate-limits.ts';
import type { RequestContext } from './request-context.ts';

/** The sender of a request; used only for keys with an address list. */
export interface Sender {
  readonly clientAddress: string;
}

type Admitting = Pick<Endpoint, 'kind' | 'permission' | 'permissionForLess' | 'publishableKey' | 'rateGroup'>;

/** Finds the caller of two keys; null when the keys are invalid, for any reason (D7). */
export type Authenticate = (
  consumerKey: string | undefined,
  clientKey: string | undefined,
  from: Sender,
) => Promise<Found> | Found;

/** The caller of the keys; a client key that exists and is refused; or null. */
type Found = Caller | RefusedKey | null;

/**
 * Checks keys, permission and rate limit, in this order (D13), and throws a refusal. A request without the permission
 * counts against the limit, too. Without `rateLimits` nothing is counted (D10). Returns no promise unless it has to
 * wait.
 */
export function admit(
  requestContext: RequestContext,
  endpoint: Admitting,
  authenticate: Authenticate,
  rateLimits: RateLimiter | undefined,
): Promise<Caller> | Caller {
  const { headers } = requestContext.request;
  const known = authenticate(
    headers['x-consumer-key'] as string | undefined,
    headers['x-client-key'] as string | undefined,
    requestContext,
  );
  return known instanceof Promise
    ? known.then((found) => letIn(requestContext, endpoint, found, rateLimits))
    : letIn(requestContext, endpoint, known, rateLimits);
}

function letIn(
  requestContext: RequestContext,
  { rateGroup, kind, permission, permissionForLess, publishableKey }: Admitting,
  found: Found,
  rateLimits: RateLimiter | undefined,
): Promise<Caller> | Caller {
  if (found === null || 'problem' in found) {
    requestContext.refusedKey = found ?? undefined;
    return refuseKeys(requestContext, rateLimits);
  }
  const caller = found;
  const { origin } = requestContext.request.headers;
  const isOwnPage = origin !== undefined && caller.origins?.includes(origin) === true;
  if (isOwnPage) requestContext.readableBy = origin;
  if (caller.origins !== null && publishableKey === 'allowed' && !isOwnPage)
    throw otherOrigin(requestContext, caller);
  requestContext.caller = caller;

  const perSecond = caller.rateLimitPerSecond[rateGroup];
  const limit =
    caller.origins === null
      ? rateLimits?.takeRequest(caller.clientKeyId, rateGroup, perSecond)
      : rateLimits?.takeVisit(caller.clientKeyId, rateGroup, perSecond, requestContext.clientAddress);
  const decide = (state: RateLimitState | undefined): Caller => {
    if (state) setLimitHeaders(requestContext, state);
    if (caller.origins !== null && publishableKey === 'refused') {
      throw failure('INSUFFICIENT_PERMISSIONS', 'A publishable key cannot call this operation.');
    }
    if (permission !== null && !allows(caller.permissions, kind, permission)) {
      const isEnough = permissionForLess !== undefined && allows(caller.permissions, kind, permissionForLess);
      if (!isEnough) throw missingPermission(kind, permission, permissionForLess);
    }
    if (state?.allowed === false) {
      throw limited(requestContext, state, `The limit is ${perSecond} requests a second.`);
    }
    if (kind === 'write' && caller.isSuspended) throw suspended();
    return caller;
  };
  return limit instanceof Promise ? limit.then(decide) : decide(limit);
}

/** The refusal of a write to an organization that the operator has suspended. */
export function suspended(): Failure {
  return failure(
    'ORGANIZATION_SUSPENDED',
    'The organization is suspended: it can be read, and nothing can be written.',
  );
}

async function refuseKeys(
  requestContext: RequestContext,
  rateLimits: RateLimiter | undefined,
): Promise<never> {
  await countFailure(requestContext, rateLimits);
  throw failure(
    'INVALID_API_CREDENTIALS',
    'X-Consumer-Key and X-Client-Key must be valid and belong together.',
  );
}

/** The refusal of a publishable key outside its pages (D67). The key is public, so the refusal says what is wrong. */
function otherOrigin(
  requestContext: RequestContext,
  { organizationId, integratorId, clientKeyId }: Caller,
): Failure {
  requestContext.refusedKey = { organizationId, integratorId, clientKeyId, problem: 'other-origin' };
  return failure(
    'ORIGIN_NOT_ALLOWED',
    'Origin must be one of the origins of the publishable key: it works on pages of these only.',
  );
}

function missingPermission(
  kind: Endpoint['kind'],
  ...permissions: readonly (Permission | undefined)[]
): Failure {
  const needed = permissions
    .flatMap((permission) => (permission === undefined ? [] : namesEnough(kind, permission)))
    .join(' or ');
  return failure('INSUFFICIENT_PERMISSIONS', `The client key must have the permission ${needed}.`);
}

/** Counts failures only: valid keys are never refused because of wrong keys from the same address. */
export async function countFailure(
  requestContext: RequestContext,
  rateLimits: RateLimiter | undefined,
): Promise<void> {
  const refusal = await rateLimits?.takeFailures(
    ...failuresOfAddress(failureLimits.keys, requestContext.clientAddress),
  );
  if (refusal) throw limited(requestContext, refusal.state, 'Too many failed sign-ins from this address.');
}

/** See `EndpointRequest.countUnproven`. */
export async function countUnproven(
  requestContext: RequestContext,
  rateLimits: RateLimiter | undefined,
  { organizationId, clientKeyId, origins }: Caller,
  { ofName, ofAddress, ofKey, refusal }: UnprovenLimits,
  names: readonly string[],
): Promise<CountedAttempt> {
  const counted = [
    ...(ofName === undefined ? [] : names.map((name) => [ofName, `${organizationId} ${name}`] as const)),
    ...(origins === null ? [] : failuresOfAddress(ofAddress, requestContext.clientAddress)),
    [ofKey, String(clientKeyId)] as const,
  ];
  const refused = await rateLimits?.takeFailures(...counted);
  if (refused) throw limited(requestContext, refused.state, refusal);
  return { giveBack: () => rateLimits?.giveBackFailures(...counted) };
}

/** Sets the RateLimit headers of the reply. */
export function setLimitHeaders({ headers }: RequestContext, limit: RateLimitState): void {
  headers['ratelimit-limit'] = limit.limit;
  headers['ratelimit-remaining'] = limit.remaining;
  headers['ratelimit-reset'] = limit.resetSeconds;
}

/** The refusal of a request over a limit; its reply names the limit and the time to wait. */
export function limited(requestContext: RequestContext, limit: RateLimitState, message: string): Failure {
  setLimitHeaders(requestContext, limit);
  requestContext.headers['retry-after'] = limit.retryAfterSeconds;
  return failure('RATE_LIMITED', message);
}
