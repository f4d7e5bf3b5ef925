import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { staffRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffEndpoint,
  signInEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { Id, List, Named, NonBlankText, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { proofLifeMs } from '../../platform/http/staff-admission.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { makeChallenge, passkeyPlace } from './passkey-ceremony.ts';
import { type PasskeyRow, selectPasskeys } from './passkey-queries.ts';
import { signInWithPasskey } from './passkey-sign-in.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyProof,
  passkeysMax,
  proveByPasskey,
  removePasskey,
} from './passkeys.ts';
import { replySignedIn, SignedIn, signedInExample } from './session-staff-routes.ts';

/** Binary data as authenticators and browsers exchange them. */
function Base64Url(max: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength: max,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description}, in base64url`,
    'x-expected': `base64url of at most ${max} characters`,
  });
}

const CredentialId = Base64Url(1_400, 'The id of the passkey');
const ClientData = Base64Url(2_000, 'What the browser says of the page and the challenge');
const Challenge = Base64Url(64, 'To be signed, once, within five minutes');
const RpId = Text({ max: 253, description: 'The domain that the passkeys are bound to' });
const Credentials = List(CredentialId, { max: passkeysMax });

const assertionFields = {
  credential: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: Base64Url(700, 'What the authenticator says'),
  signature: Base64Url(1_000, 'Its signature'),
};
const challengeExample = 'c2lnbiB0aGlzIG9uY2UsIHdpdGhpbiBmaXZlIG1pbnV0ZXM';
const credentialExample = 'q83vEjRWeJCrze8SNFZ4kA';
const assertionExample = {
  credential: credentialExample,
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  signature: 'MEUCIQDx3Xb4JdQ',
};
const soon = '2026-03-01T17:10:09.123Z';

const Passkey = Named(
  'Passkey',
  Type.Object({
    id: Id(),
    name: NonBlankText({ max: 100 }),
    createdAt: Timestamp(),
    lastUsedAt: Nullable(Timestamp({ description: 'Null: not used yet' })),
  }),
);
const passkeyExample = {
  id: 8201,
  name: 'Phone',
  createdAt: '2026-03-01T17:05:09.123Z',
  lastUsedAt: null,
};

function shownPasskey(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: isoTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : isoTimestamp(row.last_used_at),
  };
}

/** Passkeys of staff (D72): WebAuthn, with the person verified by the authenticator. */
export function passkeyRoutes(context: Context, access: StaffAccess): StaffEndpoint[] {
  return [
    passkeyChallengeEndpoint(context, access),
    passkeySignInEndpoint(context, access),
    beginPasskeyEndpoint(context, access),
    addPasskeyEndpoint(context, access),
    listPasskeysEndpoint(context),
    removePasskeyEndpoint(context),
    beginProofEndpoint(context, access),
    proofEndpoint(context, access),
  ];
}

function passkeyChallengeEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return signInEndpoint({
    id: 'beginPasskeySignIn',
    method: 'POST',
    path: '/staff/v1/passkey-challenges',
    kind: 'write',
    summary: 'Ask for a challenge to sign in with a passkey',
    description:
      'What a browser needs to ask an authenticator (`navigator.credentials.get`, with `userVerification` required). Limited ' +
      'by network address. Passkeys are bound to the address of the console: `PUBLIC_URL`, or `http://localhost`.',
    tag: 'Session',
    success: {
      status: 201,
      data: Type.Object({ challenge: Challenge, rpId: RpId, expiresAt: Timestamp() }),
      description: 'The challenge',
      example: { challenge: challengeExample, rpId: 'shop.example.com', expiresAt: soon },
    },
    failures: ['PASSKEYS_UNAVAILABLE'],
    handle: async ({ pageOrigin, countAttempt }) => {
      const { rpId } = passkeyPlace(access, pageOrigin);
      await countAttempt({ kind: 'address', name: '' });
      return reply({ ...(await makeChallenge(context, 'sign-in', null)), rpId });
    },
  });
}

function passkeySignInEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  const { environment, publicUrl } = access;
  return signInEndpoint({
    id: 'signInWithPasskey',
    method: 'POST',
    path: '/staff/v1/sessions/passkey',
    kind: 'write',
    summary: 'Sign in with a passkey',
    description:
      'Starts a session. The authenticator verifies the person, so a passkey counts as both factors: with `userHandle` alone, ' +
      'or with the `signInToken` of the refusal `SECOND_FACTOR_REQUIRED` in place of a code. A challenge works once. Wrong ' +
      'passkeys, used challenges, other pages and disabled members get the same 401; failures are limited by network address.',
    tag: 'Session',
    body: Type.Object({
      ...assertionFields,
      userHandle: Type.Optional(Base64Url(100, 'The account, as the passkey names it')),
      signInToken: Type.Optional(Text({ min: 1, max: 60, description: 'After the password' })),
    }),
    bodyBytesMax: 8_192,
    requestExample: { ...assertionExample, userHandle: 'AAAAAAAAA-kAAAAAAAAH0w' },
    success: {
      status: 201,
      data: SignedIn,
      description: 'The session, also as a cookie',
      example: signedInExample,
    },
    failures: ['PASSKEYS_UNAVAILABLE'],
    handle: async (request) => {
      const place = passkeyPlace(access, request.pageOrigin);
      const signed = await signInWithPasskey(context, environment, place, request.body, request);
      return replySignedIn(signed, publicUrl);
    },
  });
}

function beginPasskeyEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'beginPasskey',
    method: 'POST',
    path: '/staff/v1/me/passkeys/challenges',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    recentProof: 'always',
    ignoresIdempotencyKey: true,
    summary: 'Ask for a challenge to add a passkey',
    description:
      'What a browser needs to make one (`navigator.credentials.create`): discoverable, with `userVerification` required. ' +
      'Ignores `Idempotency-Key`: a challenge works once.',
    tag: 'Session',
    success: {
      status: 201,
      data: Type.Object({
        challenge: Challenge,
        rpId: RpId,
        rpName: Text({ max: 200 }),
        userHandle: Base64Url(100, 'The account, as the passkey will name it'),
        userName: Text({ max: 254 }),
        userDisplayName: Text({ max: 201 }),
        credentials: Credentials,
        expiresAt: Timestamp(),
      }),
      description: 'The challenge, and the passkeys that are there',
      example: {
        ...{ challenge: challengeExample, rpId: 'shop.example.com', rpName: 'Harborlight Provisions' },
        ...{ userHandle: 'AAAAAAAAA-kAAAAAAAAH0w', userName: 'theo@harborlight.example.com' },
        ...{ userDisplayName: 'Theo Lindqvist', credentials: [], expiresAt: soon },
      },
    },
    failures: ['PASSKEYS_UNAVAILABLE'],
    handle: async ({ staff, pageOrigin }) =>
      reply(await beginPasskey(context, passkeyPlace(access, pageOrigin), staff)),
  });
}

function addPasskeyEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'addPasskey',
    method: 'POST',
    path: '/staff/v1/me/passkeys',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    ignoresIdempotencyKey: true,
    summary: 'Add a passkey',
    description:
      `It signs you in from now on, and is a second factor after your password; a member has at most ${passkeysMax}. Ends all ` +
      'your other sessions; a mail tells you of it. Ignores `Idempotency-Key`: a challenge works once.',
    tag: 'Session',
    body: Type.Object({
      name: NonBlankText({ max: 100 }),
      credential: CredentialId,
      clientDataJSON: ClientData,
      attestationObject: Base64Url(8_000, 'What the authenticator made'),
      transports: Type.Optional(
        List(Text({ max: 20 }), { max: 10, description: 'As the browser names them' }),
      ),
    }),
    requestExample: {
      ...{ name: 'Phone', credential: credentialExample, transports: ['internal'] },
      ...{ clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
    },
    success: { status: 201, data: Passkey, description: 'The passkey', example: passkeyExample },
    failures: ['PASSKEYS_UNAVAILABLE', 'PASSKEY_REFUSED'],
    handle: async ({ staff, body, requestId, pageOrigin }) => {
      const place = passkeyPlace(access, pageOrigin);
      const origin = staffOrigin(staff, requestId);
      return reply(shownPasskey(await addPasskey(context, access.sessions, origin, place, staff, body)));
    },
  });
}

function listPasskeysEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listMyPasskeys',
    method: 'GET',
    path: '/staff/v1/me/passkeys',
    roles: staffRoles,
    kind: 'read',
    isOpenWithoutFactor: true,
    readsFrom: { primary: 'accounts and their passkeys' },
    list: {
      staysSmall: 'of one member of staff, at most 20',
      unsorted: 'at most 20 of one person, the oldest first',
    },
    exported: { not: 'of one person; they sign in here only' },
    emptyInDemo: 'staff add their own',
    summary: 'List your passkeys',
    description: 'The oldest first.',
    tag: 'Session',
    success: {
      status: 200,
      data: List(Passkey, { max: passkeysMax }),
      description: 'Passkeys',
      example: [passkeyExample],
    },
    failures: [],
    handle: async ({ staff: { organizationId, staffId } }) => {
      const [rows] = await context.database.read(organizationId, selectPasskeys({ staffId }));
      return reply(rows.map(shownPasskey));
    },
  });
}

function removePasskeyEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'removePasskey',
    method: 'DELETE',
    path: '/staff/v1/me/passkeys/{passkeyId}',
    roles: staffRoles,
    kind: 'write',
    recentProof: 'always',
    summary: 'Remove a passkey',
    description:
      'It no longer signs you in. Without another factor the recovery codes go, too. A mail tells you of it.',
    tag: 'Session',
    params: Type.Object({ passkeyId: Id() }),
    resourceParams: { passkeyId: 'PASSKEY_NOT_FOUND' },
    success: { status: 204, description: 'It is removed' },
    failures: [],
    handle: async ({ staff, params: { passkeyId }, requestId }) => {
      await removePasskey(context, staffOrigin(staff, requestId), staff, passkeyId);
      return replyEmpty();
    },
  });
}

function beginProofEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'beginPasskeyProof',
    method: 'POST',
    path: '/staff/v1/me/proof/passkey-challenges',
    roles: staffRoles,
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Ask for a challenge to prove that it is you',
    description:
      'For a proof by passkey instead of the password. Ignores `Idempotency-Key`: a challenge works once.',
    tag: 'Session',
    success: {
      status: 201,
      data: Type.Object({
        ...{ challenge: Challenge, rpId: RpId },
        ...{ credentials: Credentials, expiresAt: Timestamp() },
      }),
      description: 'The challenge, and your passkeys',
      example: {
        ...{ challenge: challengeExample, rpId: 'shop.example.com' },
        ...{ credentials: [credentialExample], expiresAt: soon },
      },
    },
    failures: ['PASSKEYS_UNAVAILABLE'],
    handle: async ({ staff, pageOrigin }) =>
      reply(await beginPasskeyProof(context, passkeyPlace(access, pageOrigin), staff)),
  });
}

function proofEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'proveMyselfByPasskey',
    method: 'POST',
    path: '/staff/v1/me/proof/passkey',
    roles: staffRoles,
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Prove by a passkey that it is you',
    description:
      'As `POST /staff/v1/me/proof`: operations that were refused with `RECENT_PROOF_REQUIRED` are then open to this session ' +
      'for ten minutes. Wrong ones are limited by session. Ignores `Idempotency-Key`: a challenge works once.',
    tag: 'Session',
    body: Type.Object(assertionFields),
    requestExample: assertionExample,
    success: {
      status: 200,
      data: Type.Object({ provenUntil: Timestamp() }),
      description: 'How long the proof holds',
      example: { provenUntil: '2026-03-01T17:15:09.123Z' },
    },
    failures: ['PASSKEYS_UNAVAILABLE', 'PASSKEY_REFUSED'],
    handle: async ({ staff, body, requestId, countAttempt, pageOrigin }) => {
      const place = passkeyPlace(access, pageOrigin);
      const origin = staffOrigin(staff, requestId);
      const provenAtMs = await proveByPasskey(context, origin, place, staff, body, countAttempt);
      return reply({ provenUntil: isoTimestamp(provenAtMs + proofLifeMs) });
    },
  });
}
