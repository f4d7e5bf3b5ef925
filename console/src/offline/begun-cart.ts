import type { OfflineLine } from './make-sale.ts';
import { nextSaleNumber } from './offline-store.ts';

/* A cart that is begun while the service cannot be reached, as this device keeps it. */

/** A cart at the counter when the service was lost. */
export interface CarriedCart {
  readonly lines: readonly OfflineLine[];
  readonly customerId: number | null;
  readonly birthday: string | null;
  readonly isMedical: boolean;
}

interface Owner {
  readonly organizationId: number;
  readonly staffId: number;
}

/** A cart, the number of the sale that it is to become, and the product of each option. */
interface BegunCart extends CarriedCart {
  readonly saleNumber: number;
  readonly productIds: Readonly<Record<number, number>>;
}

const placeOf = ({ organizationId, staffId }: Owner) => `offline-cart-${organizationId}-${staffId}`;

function read(owner: Owner): BegunCart | null {
  try {
    return JSON.parse(localStorage.getItem(placeOf(owner)) ?? 'null') as BegunCart | null;
  } catch {
    return null;
  }
}

/** The cart that is not sold yet. A browser that was killed can bring back one that is: its storage is seconds behind the sales. */
export function begunCart(owner: Owner): CarriedCart | null {
  const saved = read(owner);
  if (saved === null || saved.saleNumber !== nextSaleNumber()) return null;
  const { saleNumber: _, productIds: __, ...cart } = saved;
  return cart;
}

/** Keeps the cart; an empty one is forgotten. */
export function keepBegunCart(owner: Owner, cart: CarriedCart, productIds: BegunCart['productIds']): void {
  if (cart.lines.length === 0) localStorage.removeItem(placeOf(owner));
  else
    localStorage.setItem(
      placeOf(owner),
      JSON.stringify({ ...cart, productIds, saleNumber: nextSaleNumber() }),
    );
}

/** Hands the cart over to the usual counter, once. */
export function takeBegunCart(owner: Owner): BegunCart | null {
  const saved = read(owner);
  localStorage.removeItem(placeOf(owner));
  return saved?.productIds === undefined || saved.saleNumber !== nextSaleNumber() ? null : saved;
}
