/**
 * The shape of a demo shop as data. Nothing here knows a database: the loader reads it. Rows point at each other by
 * name (categories, brands, tags, locations, payment types) or by a stable key (products, options, staff), and every
 * moment is relative to the day of loading ("days ago" counts local days back from today, "in days" counts forward),
 * so that the same seed makes the same shop on every date.
 */

import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import type { PromotionsContent } from './promotions-content.ts';

export type StrainType =
  | 'sativa'
  | 'indica'
  | 'hybrid'
  | 'hybrid-sativa'
  | 'hybrid-indica'
  | 'cbd'
  | 'mixed'
  | 'none';

export type OrderType = 'delivery' | 'pickup' | 'in-store';

interface OrganizationContent {
  readonly name: string;
  readonly customerEmail: string;
  /** E.164. */
  readonly customerPhone: string;
  readonly hasDelivery: boolean;
  readonly hasPickup: boolean;
  readonly state: 'CA' | 'MI';
  readonly licenseNumber: string;
  readonly address: Omit<AddressContent, 'state'>;
  readonly taxesIncluded: boolean;
  readonly tz: 'America/Los_Angeles' | 'US/Eastern';
  /** Local opening hours in minutes after midnight, the same every day. */
  readonly opensAtMinute: number;
  readonly closesAtMinute: number;
  /** Least merchandise per order type; delivery zones have their own (D27). */
  readonly orderMinimumCents: Readonly<Record<OrderType, number>>;
  /** D21. */
  readonly statusOnCreate: Readonly<Record<OrderType, 'draft' | 'new'>>;
  /** Names of the locations each order type draws from, first one first (D48). */
  readonly locationNames: Readonly<Record<OrderType, readonly string[]>>;
  /** Decimal percent strings (docs/PRICING.md, step 11). */
  readonly budtenderDiscountLimitPercent: string;
  readonly managerDiscountLimitPercent: string;
}

export interface StaffContent {
  /** Stable, for example "owner" or "driver-1". */
  readonly key: string;
  readonly role: 'owner' | 'manager' | 'budtender' | 'inventory' | 'driver';
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

interface IntegratorContent {
  readonly name: string;
  readonly description: string;
}

interface LocationContent {
  readonly name: string;
  readonly description: string | null;
  readonly type: 'standard' | 'vehicle';
}

/** A ZIP code belongs to at most one zone, listed or by prefix. */
export interface DeliveryZoneContent {
  readonly name: string;
  readonly postalCodes: readonly string[];
  readonly postalCodePrefixes: readonly string[];
  readonly minimumCents: number;
  readonly feeCents: number;
  readonly feeDescription: string | null;
}

export interface PaymentTypeContent {
  readonly name: string;
  readonly method: 'cash' | 'debit' | 'other' | 'processor';
  readonly feeCents: number;
  readonly feePercent: string;
  readonly feeDescription: string | null;
  readonly availableDelivery: boolean;
}

/** Settings as in docs/PRICING.md, step 7; `rate` is a decimal percent. */
interface TaxContent {
  readonly description: string;
  readonly rate: string;
  readonly tier: '1' | '2' | '3' | '4' | '5';
  readonly type: 'standard' | 'excise' | 'california-excise';
  readonly included: boolean;
  readonly encompass: boolean;
  readonly exemptable: boolean;
  readonly appliesToFees: boolean;
  readonly rounding: 'half-up' | 'up';
  readonly excludedCategoryNames: readonly string[];
  readonly nonExemptableCategoryNames: readonly string[];
}

/** In display order. */
export interface CategoryContent {
  readonly name: string;
  readonly cannabisType: CannabisType;
}

export interface BrandContent {
  readonly name: string;
  readonly description: string | null;
  /** The maker's license; null for goods without cannabis. */
  readonly producerLicense: string | null;
}

interface TagContent {
  readonly name: string;
  readonly description: string | null;
}

interface CustomerGroupContent {
  readonly name: string;
  readonly description: string;
}

/** The content of a product photo; `drawIllustration` turns it into SVG text. */
export interface Illustration {
  readonly shape: IllustrationShape;
  /** Decides the colors; products of one brand share them. */
  readonly paletteSeed: string;
  /** Decides the pattern; a strain looks the same in every form. */
  readonly patternSeed: string;
}

export type IllustrationShape =
  | 'jar'
  | 'bud'
  | 'pre-roll'
  | 'pre-roll-pack'
  | 'vape'
  | 'concentrate'
  | 'gummies'
  | 'chocolate'
  | 'pouch'
  | 'bag'
  | 'can'
  | 'dropper'
  | 'balm'
  | 'clone'
  | 'grinder'
  | 'papers'
  | 'pipe'
  | 'tray'
  | 'lighter'
  | 'case'
  | 'tee'
  | 'cap'
  | 'tote'
  | 'socks'
  | 'gift';

export interface Potency {
  readonly unit: '%' | 'mg';
  /** Decimal strings. `amountEach` is per piece, where a pack has several; the range is `low` to `high`. */
  readonly amount: string | null;
  readonly amountEach: string | null;
  readonly low: string | null;
  readonly high: string | null;
}

export interface OptionContent {
  /** Unique in the shop and stable. */
  readonly key: string;
  /** Null: the menu makes a label of amount and unit. */
  readonly name: string | null;
  /** Grams or items; what one sale takes from a product-tracked product. */
  readonly amount: number;
  readonly priceCents: number;
  readonly salesPriceCents: number | null;
  /** 12 digits, number system 4 (kept by the standard for use inside a store). */
  readonly upc: string | null;
  /** In the unit of the category's cannabisType; null only where that is "none". */
  readonly content: string | null;
  /** Photos of its own; default: none. */
  readonly illustrations?: readonly Illustration[];
}

/** What describes a product beyond its potency. Lists may be absent. */
export interface ProductDetailsContent {
  readonly strain?: string;
  readonly sku?: string;
  readonly terpenes?: { readonly name: string; readonly percent: string }[];
  readonly effects?: string[];
  readonly flavours?: string[];
  readonly labResults?: { readonly lab: string; readonly date: string; readonly certificateUrl: string }[];
}

export interface ProductContent {
  /** Unique in the shop and stable. */
  readonly key: string;
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly unit: 'gram' | 'item';
  readonly strainType: StrainType;
  /** Null: without a brand. */
  readonly brandName: string | null;
  readonly categoryName: string;
  readonly subCategoryNames: readonly string[];
  readonly tagNames: readonly string[];
  readonly inventoryType: 'option' | 'product' | 'none';
  readonly isActive: boolean;
  readonly isFeatured: boolean;
  readonly thc: Potency | null;
  readonly cbd: Potency | null;
  /** Strain, terpenes and the like; default: none. */
  readonly details?: ProductDetailsContent;
  readonly illustrations: readonly Illustration[];
  readonly options: readonly OptionContent[];
}

/**
 * A labelled package at one location. `initialAmount` is the received amount; today's stock is that less the sales of
 * the order script.
 */
export interface PackageContent {
  /** 24 characters [0-9A-Z], unique over both shops (D53). */
  readonly label: string;
  readonly productKey: string;
  /** Null when the product is product-tracked. */
  readonly optionKey: string | null;
  readonly locationName: string;
  readonly externalProductName: string;
  readonly unit: 'Each' | 'Grams';
  /** Decimal strings: pieces or grams, and dollars per piece or gram. */
  readonly initialAmount: string;
  readonly costPerUnit: string;
  readonly receivedDaysAgo: number;
  /** Negative: already expired. */
  readonly expiresInDays: number | null;
  readonly harvestedDaysAgo: number | null;
  readonly onHold: boolean;
  readonly tradeSample: boolean;
  readonly producerName: string;
  readonly producerLicense: string;
  readonly labName: string;
  readonly labLicense: string;
  readonly testedDaysAgo: number;
  readonly thcPercent: string | null;
  readonly thcMg: string | null;
  readonly cbdPercent: string | null;
  readonly cbdMg: string | null;
}

/** Stock that the state does not track: no label. */
export interface LooseStockContent {
  readonly productKey: string;
  readonly optionKey: string;
  readonly locationName: string;
  /** Decimal strings: pieces, and dollars per piece. */
  readonly initialAmount: string;
  readonly costPerUnit: string;
  readonly receivedDaysAgo: number;
}

/** The area of the shop's customers, and their minimum ages. */
interface NeighborhoodContent {
  /** Area codes for phone numbers, nearest first. */
  readonly areaCodes: readonly string[];
  readonly places: readonly { readonly city: string; readonly postalCode: string; readonly weight: number }[];
  /** Years (D34). */
  readonly minimumAge: number;
  readonly medicalMinimumAge: number;
}

export interface ShopContent {
  /** "california" or "michigan": prefix of every key. */
  readonly slug: string;
  readonly organization: OrganizationContent;
  /** Its sales are reported to a stand-in for its state's system. */
  readonly reportsToState?: boolean;
  readonly staff: readonly StaffContent[];
  readonly integrators: readonly IntegratorContent[];
  readonly locations: readonly LocationContent[];
  readonly deliveryZones: readonly DeliveryZoneContent[];
  readonly paymentTypes: readonly PaymentTypeContent[];
  readonly taxes: readonly TaxContent[];
  readonly categories: readonly CategoryContent[];
  readonly subCategoryNames: readonly string[];
  readonly brands: readonly BrandContent[];
  readonly tags: readonly TagContent[];
  readonly customerGroups: readonly CustomerGroupContent[];
  readonly promotions: PromotionsContent;
  readonly products: readonly ProductContent[];
  readonly packages: readonly PackageContent[];
  readonly looseStock: readonly LooseStockContent[];
  readonly neighborhood: NeighborhoodContent;
}

export interface AddressContent {
  readonly street1: string;
  readonly street2: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

/** Made by `generateCustomers(random, shop, count)` in people.ts. */
export interface CustomerContent {
  readonly firstName: string;
  readonly lastName: string;
  /** At least one of the two; unique in the shop. Phone in E.164. */
  readonly email: string | null;
  readonly phone: string | null;
  readonly bornDaysAgo: number;
  readonly sex: 'male' | 'female' | 'tertiary' | null;
  readonly zip: string;
  readonly address: AddressContent | null;
  readonly licenseExpiresInDays: number | null;
  /** Null for adult-use customers; negative: the card has run out. */
  readonly medicalExpiresInDays: number | null;
  /** Null: never opted in. */
  readonly marketingOptInDaysAgo: number | null;
  readonly groupNames: readonly string[];
  readonly joinedDaysAgo: number;
}

/** The local moment of loading, which the script must not run past. */
export interface ScriptSpan {
  /** Days of history, today included. */
  readonly days: number;
  readonly count: number;
  /** ISO: 1 Monday to 7 Sunday. */
  readonly todayWeekday: number;
  /** Minutes after local midnight. */
  readonly nowMinuteOfDay: number;
}

export interface ScriptedLine {
  readonly optionKey: string;
  readonly quantity: number;
}

export interface ScriptedPayment {
  readonly paymentTypeName: string;
  /** Exactly one payment of an order takes the rest. */
  readonly amountCents: number | 'remaining';
}

/**
 * One order of the history; made by `generateOrderScript(random, shop, customers, span)` in order-script.ts,
 * oldest first. The script promises that, played in order and each order served wholly from `locationName`,
 * the stock always suffices (drafts included), every purchase limit and order minimum is kept, every customer
 * had joined, and nothing happens after the present.
 */
export interface ScriptedOrder {
  /** Unique in the shop, "california-order-00001". */
  readonly key: string;
  /** Local day and minutes after its midnight. */
  readonly placedDaysAgo: number;
  readonly placedMinuteOfDay: number;
  /** Into the customers; null for a walk-in, who may have left a name. */
  readonly customerIndex: number | null;
  readonly walkInName: string | null;
  readonly type: OrderType;
  readonly source: 'open-api' | 'web-admin' | 'in-store' | 'kiosk' | 'menu';
  /** Only with source "open-api". */
  readonly integratorName: string | null;
  readonly status: 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
  readonly cancelationReason: string | null;
  readonly locationName: string;
  readonly lines: readonly ScriptedLine[];
  readonly payments: readonly ScriptedPayment[];
  /** Only with type "delivery". */
  readonly address: AddressContent | null;
  readonly deliveryNotes: string | null;
  /** Minutes after placing; null: no such step. Ascending in this order; at most one of the last two. */
  readonly acceptedAfterMinutes: number | null;
  readonly packedAfterMinutes: number | null;
  readonly fulfilledAfterMinutes: number | null;
  readonly canceledAfterMinutes: number | null;
  /** Keys of staff. Null if an integrator or the customer took the step, or if there was none. */
  readonly placedByStaffKey: string | null;
  readonly packedByStaffKey: string | null;
  readonly fulfilledByStaffKey: string | null;
  readonly canceledByStaffKey: string | null;
}
