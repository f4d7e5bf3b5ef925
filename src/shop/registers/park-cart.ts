import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { holdOpenLocations } from '../inventory/stock.ts';
import {
  countParkedCarts,
  dropExpiredCarts,
  insertParkedCarts,
  parkedCartsMax,
  takeParkedCart,
} from './parked-cart-queries.ts';

/** A day of trading, and the night after it. */
const lifeMs = 24 * 3_600_000;

/** A cart to be parked. */
interface CartToPark {
  readonly inventoryLocationId: number;
  readonly name: string;
  readonly itemCount: number;
  /** The client's own text. */
  readonly content: string;
}

/** Parks a cart for a day, and resolves to its id and its end. Fails with INVENTORY_LOCATION_NOT_FOUND, TOO_MANY_PARKED_CARTS. */
export async function parkCart(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  cart: CartToPark,
): Promise<{ readonly id: number; readonly parkedAt: string; readonly expiresAt: string }> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const expiresAt = isoTimestamp(nowMs + lifeMs);
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const [[location], [counted]] = await tx.run(
      holdOpenLocations({ ids: [cart.inventoryLocationId] }),
      countParkedCarts({ at }),
    );
    if (location === undefined) {
      throw failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
    }
    if ((counted?.count ?? 0) >= parkedCartsMax) {
      throw failure(
        'TOO_MANY_PARKED_CARTS',
        `There are ${parkedCartsMax} parked carts: take up or discard some first.`,
      );
    }
    tx.queue(
      dropExpiredCarts({ at }),
      ...insertParkedCarts([{ ...cart, id, parkedByStaffId: staffId, parkedAt: at, expiresAt }]),
    );
    const { inventoryLocationId, itemCount } = cart;
    await announce(tx, context, origin, nowMs, {
      event: 'parked_cart.parked',
      subjectType: 'parked_cart',
      subjectId: id,
      payload: { parkedCartId: id },
      // A name may be a person's, and the audit is kept for ever.
      details: { parkedCartId: id, inventoryLocationId, itemCount },
    });
    return { id, parkedAt: at, expiresAt };
  });
}

/** Takes up a parked cart, once, or discards it. Fails with PARKED_CART_NOT_FOUND. */
export async function endParkedCart(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  end: 'taken_up' | 'discarded',
): Promise<{ readonly name: string; readonly content: string }> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[cart]] = await tx.run(takeParkedCart({ id, at: isoTimestamp(nowMs) }));
    if (cart === undefined) {
      throw failure(
        'PARKED_CART_NOT_FOUND',
        'There is no such parked cart: it was taken up or discarded, or has expired.',
      );
    }
    await announce(tx, context, origin, nowMs, {
      event: `parked_cart.${end}`,
      subjectType: 'parked_cart',
      subjectId: id,
      payload: { parkedCartId: id },
      details: {
        parkedCartId: id,
        inventoryLocationId: cart.inventory_location_id,
        itemCount: cart.item_count,
      },
    });
    return { name: cart.name, content: cart.content };
  });
}
