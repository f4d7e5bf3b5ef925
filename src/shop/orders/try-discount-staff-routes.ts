import Type from 'typebox';
import { v4 as uuidV4 } from 'uuid';
import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Cents, Id, Named } from '../../platform/http/schemas.ts';
import {
  cartFactStatements,
  decideCart,
  missingContact,
  postalCodeOf,
  shownStaffPricing,
} from '../carts/carts.ts';
import { assertPackagesKnown, selectLocations } from '../inventory/stock.ts';
import { DiscountBody } from '../promotions/discount-schemas.ts';
import { askingFor, loadTriedDiscount, newDiscountId, offeredWith } from '../promotions/promotions.ts';
import { namedPackages, onlyPlace } from './held-stock.ts';
import { placeOrderExample } from './order-examples.ts';
import { selectDiscountOrders } from './order-use-queries.ts';
import { staffCartFailures } from './place-order-staff-routes.ts';
import { readStaffCart, StaffPricingBody } from './staff-cart-body.ts';
import { StaffCartPricing, staffPricingExample } from './staff-order-schemas.ts';

const TriedDiscount = Named(
  'TriedDiscount',
  Type.Object({
    discountId: Id({
      description: 'The id of the discount in `pricing`; for a new discount it has no other use',
    }),
    amountUsed: Cents({
      max: Number.MAX_SAFE_INTEGER,
      description: 'The amount that it takes off lines and order together; 0: it does not apply',
    }),
    pricing: StaffCartPricing,
  }),
);

/** Tries an unsaved discount on a cart. */
export function tryDiscountStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'tryDiscount',
      method: 'POST',
      path: '/staff/v1/discounts/try',
      roles: orderRoles,
      kind: 'read',
      summary: 'Try a discount on a cart',
      description:
        'Prices a cart as if the discount were saved, with the arithmetic of all carts; nothing is stored. ' +
        'A code discount is applied by its first code, a manual one as if staff chose it; the refusals are the same. ' +
        'With `replaces` it takes the place of a saved discount, including its uses.',
      tag: 'Marketing',
      body: Type.Object({
        discount: DiscountBody,
        replaces: Type.Optional(Id({ description: 'A saved discount that is left out' })),
        cart: StaffPricingBody,
      }),
      alsoMissing: (body) => missingContact((body as { cart?: unknown } | undefined)?.cart, 'cart.'),
      requestExample: {
        discount: { name: 'Happy hour', kind: 'order', type: 'percent', amount: '10' },
        cart: { type: 'in-store', lineItems: placeOrderExample.lineItems },
      },
      success: {
        status: 200,
        data: TriedDiscount,
        description: 'The priced cart',
        example: { discountId: newDiscountId, amountUsed: 0, pricing: staffPricingExample },
      },
      failures: [...staffCartFailures, 'PACKAGE_NOT_FOUND', 'INVENTORY_LOCATION_NOT_FOUND'],
      handle: async ({ staff, body: { discount, replaces, cart } }) => {
        const asked = readStaffCart(cart, postalCodeOf(cart));
        const { organizationId } = staff;
        const tried = await loadTriedDiscount(
          context,
          organizationId,
          discount,
          replaces,
          selectDiscountOrders,
        );
        const request = askingFor(asked, tried);
        const nowMs = context.clock.now();
        const law = context.law.current;
        const { inventoryLocationId } = cart;
        const { chosenPackages = [] } = request;
        const [locations, packages, ...facts] = await context.database.read(
          organizationId,
          inventoryLocationId === undefined ? null : selectLocations({}),
          namedPackages(chosenPackages, isoTimestamp(nowMs)),
          ...cartFactStatements(request, law, nowMs),
        );
        if (inventoryLocationId !== undefined) onlyPlace(inventoryLocationId, locations);
        assertPackagesKnown(chosenPackages, packages);
        const [organization, options, taxes, zones, types, customers, limits, bought, offered, rewards] =
          facts;
        const decided = decideCart(
          request,
          [
            ...([organization, options, taxes, zones, types, customers, limits, bought] as const),
            offeredWith(offered, tried, nowMs),
            rewards,
          ],
          law,
          nowMs,
          false,
        );
        const pricing = shownStaffPricing(decided, uuidV4({ random: context.randomBytes(16) }));
        const applied = [...pricing.lineItems.flatMap(({ discounts }) => discounts), ...pricing.discounts];
        return reply({
          discountId: tried.id,
          amountUsed: sumCents(
            applied.filter((used) => used.id === tried.id),
            ({ amountUsed }) => amountUsed,
          ),
          pricing,
        });
      },
    }),
  ];
}
