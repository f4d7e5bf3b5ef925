import { errorCatalog } from '../../kernel/error-catalog.ts';
import { namesEnough, type Permission } from '../../kernel/permission-catalog.ts';
import type { Endpoint, RecentProof, StaffEndpoint } from './endpoint.ts';
import type { Audience } from './openapi.ts';
import { sessionCookie } from './session-cookie.ts';

/** Third-party software with two keys. */
export const keyAudience: Audience<Endpoint> = {
  security: [{ consumerKey: [], clientKey: [] }],
  securityOf: ({ publishableKey }) =>
    publishableKey === 'allowed' ? [{ consumerKey: [], clientKey: [] }, { publishableKey: [] }] : undefined,
  securitySchemes: {
    consumerKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Consumer-Key',
      description: 'The key of the integrator. Sent together with the client key.',
    },
    clientKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Client-Key',
      description: 'The key that the organization created for this integrator. It selects the organization.',
    },
    publishableKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Client-Key',
      description:
        'A key for web pages, without a consumer key. It begins with `dcp_` and works on pages of its origins only, ' +
        'as the header Origin shows that browsers send.',
    },
  },
  terms: ({ kind, permission, permissionForLess: less, publishableKey, rateGroup }) =>
    `${permission === null ? 'No permission' : `Permission ${permissionTerms(kind, permission, less)}`}, ` +
    `rate limit group \`${rateGroup}\`.${publishableKey === 'allowed' ? ' Web pages may call it with a publishable key.' : ''}`,
  errorWords: (code) => errorCatalog[code],
};

function permissionTerms(
  kind: 'read' | 'write',
  ...permissions: readonly (Permission | undefined)[]
): string {
  return permissions
    .flatMap((permission) => (permission === undefined ? [] : namesEnough(kind, permission)))
    .map((name) => `\`${name}\``)
    .join(' or ');
}

function proofTerms(recentProof: RecentProof | undefined): string {
  if (recentProof === undefined) return '';
  const condition = recentProof === 'always' ? '' : ` ${recentProof}`;
  return ` Needs a recent proof of who you are${condition} (\`RECENT_PROOF_REQUIRED\`).`;
}

/** Signed-in staff of the organization. */
export const staffAudience: Audience<StaffEndpoint> = {
  security: [{ sessionCookie: [] }, { bearerToken: [] }],
  securitySchemes: {
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description:
        'Set by signing in; where the service is reached by TLS, its name begins with `__Host-`. Write requests ' +
        'must come from a page of this service, as their Origin, Referer or Sec-Fetch-Site shows.',
    },
    bearerToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token in the reply to signing in. It takes precedence over a cookie.',
    },
  },
  terms: ({ roles, recentProof }) =>
    roles === 'anyone'
      ? 'Needs no session.'
      : `Roles: ${[...new Set(['owner', ...roles])].map((role) => `\`${role}\``).join(', ')}.${proofTerms(recentProof)}`,
  securityOf: ({ roles }) => (roles === 'anyone' ? [] : undefined),
  errorWords: (code) => errorCatalog[code].forStaff ?? errorCatalog[code],
};
