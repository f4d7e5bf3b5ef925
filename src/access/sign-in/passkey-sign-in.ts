import { digestOf, type Environment } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import { organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { deviceCookie, findStaffAccount, readDevice } from '../sessions/sessions.ts';
import { emailDigest, normalizedEmail } from '../staff/staff.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';
import { memberOfToken } from './half-sign-in.ts';
import { knownDevice, type Signed, type SignInRequester, startSessionOf } from './open-session.ts';
import {
  type Assertion,
  counterOfAssertion,
  type PasskeyPlace,
  readHandle,
  takeChallenge,
} from './passkey-ceremony.ts';
import { findPasskey, notePasskeyUse } from './passkey-queries.ts';
import { takeHalfSignIn } from './second-factor-queries.ts';

interface PasskeySignIn extends Assertion {
  /** The account, as the passkey names it. */
  readonly userHandle?: string | undefined;
  /** From the step after the password; then the passkey must be that person's. */
  readonly signInToken?: string | undefined;
}

/**
 * Signs in with a passkey, without a password or after it. The authenticator has verified the person, so it stands for both
 * factors. Whatever is wrong, an unknown passkey, a used challenge or a disabled member, gets the same 401; failures count for
 * the network address, and those of a known account are in its audit log.
 */
export async function signInWithPasskey(
  context: Context,
  environment: Environment,
  place: PasskeyPlace,
  { userHandle, signInToken, ...assertion }: PasskeySignIn,
  requester: SignInRequester,
): Promise<Signed> {
  const attempt = await requester.countAttempt({ kind: 'address', name: '' });
  const challenge = await takeChallenge(context, 'sign-in', null, assertion.clientDataJSON);
  if (challenge === null) throw notSignedIn();
  const digest = signInToken === undefined ? null : digestOf(signInToken);
  const half =
    digest === null ? null : await memberOfToken(context, environment, signInToken!, digest, requester);
  const claimed = userHandle === undefined ? null : readHandle(userHandle);
  const organization = half?.organization ?? (claimed === null ? null : organizationId(claimed.organization));
  const staffId = half?.row.id ?? claimed?.staffId;
  if (organization === null || staffId === undefined) throw notSignedIn();

  const [[passkey], [row]] = await context.database.read(
    organization,
    findPasskey({ staffId, credentialId: Buffer.from(assertion.credential, 'base64url') }),
    findStaffAccount({ id: staffId }),
  );
  if (row === undefined) throw notSignedIn();
  const counter =
    passkey !== undefined && row.disabled_at === null
      ? await counterOfAssertion(place, passkey, challenge, assertion)
      : null;
  if (passkey === undefined || counter === null) {
    recordFailedSignIn(context, requester, [{ organization, row }]);
    throw notSignedIn();
  }
  const device = await knownDevice(
    context,
    readDevice(requester.cookie(deviceCookie), environment),
    emailDigest(normalizedEmail(row.email)),
  );
  const at = isoTimestamp(context.clock.now());
  const signed = await startSessionOf(context, environment, organization, row, requester, {
    device: device === null ? 'new' : 'known',
    first: async (tx) => {
      const [used] = await tx.run(notePasskeyUse({ staffId, id: passkey.id, counter, at }));
      if (used.length === 0) throw notSignedIn();
      if (digest === null) return;
      const [taken] = await tx.run(takeHalfSignIn({ digest }));
      if (taken.length === 0) throw notSignedIn();
    },
  });
  attempt.giveBack();
  return signed;
}

function notSignedIn() {
  return failure(
    'INVALID_API_CREDENTIALS',
    'The passkey must be that of an active member of staff, and answer a challenge of the last five minutes.',
  );
}
