import { addressFilter } from '../../kernel/address-ranges.ts';
import type { Environment } from '../../kernel/api-keys.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import type { SignInRequest, StaffCaller } from '../../platform/http/endpoint.ts';
import { addressNotAllowed } from '../../platform/http/staff-admission.ts';
import type { StaffAccountRow } from '../sessions/session-queries.ts';
import {
  deviceAgeMsMax,
  deviceCookie,
  findStaffDevice,
  makeDeviceToken,
  startSession,
} from '../sessions/sessions.ts';
import type { SessionStart } from '../sessions/start-session.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';

/** A member who is signed in, with the token of the session. */
export type Signed = Omit<StaffCaller, 'standing'> & {
  readonly token: string;
  /** For the browser to keep; undefined if it has one, or the caller is not a browser. */
  readonly newDeviceToken: string | undefined;
};

/** What is known of the caller. */
export type SignInRequester = Pick<
  SignInRequest<unknown, unknown, unknown>,
  | 'requestId'
  | 'log'
  | 'clientAddress'
  | 'userAgent'
  | 'isFromOwnPage'
  | 'cookie'
  | 'countAttempt'
  | 'tryToCount'
>;

/**
 * Refuses a member who signs in from another network than those of the organization, with ADDRESS_NOT_ALLOWED. Only who has the
 * right password learns of it. It is in the audit log.
 */
export function requireAllowedAddress(
  context: Context,
  organization: OrganizationId,
  row: StaffAccountRow,
  requester: SignInRequester,
): void {
  if (addressFilter(row.allowed_addresses)(requester.clientAddress)) return;
  recordFailedSignIn(context, requester, [{ organization, row }]);
  throw addressNotAllowed();
}

/**
 * Starts the session of a member who has proved who they are in full. A device that several people share keeps its token.
 */
export async function startSessionOf(
  context: Context,
  environment: Environment,
  organization: OrganizationId,
  row: StaffAccountRow,
  requester: SignInRequester,
  { device, first, proof }: { readonly device: 'new' | 'known' } & Pick<SessionStart, 'first' | 'proof'>,
): Promise<Signed> {
  requireAllowedAddress(context, organization, row, requester);
  const origin = { actor: `staff:${row.id}`, requestId: requester.requestId } as const;
  const newDeviceToken =
    device === 'new' && requester.isFromOwnPage
      ? makeDeviceToken(environment, context.randomBytes)
      : undefined;
  const deviceToken = newDeviceToken ?? (device === 'new' ? undefined : requester.cookie(deviceCookie));
  const { sessionId, token } = await startSession(context, environment, origin, organization, row.id, {
    ...{ deviceToken, first, proof },
    place: requester,
  });
  return {
    token,
    newDeviceToken,
    organizationId: organization,
    staffId: row.id,
    sessionId,
    role: row.role as StaffRole,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
  };
}

/**
 * The device of the request, if at least one account has signed in with it; null otherwise. `opened`: the accounts of the email
 * among them, as `organization/member`.
 */
export async function knownDevice({ database, clock }: Context, device: Buffer | null, email: Buffer) {
  if (device === null) return null;
  const usedAfter = new Date(clock.now() - deviceAgeMsMax).toISOString();
  const [found] = await database.global(findStaffDevice({ device, email, usedAfter }));
  return found?.is_known ? { digest: device, opened: found.opened } : null;
}
