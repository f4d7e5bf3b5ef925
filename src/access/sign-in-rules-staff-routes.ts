import Type from 'typebox';
import { type Context, staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { List, Named, Nullable, OneOf, WholeNumber } from '../http/schemas.ts';
import { staffRoles } from '../kernel/staff-roles.ts';
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
};
const SignInRules = Named('SignInRules', Type.Object(fields));
const example = { secondFactorRoles: ['owner', 'manager'], refundProofAbove: 20_000 } as const;
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
      source: ['D72'],
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
      source: ['D72'],
      summary: 'Change the rules of signing in',
      description: 'Changes the sent fields. They hold for open sessions as well, within a second.',
      tag: 'Staff',
      body: Type.Partial(Type.Object(fields)),
      requestExample: example,
      success: { status: 200, data: SignInRules, description: 'The rules', example },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(await updateSignInRules(context, origin, staff.organizationId, body));
      },
    }),
  ];
}
