import Type from 'typebox';
import { addressFilter, allowedAddressesMax, isAddressOrRange } from '../../kernel/address-ranges.ts';
import { failure } from '../../kernel/failure.ts';
import { staffRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { List, Named, Nullable, OneOf, Text, WholeNumber } from '../../platform/http/schemas.ts';
import { rulesOf, selectSignInRules, updateSignInRules } from './sign-in-rules.ts';

/** $1 billion: more than any refund. */
const refundCentsMax = 100_000_000_000;

const fields = {
  secondFactorRoles: List(OneOf(staffRoles), {
    max: staffRoles.length,
    description:
      'Roles that need a second factor. Who has none yet is led to set one up and can do nothing else, in open sessions, too',
  }),
  refundProofAbove: Nullable(
    WholeNumber({
      min: 0,
      max: refundCentsMax,
      description: 'In cents. A refund of more needs a recent proof of who gives it; null: none does',
    }),
  ),
  allowedAddresses: List(Text({ min: 1, max: 50 }), {
    max: allowedAddressesMax,
    description:
      'IPv4 and IPv6 addresses and ranges that staff sign in and act from; empty: from everywhere. Behind a proxy the address is ' +
      'what `TRUSTED_PROXIES` makes of it. A change that lacks the address of its request is refused',
  }),
};
const SignInRules = Named('SignInRules', Type.Object(fields));
const example = {
  secondFactorRoles: ['owner', 'manager'],
  refundProofAbove: 20_000,
  allowedAddresses: [],
} as const;
const roles = ['owner'] as const;

/** What the organization asks of the sign-in of its staff (D72). */
export function signInRulesRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getSignInRules',
      method: 'GET',
      path: '/staff/v1/sign-in-rules',
      roles,
      kind: 'read',
      summary: 'Retrieve the rules of signing in',
      description: 'What the organization asks of its staff beyond the password.',
      tag: 'Staff',
      success: { status: 200, data: SignInRules, description: 'The rules', example },
      failures: [],
      handle: async ({ staff }) => {
        const [[row]] = await context.database.read(staff.organizationId, selectSignInRules({}));
        return reply(rulesOf(row));
      },
    }),
    staffEndpoint({
      id: 'updateSignInRules',
      method: 'PATCH',
      path: '/staff/v1/sign-in-rules',
      roles,
      kind: 'write',
      recentProof: 'always',
      summary: 'Change the rules of signing in',
      description: 'Changes the sent fields. They hold for open sessions as well, within a second.',
      tag: 'Staff',
      body: Type.Partial(Type.Object(fields)),
      requestExample: example,
      success: { status: 200, data: SignInRules, description: 'The rules', example },
      failures: ['OWN_ADDRESS_MISSING'],
      handle: async ({ staff, body, requestId, clientAddress }) => {
        requireOwnAddress(body.allowedAddresses ?? [], clientAddress);
        const origin = staffOrigin(staff, requestId);
        return reply(await updateSignInRules(context, origin, staff.organizationId, body));
      },
    }),
  ];
}

/** An owner is not locked out by mistake. An empty list allows every address. */
function requireOwnAddress(allowed: readonly string[], own: string): void {
  for (const [index, entry] of allowed.entries()) {
    if (isAddressOrRange(entry)) continue;
    throw failure(
      'INVALID_PARAMS',
      `allowedAddresses[${index}] must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.`,
    );
  }
  if (addressFilter(allowed)(own)) return;
  throw failure(
    'OWN_ADDRESS_MISSING',
    `allowedAddresses must have ${own}, where you are: it would lock you out.`,
    {
      address: own,
    },
  );
}
