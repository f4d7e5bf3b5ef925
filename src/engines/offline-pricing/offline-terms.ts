import type { CannabisType } from '../goods/cannabis-type.ts';
import type { StatedContent, UnitContent } from '../goods/potency.ts';
import type { Discount } from '../pricing/discounts/discount-kinds.ts';
import type { CartTax, DiscountLimits, IntendedPayment, TaxBase } from '../pricing/pricing-facts.ts';
import type { PurchaseLimitRule } from '../purchase-limits/purchase-limit-rule.ts';
import type { CashRounding } from './cash-rounding.ts';

/*
 * The terms on which a register sells while the service cannot be reached (D75): what the service would price with, as values. The
 * service makes them, the console keeps them as text.
 */

/**
 * The format of the terms. Other formats are not read: a console and a service may be of two releases, and one that does not know a
 * condition of a discount would give it to everyone.
 */
export const offlineTermsFormat = 5;

/** What cards and lists say of THC. */
interface StatedThc {
  readonly thcAmount: string | null;
  readonly thcAmountRangeLow: string | null;
  readonly thcAmountRangeHigh: string | null;
  readonly thcUnit: '%' | 'mg' | null;
}

/** Goods that are sold by weight: their sizes set the price. */
interface LooseTerms {
  /** Grams above a size that cost nothing more. */
  readonly tolerance: string;
  readonly sizes: readonly {
    readonly amount: string;
    readonly priceCents: number;
    readonly salesPriceCents: number | null;
  }[];
  /** What one of the option states. */
  readonly stated: StatedContent;
}

/** An option as it is sold at the counter. */
export interface OfflineOption {
  readonly id: number;
  readonly productId: number;
  readonly productName: string;
  readonly optionName: string;
  readonly brandName: string | null;
  readonly brandId: number | null;
  readonly categoryId: number;
  readonly tagIds: readonly number[];
  readonly cannabisType: CannabisType;
  /** Content that counts against limits, of one unit; null: none. */
  readonly content: string | null;
  /** What one unit holds, and the THC that limits count of it, where a tax or a limit asks for it. */
  readonly unitContent?: UnitContent;
  readonly thcMg?: string | null;
  readonly priceCents: number;
  readonly salesPriceCents: number | null;
  readonly upc: string | null;
  /** How much of `unit` one is, as decimal text. */
  readonly amount: string;
  readonly unit: 'gram' | 'item';
  readonly inventoryType: 'option' | 'product' | 'none';
  /** As products have it. */
  readonly strainType: string;
  readonly thc: StatedThc;
  /** How a weight of it is sold; absent: sold by the piece. */
  readonly loose?: LooseTerms;
  /** Units in stock as last known; null: its stock is not tracked. */
  readonly inStock: number | null;
}

/** How a payment is taken; its fee is that of the service. */
interface OfflinePaymentType extends Omit<IntendedPayment, 'amountCents'> {
  readonly isCash: boolean;
  readonly cashRounding: CashRounding;
}

/** What differs between customers. */
export interface AudienceTerms {
  readonly minimumAge: number;
  readonly taxExempt: boolean;
  readonly taxes: readonly CartTax[];
  readonly purchaseLimits: readonly PurchaseLimitRule[];
}

export const offlineAudiences = ['adult-use', 'medical', 'medical-under-21'] as const;
export type OfflineAudience = (typeof offlineAudiences)[number];

export interface OfflineTerms {
  readonly format: typeof offlineTermsFormat;
  readonly timeZone: string;
  readonly discountLimits: DiscountLimits;
  readonly freeProductFloorCents: number;
  readonly taxBase: TaxBase;
  readonly audiences: Readonly<Record<OfflineAudience, AudienceTerms>>;
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly options: readonly OfflineOption[];
  /** Those that ask nothing of a customer and have no limit of uses: automatic ones, and those that staff give. */
  readonly discounts: readonly Discount[];
  readonly paymentTypes: readonly OfflinePaymentType[];
  /** Whether an ID is seen before cannabis is handed over. */
  readonly asksForId: boolean;
}
