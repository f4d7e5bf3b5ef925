import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assertOldEnough } from '../../engines/jurisdictions/minimum-age.ts';
import type { OfflineSale } from '../../engines/offline-pricing/offline-sale.ts';
import { chargedOf } from '../../engines/offline-pricing/offline-sale.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FactRows } from '../carts/cart-facts.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import { decideCart, legalEligibility } from '../carts/carts.ts';
import type { offlineDoubts } from './order-schemas.ts';

export interface OfflineDoubt {
  readonly reason: (typeof offlineDoubts)[number];
  /** For people: what would have been otherwise. */
  readonly words: string;
}

/** What the service would have charged, and why it would have refused. */
export interface JudgedSale {
  readonly doubts: readonly OfflineDoubt[];
  /** Null: refused, or charged otherwise. Priced with its steps. */
  readonly agreed: PricedCart | null;
}

const reasonOf: Readonly<Partial<Record<string, OfflineDoubt['reason']>>> = {
  USER_NOT_FOUND: 'customer-unknown',
  CUSTOMER_UNDERAGE: 'customer-underage',
  PRODUCT_OPTION_NOT_FOUND: 'product-off-sale',
  PRODUCT_IS_INACTIVE: 'product-off-sale',
};

/** Judges a sale by what the service knows now, at the time of the sale. */
export function judgeOfflineSale(
  sale: OfflineSale,
  request: CartRequest,
  facts: FactRows,
  law: Law,
): JudgedSale {
  const soldAtMs = Date.parse(sale.soldAt);
  const doubts: OfflineDoubt[] = [];
  let agreed: PricedCart | null = null;
  try {
    const cart = decideCart(request, facts, law, soldAtMs, true);
    if (isChargedAs(cart.priced, sale)) agreed = cart.priced;
    else {
      const present = cart.priced.customerGrandTotalCents;
      const words =
        present === sale.total
          ? 'Prices, discounts or taxes differ in parts of the sale, not in its total.'
          : `The service would have charged ${present} cents, the register charged ${sale.total}.`;
      doubts.push({ reason: 'price-differs', words });
    }
    for (const { rule, limit, total } of cart.purchaseLimits.overages) {
      doubts.push({
        reason: 'purchase-limit',
        words: `${rule.name}: ${total} of ${limit} ${rule.limit.unit}.`,
      });
    }
    for (const { code, words } of cart.dutyRefusals) {
      // Who bought is asked of the profile; a register that is alone knows a birthday at most.
      if (code === 'BUYER_REQUIRED' && sale.buyer.name !== null) continue;
      doubts.push({ reason: code === 'OUTSIDE_SALE_HOURS' ? 'outside-sale-hours' : 'duty-broken', words });
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    doubts.push({ reason: reasonOf[error.code] ?? 'refused', words: error.message });
  }
  const underage = underageWords(sale, facts, law, soldAtMs);
  if (underage !== null && !doubts.some(({ reason }) => reason === 'customer-underage')) {
    doubts.push({ reason: 'customer-underage', words: underage });
  }
  return { doubts, agreed };
}

/** The birthday that was read at the counter counts, too. */
function underageWords(
  { buyer: { birthday } }: OfflineSale,
  [[organization]]: FactRows,
  law: Law,
  soldAtMs: number,
): string | null {
  try {
    const customer = { birthday, medicalExpiration: null };
    assertOldEnough(legalEligibility(law, organization!, customer, soldAtMs));
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Whether each part was charged as the service charges it; how it was paid is not compared, but for the fees. */
function isChargedAs(priced: PricedCart, sale: OfflineSale): boolean {
  const mine = chargedOf(priced, []);
  const parts = ({ lines, discounts, taxes, exemptions, total }: typeof mine) =>
    JSON.stringify([
      lines.map((line) => [
        ...[line.productOptionId, line.quantity, line.unitPrice, line.gross],
        line.discounts.map(({ discountId, amountUsed }) => [discountId, amountUsed]),
        line.taxes.map(({ taxId, amount }) => [taxId, amount]),
      ]),
      discounts.map(({ discountId, amountUsed }) => [discountId, amountUsed]),
      taxes.map(({ taxId, amount, exempted }) => [taxId, amount, exempted]),
      exemptions.map(({ taxId, amount }) => [taxId, amount]),
      total,
    ]);
  return parts(mine) === parts(sale);
}
