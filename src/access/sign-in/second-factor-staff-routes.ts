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
import {
  Flag,
  Id,
  List,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { proofLifeMs } from '../../platform/http/staff-admission.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { finishSignIn } from './half-sign-in.ts';
import { identityProviderRoutes } from './identity-provider-staff-routes.ts';
import { passkeyRoutes } from './passkey-staff-routes.ts';
import { pinStaffRoutes } from './pin-staff-routes.ts';
import { proveSession } from './prove-session.ts';
import { recoveryCodeCount } from './recovery-codes.ts';
import {
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
} from './second-factor.ts';
import { selectSecondFactor } from './second-factor-queries.ts';
import { replySignedIn, SignedIn, signedInExample } from './session-staff-routes.ts';
import { signInRulesRoutes } from './sign-in-rules-staff-routes.ts';

/** Six digits, or a recovery code with its dashes and some spaces. */
const Code = Text({
  min: 6,
  max: 60,
  description: 'The code that the authenticator app shows, or a recovery code. Each is accepted once',
});

const RecoveryCodes = Type.Object({
  recoveryCodes: List(Text({ max: 40 }), {
    max: recoveryCodeCount,
    description: 'Shown once: for when the app is lost. Each works once',
  }),
});

const SecondFactor = Named(
  'SecondFactor',
  Type.Object({
    totpAddedAt: Nullable(Timestamp({ description: 'Null: no app is set up' })),
    recoveryCodesLeft: WholeNumber({ min: 0, max: recoveryCodeCount }),
    mustSetUp: Flag({ description: 'The role needs a second factor, and there is none yet' }),
  }),
);

const recoveryCodesExample = {
  recoveryCodes: ['7K3M-0Q9T-VB2C-XH5D-81NA-RZ4W', '2F8P-YD6J-M3KT-0C7V-QE9B-5HXS'],
};

/** The keys that seal secrets; a function, because declarations alone are read without any. */
type Keys = () => MasterKeys;

/** The second factor of staff, and proofs of who uses a session (D72). */
export function secondFactorRoutes(context: Context, access: StaffAccess, keys: Keys): StaffEndpoint[] {
  return [
    finishSignInEndpoint(context, access, keys),
    proveMyselfEndpoint(context, keys),
    getMySecondFactorEndpoint(context),
    beginTotpEndpoint(context, keys),
    confirmTotpEndpoint(context, access, keys),
    removeTotpEndpoint(context),
    renewRecoveryCodesEndpoint(context),
    resetSecondFactorEndpoint(context, access),
    ...passkeyRoutes(context, access),
    ...pinStaffRoutes(context, access),
    ...signInRulesRoutes(context),
    ...identityProviderRoutes(context, access, keys),
  ];
}

function finishSignInEndpoint(
  context: Context,
  { environment, publicUrl }: StaffAccess,
  keys: Keys,
): StaffEndpoint {
  return signInEndpoint({
    id: 'finishSignIn',
    method: 'POST',
    path: '/staff/v1/sessions/second-factor',
    kind: 'write',
    summary: 'Finish signing in',
    description:
      'The second step, for members with a second factor: with the `signInToken` of the refusal `SECOND_FACTOR_REQUIRED`, ' +
      'within five minutes. Wrong codes are limited by member, over all tokens and processes, and are in the audit log. ' +
      'Unknown, used and expired tokens get the same 401.',
    tag: 'Session',
    body: Type.Object({ signInToken: Text({ min: 1, max: 60 }), code: Code }),
    requestExample: { signInToken: 'dch_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef', code: '492039' },
    success: {
      status: 201,
      data: SignedIn,
      description: 'The session, also as a cookie',
      example: signedInExample,
    },
    failures: ['WRONG_SECOND_FACTOR'],
    handle: async (request) => {
      const signed = await finishSignIn(context, environment, keys(), request.body, request);
      return replySignedIn(signed, publicUrl);
    },
  });
}

function proveMyselfEndpoint(context: Context, keys: Keys): StaffEndpoint {
  return staffEndpoint({
    id: 'proveMyself',
    method: 'POST',
    path: '/staff/v1/me/proof',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    ignoresIdempotencyKey: true,
    summary: 'Prove that it is you',
    description:
      'The password again, and a code for members with a second factor. Operations that were refused with ' +
      '`RECENT_PROOF_REQUIRED` are then open to this session for ten minutes; signing in is such a proof, too. Wrong ' +
      'passwords are limited by session, wrong codes by member. Ignores `Idempotency-Key`: a repeated code is no proof.',
    tag: 'Session',
    body: Type.Object({ password: Text({ min: 1, max: 200 }), code: Type.Optional(Code) }),
    requestExample: { password: 'correct horse battery staple' },
    success: {
      status: 200,
      data: Type.Object({ provenUntil: Timestamp() }),
      description: 'How long the proof holds',
      example: { provenUntil: '2026-03-01T17:15:09.123Z' },
    },
    failures: ['WRONG_SECOND_FACTOR'],
    handle: async ({ staff, body, requestId, countAttempt }) => {
      const origin = staffOrigin(staff, requestId);
      const provenAtMs = await proveSession(context, keys(), origin, staff, body, countAttempt);
      return reply({ provenUntil: isoTimestamp(provenAtMs + proofLifeMs) });
    },
  });
}

function getMySecondFactorEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'getMySecondFactor',
    method: 'GET',
    path: '/staff/v1/me/second-factor',
    roles: staffRoles,
    kind: 'read',
    isOpenWithoutFactor: true,
    summary: 'Retrieve your second factor',
    description: 'Whether an authenticator app is set up, and how many recovery codes are left.',
    tag: 'Session',
    success: {
      status: 200,
      data: SecondFactor,
      description: 'The second factor',
      example: { totpAddedAt: '2026-03-01T17:05:09.123Z', recoveryCodesLeft: 10, mustSetUp: false },
    },
    failures: [],
    handle: async ({ staff }) => {
      const [[row]] = await context.database.read(
        staff.organizationId,
        selectSecondFactor({ staffId: staff.staffId }),
      );
      const addedAtMs = row?.confirmed_at ?? null;
      return reply({
        totpAddedAt: addedAtMs === null ? null : isoTimestamp(addedAtMs),
        recoveryCodesLeft: row?.recovery_codes ?? 0,
        mustSetUp: staff.standing.mustSetUpFactor,
      });
    },
  });
}

function beginTotpEndpoint(context: Context, keys: Keys): StaffEndpoint {
  return staffEndpoint({
    id: 'beginTotp',
    method: 'POST',
    path: '/staff/v1/me/totp',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    recentProof: 'always',
    ignoresIdempotencyKey: true,
    answersSecret: true,
    summary: 'Set up an authenticator app',
    description:
      'Makes a secret for an authenticator app (RFC 6238: six digits, 30 seconds, SHA-1). It counts once a first code ' +
      'confirms it; until then another call replaces it. Ignores `Idempotency-Key`: the secret is shown once.',
    tag: 'Session',
    success: {
      status: 201,
      data: Type.Object({
        secret: Text({ max: 64, description: 'To type into the app, in Base32' }),
        uri: Text({ max: 2_000, description: '`otpauth://…`, to show as a QR code' }),
      }),
      description: 'The secret, shown once',
      example: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Harborlight%20Provisions:theo%40harborlight.example.com?issuer=Harborlight%20Provisions&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    },
    failures: ['SECOND_FACTOR_EXISTS'],
    handle: async ({ staff, requestId }) =>
      reply(await beginTotp(context, keys(), staffOrigin(staff, requestId), staff)),
  });
}

function confirmTotpEndpoint(context: Context, { sessions }: StaffAccess, keys: Keys): StaffEndpoint {
  return staffEndpoint({
    id: 'confirmTotp',
    method: 'POST',
    path: '/staff/v1/me/totp/confirm',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    ignoresIdempotencyKey: true,
    answersSecret: true,
    summary: 'Confirm the authenticator app',
    description:
      'Takes the first code of the app. From now on signing in needs one. Ends all your other sessions, and answers ' +
      'recovery codes, which are not shown again. A mail tells you of it. Ignores `Idempotency-Key`: a code is accepted once.',
    tag: 'Session',
    body: Type.Object({ code: Text({ min: 6, max: 20, description: 'The code that the app shows' }) }),
    requestExample: { code: '492039' },
    success: {
      status: 200,
      data: RecoveryCodes,
      description: 'The recovery codes',
      example: recoveryCodesExample,
    },
    failures: ['SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_NOT_FOUND', 'WRONG_SECOND_FACTOR'],
    handle: async ({ staff, body, requestId, countAttempt }) => {
      const origin = staffOrigin(staff, requestId);
      const recoveryCodes = await confirmTotp(
        context,
        sessions,
        keys(),
        origin,
        staff,
        body.code,
        countAttempt,
      );
      return reply({ recoveryCodes });
    },
  });
}

function removeTotpEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'removeTotp',
    method: 'DELETE',
    path: '/staff/v1/me/totp',
    roles: staffRoles,
    kind: 'write',
    recentProof: 'always',
    ignoresIdempotencyKey: true,
    summary: 'Remove your authenticator app',
    description:
      'With its recovery codes, unless you have a passkey. From then on the password alone signs you in, unless you have a ' +
      'passkey, or your role needs a second factor: then you set one up again first. A mail tells you of it. Ignores `Idempotency-Key`: removing again changes nothing.',
    tag: 'Session',
    success: { status: 204, description: 'There is none any more' },
    failures: [],
    handle: async ({ staff, requestId }) => {
      await removeTotp(context, staffOrigin(staff, requestId), staff);
      return replyEmpty();
    },
  });
}

function renewRecoveryCodesEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'renewRecoveryCodes',
    method: 'POST',
    path: '/staff/v1/me/recovery-codes',
    roles: staffRoles,
    kind: 'write',
    recentProof: 'always',
    ignoresIdempotencyKey: true,
    answersSecret: true,
    summary: 'Make new recovery codes',
    description:
      'The former ones no longer work. They are not shown again. A mail tells you of it. Ignores `Idempotency-Key`: the codes ' +
      'are shown once, and another call replaces them.',
    tag: 'Session',
    success: {
      status: 201,
      data: RecoveryCodes,
      description: 'The recovery codes',
      example: recoveryCodesExample,
    },
    failures: ['SECOND_FACTOR_NOT_FOUND'],
    handle: async ({ staff, requestId }) =>
      reply({
        recoveryCodes: await renewRecoveryCodes(context, staffOrigin(staff, requestId), staff),
      }),
  });
}

function resetSecondFactorEndpoint(context: Context, { sessions }: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'resetSecondFactor',
    method: 'DELETE',
    path: '/staff/v1/staff/{staffId}/second-factor',
    roles: ['owner'],
    kind: 'write',
    recentProof: 'always',
    summary: "Remove a member's second factor",
    description:
      'For a member who has lost it and has no recovery code left. Ends the sessions of the member; a mail tells of it.',
    tag: 'Staff',
    params: Type.Object({ staffId: Id() }),
    resourceParams: { staffId: 'STAFF_NOT_FOUND' },
    success: { status: 204, description: 'There is none any more' },
    failures: [],
    handle: async ({ staff, params: { staffId }, requestId }) => {
      const origin = staffOrigin(staff, requestId);
      await resetSecondFactor(context, sessions, origin, staff.organizationId, staffId);
      return replyEmpty();
    },
  });
}
