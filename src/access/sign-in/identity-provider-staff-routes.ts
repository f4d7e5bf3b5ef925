import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
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
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { setCookie } from '../../platform/http/session-cookie.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import {
  removeIdentityProvider,
  setIdentityProvider,
  shownProvider,
  unlinkIdentity,
} from './identity-provider.ts';
import { IdentityProviders } from './identity-provider-client.ts';
import { selectIdentityProvider } from './identity-provider-queries.ts';
import {
  beginIdentitySignIn,
  type IdentityAccess,
  identityCookie,
  identitySignInMs,
  redirectPath,
  signInWithIdentity,
} from './identity-sign-in.ts';
import { replySignedIn, SignedIn, signedInExample } from './session-staff-routes.ts';

const roles = ['owner'] as const;
const domainsMax = 50;

const EmailDomain = Type.String({
  maxLength: 253,
  pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
  description: 'The part of an email address after the @',
  'x-expected': 'a domain such as shop.example.com',
});

const fields = {
  issuer: Text({
    min: 1,
    max: 500,
    description:
      'Its address, as it names itself: https, with what `/.well-known/openid-configuration` follows',
  }),
  client: NonBlankText({ max: 200, description: 'The client id that the provider gave' }),
  emailDomains: List(EmailDomain, {
    min: 1,
    max: domainsMax,
    description: 'Members whose email is of another domain do not sign in by it',
  }),
  secondFactor: OneOf(['never', 'when-told', 'always'], {
    description:
      'Whether its sign-in stands for both factors: `never`; `when-told`, where its answer says so (`amr`); `always`. Otherwise a ' +
      'member with a factor is asked for it, and a role that needs one for setting it up',
  }),
};
const Provider = Named('IdentityProvider', Type.Object(fields));
const providerExample = {
  issuer: 'https://login.harborlight.example.com',
  client: 'dispensary-console',
  emailDomains: ['harborlight.example.com'],
  secondFactor: 'when-told',
} as const;
const redirectExample = `https://shop.example.com${redirectPath}`;

/** Signing in by the identity provider of an organization: OpenID Connect (D72). */
export function identityProviderRoutes(
  context: Context,
  access: StaffAccess,
  keys: () => MasterKeys,
): StaffEndpoint[] {
  const { environment, pageUrl = (path) => path } = access;
  const providers = new IdentityProviders(access.signInHostsAllowed ?? []);
  const identity = (): IdentityAccess => ({
    ...{ environment, providers, keys, redirectUrl: pageUrl(redirectPath) },
  });
  return [
    beginEndpoint(context, access, identity),
    finishEndpoint(context, access, identity),
    getEndpoint(context, identity),
    setEndpoint(context, identity),
    removeEndpoint(context),
    unlinkEndpoint(context),
  ];
}

function beginEndpoint(
  context: Context,
  { publicUrl }: StaffAccess,
  identity: () => IdentityAccess,
): StaffEndpoint {
  return signInEndpoint({
    id: 'beginIdentitySignIn',
    method: 'POST',
    path: '/staff/v1/identity-sign-ins',
    kind: 'write',
    summary: 'Begin to sign in at the identity provider',
    description:
      'Answers where the browser goes: to the identity provider of the organization (OpenID Connect, authorization code with ' +
      'PKCE), which sends it back to the console. A cookie binds the sign-in to this browser. Limited by network address.',
    tag: 'Session',
    body: Type.Object({
      organizationId: Id(),
      isFresh: Type.Optional(
        Flag({ description: 'The person has to prove who they are again, for what needs a recent proof' }),
      ),
    }),
    requestExample: { organizationId: 1001 },
    success: {
      status: 201,
      data: Type.Object({
        url: Text({ max: 4_000, description: 'The page of the provider' }),
        expiresAt: Timestamp(),
      }),
      description: 'The page of the provider, and a cookie',
      example: {
        url: 'https://login.harborlight.example.com/authorize?client_id=dispensary-console',
        expiresAt: '2026-03-01T17:15:09.123Z',
      },
    },
    failures: ['IDENTITY_PROVIDER_NOT_FOUND', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    handle: async (request) => {
      const { token, ...begun } = await beginIdentitySignIn(context, identity(), request.body, request);
      return reply(begun, { headers: { 'Set-Cookie': setIdentityCookie(publicUrl, token) } });
    },
  });
}

/** Strict: the page that the provider leads to sends it from this service itself. */
function setIdentityCookie(publicUrl: string | undefined, token: string): string {
  return `${setCookie(identityCookie, publicUrl, token)}; SameSite=Strict; Max-Age=${identitySignInMs / 1000}`;
}

function finishEndpoint(
  context: Context,
  { publicUrl }: StaffAccess,
  identity: () => IdentityAccess,
): StaffEndpoint {
  return signInEndpoint({
    id: 'signInWithIdentity',
    method: 'POST',
    path: '/staff/v1/sessions/identity',
    kind: 'write',
    summary: 'Sign in with the answer of the identity provider',
    description:
      'Starts a session with what the provider has sent to the console, once, in the browser that began it. The account of the ' +
      'provider signs in the member of this organization whom it is linked to; the first time that is the member with its ' +
      'verified email. No account is created. The session is as recent a proof as the one at the provider. Refusals are in the ' +
      'audit log.',
    tag: 'Session',
    body: Type.Object({
      state: Text({ min: 1, max: 200 }),
      code: Type.Optional(Text({ min: 1, max: 2_000, description: 'Absent: the provider has refused' })),
      iss: Type.Optional(Text({ max: 500 })),
      error: Type.Optional(Text({ max: 200, description: 'Why the provider has refused' })),
    }),
    requestExample: { state: 'c2lnbi1pbg', code: 'SplxlOBeZQQYbYS6WxSbIA' },
    success: {
      status: 201,
      data: SignedIn,
      description: 'The session, also as a cookie',
      example: signedInExample,
    },
    failures: [
      'IDENTITY_REFUSED',
      'IDENTITY_PROVIDER_NOT_FOUND',
      'IDENTITY_PROVIDER_UNAVAILABLE',
      'SECOND_FACTOR_REQUIRED',
    ],
    handle: async (request) =>
      replySignedIn(await signInWithIdentity(context, identity(), request.body, request), publicUrl),
  });
}

function getEndpoint(context: Context, identity: () => IdentityAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'getIdentityProvider',
    method: 'GET',
    path: '/staff/v1/identity-provider',
    roles,
    kind: 'read',
    summary: 'Retrieve the identity provider',
    description: 'By which staff sign in besides their passwords. The client secret is never shown.',
    tag: 'Staff',
    success: {
      status: 200,
      data: Type.Object({
        provider: Nullable(Provider),
        redirectUrl: Text({ max: 500, description: 'To be registered at the provider' }),
      }),
      description: 'The provider; null: there is none',
      example: { provider: providerExample, redirectUrl: redirectExample },
    },
    failures: [],
    handle: async ({ staff }) => {
      const [[row]] = await context.database.read(staff.organizationId, selectIdentityProvider({}));
      const provider = row === undefined ? null : shownProvider(row);
      return reply({ provider, redirectUrl: identity().redirectUrl });
    },
  });
}

function setEndpoint(context: Context, identity: () => IdentityAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'setIdentityProvider',
    method: 'PUT',
    path: '/staff/v1/identity-provider',
    roles,
    kind: 'write',
    recentProof: 'always',
    summary: 'Set the identity provider',
    description:
      'The client secret is stored sealed and never shown again; without one the present one stays, for the same issuer and ' +
      'client. Passwords work as before. Inside the own network a provider works at hosts that the operator allows only ' +
      '(`SIGN_IN_HOSTS_ALLOWED`).',
    tag: 'Staff',
    body: Type.Object({ ...fields, clientSecret: Type.Optional(Text({ min: 1, max: 500 })) }),
    requestExample: { ...providerExample, clientSecret: 'the secret that the provider shows' },
    success: { status: 200, data: Provider, description: 'The provider', example: providerExample },
    failures: [],
    handle: async ({ staff, body, requestId }) => {
      const { providers, keys } = identity();
      if (!providers.allows(body.issuer)) {
        throw failure(
          'INVALID_PARAMS',
          'issuer must be an https address on the public internet, at port 443, without user, query and fragment. The operator can allow a host of your own in SIGN_IN_HOSTS_ALLOWED.',
        );
      }
      const origin = staffOrigin(staff, requestId);
      return reply(await setIdentityProvider(context, keys(), origin, staff.organizationId, body));
    },
  });
}

function removeEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'removeIdentityProvider',
    method: 'DELETE',
    path: '/staff/v1/identity-provider',
    roles,
    kind: 'write',
    recentProof: 'always',
    summary: 'Remove the identity provider',
    description:
      'Staff then sign in with their passwords and passkeys. Sessions go on. Nothing happens without one.',
    tag: 'Staff',
    success: { status: 204, description: 'Removed' },
    failures: [],
    handle: async ({ staff, requestId }) => {
      await removeIdentityProvider(context, staffOrigin(staff, requestId), staff.organizationId);
      return replyEmpty();
    },
  });
}

function unlinkEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'unlinkStaffIdentity',
    method: 'DELETE',
    path: '/staff/v1/staff/{staffId}/identity',
    roles,
    kind: 'write',
    recentProof: 'always',
    summary: 'End the link of a member to the identity provider',
    description:
      'The next sign-in by the provider links the member again, by the verified email. Nothing happens without a link.',
    tag: 'Staff',
    params: Type.Object({ staffId: Id() }),
    resourceParams: { staffId: 'STAFF_NOT_FOUND' },
    success: { status: 204, description: 'Ended' },
    failures: [],
    handle: async ({ staff, params, requestId }) => {
      await unlinkIdentity(context, staffOrigin(staff, requestId), staff.organizationId, params.staffId);
      return replyEmpty();
    },
  });
}
