import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { selectLocations } from './inventory-queries.ts';

export const InventoryLocation = Named(
  'InventoryLocation',
  Type.Object({
    id: Id({ description: 'The id that other operations call `inventoryLocationId`' }),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    type: OneOf(['standard', 'vehicle'], { description: 'A place that stays, or a vehicle' }),
  }),
);

/** Operations on inventory locations. */
export function locationRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listInventoryLocations',
      method: 'GET',
      path: '/api/v1/inventory-locations',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List inventory locations',
      description: 'The locations where the organization keeps stock.',
      tag: 'Inventory',
      success: {
        status: 200,
        data: List(InventoryLocation, { max: 10_000 }),
        description: 'The locations',
        example: [{ id: 2401, name: 'Storefront', description: null, type: 'standard' }],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, selectLocations({}));
        return reply(rows);
      },
    }),
  ];
}
