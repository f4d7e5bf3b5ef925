import { failure } from '../kernel/failure.ts';
import { countFailure, limited, takeRequest } from './admission.ts';
import type { Attempt, StaffCaller, StaffEndpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { type CountedFailure, type FailureKind, failuresOfAddress, type RateLimits } from './rate-limits.ts';

/** Tells whose session a token is; null when there is none, for whatever reason. */
export type AuthenticateStaff = (token: string) => Promise<StaffCaller | null>;

export const sessionCookie = 'dispensary_session';

/** A console shows several lists at once. */
const requestsPerSecond = 30;

/** What the admission of staff works with. */
export interface StaffGate {
  readonly authenticate: AuthenticateStaff;
  /** The origin of PUBLIC_URL, where it is set. */
  readonly publicOrigin: string | undefined;
}

/**
 * Lets a signed-in member of staff in by session, role and rate limit, in the order of D13, or throws. A request that
 * changes something and shows its session by cookie must come from our own pages: a browser adds the cookie on
 * anybody's behalf. A bearer token is added by a program that has it, and goes before the cookie.
 */
export async function admitStaff(
  exchange: Exchange,
  { method, roles }: Pick<StaffEndpoint, 'method' | 'roles'>,
  { authenticate, publicOrigin }: StaffGate,
  rateLimits: RateLimits | undefined,
): Promise<StaffCaller> {
  const { authorization, cookie } = exchange.request.headers;
  const bearer = /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  const token = bearer ?? cookieValue(cookie, sessionCookie);
  const staff = token === undefined ? null : await authenticate(token);
  if (!staff) {
    // Without a token nothing was tried.
    if (token !== undefined) countFailure(exchange, rateLimits);
    throw failure(
      'INVALID_API_CREDENTIALS',
      'There is no session, or it has ended: sign in with POST /staff/v1/sessions.',
    );
  }
  exchange.staff = staff;

  const limit = takeRequest(exchange, rateLimits, staff.sessionId, 'staff', requestsPerSecond);
  if (bearer === undefined && method !== 'GET' && originOf(exchange, publicOrigin) !== 'ours') {
    throw failure(
      'CROSS_ORIGIN_REQUEST',
      'With a session cookie, Origin, Referer or Sec-Fetch-Site must say that the request comes from this service.',
    );
  }
  if (staff.role !== 'owner' && !roles.includes(staff.role)) {
    const needed = ['owner', ...(roles as readonly string[]).filter((role) => role !== 'owner')];
    throw failure('INSUFFICIENT_PERMISSIONS', `The role must be one of ${needed.join(', ')}.`);
  }
  if (limit?.allowed === false) {
    throw limited(exchange, limit, `More requests than ${requestsPerSecond} a second.`);
  }
  return staff;
}

/** Signing in changes which account a browser works with: another site's page may not have it done. */
export function admitAnyone(exchange: Exchange, { publicOrigin }: StaffGate): void {
  if (originOf(exchange, publicOrigin) === 'foreign') {
    throw failure(
      'CROSS_ORIGIN_REQUEST',
      'Origin, Referer and Sec-Fetch-Site must be those of this service.',
    );
  }
}

const attemptRefusals: Readonly<Partial<Record<FailureKind, string>>> = {
  signInsOfAccount: 'Too many failed sign-ins with this email.',
  signInsOfDevice: 'Too many failed sign-ins from this device.',
  passwordsOfSession: 'Too many wrong passwords.',
};

/** Counts an attempt to sign in; see `SignInRequest`. */
export function countAttempt(
  exchange: Exchange,
  rateLimits: RateLimits | undefined,
  { kind, name }: Attempt,
): { giveBack(): void } {
  const counted = countedAttempt(exchange, kind, name);
  const refusal = rateLimits?.takeFailures(...counted);
  if (refusal) {
    const message = attemptRefusals[refusal.kind] ?? 'Too many failed sign-ins from this address.';
    throw limited(exchange, refusal.state, message);
  }
  return { giveBack: () => rateLimits?.giveBackFailures(...counted) };
}

function countedAttempt(exchange: Exchange, kind: Attempt['kind'], name: string): CountedFailure[] {
  if (kind === 'device') return [['signInsOfDevice', name]];
  if (kind === 'session') return [['passwordsOfSession', name]];
  return [...failuresOfAddress('signIns', exchange.clientAddress), ['signInsOfAccount', name]];
}

/** Whether a page of ours sends the request, by what only browsers say. */
export function isOfOurPages(exchange: Exchange, { publicOrigin }: StaffGate): boolean {
  return originOf(exchange, publicOrigin) === 'ours';
}

/** The value of a cookie; of several with its name the first, which is the one of the longest path. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Whose page a browser sends the request for; programs usually do not say. */
function originOf({ request }: Exchange, publicOrigin: string | undefined): 'ours' | 'foreign' | 'unknown' {
  const { origin, referer, host } = request.headers;
  const from = origin ?? referer;
  if (from !== undefined) {
    // `null` is what a browser says of a page that it trusts with nothing; it is no address, and not ours.
    const url = URL.canParse(from) ? new URL(from) : undefined;
    const isOurs = url !== undefined && (url.host === host?.toLowerCase() || url.origin === publicOrigin);
    return isOurs ? 'ours' : 'foreign';
  }
  const site = request.headers['sec-fetch-site'];
  // `none`: a person typed the address.
  if (site === undefined || site === 'none') return 'unknown';
  return site === 'same-origin' ? 'ours' : 'foreign';
}
