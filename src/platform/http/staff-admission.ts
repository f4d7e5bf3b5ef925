import type { ApprovalKind } from '../../kernel/approval-kinds.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { countFailure, limited, setLimitHeaders, suspended } from './admission.ts';
import { approvalHeader } from './approval.ts';
import type { Attempt, CountedAttempt, StaffCaller, StaffEndpoint } from './endpoint.ts';
import type { RefusedAttempt } from './endpoint-requests.ts';
import { type CountedFailure, failureLimits, failuresOfAddress, type RateLimiter } from './rate-limits.ts';
import type { RequestContext } from './request-context.ts';
import type { ServiceNames } from './sent-host.ts';
import { sessionCookie } from './session-cookie.ts';

/**
 * Finds the staff session of a token; null when there is none, for any reason. The answer may be a second old, unless it
 * is asked to be fresh.
 */
export type AuthenticateStaff = (token: string, isFresh?: boolean) => Promise<StaffCaller | null>;

/** The caller with the role of who approved this kind of act in this session; as they are, where the approval is over or of another. */
export type Approve = (token: string, staff: StaffCaller, kind: ApprovalKind) => Promise<StaffCaller>;

/** How long a proof of who uses a session holds (D72). */
export const proofLifeMs = 600_000;

/** A console shows several lists at once. */
const requestsPerSecond = 30;

/** What the admission of staff needs. */
export interface StaffGate {
  readonly authenticate: AuthenticateStaff;
  /** The full name of a cookie. */
  readonly cookieName: (plainName: string) => string;
  /** Absent: nothing is approved here. */
  readonly approve?: Approve;
  /** The hosts of this service. */
  readonly names: ServiceNames;
  readonly clock: Clock;
}

/**
 * Checks session, role and rate limit of staff in the order of D13, and throws a refusal. A write with a session cookie
 * must come from a page of this service, because browsers add the cookie to requests of any page. A bearer token is
 * added by a program on purpose, and takes precedence over the cookie.
 */
export async function admitStaff(
  requestContext: RequestContext,
  endpoint: Pick<StaffEndpoint, 'method' | 'roles' | 'recentProof' | 'isOpenWithoutFactor' | 'approvable'>,
  gate: StaffGate,
  rateLimits: RateLimiter | undefined,
): Promise<StaffCaller> {
  const { method, roles } = endpoint;
  const { bearer, token } = tokensOf(requestContext, gate);
  let staff = token === undefined ? null : await gate.authenticate(token);
  // A factor may have just been set up, also by another process.
  if (staff?.standing.mustSetUpFactor) staff = await gate.authenticate(token!, true);
  if (!staff) {
    // Without a token there was no attempt.
    if (token !== undefined) await countFailure(requestContext, rateLimits);
    throw failure(
      'INVALID_API_CREDENTIALS',
      'There is no valid session: sign in with POST /staff/v1/sessions.',
    );
  }
  requestContext.staff = staff;
  if (isElsewhere(staff, requestContext)) {
    // The list may have just been changed, also by another process.
    const fresh = await gate.authenticate(token!, true);
    if (fresh === null || isElsewhere(fresh, requestContext)) throw addressNotAllowed();
  }

  const limit = await rateLimits?.takeRequest(staff.sessionId, 'staff', requestsPerSecond);
  if (limit) setLimitHeaders(requestContext, limit);
  if (bearer === undefined && method !== 'GET') {
    const origin = originOf(requestContext, gate.names);
    if (origin === 'of unknown host') throw unknownHost();
    if (origin !== 'ours') {
      throw failure(
        'CROSS_ORIGIN_REQUEST',
        'With a session cookie, Origin, Referer or Sec-Fetch-Site must say that the request comes from this service.',
      );
    }
  }
  if (staff.standing.mustSetUpFactor && !endpoint.isOpenWithoutFactor) {
    throw failure(
      'SECOND_FACTOR_NOT_SET_UP',
      `The role ${staff.role} needs a second factor: set one up with POST /staff/v1/me/totp, or add a passkey.`,
    );
  }
  const approval = endpoint.approvable && requestContext.request.headers[approvalHeader.name.toLowerCase()];
  if (typeof approval === 'string' && gate.approve) {
    staff = await gate.approve(approval, staff, endpoint.approvable!);
  }
  if (staff.role !== 'owner' && !roles.includes(staff.role)) {
    const needed = ['owner', ...(roles as readonly string[]).filter((role) => role !== 'owner')];
    throw failure('INSUFFICIENT_PERMISSIONS', `The role must be one of ${needed.join(', ')}.`);
  }
  if (limit?.allowed === false) {
    throw limited(requestContext, limit, `The limit is ${requestsPerSecond} requests a second.`);
  }
  // Signing out and proving who one is stay open.
  if (staff.isSuspended && method !== 'GET' && !endpoint.isOpenWithoutFactor) throw suspended();
  const lack = endpoint.recentProof === 'always' ? await lackOfProof(requestContext, staff, gate) : null;
  if (lack !== null) throw lack;
  return staff;
}

function isElsewhere({ standing }: StaffCaller, { clientAddress }: RequestContext): boolean {
  return standing.isAllowedFrom !== null && !standing.isAllowedFrom(clientAddress);
}

/** The refusal of staff who sign in or act from another network than those of their organization (D72). */
export function addressNotAllowed(): Failure {
  return failure(
    'ADDRESS_NOT_ALLOWED',
    'The organization allows its staff certain network addresses only, and this is none of them.',
  );
}

/** The token of the request, and whether a program added it on purpose. */
function tokensOf(requestContext: RequestContext, { cookieName }: StaffGate) {
  const { authorization, cookie } = requestContext.request.headers;
  const bearer = /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  return { bearer, token: bearer ?? cookieValue(cookie, cookieName(sessionCookie)) };
}

/**
 * RECENT_PROOF_REQUIRED if the last proof of who uses the session is too old; null otherwise. Another process may have just
 * taken one, so a refusal is by a fresh answer.
 */
export async function lackOfProof(
  requestContext: RequestContext,
  { standing }: StaffCaller,
  gate: StaffGate,
): Promise<Failure | null> {
  const isRecent = (provenAtMs: number) => gate.clock.now() - provenAtMs < proofLifeMs;
  if (isRecent(standing.provenAtMs)) return null;
  const { token } = tokensOf(requestContext, gate);
  const fresh = token === undefined ? null : await gate.authenticate(token, true);
  if (fresh !== null && isRecent(fresh.standing.provenAtMs)) return null;
  return failure(
    'RECENT_PROOF_REQUIRED',
    'Prove that it is you with POST /staff/v1/me/proof, then send the same request again.',
    {
      needs: standing.hasSecondFactor ? 'password-and-code' : 'password',
      ...(standing.hasPasskey && { passkey: true }),
    },
  );
}

/** Signing in changes the account of a browser, so a page of another site must not do it. */
export function requireOwnPage(requestContext: RequestContext, { names }: StaffGate): void {
  const origin = originOf(requestContext, names);
  if (origin === 'of unknown host') throw unknownHost();
  if (origin === 'foreign') {
    throw failure(
      'CROSS_ORIGIN_REQUEST',
      'Origin, Referer and Sec-Fetch-Site must be those of this service.',
    );
  }
}

const attemptRefusals: Readonly<Record<string, string>> = {
  signInsOfAccount: 'Too many failed sign-ins with this email.',
  signInsOfDevice: 'Too many failed sign-ins from this device.',
  signInsOfDevices: 'Too many failed sign-ins with this email.',
  passwordsOfSession: 'Too many wrong passwords.',
  passwordsOfSessions: 'Too many wrong passwords.',
  factorsOfAccount: 'Too many wrong codes.',
  pinsOfSession: 'Too many wrong PINs: sign in with the password.',
  pinsOfAll: 'Too many wrong PINs here: sign in with the password.',
  resetsOfAccount: 'Too many new passwords were asked for with this email.',
  resetsOfAddress: 'Too many new passwords were asked for from this address.',
  resetsOfNetwork: 'Too many new passwords were asked for from this address.',
};

/** Counts an attempt to sign in, if it may be made; see `SignInRequest`. */
export async function tryToCount(
  requestContext: RequestContext,
  rateLimits: RateLimiter | undefined,
  attempt: Attempt,
): Promise<CountedAttempt | RefusedAttempt> {
  const counted = countedAttempt(requestContext, attempt);
  const refusal = await rateLimits?.takeFailures(...counted);
  if (!refusal) return { giveBack: () => rateLimits?.giveBackFailures(...counted) };
  const message = attemptRefusals[refusal.kind] ?? 'Too many failed sign-ins from this address.';
  return { refused: () => limited(requestContext, refusal.state, message) };
}

/** Each counts for the address, too. Who is known by a device, a session or a password has wider limits there. */
function countedAttempt({ clientAddress }: RequestContext, attempt: Attempt): CountedFailure[] {
  const { name } = attempt;
  const limits = failureLimits;
  if (attempt.kind === 'address') return failuresOfAddress(limits.signIns, clientAddress);
  if (attempt.kind === 'account')
    return [...failuresOfAddress(limits.signIns, clientAddress), [limits.signInsOfAccount, name]];
  if (attempt.kind === 'reset')
    return [...failuresOfAddress(limits.resets, clientAddress), [limits.resetsOfAccount, name]];
  const known = failuresOfAddress(limits.knownSignIns, clientAddress);
  if (!('account' in attempt)) return [...known, [limits.factorsOfAccount, name]];
  const { account } = attempt;
  if (attempt.kind === 'pin') return [...known, [limits.pinsOfSession, name], [limits.pinsOfAll, account]];
  if (attempt.kind === 'device')
    return [...known, [limits.signInsOfDevice, `${name} ${account}`], [limits.signInsOfDevices, account]];
  return [...known, [limits.passwordsOfSession, name], [limits.passwordsOfSessions, account]];
}

/** Whether a page of this service sends the request, by headers that only browsers set. */
export function isFromOwnPage(requestContext: RequestContext, { names }: StaffGate): boolean {
  return originOf(requestContext, names) === 'ours';
}

/** The value of a cookie; of several with the name the first, which has the longest path. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

type PageOrigin = 'ours' | 'of unknown host' | 'foreign' | 'unknown';

/**
 * The origin of the page that sent the request, as the browser reports it; programs usually report none. A page is ours
 * if its origin is PUBLIC_URL, or the host of the request if that is a name of this service. An attacker may point any
 * other name at this machine.
 */
function originOf({ request }: RequestContext, names: ServiceNames): PageOrigin {
  const { origin, referer, host } = request.headers;
  const ofThisHost = (): PageOrigin => (names.know(request) ? 'ours' : 'of unknown host');
  const from = origin ?? referer;
  if (from !== undefined) {
    // Browsers send `null` for an opaque origin; it is not an address, and foreign.
    const url = URL.canParse(from) ? new URL(from) : undefined;
    if (url === undefined) return 'foreign';
    if (url.origin === names.publicOrigin) return 'ours';
    return url.host === host?.toLowerCase() ? ofThisHost() : 'foreign';
  }
  const site = request.headers['sec-fetch-site'];
  // `none`: the user typed the address.
  if (site === undefined || site === 'none') return 'unknown';
  return site === 'same-origin' ? ofThisHost() : 'foreign';
}

function unknownHost(): Failure {
  return failure(
    'CROSS_ORIGIN_REQUEST',
    'Host must be that of PUBLIC_URL, or an address of this server. Behind a proxy, set PUBLIC_URL.',
  );
}
