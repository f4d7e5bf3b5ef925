import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { ChosenReward, TaxTier, TaxType } from '../../engines/pricing/pricing-facts.ts';
import type { UnitReduction } from '../../engines/pricing/reduced-unit-price.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';
import type { ChosenPackage } from '../carts/cart-request.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import type { InventoryType, StrainType } from '../catalog/products.ts';
import type { GivenAmount } from '../promotions/cart-promotions.ts';
import type { DiscountTerms } from '../promotions/kept-discounts.ts';
import type { ShownReturn } from './order-return-schema.ts';
import type { dispatchStatuses } from './order-schemas.ts';

/**
 * An order as its rows hold it: writes build and store it, and replies are made from it. Instants are
 * milliseconds since the epoch, decimals are text, money is integer cents.
 */
export type OrderStatus = 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
export type OrderSource = 'open-api' | 'web-admin' | 'in-store' | 'kiosk' | 'menu';

/** What was typed for a customer's contacts. */
interface TypedContact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** The terms of an order, which its edits keep. */
export interface OrderTerms extends DiscountTerms {
  /** The taxes that were in force. */
  readonly taxIds: readonly number[];
  /** The maximum of all discounts, as decimal text; null: none. */
  readonly maximumPercent: string | null;
}

/** The request of an order besides its lines: an edit prices it again, with its changes (D25). */
export interface AskedFor {
  /** The caller had not proven who the customer is; also known when the order has met the history. */
  readonly isUnproven?: true;
  readonly discountCodes: readonly string[];
  /** Manual discounts. */
  readonly discountIds: readonly number[];
  /** What staff gave of some of these; absent: all that they give. */
  readonly discountAmounts?: readonly GivenAmount[];
  readonly loyaltyRewards: readonly { readonly rewardId: number; readonly points?: string }[];
  /** The requested adjustments; reductions beyond the order's amount were cut. */
  readonly adjustments: readonly {
    readonly amountCents: number;
    readonly description: string;
    readonly adminId: number | null;
  }[];
  /** Unit prices by hand, and who set them; absent: none. */
  readonly priceOverrides?: readonly {
    readonly productOptionId: number;
    readonly unitPriceCents: number;
    readonly reason: string;
    readonly adminId: number | null;
  }[];
  /** What staff took off each unit of an option; absent: nothing. */
  readonly lineReductions?: readonly (UnitReduction & {
    readonly productOptionId: number;
    readonly reason: string;
    readonly adminId: number | null;
  })[];
  /** The packages that staff chose; absent: none. */
  readonly chosenPackages?: readonly ChosenPackage[];
  /** The contacts as they were typed, where one is a placeholder (D84); absent: the profile has them. */
  readonly contact?: TypedContact;
  /** Overrides the customer's own status; null: that status applies. */
  readonly taxExempt: { readonly exempt: boolean; readonly reason: string } | null;
  /** Null: the organization's setting applies. */
  readonly applyCredits: boolean | null;
  /** A fee from the request; null: the zone's. */
  readonly deliveryFeeCents: number | null;
  readonly deliveryFeeDescription: string | null;
  /** Whether taxes on fees touched that fee; absent: they did. */
  readonly deliveryFeeIsTaxed?: boolean;
  readonly payments: readonly {
    readonly paymentTypeId: number;
    readonly amountCents: number | 'remaining';
  }[];
  /** The terms on which it was priced, which edits keep (D88). */
  readonly terms: OrderTerms;
  /** The tags of its products that its discounts go by, at that time; absent: none. */
  readonly productTags?: readonly { readonly productId: number; readonly tagIds: readonly number[] }[];
  /** The location to draw from; null: those of the order type or zone. */
  readonly inventoryLocationId: number | null;
}

export interface OrderHead {
  id: string;
  /** Short, for people (D18). */
  number: number;
  userId: number | null;
  type: OrderType;
  source: OrderSource;
  status: OrderStatus;
  integratorId: number | null;
  apiConsumerName: string | null;
  idempotencyKey: string | null;
  totalPriceCents: number;
  netPriceCents: number;
  customerGrandTotalCents: number;
  merchandiseCents: number;
  discountsTotalCents: number;
  paymentFeesCents: number;
  deliveryFeeCents: number | null;
  deliveryFeeDescription: string | null;
  deliveryNotes: string | null;
  /** Only staff see them. */
  internalNotes: string | null;
  shiftName: string | null;
  taxExempt: boolean;
  isMedical: boolean;
  customerName: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  addressState: string | null;
  postalCode: string | null;
  placedByStaffId: number | null;
  packedByStaffId: number | null;
  fulfilledByStaffId: number | null;
  cancelAdminId: number | null;
  cancelationReason: string | null;
  createdAt: number;
  updatedAt: number;
  packedAt: number | null;
  fulfilledAt: number | null;
  canceledAt: number | null;
  asked: AskedFor;
  /**
   * The customer was only claimed (D62a): the order was checked without the history of the profile, and counts for none of its limits
   * until the person is known.
   */
  isUnproven: boolean;
  /** The caregiver who bought for the customer, a patient; null: none. */
  boughtById: number | null;
  /** When a member of staff saw an ID of the buyer; null: not yet. */
  idCheckedAt: number | null;
  idCheckedByStaffId: number | null;
  idCheckHow: IdCheckHow | null;
  /** The edition of the law that decided it last; null: it was imported. */
  lawEdition: string | null;
  /** The time slot that the customer chose, with its begin and end; null: none. */
  slotId: number | null;
  slotFrom: number | null;
  slotTo: number | null;
}

/** `scan`: a scanner read the card; `eye`: a member of staff read it. */
export const idCheckWays = ['scan', 'eye'] as const;
export type IdCheckHow = (typeof idCheckWays)[number];

/** Who brings a delivery, and its progress (D26). */
export interface OrderDispatchTask {
  id: number;
  status: (typeof dispatchStatuses)[number];
  driverName: string | null;
  trackingUrl: string | null;
  estimatedArrivalAt: number | null;
  completedAt: number | null;
  /** The last trip that took it along, and its stop there; null: none did. */
  tripId: number | null;
  driverId: number | null;
  vehicleId: number | null;
  /** From 0. */
  stopPosition: number | null;
  stopStatus: StopStatus | null;
  createdAt: number;
  updatedAt: number;
}

export interface OrderLine {
  id: number;
  position: number;
  productOptionId: number;
  productId: number;
  quantity: number;
  productName: string;
  productUnit: 'gram' | 'item';
  productStrainType: StrainType;
  productIsFeatured: boolean;
  productCategoryId: number;
  productCategoryName: string;
  productCannabisType: CannabisType;
  productSubCategoryIds: readonly number[];
  /** Both are null without a brand. */
  productBrand: string | null;
  productBrandId: number | null;
  optionName: string;
  optionAmount: string;
  optionContent: string | null;
  /** What taxes and limits counted of one unit; null: not known. */
  optionThcPercent: string | null;
  optionThcMg: string | null;
  optionPriceCents: number;
  optionSalesPriceCents: number | null;
  inventoryType: InventoryType;
  unitPriceCents: number;
  subtotalPriceCents: number;
  finalPriceCents: number;
  grossCents: number;
  taxAllocations: readonly { readonly taxId: number; readonly amountCents: number }[];
  productMovingAverageCost: string | null;
  optionMovingAverageCost: string | null;
  packageLineCost: string | null;
  createdAt: number;
  updatedAt: number;
  /** Sold loose: amount, content and prices of the option are those of the weight. */
  isWeighed: boolean;
}

/** The stock that a line holds. Package and option 0: none. */
export interface OrderFulfillment {
  orderLineItemId: number;
  id: number;
  productId: number;
  productOptionId: number;
  locationId: number;
  /** Where it was before it was loaded into a vehicle; null: it is not in one by a trip. */
  loadedFromLocationId: number | null;
  packageId: number;
  packageLabel: string | null;
  packageUnit: string | null;
  packageCostPerUnit: string | null;
  amount: string;
}

export interface OrderTax {
  id: number;
  position: number;
  taxId: number;
  description: string;
  rate: string;
  normalRate: string;
  tier: TaxTier;
  type: TaxType;
  amountCents: number;
  amountBeforeExemptionCents: number;
  amountExemptedCents: number;
  feeAllocationCents: number;
  included: boolean;
  exemptable: boolean;
  encompass: boolean;
  excludedCategoryIds: readonly number[];
  nonExemptableCategoryIds: readonly number[];
  createdAt: number;
  updatedAt: number;
}

export interface OrderAdjustment {
  id: number;
  position: number;
  amountCents: number;
  description: string;
  isTaxExemption: boolean;
  taxId: number | null;
  adminId: number | null;
  createdAt: number;
  updatedAt: number;
}

/** A discount in use, on a line or on the order. */
export interface OrderDiscount {
  id: number;
  position: number;
  /** Null: on the order. */
  orderLineItemId: number | null;
  discountId: number;
  type: 'flat' | 'percent';
  /** Decimal text: cents or percent. */
  amount: string;
  amountUsedCents: number;
  description: string;
  /** The staff member who gave it; null for automatic and code discounts. */
  adminId: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface OrderCredit {
  id: number;
  position: number;
  customerCreditId: number;
  type: 'promo-code' | 'store-credit';
  amountUsedCents: number;
  description: string;
  percent: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface OrderLoyaltyRedemption {
  id: number;
  position: number;
  loyaltyRewardId: number;
  type: ChosenReward['type'];
  description: string;
  pointsRequirement: string;
  pointsAmount: string;
  /** Cents per point, cents or percent, by type. */
  discountAmount: string | null;
  amountUsedCents: number;
  productOptionId: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface OrderPayment {
  id: number;
  position: number;
  paymentTypeId: number;
  name: string;
  amountCents: number;
  finalAmountCents: number;
  feeCents: number;
  feePercent: string;
  feeAmountCents: number;
  feeDescription: string | null;
  /** The cash received; null: not counted. */
  tenderedCents: number | null;
  /** What rounding added to cash: the customer pays finalAmountCents + roundingCents. */
  roundingCents: number;
  /** The return whose refund it is, in an exchange; null: the customer paid. */
  orderReturnId: number | null;
  createdAt: number;
}

export interface StaffName {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
}

export interface OrderRecord {
  readonly organizationId: number;
  readonly head: OrderHead;
  readonly lines: readonly OrderLine[];
  readonly fulfillments: readonly OrderFulfillment[];
  readonly taxes: readonly OrderTax[];
  readonly adjustments: readonly OrderAdjustment[];
  /** Discounts on lines and on the order, by position. */
  readonly discounts: readonly OrderDiscount[];
  readonly credits: readonly OrderCredit[];
  readonly loyaltyRedemptions: readonly OrderLoyaltyRedemption[];
  readonly payments: readonly OrderPayment[];
  /** Null: dispatch has not started. */
  readonly dispatchTask: OrderDispatchTask | null;
  /** As shown, oldest first, including voided ones. */
  readonly returns: readonly ShownReturn[];
  /** Null unless a staff member did it. */
  readonly placedBy: StaffName | null;
  readonly fulfilledBy: StaffName | null;
  /** The customer's current name; null without a profile. */
  readonly customerFullName: string | null;
}
