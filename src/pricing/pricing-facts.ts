/**
 * What the pricing engine is told. All amounts are integer cents; a `Percent` is decimal text, so that no
 * rate ever passes through a binary float (D4).
 */

/** Percent as decimal text: 0 to 100 inclusive, at most 6 decimals, e.g. "9.25". */
export type Percent = string;

export interface CartLine {
  readonly productOptionId: number;
  readonly productId: number;
  readonly productCategoryId: number;
  /** Whole, at least 1. The upper bound of a request's line (10,000) is the reader's to refuse. */
  readonly quantity: number;
  /** Per unit. */
  readonly priceCents: number;
  /** Per unit; replaces `priceCents` when set, 0 included. */
  readonly salesPriceCents: number | null;
}

export type TaxTier = '1' | '2' | '3' | '4' | '5';

export type TaxType = 'standard' | 'excise' | 'california-excise';

export type TaxRounding = 'half-up' | 'up';

export interface CartTax {
  readonly id: number;
  readonly description: string;
  readonly rate: Percent;
  readonly tier: TaxTier;
  readonly type: TaxType;
  /** Already inside the prices. */
  readonly included: boolean;
  /** Also taxes what the lower tiers charged. */
  readonly encompass: boolean;
  readonly exemptable: boolean;
  readonly appliesToFees: boolean;
  readonly rounding: TaxRounding;
  readonly excludedProductCategoryIds: readonly number[];
  /** Categories that stay taxed although the customer is exempt. */
  readonly nonExemptableProductCategoryIds: readonly number[];
}

export interface DeliveryFee {
  readonly cents: number;
  readonly description: string | null;
}

/** A payment the customer intends to make, with the fee of its payment type (D28). */
export interface IntendedPayment {
  readonly paymentTypeId: number;
  readonly name: string;
  /** Flat fee. */
  readonly feeCents: number;
  /** Fee on the amount paid with this type. */
  readonly feePercent: Percent;
  readonly feeDescription: string | null;
  /** Part of net price + delivery fee paid with this type, fee not counted. */
  readonly amountCents: number | 'remaining';
}

export interface DiscountLimits {
  readonly budtenderPercent: Percent | null;
  readonly managerPercent: Percent | null;
}

export interface PriceCartInput {
  readonly lines: readonly CartLine[];
  /** In any order; the engine goes by tier, then id. */
  readonly taxes: readonly CartTax[];
  /** The customer is exempt (D35). */
  readonly taxExempt: boolean;
  readonly deliveryFee: DeliveryFee | null;
  /** Empty: the customer has not said how to pay. At most one is 'remaining' (D19). */
  readonly payments: readonly IntendedPayment[];
  readonly discountLimits: DiscountLimits;
  /** Records the steps of the calculation (D31). */
  readonly explain?: boolean;
}
