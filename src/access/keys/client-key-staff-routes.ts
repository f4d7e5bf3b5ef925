import Type, { type Static } from 'typebox';
import { allowedAddressesMax, isAddressOrRange } from '../../kernel/address-ranges.ts';
import type { Environment } from '../../kernel/api-keys.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { isKeyPermission, keyPermissions, withoutRepetition } from '../../kernel/permission-catalog.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { reply, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import {
  customersOf,
  lastAddressesMax,
  type ShownClientKeyRow,
  selectClientKey,
  selectClientKeys,
} from './client-key-queries.ts';
import { clientKeyFields, createClientKey, publishableProblem } from './create-client-key.ts';
import { selectIntegrators } from './integrator-queries.ts';
import { attentionOf, keyAttentions, soonDays, unusedDays } from './key-attention.ts';
import { revokeClientKey } from './revoke-client-key.ts';
import { rotateClientKey } from './rotate-client-key.ts';

const AllowedAddresses = List(Text({ min: 1, max: 50 }), {
  max: allowedAddressesMax,
  description: 'IPv4 and IPv6 addresses and ranges that may use the key; empty: any address',
});

const Origins = List(Text({ min: 1, max: 300, description: 'Such as https://shop.example' }), {
  max: clientKeyFields.originsMax,
  description: 'The origins whose pages may use a publishable key; empty for a secret key',
});

const Customers = OneOf(['vouched', 'proven'], {
  description:
    'vouched: the integrator signs its customers in itself, and the email or phone that it sends is believed to be theirs. proven: an email or a phone only claims a customer, who proves to be it by a code (`customer.token`); without, a cart gets no credits, points, group prices or medical status of the profile',
});

const keyFields = {
  id: Id(),
  integratorId: Id(),
  integratorName: Text({ max: 200 }),
  name: Text({ max: 200 }),
  keyPrefix: Text({ max: 20, description: 'The start of the key' }),
  permissions: List(OneOf(keyPermissions), { max: keyPermissions.length }),
  strict: Flag({ description: 'Unknown names in bodies and queries are refused' }),
  allowedAddresses: AllowedAddresses,
  publishable: Flag({ description: 'For web pages: works without a consumer key, on its origins only' }),
  origins: Origins,
  customers: Customers,
  createdAt: Timestamp(),
  lastUsedAt: Nullable(Timestamp({ description: 'Accurate to two minutes' })),
  lastAddresses: List(Text({ max: 50 }), {
    max: lastAddressesMax,
    description: 'From where it was used last, the latest first; empty for a publishable key',
  }),
  attention: Nullable(
    OneOf(keyAttentions, {
      description: `Why an owner should look at it. expires-soon: it ends within ${soonDays} days; unused: nothing has used it for ${unusedDays} days; null: no reason, or it works no more`,
    }),
  ),
  expiresAt: Nullable(Timestamp({ description: 'null: does not expire' })),
  revokedAt: Nullable(Timestamp()),
  previousEndsAt: Nullable(Timestamp({ description: 'The end of the previous key after a rotation' })),
};
const ClientKey = Named('ClientKey', Type.Object(keyFields));
const FreshClientKey = Named(
  'FreshClientKey',
  Type.Object({ ...keyFields, clientKey: Text({ max: 60, description: 'Shown once' }) }),
);

const ClientKeyBody = Type.Object({
  integratorId: Id(),
  name: clientKeyFields.name,
  permissions: List(OneOf(keyPermissions), {
    max: keyPermissions.length,
    description:
      'A name with `:read` or `:write` grants that part only; without, both. Empty: the key can only retrieve its own identity',
  }),
  expiresAt: Type.Optional(Nullable(Timestamp({ description: 'In the future; null: does not expire' }))),
  allowedAddresses: Type.Optional(AllowedAddresses),
  publishable: Type.Optional(
    Flag({
      description:
        'A key for web pages, whose text is public. It needs `origins`, and can have `menu` and `create-orders` only',
    }),
  ),
  origins: Type.Optional(Origins),
  customers: Type.Optional(
    OneOf(['vouched', 'proven'], { description: 'Default: proven. A publishable key is always proven' }),
  ),
  strict: Type.Optional(Flag({ description: 'Default: true on staging, false otherwise' })),
});

const keyExample = {
  id: 3001,
  integratorId: 501,
  integratorName: 'Corner Cart',
  name: 'Web shop',
  keyPrefix: 'dck_live_0123',
  permissions: ['create-orders', 'menu'],
  strict: false,
  allowedAddresses: ['203.0.113.0/24'],
  publishable: false,
  origins: [],
  customers: 'proven',
  createdAt: '2026-03-01T17:05:09.123Z',
  lastUsedAt: '2026-03-10T18:00:00.000Z',
  lastAddresses: ['203.0.113.7'],
  attention: null,
  expiresAt: '2030-01-01T08:00:00.000Z',
  revokedAt: null,
  previousEndsAt: null,
} as const;
const freshExample = { ...keyExample, clientKey: 'dck_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef' };

const params = Type.Object({ clientKeyId: Id() });
const resourceParams = { clientKeyId: 'CLIENT_KEY_NOT_FOUND' } as const;
/** Owners only: the creator of a key could use all its permissions (D9). */
const roles = ['owner'] as const;
const origin = ({ staffId }: StaffCaller, requestId: string): Origin => ({
  actor: `staff:${staffId}`,
  requestId,
});

function shown(row: ShownClientKeyRow, nowMs: number): Static<typeof ClientKey> {
  const time = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));
  return {
    id: row.id,
    integratorId: row.integrator_id,
    integratorName: row.integrator_name,
    name: row.name,
    keyPrefix: row.key_prefix,
    permissions: row.permissions.filter(isKeyPermission),
    strict: row.strict,
    allowedAddresses: row.allowed_addresses,
    publishable: row.origins.length > 0,
    origins: row.origins,
    customers: customersOf(row),
    createdAt: isoTimestamp(row.created_at),
    lastUsedAt: time(row.last_used_at),
    lastAddresses: row.last_addresses,
    attention: attentionOf(row, nowMs),
    expiresAt: time(row.expires_at),
    revokedAt: time(row.revoked_at),
    previousEndsAt: time(row.previous_ends_at),
  };
}

interface Access {
  readonly environment: Environment;
}

/** The organization's keys for integrators. */
export function clientKeyStaffRoutes(context: Context, access: Access): StaffEndpoint[] {
  return [
    listIntegratorsEndpoint(context),
    listClientKeysEndpoint(context),
    createClientKeyEndpoint(context, access),
    rotateClientKeyEndpoint(context, access),
    revokeClientKeyEndpoint(context),
  ];
}

function listIntegratorsEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listIntegrators',
    method: 'GET',
    path: '/staff/v1/integrators',
    roles,
    kind: 'read',
    readsFrom: { primary: 'keys' },
    list: { staysSmall: 'settings of the shop' },
    exported: { not: "the operator's, not the shop's" },
    summary: 'List integrators',
    description: 'The companies that a client key can be created for. The operator registers them.',
    tag: 'Keys',
    sorts: { id: 'ascending', name: 'ascending' },
    success: {
      status: 200,
      data: List(Type.Object({ id: Id(), name: Text({ max: 200 }) }), { max: 10_000 }),
      description: 'Integrators',
      example: [{ id: 501, name: 'Corner Cart' }],
    },
    failures: [],
    handle: async () => reply(await context.database.global(selectIntegrators({}))),
  });
}

function listClientKeysEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listClientKeys',
    method: 'GET',
    path: '/staff/v1/client-keys',
    roles,
    kind: 'read',
    readsFrom: { primary: 'keys' },
    list: { staysSmall: 'settings of the shop' },
    summary: 'List client keys',
    description: 'All keys, including revoked and expired ones, in the order of creation.',
    tag: 'Keys',
    sorts: {
      createdAt: 'ascending',
      name: 'ascending',
      integratorName: 'ascending',
      lastUsedAt: 'descending',
      expiresAt: 'ascending',
    },
    success: {
      status: 200,
      data: List(ClientKey, { max: 10_000 }),
      description: 'Client keys',
      example: [keyExample],
    },
    failures: [],
    handle: async ({ staff }) => {
      const at = isoTimestamp(context.clock.now());
      const [rows] = await context.database.read(staff.organizationId, selectClientKeys({ at }));
      return reply(rows.map((row) => shown(row, context.clock.now())));
    },
  });
}

function createClientKeyEndpoint(context: Context, { environment }: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'createClientKey',
    method: 'POST',
    path: '/staff/v1/client-keys',
    roles,
    kind: 'write',
    recentProof: 'always',
    answersSecret: true,
    summary: 'Create a client key',
    description:
      'Creates a key for one integrator, valid with its consumer key. The key is shown in this reply only. With ' +
      '`publishable` it is a key for the web pages of `origins`: it begins with `dcp_`, works without a consumer key, and ' +
      'calls only the operations that a shop page needs.',
    tag: 'Keys',
    body: ClientKeyBody,
    requestExample: {
      integratorId: 501,
      name: 'Web shop',
      permissions: ['create-orders', 'menu'],
      expiresAt: '2030-01-01T08:00:00.000Z',
      allowedAddresses: ['203.0.113.0/24'],
      strict: false,
    },
    success: { status: 201, data: FreshClientKey, description: 'The key', example: freshExample },
    failures: [],
    handle: async ({ staff, body, requestId }) => {
      const {
        expiresAt = null,
        allowedAddresses = [],
        permissions: wanted,
        publishable,
        customers,
        ...rest
      } = body;
      const { origins = [] } = rest;
      if (publishable !== true && origins.length > 0) {
        throw failure('INVALID_PARAMS', 'origins must be empty unless publishable is true.');
      }
      if (publishable === true && customers === 'vouched') {
        throw failure('INVALID_PARAMS', 'customers must be proven for a publishable key.');
      }
      const problem = publishable === true ? publishableProblem(origins, wanted) : null;
      if (problem !== null) throw failure('INVALID_PARAMS', problem);
      const expiresAtMs = expiresAt === null ? null : Date.parse(expiresAt);
      if (expiresAtMs !== null && expiresAtMs <= context.clock.now()) {
        throw failure('INVALID_PARAMS', 'expiresAt must be in the future.');
      }
      for (const [index, entry] of allowedAddresses.entries()) {
        if (isAddressOrRange(entry)) continue;
        throw failure(
          'INVALID_PARAMS',
          `allowedAddresses[${index}] must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.`,
        );
      }
      const { id, clientKey } = await createClientKey(
        context,
        environment,
        origin(staff, requestId),
        staff.organizationId,
        {
          ...rest,
          permissions: withoutRepetition(wanted),
          vouches: customers === 'vouched',
          expiresAtMs,
          allowedAddresses,
        },
      );
      const at = isoTimestamp(context.clock.now());
      const [[row]] = await context.database.read(staff.organizationId, selectClientKey({ id, at }));
      assert(row !== undefined, 'a created key exists');
      return reply({ ...shown(row, context.clock.now()), clientKey });
    },
  });
}

function rotateClientKeyEndpoint(context: Context, { environment }: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'rotateClientKey',
    method: 'POST',
    path: '/staff/v1/client-keys/{clientKeyId}/rotate',
    roles,
    kind: 'write',
    recentProof: 'always',
    answersSecret: true,
    summary: 'Rotate a client key',
    description:
      'Replaces the text of the key and keeps its settings. The previous text works for `overlapHours` more; with 0 ' +
      'for less than a second. An older text ends at its former end or sooner. The new text is shown in this reply ' +
      'only.',
    tag: 'Keys',
    params,
    body: Type.Object({
      overlapHours: WholeNumber({
        min: 0,
        max: 720,
        description: 'How long both texts work: at most 30 days',
      }),
    }),
    requestExample: { overlapHours: 24 },
    success: { status: 200, data: FreshClientKey, description: 'The key', example: freshExample },
    failures: ['CLIENT_KEY_ENDED'],
    resourceParams,
    handle: async ({ staff, params: { clientKeyId }, body, requestId }) => {
      const { row, clientKey } = await rotateClientKey(
        context,
        environment,
        origin(staff, requestId),
        staff.organizationId,
        clientKeyId,
        body.overlapHours,
      );
      return reply({ ...shown(row, context.clock.now()), clientKey });
    },
  });
}

function revokeClientKeyEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'revokeClientKey',
    method: 'POST',
    path: '/staff/v1/client-keys/{clientKeyId}/revoke',
    roles,
    kind: 'write',
    recentProof: 'always',
    summary: 'Revoke a client key',
    description:
      'Ends the key, including its text from before a rotation, everywhere within one second. A revoked ' +
      'key stays revoked.',
    tag: 'Keys',
    params,
    success: { status: 200, data: ClientKey, description: 'The key', example: keyExample },
    failures: [],
    resourceParams,
    handle: async ({ staff, params: { clientKeyId }, requestId }) =>
      reply(
        shown(
          await revokeClientKey(context, origin(staff, requestId), staff.organizationId, clientKeyId),
          context.clock.now(),
        ),
      ),
  });
}
