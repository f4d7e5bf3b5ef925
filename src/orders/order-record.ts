import type { CannabisType, InventoryType, StrainType } from '../catalog/products.ts';
import type { TaxTier, TaxType } from '../pricing/pricing-facts.ts';

/**
 * An order as its rows hold it: what writes build and store, and what replies are made from. Instants are
 * milliseconds since the epoch, decimals are text, money is integer cents.
 */
export type OrderType = 'delivery' | 'pickup' | 'in-store';
export type OrderStatus = 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
export type OrderSource = 'open-api' | 'web-admin' | 'in-store' | 'kiosk' | 'menu';

export interface OrderHead {
  id: string;
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
  productBrand: string;
  productBrandId: number;
  optionName: string;
  optionAmount: string;
  optionContent: string | null;
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
}

/** Which stock a line holds. Package and option 0: none. */
export interface OrderFulfillment {
  orderLineItemId: number;
  id: number;
  productId: number;
  productOptionId: number;
  locationId: number;
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
  readonly payments: readonly OrderPayment[];
  /** Null when no staff did it. */
  readonly placedBy: StaffName | null;
  readonly fulfilledBy: StaffName | null;
  /** Of the customer, as it is now; null without a profile. */
  readonly customerFullName: string | null;
}
