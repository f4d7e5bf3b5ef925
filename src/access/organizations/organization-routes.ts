import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Flag, Id, Named, OneOf, Text } from '../../platform/http/schemas.ts';
import { type TimeZone, timeZones } from './create-organization.ts';
import { selectOrganization } from './organization-queries.ts';

const Organization = Named(
  'Organization',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    customerEmail: Text({ max: 254, description: 'Customer-facing' }),
    customerPhone: Text({ max: 40, description: 'Customer-facing' }),
    hasDelivery: Flag({ description: 'Whether the shop delivers' }),
    hasPickup: Flag({ description: 'Whether orders can be picked up' }),
    state: Text({ max: 2, description: 'US state, two letters' }),
    licenseNumber: Text({ description: 'License number of the shop', max: 100 }),
    taxesIncluded: Flag({ description: 'Whether taxes are included in product prices' }),
    tz: OneOf(timeZones, { description: 'The time zone of its business days' }),
  }),
);

/** The operations on the organization itself. */
export function organizationRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'getOrganization',
      method: 'GET',
      path: '/api/v1/organization',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      permissionForLess: 'create-orders',
      kind: 'read',
      namesNoContact: true,
      summary: 'Retrieve the organization',
      description: 'The organization that the client key belongs to.',
      tag: 'Organization',
      success: {
        status: 200,
        data: Organization,
        description: 'The organization',
        example: {
          id: 1001,
          name: 'Harborlight Provisions',
          customerEmail: 'hello@harborlight.example.com',
          customerPhone: '+15105550100',
          hasDelivery: true,
          hasPickup: true,
          state: 'CA',
          licenseNumber: 'C10-0000001-LIC',
          taxesIncluded: false,
          tz: 'America/Los_Angeles',
        },
      },
      failures: [],
      handle: async ({ caller }) => {
        const [[row]] = await context.database.read(caller.organizationId, selectOrganization({}));
        assert(row !== undefined, 'an authenticated organization exists');
        return reply({
          id: row.id,
          name: row.name,
          customerEmail: row.customer_email,
          customerPhone: row.customer_phone,
          hasDelivery: row.has_delivery,
          hasPickup: row.has_pickup,
          state: row.state,
          licenseNumber: row.license_number,
          taxesIncluded: row.taxes_included,
          tz: row.tz as TimeZone,
        });
      },
    }),
  ];
}
