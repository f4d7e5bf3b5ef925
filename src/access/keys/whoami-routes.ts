import Type from 'typebox';
import { environmentOfKey } from '../../kernel/api-keys.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { isKeyPermission, keyPermissions } from '../../kernel/permission-catalog.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import {
  Described,
  Flag,
  Id,
  List,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import type { TimeZone } from '../organizations/create-organization.ts';
import { selectOrganization, timeZones } from '../organizations/organizations.ts';
import { customersOf, selectClientKey } from './client-key-queries.ts';

const requestsPerSecondMax = 1_000_000;
const PerSecond = WholeNumber({ min: 1, max: requestsPerSecondMax });

const Identity = Type.Object({
  organization: Type.Object(
    {
      id: Id(),
      name: Text({ max: 200 }),
      tz: OneOf(timeZones, { description: 'The time zone of its business days' }),
      state: Text({ max: 2, description: 'US state, two letters' }),
    },
    { description: 'The shop' },
  ),
  integrator: Type.Object(
    { id: Id(), name: Text({ max: 200 }) },
    { description: 'The company that the consumer key belongs to' },
  ),
  environment: OneOf(['production', 'staging'], { description: 'Which environment the keys are for' }),
  sandbox: Flag({ description: 'The organization is a sandbox: nothing in it is real' }),
  key: Type.Object(
    {
      id: Id(),
      name: Text({ max: 200 }),
      permissions: List(OneOf(keyPermissions), {
        description: 'What the key may do',
        max: keyPermissions.length,
      }),
      strict: Flag({ description: 'Unknown names in bodies and queries are refused' }),
      customers: OneOf(['vouched', 'proven'], {
        description:
          'vouched: the customers that you name are believed to be them. proven: send `customer.token` for what is theirs alone, such as credits',
      }),
      createdAt: Timestamp(),
      expiresAt: Nullable(Timestamp({ description: 'When the key ends; null: it does not' })),
      previousEndsAt: Nullable(Timestamp({ description: 'The end of the previous key after a rotation' })),
    },
    { description: 'The client key' },
  ),
  rateLimits: Type.Object(
    {
      menuRequestsPerSecond: Described('Requests a second for the operations of the menu', PerSecond),
      otherRequestsPerSecond: Described('Requests a second for all other operations', PerSecond),
      otherRequestsLeft: Nullable(
        WholeNumber({
          min: 0,
          max: 2 * requestsPerSecondMax,
          description: 'Requests that may be sent at once after this one; null: not counted',
        }),
      ),
    },
    { description: 'How many requests the key may send' },
  ),
});

const identityExample = {
  organization: { id: 1001, name: 'Harborlight Provisions', tz: 'America/Los_Angeles', state: 'CA' },
  integrator: { id: 501, name: 'Corner Cart' },
  environment: 'production',
  sandbox: false,
  key: {
    id: 3001,
    name: 'Web shop',
    permissions: ['create-orders', 'menu'],
    strict: false,
    customers: 'vouched',
    createdAt: '2026-03-01T17:05:09.123Z',
    expiresAt: null,
    previousEndsAt: null,
  },
  rateLimits: { menuRequestsPerSecond: 4, otherRequestsPerSecond: 15, otherRequestsLeft: 29 },
} as const;

/** The identity and permissions of the keys. */
export function whoamiRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'whoAmI',
      method: 'GET',
      path: '/api/v1/whoami',
      address: 'base',
      permission: null,
      publishableKey: 'refused',
      kind: 'read',
      namesNoContact: true,
      summary: 'Retrieve the identity of the keys',
      description:
        'The organization, the integrator, and the permissions, expiry and limits of the client key. Any valid keys are enough.',
      tag: 'Organization',
      success: {
        status: 200,
        data: Identity,
        description: 'The identity of the keys',
        example: identityExample,
      },
      failures: [],
      handle: async ({ caller, requestsLeft }) => {
        const at = isoTimestamp(context.clock.now());
        const [[organization], [key]] = await context.database.read(
          caller.organizationId,
          selectOrganization({}),
          selectClientKey({ id: caller.clientKeyId, at }),
        );
        assert(
          organization !== undefined && key !== undefined,
          'the organization and key of authenticated keys exist',
        );
        const { menu, other } = caller.rateLimitPerSecond;
        return reply({
          organization: {
            id: organization.id,
            name: organization.name,
            tz: organization.tz as TimeZone,
            state: organization.state,
          },
          integrator: { id: caller.integratorId, name: caller.integratorName },
          environment: environmentOfKey(key.key_prefix),
          sandbox: caller.sandbox !== null,
          key: {
            id: key.id,
            name: key.name,
            permissions: key.permissions.filter(isKeyPermission),
            strict: key.strict,
            customers: customersOf(key),
            createdAt: isoTimestamp(key.created_at),
            expiresAt: key.expires_at === null ? null : isoTimestamp(key.expires_at),
            previousEndsAt: key.previous_ends_at === null ? null : isoTimestamp(key.previous_ends_at),
          },
          rateLimits: {
            menuRequestsPerSecond: menu,
            otherRequestsPerSecond: other,
            otherRequestsLeft: requestsLeft,
          },
        });
      },
    }),
  ];
}
