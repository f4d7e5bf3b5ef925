import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrderRecord } from './order-record.ts';

/** The amounts of a shown order that must add up. In cents. */
interface ShownTotals {
  readonly id: string;
  readonly totalPrice: number;
  readonly netPrice: number;
  readonly customerGrandTotal: number;
  readonly deliveryFee: number | null;
  readonly lineItems: readonly {
    readonly quantity: number;
    readonly unitPrice: number;
    readonly subtotalPrice: number;
    readonly finalPrice: number;
    readonly discounts: readonly Used[];
  }[];
  readonly payments: readonly { readonly feeAmount: number }[];
  readonly adjustments: readonly { readonly amount: number }[];
  readonly credits: readonly Used[];
  readonly discounts: readonly Used[];
  readonly loyaltyRedemptions: readonly Used[];
  readonly taxes: readonly { readonly amount: number; readonly included: boolean }[];
}

interface Used {
  readonly amountUsed: number;
}

/**
 * Fails when an order's lines do not add up to its totals, or its display list does not add up to the amount
 * due. Checked when an order is written, and when one is shown whole. A wrong bill is worse than none.
 */
export function assertShownTotals(shown: ShownTotals): void {
  const same = (statedCents: number, computedCents: number, what: string) =>
    assertSame(shown.id, statedCents, computedCents, what);
  for (const line of shown.lineItems) {
    same(line.subtotalPrice, line.unitPrice * line.quantity, 'subtotal of a line');
    same(line.finalPrice, line.subtotalPrice - usedCents(line.discounts), 'final price of a line');
  }
  same(
    shown.totalPrice,
    sumCents(shown.lineItems, (line) => line.finalPrice),
    'total price',
  );
  const net =
    shown.totalPrice -
    usedCents([...shown.discounts, ...shown.loyaltyRedemptions, ...shown.credits]) +
    sumCents(shown.adjustments, ({ amount }) => amount) +
    sumCents(shown.taxes, ({ amount, included }) => (included ? 0 : amount));
  same(shown.netPrice, net, 'net price');
  const fees = (shown.deliveryFee ?? 0) + sumCents(shown.payments, ({ feeAmount }) => feeAmount);
  same(shown.customerGrandTotal, net + fees, 'grand total');
}

/**
 * The same for amounts that are not shown: the parts of order discounts and taxes on each line, which returns
 * need.
 */
export function assertAllocations({ head, lines, taxes, discounts, loyaltyRedemptions }: OrderRecord): void {
  const same = (statedCents: number, computedCents: number, what: string) =>
    assertSame(head.id, statedCents, computedCents, what);
  const offOrderCents = sumCents(
    [...discounts.filter(({ orderLineItemId }) => orderLineItemId === null), ...loyaltyRedemptions],
    ({ amountUsedCents }) => amountUsedCents,
  );
  same(
    head.merchandiseCents,
    sumCents(lines, ({ grossCents }) => grossCents),
    'merchandise',
  );
  same(head.merchandiseCents, head.totalPriceCents - offOrderCents, 'merchandise after discounts');
  same(
    head.discountsTotalCents,
    sumCents(discounts, ({ amountUsedCents }) => amountUsedCents),
    'discounts total',
  );
  const allocations = lines.flatMap(({ taxAllocations }) => taxAllocations);
  for (const { taxId, amountCents, feeAllocationCents } of taxes) {
    const onLinesCents = sumCents(
      allocations.filter((allocation) => allocation.taxId === taxId),
      (allocation) => allocation.amountCents,
    );
    same(amountCents, onLinesCents + feeAllocationCents, `allocations of tax ${taxId}`);
  }
}

function usedCents(used: readonly Used[]): number {
  return sumCents(used, ({ amountUsed }) => amountUsed);
}

function assertSame(orderId: string, statedCents: number, computedCents: number, what: string): void {
  assert(
    statedCents === computedCents,
    () => `order ${orderId}: ${what} is stated as ${statedCents}, but adds up to ${computedCents}`,
  );
}
