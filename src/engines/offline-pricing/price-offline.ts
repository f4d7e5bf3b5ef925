import { assert } from '../../kernel/assert.ts';
import { localDateAt, localMomentAt } from '../../kernel/local-time.ts';
import { hasReached } from '../../kernel/reached-age.ts';
import { countedThc, unitContent } from '../goods/potency.ts';
import { weighedContent } from '../goods/weighed-content.ts';
import { priceByWeight } from '../pricing/price-by-weight.ts';
import { priceCart } from '../pricing/price-cart.ts';
import type { PricedCart } from '../pricing/priced-cart.ts';
import {
  checkPurchaseLimits,
  countedContent,
  type PurchaseLimitsVerdict,
} from '../purchase-limits/check-purchase-limits.ts';
import type { WeighedOut } from './offline-sale.ts';
import type { OfflineAudience, OfflineOption, OfflineTerms } from './offline-terms.ts';

export { priceByWeight };

export interface OfflineCartLine {
  readonly productOptionId: number;
  readonly quantity: number;
  /** Grams of goods sold loose; the quantity is 1. */
  readonly weight?: string | undefined;
  /** What of the weight came out of which packages. */
  readonly packages?: readonly WeighedOut[] | undefined;
}

/** A cart at a register that cannot reach the service. */
export interface OfflineCart {
  readonly lines: readonly OfflineCartLine[];
  /** Discounts that staff give. */
  readonly discountIds: readonly number[];
  readonly audience: OfflineAudience;
  /** YYYY-MM-DD; null: unknown. */
  readonly birthday: string | null;
  /** Empty: how it is paid is not known yet. */
  readonly payments: readonly {
    readonly paymentTypeId: number;
    readonly amountCents: number | 'remaining';
  }[];
}

export interface OfflinePrice {
  readonly priced: PricedCart;
  readonly purchaseLimits: PurchaseLimitsVerdict;
  readonly isUnderage: boolean;
}

/** Prices a cart on terms of the service, as the service does with the same facts. Unknown options are dropped by the caller. */
export function priceOffline(terms: OfflineTerms, cart: OfflineCart, nowMs: number): OfflinePrice {
  const options = optionsOf(terms);
  const audience = terms.audiences[cart.audience];
  const today = localDateAt(nowMs, terms.timeZone);
  const lines = cart.lines.map(({ productOptionId, quantity, weight }) => {
    const option = options.get(productOptionId);
    assert(option !== undefined, 'an offline cart has options of its terms');
    return { option: weight === undefined ? option : weighed(option, weight), quantity };
  });
  const priced = priceCart({
    lines: lines.map(({ option, quantity }) => ({
      productOptionId: option.id,
      productId: option.productId,
      productCategoryId: option.categoryId,
      productBrandId: option.brandId,
      productTagIds: option.tagIds,
      isCannabis: option.cannabisType !== 'none',
      quantity,
      priceCents: option.priceCents,
      salesPriceCents: option.salesPriceCents,
      content: option.unitContent ?? null,
    })),
    taxes: audience.taxes,
    taxExempt: audience.taxExempt,
    deliveryFee: null,
    payments: cart.payments.map(({ paymentTypeId, amountCents }) => {
      const type = terms.paymentTypes.find((it) => it.paymentTypeId === paymentTypeId);
      assert(type !== undefined, 'an offline payment has a type of its terms');
      const { isCash: _, ...fees } = type;
      return { ...fees, amountCents };
    }),
    discountLimits: terms.discountLimits,
    discounts:
      terms.discounts.length === 0
        ? undefined
        : {
            offered: terms.discounts,
            situation: {
              moment: localMomentAt(nowMs, terms.timeZone),
              orderType: 'in-store',
              isMedical: cart.audience !== 'adult-use',
              customer: null,
            },
            presentedCodes: [],
            chosenIds: cart.discountIds,
          },
    freeProductFloorCents: terms.freeProductFloorCents,
    taxBase: terms.taxBase,
  });
  return {
    priced,
    purchaseLimits: checkPurchaseLimits({
      rules: audience.purchaseLimits,
      cartLines: lines.map(({ option: { cannabisType, content, thcMg = null }, quantity }) => ({
        cannabisType,
        content,
        thcMg,
        quantity,
      })),
      history: [],
      today,
    }),
    isUnderage: cart.birthday !== null && !hasReached(audience.minimumAge, cart.birthday, today),
  };
}

/** The option as a weight of it is sold. */
function weighed(option: OfflineOption, weight: string): OfflineOption {
  const { loose } = option;
  assert(loose !== undefined, 'only goods sold loose have a weight');
  const { tolerance, sizes } = loose;
  const priceOf = (centsOf: (size: (typeof sizes)[number]) => number) =>
    priceByWeight(
      weight,
      sizes.map((size) => ({ amount: size.amount, cents: centsOf(size) })),
      tolerance,
    ).cents;
  const priceCents = priceOf((size) => size.priceCents);
  const soldCents = priceOf((size) => size.salesPriceCents ?? size.priceCents);
  const stated = weighedContent(loose.stated, weight);
  return {
    ...option,
    ...{ priceCents, salesPriceCents: soldCents < priceCents ? soldCents : null },
    content: countedContent(stated),
    ...(option.unitContent && { unitContent: unitContent(stated), thcMg: countedThc(stated) }),
  };
}

const indexed = new WeakMap<OfflineTerms, ReadonlyMap<number, OfflineOption>>();

/** The options of terms by id. */
export function optionsOf(terms: OfflineTerms): ReadonlyMap<number, OfflineOption> {
  const known = indexed.get(terms);
  if (known !== undefined) return known;
  const options = new Map(terms.options.map((option) => [option.id, option]));
  indexed.set(terms, options);
  return options;
}
