import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { proveStaffSession, revokeSessionsOfStaff } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import {
  type Assertion,
  counterOfAssertion,
  handleOf,
  makeChallenge,
  type PasskeyPlace,
  passkeyRefused,
  takeChallenge,
} from './passkey-ceremony.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  lockMemberForPasskeys,
  notePasskeyUse,
  type PasskeyRow,
  selectPasskeys,
} from './passkey-queries.ts';
import { tellOfFactor } from './second-factor.ts';
import { deleteHalfSignIns, deleteRecoveryCodes, lockTotpSecret } from './second-factor-queries.ts';

export const passkeysMax = 20;

/** What a browser needs to make a passkey. */
export async function beginPasskey(context: Context, place: PasskeyPlace, staff: StaffCaller) {
  const { organizationId, staffId } = staff;
  const [[organization], known] = await context.database.read(
    organizationId,
    selectOrganization({}),
    selectPasskeys({ staffId }),
  );
  assert(organization !== undefined, 'the organization of a session exists');
  const made = await makeChallenge(context, 'register', staff);
  return {
    ...made,
    rpId: place.rpId,
    rpName: organization.name,
    userHandle: Buffer.from(handleOf(organizationId, staffId)).toString('base64url'),
    userName: staff.email,
    userDisplayName: `${staff.firstName} ${staff.lastName}`.trim(),
    credentials: known.map(({ credential_id: id }) => id.toString('base64url')),
  };
}

/** What an authenticator answers when it has made a passkey; the binary parts in base64url. */
interface NewPasskey {
  readonly name: string;
  readonly credential: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports?: readonly string[] | undefined;
}

/**
 * Adds a passkey of the signed-in member: from now on it signs in. Ends the member's other sessions. Fails with
 * PASSKEY_REFUSED.
 */
export async function addPasskey(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  place: PasskeyPlace,
  staff: StaffCaller,
  sent: NewPasskey,
): Promise<PasskeyRow> {
  const { organizationId, staffId, sessionId } = staff;
  const challenge = await takeChallenge(context, 'register', staff, sent.clientDataJSON);
  const credential = challenge === null ? null : await credentialOf(place, challenge, sent);
  if (credential === null) throw passkeyRefused();
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const row = {
    ...{ id, staff_id: staffId, created_at: nowMs, last_used_at: null, name: sent.name },
    credential_id: Buffer.from(credential.id, 'base64url'),
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(sent.transports ?? [])],
  };
  const ended = await context.database.write(organizationId, async (tx) => {
    const [, known] = await tx.run(lockMemberForPasskeys({ staffId }), selectPasskeys({ staffId }));
    if (known.length >= passkeysMax) throw passkeyRefused();
    const { credential_id: credentialId, public_key: publicKey, counter, transports, name } = row;
    const [made, ended] = await tx.run(
      insertPasskey({ id, staffId, credentialId, publicKey, counter, transports, name, at }),
      revokeSessionsOfStaff({ staffId, except: sessionId, at }),
    );
    if (made.length === 0) throw passkeyRefused();
    tx.queue(proveStaffSession({ id: sessionId, at }), deleteHalfSignIns({ staffId }));
    await tellOfFactor(tx, context, nowMs, staffId, 'passkey-added');
    await announceOf(tx, context, origin, nowMs, 'staff.passkey_added', staffId, id);
    return ended;
  });
  for (const session of ended) sessions.forget(session.id);
  return row;
}

async function credentialOf(place: PasskeyPlace, challenge: string, sent: NewPasskey) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { credential: id, clientDataJSON, attestationObject } = sent;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserVerification: true,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    // The library throws for each thing that is wrong with it.
    return null;
  }
}

/** Removes a passkey of the signed-in member. With the last factor the recovery codes go. Fails with PASSKEY_NOT_FOUND. */
export async function removePasskey(
  context: Context,
  origin: Origin,
  { organizationId, staffId }: StaffCaller,
  id: number,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organizationId, async (tx) => {
    const [, removed, left, [app]] = await tx.run(
      lockMemberForPasskeys({ staffId }),
      deletePasskey({ staffId, id }),
      selectPasskeys({ staffId }),
      lockTotpSecret({ staffId }),
    );
    if (removed.length === 0) throw failure('PASSKEY_NOT_FOUND', 'You have no such passkey.');
    if (left.length === 0 && (app?.confirmed_at ?? null) === null) {
      tx.queue(deleteRecoveryCodes({ staffId }), deleteHalfSignIns({ staffId }));
    }
    await tellOfFactor(tx, context, nowMs, staffId, 'passkey-removed');
    await announceOf(tx, context, origin, nowMs, 'staff.passkey_removed', staffId, id);
  });
}

/** What a browser needs to prove with a passkey who uses the session. */
export async function beginPasskeyProof(context: Context, place: PasskeyPlace, staff: StaffCaller) {
  const { organizationId, staffId } = staff;
  const [known] = await context.database.read(organizationId, selectPasskeys({ staffId }));
  const made = await makeChallenge(context, 'prove', staff);
  const credentials = known.map(({ credential_id: id }) => id.toString('base64url'));
  return { ...made, rpId: place.rpId, credentials };
}

/**
 * Takes a passkey as the proof of who uses the session. Wrong ones count for the session. Resolves to the time of the proof.
 * Fails with PASSKEY_REFUSED.
 */
export async function proveByPasskey(
  context: Context,
  origin: Origin,
  place: PasskeyPlace,
  staff: StaffCaller,
  assertion: Assertion,
  countAttempt: (attempt: Attempt) => Promise<{ giveBack(): void }>,
): Promise<number> {
  const { organizationId, staffId, sessionId } = staff;
  const attempt = await countAttempt({
    kind: 'session',
    name: String(sessionId),
    account: `${organizationId}/${staffId}`,
  });
  const challenge = await takeChallenge(context, 'prove', staff, assertion.clientDataJSON);
  const credentialId = Buffer.from(assertion.credential, 'base64url');
  const [[passkey]] = await context.database.read(organizationId, findPasskey({ staffId, credentialId }));
  const counter =
    challenge === null || passkey === undefined
      ? null
      : await counterOfAssertion(place, passkey, challenge, assertion);
  if (passkey === undefined || counter === null) throw passkeyRefused();
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  await context.database.write(
    organizationId,
    async (tx) => {
      const [used] = await tx.run(notePasskeyUse({ staffId, id: passkey.id, counter, at }));
      if (used.length === 0) throw passkeyRefused();
      tx.queue(proveStaffSession({ id: sessionId, at }));
      await announce(tx, context, origin, nowMs, {
        event: 'staff.proved',
        subjectType: 'staff',
        subjectId: staffId,
        payload: { staffId, sessionId },
        details: { staffId, sessionId, passkeyId: passkey.id },
      });
    },
    { countsAsChange: false },
  );
  attempt.giveBack();
  return nowMs;
}

async function announceOf(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  event: 'staff.passkey_added' | 'staff.passkey_removed',
  staffId: number,
  passkeyId: number,
): Promise<void> {
  await announce(tx, context, origin, nowMs, {
    event,
    subjectType: 'staff',
    subjectId: staffId,
    payload: { staffId },
    details: { staffId, passkeyId },
  });
}
