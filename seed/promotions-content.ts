/**
 * The shape of a demo shop's promotions as data. Rows point at categories, brands and groups by name, and at
 * options by key; moments are relative to the day of loading, as in `shop-content.ts`.
 */

import type { CartOrderType, ScheduleWindow } from '../src/engines/pricing/discounts/discount-settings.ts';

export interface DiscountContent {
  readonly name: string;
  readonly kind: 'line' | 'product' | 'buy-x-get-y' | 'order';
  readonly type: 'flat' | 'percent';
  /** Cents or percent, as decimal text. */
  readonly amount: string;
  readonly maximumAmountCents?: number;
  readonly categoryNames?: readonly string[];
  readonly brandNames?: readonly string[];
  readonly orderTypes?: readonly CartOrderType[];
  readonly groupNames?: readonly string[];
  readonly minimumSubtotalCents?: number;
  readonly firstOrder?: boolean;
  readonly schedule?: readonly ScheduleWindow[];
  /** Local midnight that many days from today; negative: past. */
  readonly startsInDays?: number;
  readonly endsInDays?: number;
  readonly trigger: 'automatic' | 'code' | 'manual';
  readonly codes?: readonly string[];
  readonly stackable?: boolean;
  readonly usesPerCustomer?: number;
  readonly buyQuantity?: number;
  readonly getQuantity?: number;
}

interface RewardContent {
  readonly name: string;
  readonly type: 'cash-back' | 'flat' | 'percent' | 'free-product';
  readonly pointsRequirement: string;
  /** Cents per point, cents, or percent. */
  readonly discountAmount: string | null;
  /** For a free product: the cheapest option of the category. */
  readonly categoryName: string | null;
}

export interface PromotionsContent {
  readonly pointsPerDollar: string;
  readonly rewards: readonly RewardContent[];
  readonly discounts: readonly DiscountContent[];
  /** The code for new customers, and the discount that managers give at the counter. */
  readonly welcomeCode: string;
  readonly courtesyName: string;
  /** Credits and points given by hand, each to one customer in turn. */
  readonly storeCredits: readonly { readonly amountCents: number; readonly description: string }[];
  readonly pointGifts: readonly { readonly points: string; readonly reason: string }[];
}
