import { timingSafeEqual } from 'node:crypto';
import { digestOf, type Environment, isWellFormedKey, makeKey } from '../../kernel/api-keys.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import type { StaffAccountRow } from '../sessions/session-queries.ts';
import { deviceCookie, findStaffAccount, readDevice } from '../sessions/sessions.ts';
import { emailDigest, normalizedEmail } from '../staff/staff.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';
import {
  knownDevice,
  requireAllowedAddress,
  type Signed,
  type SignInRequester,
  startSessionOf,
} from './open-session.ts';
import {
  deleteOldHalfSignIns,
  findHalfSignIn,
  insertHalfSignIns,
  takeHalfSignIn,
} from './second-factor-queries.ts';
import { takeSecondFactor } from './use-second-factor.ts';

/*
 * The time between the right password and the second factor. Its token is of a kind of its own: it opens nothing but the
 * second step, and ends within minutes.
 */

const halfSignInMs = 300_000;

/** Begins the second step of a member whose password was right: refuses with its token. */
export async function refuseForSecondFactor(
  context: Context,
  environment: Environment,
  organization: OrganizationId,
  row: StaffAccountRow,
  requester: SignInRequester,
): Promise<never> {
  requireAllowedAddress(context, organization, row, requester);
  const { id: staffId, has_passkey: hasPasskey } = row;
  const signInToken = makeKey('dch', environment, context.randomBytes);
  const nowMs = context.clock.now();
  const expiresAt = isoTimestamp(nowMs + halfSignInMs);
  await context.database.write(
    organization,
    async (tx) =>
      tx.queue(
        deleteOldHalfSignIns({ staffId, before: isoTimestamp(nowMs) }),
        ...insertHalfSignIns([{ digest: digestOf(signInToken), staffId, expiresAt }]),
      ),
    { countsAsChange: false },
  );
  throw failure('SECOND_FACTOR_REQUIRED', 'The sign-in needs a code of the second factor, or a passkey.', {
    signInToken,
    expiresAt,
    ...(hasPasskey && { passkey: true }),
  });
}

/**
 * The second step of signing in: a code of the authenticator app, or a recovery code. Unknown, used and expired tokens and
 * those of disabled staff get the same 401. Wrong codes count for the member, over all processes and tokens, and are in
 * the audit log.
 */
export async function finishSignIn(
  context: Context,
  environment: Environment,
  keys: MasterKeys,
  { signInToken, code }: { readonly signInToken: string; readonly code: string },
  requester: SignInRequester,
): Promise<Signed> {
  const digest = digestOf(signInToken);
  const { organization, row } = await memberOfToken(context, environment, signInToken, digest, requester);
  const attempt = await requester.countAttempt({ kind: 'factor', name: `${organization}/${row.id}` });
  try {
    const ownDevice = readDevice(requester.cookie(deviceCookie), environment);
    const device = await knownDevice(context, ownDevice, emailDigest(normalizedEmail(row.email)));
    const masters = await keys.load(context.randomBytes);
    const nowMs = context.clock.now();
    const signed = await startSessionOf(context, environment, organization, row, requester, {
      device: device === null ? 'new' : 'known',
      first: async (tx) => {
        await takeSecondFactor(tx, masters, organization, row.id, code, nowMs);
        const [taken] = await tx.run(takeHalfSignIn({ digest }));
        if (taken.length === 0) throw noToken();
      },
    });
    attempt.giveBack();
    return signed;
  } catch (error) {
    if ((error as Partial<Failure>).code === 'WRONG_SECOND_FACTOR') {
      recordFailedSignIn(context, requester, [{ organization, row }]);
    } else attempt.giveBack();
    throw error;
  }
}

/** The member whose sign-in waits for its second step; refuses with the same 401 for every other token. */
export async function memberOfToken(
  context: Context,
  environment: Environment,
  signInToken: string,
  digest: Buffer,
  { countAttempt }: SignInRequester,
): Promise<{ readonly organization: OrganizationId; readonly row: StaffAccountRow }> {
  // Guesses of tokens count for the address.
  const attempt = await countAttempt({ kind: 'account', name: digest.toString('base64') });
  if (!isWellFormedKey(signInToken, 'dch', environment)) throw noToken();
  const [found] = await context.database.global(findHalfSignIn({ digest }));
  const isOpen =
    found !== undefined && timingSafeEqual(found.digest, digest) && found.expires_at > context.clock.now();
  if (!isOpen) throw noToken();
  const organization = organizationId(found.organization_id);
  const [[row]] = await context.database.read(organization, findStaffAccount({ id: found.staff_id }));
  if (row === undefined || row.disabled_at !== null) throw noToken();
  attempt.giveBack();
  return { organization, row };
}

function noToken() {
  return failure(
    'INVALID_API_CREDENTIALS',
    'signInToken must be that of a sign-in within the last five minutes: sign in with the password again.',
  );
}
