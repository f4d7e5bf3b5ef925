import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyEmpty, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, NonBlankText, Text, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import { endParkedCart, parkCart } from './park-cart.ts';
import { type ParkedCartRow, parkedCartsMax, selectParkedCarts } from './parked-cart-queries.ts';

const path = '/staff/v1/parked-carts';
const name = NonBlankText({ max: 100, description: 'By which its people know it' });
const itemCount = WholeNumber({ min: 1, max: 1_000_000, description: 'The units in it' });
/** Hundreds of lines. */
const content = Text({
  min: 1,
  max: 100_000,
  description: "The client's own text, returned as it was; without personal data",
});

const ParkedCart = Named(
  'ParkedCart',
  Type.Object({
    id: Id(),
    inventoryLocationId: Id({ description: 'Where it was parked' }),
    name,
    itemCount,
    parkedAt: Timestamp(),
    expiresAt: Timestamp({ description: 'Then it is gone' }),
    parkedBy: Type.Object({
      staffId: Id(),
      firstName: Text({ max: 100 }),
      lastName: Text({ max: 100 }),
    }),
  }),
);

const example = {
  id: 6401,
  inventoryLocationId: 2401,
  name: 'Green scarf',
  itemCount: 3,
  parkedAt: '2026-03-10T18:00:00.000Z',
  expiresAt: '2026-03-11T18:00:00.000Z',
  parkedBy: { staffId: 5101, firstName: 'Marisol', lastName: 'Okafor' },
} as const;

const shared = {
  roles: ['owner', 'manager', 'budtender'],
  tag: 'Registers',
} as const;
const one = {
  params: Type.Object({ parkedCartId: Id() }),
  resourceParams: { parkedCartId: 'PARKED_CART_NOT_FOUND' },
  failures: ['PARKED_CART_NOT_FOUND'],
} as const;

/** Operations on carts that one register parks and any other takes up. */
export function parkedCartStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...shared,
      id: 'listParkedCarts',
      method: 'GET',
      path,
      kind: 'read',
      readsFrom: { primary: 'a few rows that another register takes at any moment' },
      list: {
        staysSmall: 'the carts of one day at the counter',
        unsorted: 'the carts of one day at the counter, the newest first; they are told apart by their names',
      },
      exported: { not: 'they last a day, and are no records' },
      emptyInDemo: 'carts of the day',
      summary: 'List parked carts',
      description: 'All carts that are parked, newest first. A cart expires a day after it was parked.',
      success: {
        status: 200,
        data: List(ParkedCart, { max: parkedCartsMax }),
        description: 'The carts',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const at = isoTimestamp(context.clock.now());
        const [rows] = await context.database.read(staff.organizationId, selectParkedCarts({ at }));
        return reply(rows.map(shownCart));
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'parkCart',
      method: 'POST',
      path,
      kind: 'write',
      summary: 'Park a cart',
      description: `Parks a cart for a day, so that any register takes it up. It holds no stock, and is priced again when it is sold. At most ${parkedCartsMax} are parked at a time.`,
      body: Type.Object({ inventoryLocationId: Id(), name, itemCount, content }),
      requestExample: {
        inventoryLocationId: 2401,
        name: 'Green scarf',
        itemCount: 3,
        content: '{"lines":[]}',
      },
      success: { status: 201, data: ParkedCart, description: 'The cart', example },
      failures: ['INVENTORY_LOCATION_NOT_FOUND', 'TOO_MANY_PARKED_CARTS'],
      handle: async ({ staff, requestId, body }) => {
        const { staffId, firstName, lastName } = staff;
        const cart = { ...body, name: body.name.trim() };
        const parked = await parkCart(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          staffId,
          cart,
        );
        const { content: _, ...shown } = cart;
        return reply({ ...shown, ...parked, parkedBy: { staffId, firstName, lastName } });
      },
    }),
    staffEndpoint({
      ...shared,
      ...one,
      id: 'takeUpParkedCart',
      method: 'POST',
      path: `${path}/{parkedCartId}/take-up`,
      kind: 'write',
      summary: 'Take up a parked cart',
      description: 'Answers what was parked and ends the parking: a second register is refused.',
      success: {
        status: 200,
        data: Type.Object({ name, content }),
        description: 'The cart',
        example: { name: 'Green scarf', content: '{"lines":[]}' },
      },
      handle: async ({ staff, requestId, params }) =>
        reply(
          await endParkedCart(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.parkedCartId,
            'taken_up',
          ),
        ),
    }),
    staffEndpoint({
      ...shared,
      ...one,
      id: 'discardParkedCart',
      method: 'DELETE',
      path: `${path}/{parkedCartId}`,
      kind: 'write',
      summary: 'Discard a parked cart',
      description: 'Removes a parked cart.',
      success: { status: 204, description: 'It is removed' },
      handle: async ({ staff, requestId, params }) => {
        const origin = staffOrigin(staff, requestId);
        await endParkedCart(context, origin, staff.organizationId, params.parkedCartId, 'discarded');
        return replyEmpty();
      },
    }),
  ];
}

function shownCart(row: ParkedCartRow) {
  return {
    id: row.id,
    inventoryLocationId: row.inventory_location_id,
    name: row.name,
    itemCount: row.item_count,
    parkedAt: isoTimestamp(row.parked_at),
    expiresAt: isoTimestamp(row.expires_at),
    parkedBy: { staffId: row.parked_by_staff_id, firstName: row.first_name, lastName: row.last_name },
  };
}
