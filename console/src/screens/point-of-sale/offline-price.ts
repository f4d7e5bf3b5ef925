import type { OfflineTerms } from '../../../../src/engines/offline-pricing/offline-terms.ts';
import {
  type OfflineCartLine,
  type OfflinePrice,
  optionsOf,
  priceOffline,
} from '../../../../src/engines/offline-pricing/price-offline.ts';
import { ApiFailure, type Schema } from '../../api.ts';
import type { KeptTerms } from '../../offline/offline-store.ts';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import { t } from '../../words/words.ts';
import { type Cart, refusedIdWords } from './cart.ts';
import type { Refusal, RefusedPart } from './refused-part.ts';
import type { CartPricing } from './use-cart-pricing.ts';

/* What a cart costs at a register that is alone, for the panel of the usual counter. */

/** The cart's lines that the terms can price, and the parts that need the service. */
export function offlineParts(
  terms: OfflineTerms,
  cart: Cart,
): { readonly lines: readonly OfflineCartLine[]; readonly refusals: readonly Refusal[] } {
  const options = optionsOf(terms);
  const refusals: Refusal[] = [];
  const refuse = (part: RefusedPart, message: string) =>
    refusals.push({ part, failure: new ApiFailure({ message, code: 'NEEDS_SERVICE', status: 409 }) });
  const needsService = t`It needs the service. Remove it, or wait.`;
  const lines = cart.lines.flatMap(({ option: { productOptionId }, quantity, weight, parts, given }) => {
    const known = options.get(productOptionId);
    const part = { kind: 'line', productOptionIds: [productOptionId] } as const;
    if (known === undefined || (weight !== undefined && !known.loose)) {
      refuse(part, t`Not in the catalog on this device`);
      return [];
    }
    if (given) {
      refuse(part, t`A price by hand needs the service. Remove it, or wait.`);
      return [];
    }
    const packages = parts?.map((part) => ({ packageId: part.packageId, weight: part.weight }));
    return [{ productOptionId, quantity, ...(weight !== undefined && { weight, packages }) }];
  });
  for (const id of cart.discountIds) refuse({ kind: 'discount', id }, needsService);
  for (const code of cart.discountCodes) refuse({ kind: 'code', code }, needsService);
  for (const { rewardId: id } of cart.rewards) refuse({ kind: 'reward', id }, needsService);
  if (cart.adjustments.length > 0) refuse({ kind: 'by-hand' }, needsService);
  if (cart.taxExempt) refuse({ kind: 'exemption' }, needsService);
  return { lines, refusals };
}

/** The birthday of who buys, as far as it is known; null: it is not. */
export const birthdayOf = ({ customer, birthday }: Cart): string | null =>
  customer?.birthday ?? birthday ?? null;

/** The price of lines, for the payments of `rows`. */
export function priceHere(
  terms: OfflineTerms,
  lines: readonly OfflineCartLine[],
  birthday: string | null,
  rows: readonly PaymentRow[],
  nowMs: number,
): OfflinePrice {
  const payments = rows.map(({ paymentTypeId, amount }, index) => ({
    paymentTypeId,
    amountCents: index === rows.length - 1 ? ('remaining' as const) : (amount ?? 0),
  }));
  return priceOffline(
    terms,
    { lines, ...{ discountIds: [], birthday, audience: 'adult-use' as const }, payments },
    nowMs,
  );
}

/** The price in the form in which the service tells it. */
export function shownOffline(
  { priced, purchaseLimits }: OfflinePrice,
  refusals: readonly Refusal[],
): CartPricing {
  const used = ({ id, type, amount, amountUsedCents: amountUsed, description }: UsedDiscount) => ({
    ...{ id, type, amount: Number(amount), amountUsed, description },
  });
  const pricing: Schema['StaffCartPricing'] = {
    lineItems: priced.lines.map((line) => ({
      productOptionId: line.productOptionId,
      productCategoryId: line.productCategoryId,
      quantity: line.quantity,
      unitPrice: line.unitPriceCents,
      subtotalPrice: line.subtotalPriceCents,
      finalPrice: line.finalPriceCents,
      discounts: line.discounts.map(used),
    })),
    ...{ totalPrice: priced.totalPriceCents, netPrice: priced.netPriceCents },
    customerGrandTotal: priced.customerGrandTotalCents,
    discounts: priced.discounts.map(used),
    ...{ credits: [], loyaltyRedemptions: [] },
    adjustments: priced.adjustments.map(({ amountCents: amount, ...adjustment }) => ({
      ...adjustment,
      amount,
    })),
    taxes: priced.taxes.map(
      ({ amountCents: amount, amountBeforeExemptionCents, amountExemptedCents: amountExempted, ...tax }) => ({
        ...{ id: tax.id, amount, amountBeforeExemption: amountBeforeExemptionCents, amountExempted },
        ...{ description: tax.description, rate: tax.rate, normalRate: tax.normalRate, type: tax.type },
        ...{ included: tax.included, exemptable: tax.exemptable, encompass: tax.encompass },
        excludedProductCategoryIds: [...tax.excludedProductCategoryIds],
        nonExemptableProductCategoryIds: [...tax.nonExemptableProductCategoryIds],
      }),
    ),
    ...{ orderMinimum: 0, metOrderMinimum: true, discountsTotal: priced.discountsTotalCents },
    discountsOverBudtenderLimit: priced.discountsOverBudtenderLimit,
    discountsOverManagerLimit: priced.discountsOverManagerLimit,
    ...{ idempotencyKey: '', deliveryFee: null, deliveryFeeDescription: null },
    paymentFees: priced.paymentFeesCents,
    purchaseLimits: [...purchaseLimits.limits],
    warnings: [],
  };
  return { pricing: priced.lines.length > 0 ? pricing : null, refusals, error: null, isCurrent: true };
}

type UsedDiscount = OfflinePrice['priced']['discounts'][number];

/** Why this cart cannot be sold here now, in words; null: it can. `waitingCents`: of this outage. */
export function obstacleOffline(
  kept: Pick<KeptTerms, 'validUntil' | 'saleMax' | 'outageMax'>,
  cart: Cart,
  { priced, purchaseLimits, isUnderage }: OfflinePrice,
  refusals: readonly Refusal[],
  waitingCents: number,
  nowMs: number,
): string | null {
  const total = priced.customerGrandTotalCents;
  const [over] = purchaseLimits.overages;
  if (nowMs > Date.parse(kept.validUntil)) return t`Offline selling has timed out. Reconnect to sell.`;
  if (cart.refusedId) return refusedIdWords[cart.refusedId];
  if (cart.goodsBack) return t`Goods that come back need the service.`;
  if (refusals.length > 0) return t`A part of the cart is not included in the price. Remove it first.`;
  if (isUnderage) return t`The customer is underage.`;
  if (over) return t`${over.rule.name}: ${over.total} of ${over.limit} ${over.rule.limit.unit}.`;
  if (total > kept.saleMax) return t`This sale is over the limit for one offline sale.`;
  if (waitingCents + total > kept.outageMax) return t`Sales during this outage are over the limit.`;
  return null;
}
