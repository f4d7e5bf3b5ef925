import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import type { CartCustomerRow } from '../carts/cart-customer-queries.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import type { OfferedDiscountRow } from '../promotions/promotions.ts';
import type { OrderRecord } from './order-record.ts';

/** An imported order, as later orders count it. */
interface EarlierOrder {
  readonly userId: number | null;
  readonly discountIds: ReadonlySet<number>;
  /** Infinity: never. */
  readonly canceledAtMs: number;
}

/**
 * The promotions that each past order could use at its time: uses and first orders count the orders before it,
 * without those canceled by then. Account credits and points are current, so past orders use none.
 */
export class ImportedPromotions {
  readonly #discounts: readonly OfferedDiscountRow[];
  readonly #customers: ReadonlyMap<number, CartCustomerRow>;
  readonly #orders: EarlierOrder[] = [];
  readonly #ordersOf = new Map<number, EarlierOrder[]>();

  constructor(discounts: readonly OfferedDiscountRow[], customers: readonly CartCustomerRow[]) {
    this.#discounts = discounts;
    this.#customers = new Map(customers.map((customer) => [customer.id, customer]));
  }

  /** The discounts with limited uses. */
  get limitedIds(): number[] {
    return this.#discounts
      .filter((row) => row.uses_total !== null || row.uses_per_customer !== null)
      .map(({ id }) => id);
  }

  /** The promotions of the cart, including the customer's uses. */
  offeredTo(request: CartRequest, atMs: number): OfferedDiscountRow[] {
    const codes = new Set(request.discountCodes.map(normalizeCode));
    return this.#discounts.flatMap((row) => {
      const codeKeys = row.code_keys.filter((code) => codes.has(code));
      const isOffered = {
        automatic: row.ends_at === null || row.ends_at > atMs,
        code: codeKeys.length > 0,
        manual: request.chosenDiscountIds?.includes(row.id) === true,
      }[row.trigger];
      if (!isOffered) return [];
      const used = row.uses_total === null ? null : countUses(this.#orders, row.id, atMs) + (row.used ?? 0);
      return [{ ...row, code_keys: codeKeys, used }];
    });
  }

  /** The customer of an order, with the counts of their account. */
  customerOf(userId: number, atMs: number): CartCustomerRow[] {
    const customer = this.#customers.get(userId);
    if (customer === undefined) return [];
    const earlier = this.#ordersOf.get(userId) ?? [];
    const uses: Record<string, number> = { ...customer.uses };
    for (const row of this.#discounts) {
      if (row.uses_per_customer === null) continue;
      uses[row.id] = (uses[row.id] ?? 0) + countUses(earlier, row.id, atMs);
    }
    const hasOrdered = customer.has_ordered || earlier.some(({ canceledAtMs }) => canceledAtMs > atMs);
    return [{ ...customer, uses, has_ordered: hasOrdered, credits: null, points: null }];
  }

  /** Records an order; called for every order, oldest first. */
  remember({ head, discounts }: OrderRecord): void {
    const order = {
      userId: head.userId,
      discountIds: new Set(discounts.map(({ discountId }) => discountId)),
      canceledAtMs: head.canceledAt ?? Number.POSITIVE_INFINITY,
    };
    if (order.discountIds.size > 0) this.#orders.push(order);
    if (head.userId === null) return;
    const ofCustomer = this.#ordersOf.get(head.userId);
    if (ofCustomer === undefined) this.#ordersOf.set(head.userId, [order]);
    else ofCustomer.push(order);
  }
}

function countUses(orders: readonly EarlierOrder[], discountId: number, atMs: number): number {
  return orders.filter((order) => order.discountIds.has(discountId) && order.canceledAtMs > atMs).length;
}
