/**
 * The input of the pricing engine. All amounts are integer cents; a `Percent` is decimal text, so that no rate
 * passes through a binary float (D4).
 */

import type { UnitContent } from '../goods/potency.ts';
import type { TaxBasis } from '../goods/tax-basis.ts';
import type { DiscountFacts } from './discounts/choose-discounts.ts';
import type { Percent } from './exact-amounts.ts';

export type { Percent };

export interface CartLine {
  readonly productOptionId: number;
  readonly productId: number;
  readonly productCategoryId: number;
  /** Whole, at least 1. The reader of requests enforces the upper bound (10,000). */
  readonly quantity: number;
  /** Per unit. */
  readonly priceCents: number;
  /** Per unit; replaces `priceCents` if set, also with 0. */
  readonly salesPriceCents: number | null;
  /** Per unit; set by hand, and replaces both prices above. Absent or null: they count. */
  readonly givenPriceCents?: number | null;
  /** Why the unit costs what it costs, where that is more than its price: of goods sold by weight. */
  readonly priceRule?: string;
  /** For discounts on brands and tags. */
  readonly productBrandId?: number | null;
  readonly productTagIds?: readonly number[];
  /** The category's cannabis type is not `none`: the free-product floor guards the line. */
  readonly isCannabis?: boolean;
  /** What one unit holds, for taxes with a basis. Absent or null: not known. */
  readonly content?: UnitContent | null;
}

export type TaxTier = '1' | '2' | '3' | '4' | '5';

export type TaxType = 'standard' | 'excise' | 'california-excise';

export type TaxRounding = 'half-up' | 'up';

export interface CartTax {
  readonly id: number;
  readonly description: string;
  /** 0 beside a basis. */
  readonly rate: Percent;
  /** What it is charged on, where that is not one percentage of the price. */
  readonly basis?: TaxBasis | null;
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
  /** Categories that stay taxed for an exempt customer. */
  readonly nonExemptableProductCategoryIds: readonly number[];
}

export interface DeliveryFee {
  readonly cents: number;
  readonly description: string | null;
  /** False: an integrator passes it through; no tax touches it (D80). Absent: taxes on fees do. */
  readonly isTaxed?: boolean;
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
  /** Part of net price + delivery fee paid with this type, without the fee. */
  readonly amountCents: number | 'remaining';
}

export interface DiscountLimits {
  readonly budtenderPercent: Percent | null;
  readonly managerPercent: Percent | null;
  /**
   * The cap on order discounts and rewards, as a percent of the subtotals, including line discounts; null:
   * none.
   */
  readonly maximumPercent?: Percent | null;
}

interface RewardTerms {
  readonly id: number;
  readonly description: string;
  /** The reward's price in points, as decimal text; the caller checks the customer's points. */
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
        /** The points to spend, as decimal text. */
        readonly points: string;
      }
    | { readonly type: 'free-product'; readonly productOptionId: number }
  );

/** A credit on the customer's account: its remaining cents, or a percent. */
export interface AccountCredit {
  readonly id: number;
  readonly type: 'promo-code' | 'store-credit';
  readonly description: string;
  readonly amountCents: number | null;
  readonly percent: Percent | null;
  /** Milliseconds since the epoch; null: never. The caller leaves out expired ones. */
  readonly expiresAtMs: number | null;
}

/** Whether taxes are based on the price after reductions, or on the list price before them. */
export type TaxBase = 'after-discounts' | 'before-discounts';

/** A staff adjustment of a cart's price. */
export interface GivenAdjustment {
  /** Not 0; negative reduces the price. */
  readonly amountCents: number;
  readonly description: string;
}

export interface PriceCartInput {
  readonly lines: readonly CartLine[];
  /** In any order; the engine sorts by tier, then id. */
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
  /** In order: each applies to the rest after the one before. */
  readonly adjustments?: readonly GivenAdjustment[];
  /** In any order. */
  readonly credits?: readonly AccountCredit[];
  /** Where the law bars free cannabis: the minimum per unit after discounts (1 unless a setting raises it). */
  readonly freeProductFloorCents?: number;
  /** Default 'after-discounts'. One state taxes the established price before any reduction. */
  readonly taxBase?: TaxBase;
  /** Records the steps of the calculation (D31). */
  readonly explain?: boolean;
}
