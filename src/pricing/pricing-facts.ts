/**
 * What the pricing engine is told. All amounts are integer cents; a `Percent` is decimal text, so that no
 * rate ever passes through a binary float (D4).
 */

import type { DiscountFacts } from './discounts/choose-discounts.ts';
import type { Percent } from './exact-fraction.ts';

export type { Percent };

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
  /** For discounts on brands and tags. */
  readonly productBrandId?: number | null;
  readonly productTagIds?: readonly number[];
  /** The category's cannabis type is not `none`: the free-product floor guards the line. */
  readonly isCannabis?: boolean;
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
  /** The cap on order discounts and rewards, of the subtotals and counting line discounts; null: none. */
  readonly maximumPercent?: Percent | null;
}

interface RewardTerms {
  readonly id: number;
  readonly description: string;
  /** Points that the reward asks for, as decimal text; whether the customer has them is the caller's to see. */
  readonly pointsRequirement: string;
}

/** A loyalty reward that staff chose for the cart. */
export type ChosenReward = RewardTerms &
  (
    | {
        readonly type: 'flat' | 'percent';
        /** Whole cents, or percent. */
        readonly discountAmount: string;
      }
    | {
        readonly type: 'cash-back';
        /** Cents per point, as decimal text with at most 6 decimals. */
        readonly discountAmount: string;
        /** How many points to spend, as decimal text. */
        readonly points: string;
      }
    | { readonly type: 'free-product'; readonly productOptionId: number }
  );

/** A credit on the customer's account: cents (what is left on it), or a percent. */
export interface AccountCredit {
  readonly id: number;
  readonly type: 'promo-code' | 'store-credit';
  readonly description: string;
  readonly amountCents: number | null;
  readonly percent: Percent | null;
  /** Milliseconds since the epoch; null: never. Expired ones are the caller's to leave out. */
  readonly expiresAtMs: number | null;
}

/** Whether taxes start from what is paid for a line, or from its list price whatever comes off it. */
export type TaxBase = 'after-discounts' | 'before-discounts';

/** What staff put on the price of a cart, or take off it. */
export interface GivenAdjustment {
  /** Not 0; negative takes. */
  readonly amountCents: number;
  readonly description: string;
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
  readonly discounts?: DiscountFacts | undefined;
  /** In any order. */
  readonly loyaltyRewards?: readonly ChosenReward[];
  /** In order: what one takes is gone for the next. */
  readonly adjustments?: readonly GivenAdjustment[];
  /** In any order. */
  readonly credits?: readonly AccountCredit[];
  /** Where free cannabis is barred: what discounts must leave, per unit (1 unless a setting raises it). */
  readonly freeProductFloorCents?: number;
  /** Default 'after-discounts'. One state taxes the established price before any reduction. */
  readonly taxBase?: TaxBase;
  /** Records the steps of the calculation (D31). */
  readonly explain?: boolean;
}
