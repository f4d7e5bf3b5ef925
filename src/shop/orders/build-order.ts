import { unitContent } from '../../engines/goods/potency.ts';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { optionLabel, statedContent } from '../catalog/products.ts';
import { usedTerms } from '../promotions/promotions.ts';
import type { SlotTime } from '../slots/slot-times.ts';
import { storedSteps } from './order-document.ts';
import type {
  AskedFor,
  OrderHead,
  OrderLine,
  OrderRecord,
  OrderSource,
  OrderStatus,
  OrderTerms,
  StaffName,
} from './order-record.ts';

/** The request of an order (D19). */
export interface OrderRequest extends CartRequest {
  readonly address: {
    readonly street1: string;
    readonly street2: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  } | null;
  readonly deliveryNotes: string | null;
  readonly expectedCustomerGrandTotalCents: number | null;
  /** Only staff set these. */
  readonly internalNotes?: string | null;
  readonly shiftName?: string | null;
  readonly contact?: AskedFor['contact'];
  /** The only location to draw from; by default those of the order type or zone (D48). */
  readonly inventoryLocationId?: number | null;
}

/** Who places an order, and how (D23). */
export interface Placement {
  readonly organizationId: OrganizationId;
  readonly source: OrderSource;
  /** The integrator of the request's keys, with its idempotency key (D22); null for orders of staff. */
  readonly integrator: {
    readonly id: number;
    readonly name: string;
    readonly idempotencyKey: string;
  } | null;
  /** The staff member who took the order; null for orders of integrators and customers. */
  readonly placedBy: StaffName | null;
  /** The name given for a customer without a profile. */
  readonly customerName: string | null;
  /** The idempotency key of a staff order, separate from those of integrators (D22). */
  readonly staffKey?: string;
  /** The role that limits manual reductions. Absent: no limit. */
  readonly role?: StaffRole;
}

interface OrderParts {
  readonly orderId: string;
  readonly nowMs: number;
  readonly request: OrderRequest;
  readonly placement: Placement;
  readonly cart: DecidedCart;
  readonly status: OrderStatus;
  readonly customer: { readonly id: number; readonly fullName: string } | null;
  /** The time slot that it takes a place of; absent: none, and of an edit, what the order has. */
  readonly slot?: SlotTime | null;
  /** The terms that an edit keeps. Absent: the current ones. */
  readonly terms?: OrderTerms;
}

/** The input of every row: ids in ascending order, and the time. */
interface Making extends OrderParts {
  readonly nextId: () => number;
  readonly stamps: { readonly createdAt: number; readonly updatedAt: number };
  /** The staff member who placed the order. */
  readonly staffId: number | null;
  readonly asked: AskedFor;
}

/** Builds the order as decided, before stock is taken for it. */
export async function buildOrder(context: Context, parts: OrderParts): Promise<OrderRecord> {
  const { cart, nowMs, request, placement } = parts;
  const ids = await context.ids.take(idCountOf(cart));
  const staffId = placement.placedBy?.id ?? null;
  // Ids are taken from the end; reversing first keeps them ascending in every list.
  ids.reverse();
  const terms = parts.terms ?? termsOfCart(cart, nowMs);
  const productTags = tagsThatCount(terms, cart);
  const making: Making = {
    ...parts,
    nextId: () => ids.pop()!,
    stamps: { createdAt: nowMs, updatedAt: nowMs },
    staffId,
    asked: {
      ...askedFor(request, cart, staffId),
      ...{ terms, ...(productTags.length > 0 && { productTags }) },
    },
  };
  const lines = linesOf(making);
  return {
    organizationId: placement.organizationId,
    customerFullName: parts.customer?.fullName ?? null,
    placedBy: placement.placedBy,
    fulfilledBy: null,
    lines,
    fulfillments: [],
    returns: [],
    taxes: taxesOf(making),
    adjustments: adjustmentsOf(making),
    discounts: discountsOf(making, lines),
    credits: creditsOf(making),
    dispatchTask: null,
    loyaltyRedemptions: redemptionsOf(making),
    payments: paymentsOf(making),
    head: headOf(making),
  };
}

/** One id for each row, and one for the order's number. */
function idCountOf({ priced }: DecidedCart): number {
  const lists = [
    ...[priced.lines, priced.taxes, priced.adjustments, priced.payments, priced.discounts],
    ...[priced.credits, priced.loyaltyRedemptions, ...priced.lines.map(({ discounts }) => discounts)],
  ];
  return lists.reduce((count, list) => count + list.length, 1);
}

function linesOf({ cart, nextId, stamps }: Making): OrderLine[] {
  return cart.priced.lines.map((line, position): OrderLine => {
    const option = cart.options.get(line.productOptionId)!;
    return {
      id: nextId(),
      position,
      productOptionId: line.productOptionId,
      productId: line.productId,
      quantity: line.quantity,
      productName: option.product_name,
      productUnit: option.product_unit,
      productStrainType: option.product_strain_type,
      productIsFeatured: option.product_is_featured,
      productCategoryId: option.category_id,
      productCategoryName: option.category_name,
      productCannabisType: option.cannabis_type,
      productSubCategoryIds: option.sub_category_ids,
      productBrand: option.brand_name,
      productBrandId: option.brand_id,
      optionName: optionLabel(
        option.is_weighed ? null : option.option_name,
        option.option_amount,
        option.product_unit,
      ),
      optionAmount: canonicalDecimalText(option.option_amount),
      optionContent: option.option_content,
      optionThcPercent: option.option_thc_percent,
      optionThcMg: unitContent(statedContent(option)).thcMg,
      optionPriceCents: option.price_cents,
      optionSalesPriceCents: option.sales_price_cents,
      inventoryType: option.inventory_type,
      unitPriceCents: line.unitPriceCents,
      subtotalPriceCents: line.subtotalPriceCents,
      finalPriceCents: line.finalPriceCents,
      grossCents: line.grossCents,
      taxAllocations: line.taxAllocations,
      productMovingAverageCost: null,
      optionMovingAverageCost: null,
      packageLineCost: null,
      isWeighed: option.is_weighed === true,
      ...stamps,
    };
  });
}

function taxesOf({ cart: { priced }, nextId, stamps }: Making): OrderRecord['taxes'] {
  return priced.taxes.map((tax, position) => ({
    id: nextId(),
    position,
    taxId: tax.id,
    description: tax.description,
    rate: tax.rate,
    normalRate: tax.normalRate,
    tier: tax.tier,
    type: tax.type,
    amountCents: tax.amountCents,
    amountBeforeExemptionCents: tax.amountBeforeExemptionCents,
    amountExemptedCents: tax.amountExemptedCents,
    feeAllocationCents: tax.feeAllocationCents,
    included: tax.included,
    exemptable: tax.exemptable,
    encompass: tax.encompass,
    excludedCategoryIds: tax.excludedProductCategoryIds,
    nonExemptableCategoryIds: tax.nonExemptableProductCategoryIds,
    ...stamps,
  }));
}

function adjustmentsOf({ cart: { priced }, nextId, stamps, asked }: Making): OrderRecord['adjustments'] {
  return priced.adjustments.map((adjustment, position, all) => ({
    id: nextId(),
    position,
    amountCents: adjustment.amountCents,
    description: adjustment.description,
    isTaxExemption: adjustment.isTaxExemption,
    taxId: adjustment.taxId,
    // Staff's adjustments come last, one for each requested adjustment.
    adminId: asked.adjustments[position - (all.length - asked.adjustments.length)]?.adminId ?? null,
    ...stamps,
  }));
}

function discountsOf(
  { cart: { priced }, nextId, stamps, request, staffId }: Making,
  lines: readonly OrderLine[],
): OrderRecord['discounts'] {
  return [
    ...priced.lines.flatMap(({ discounts }, index) =>
      discounts.map((discount) => ({ discount, orderLineItemId: lines[index]!.id })),
    ),
    ...priced.discounts.map((discount) => ({ discount, orderLineItemId: null })),
  ].map(({ discount, orderLineItemId }, position) => ({
    id: nextId(),
    position,
    orderLineItemId,
    discountId: discount.id,
    type: discount.type,
    amount: discount.amount,
    amountUsedCents: discount.amountUsedCents,
    description: discount.description,
    adminId: request.chosenDiscountIds?.includes(discount.id) ? staffId : null,
    ...stamps,
  }));
}

function creditsOf({ cart: { priced }, nextId, stamps }: Making): OrderRecord['credits'] {
  return priced.credits.map((credit, position) => ({
    id: nextId(),
    position,
    customerCreditId: credit.id,
    type: credit.type,
    amountUsedCents: credit.amountUsedCents,
    description: credit.description,
    percent: credit.percent,
    ...stamps,
  }));
}

function redemptionsOf({ cart: { priced }, nextId, stamps }: Making): OrderRecord['loyaltyRedemptions'] {
  return priced.loyaltyRedemptions.map(({ rewardId, ...redemption }, position) => ({
    id: nextId(),
    position,
    loyaltyRewardId: rewardId,
    ...redemption,
    ...stamps,
  }));
}

function paymentsOf({ cart: { priced }, nextId, nowMs }: Making): OrderRecord['payments'] {
  return priced.payments.map((payment, position) => ({
    id: nextId(),
    position,
    paymentTypeId: payment.paymentTypeId,
    name: payment.name,
    amountCents: payment.amountCents,
    finalAmountCents: payment.finalAmountCents,
    feeCents: payment.feeCents,
    feePercent: payment.feePercent,
    feeAmountCents: payment.feeAmountCents,
    feeDescription: payment.feeDescription,
    tenderedCents: null,
    roundingCents: 0,
    orderReturnId: null,
    createdAt: nowMs,
  }));
}

function headOf(making: Making): OrderHead {
  const { cart, orderId, nextId, customer, request, placement, status, stamps, staffId, asked } = making;
  const { priced } = cart;
  return {
    id: orderId,
    // D18: the number is a generated id: short, and without a counter that every order would wait for.
    number: nextId(),
    userId: customer?.id ?? null,
    type: request.type,
    source: placement.source,
    status: status,
    integratorId: placement.integrator?.id ?? null,
    apiConsumerName: placement.integrator?.name ?? null,
    idempotencyKey: placement.integrator?.idempotencyKey ?? placement.staffKey ?? null,
    totalPriceCents: priced.totalPriceCents,
    netPriceCents: priced.netPriceCents,
    customerGrandTotalCents: priced.customerGrandTotalCents,
    merchandiseCents: priced.merchandiseCents,
    discountsTotalCents: priced.discountsTotalCents,
    paymentFeesCents: priced.paymentFeesCents,
    deliveryFeeCents: cart.deliveryFee?.cents ?? null,
    deliveryFeeDescription: cart.deliveryFee?.description ?? null,
    deliveryNotes: request.deliveryNotes,
    internalNotes: request.internalNotes ?? null,
    shiftName: request.shiftName ?? null,
    taxExempt: cart.taxExempt,
    isMedical: cart.isMedical,
    customerName: placement.customerName,
    street1: request.address?.street1 ?? null,
    street2: request.address?.street2 ?? null,
    city: request.address?.city ?? null,
    addressState: request.address?.state ?? null,
    postalCode: request.address?.postalCode ?? null,
    placedByStaffId: staffId,
    packedByStaffId: null,
    fulfilledByStaffId: null,
    cancelAdminId: null,
    cancelationReason: null,
    ...stamps,
    packedAt: null,
    fulfilledAt: null,
    canceledAt: null,
    asked,
    isUnproven: request.isUnproven === true,
    boughtById: request.boughtById ?? null,
    ...{ idCheckedAt: null, idCheckedByStaffId: null, idCheckHow: null },
    lawEdition: cart.lawEdition,
    ...slotColumnsOf(making.slot ?? null),
  };
}

/** The columns of a time slot. */
export function slotColumnsOf(chosen: SlotTime | null): Pick<OrderHead, 'slotId' | 'slotFrom' | 'slotTo'> {
  return {
    slotId: chosen?.slot.id ?? null,
    slotFrom: chosen?.fromMs ?? null,
    slotTo: chosen?.toMs ?? null,
  };
}

/** The parts of a request that an edit needs to price the order again. */
function askedFor(
  request: OrderRequest,
  { deliveryFee }: DecidedCart,
  staffId: number | null,
): Omit<AskedFor, 'terms'> {
  return {
    ...(request.isUnproven === true && { isUnproven: true as const }),
    discountCodes: request.discountCodes,
    discountIds: request.chosenDiscountIds ?? [],
    ...(request.givenAmounts?.length && { discountAmounts: request.givenAmounts }),
    loyaltyRewards: request.loyaltyRewards ?? [],
    adjustments: (request.adjustments ?? []).map(({ amountCents, description, adminId = staffId }) => ({
      amountCents,
      description,
      adminId,
    })),
    ...(request.priceOverrides?.length && {
      priceOverrides: request.priceOverrides.map(({ adminId = staffId, ...it }) => ({ ...it, adminId })),
    }),
    ...(request.lineReductions?.length && {
      lineReductions: request.lineReductions.map(({ adminId = staffId, ...it }) => ({ ...it, adminId })),
    }),
    ...(request.chosenPackages?.length && { chosenPackages: request.chosenPackages }),
    ...(request.contact && { contact: request.contact }),
    taxExempt: request.taxExempt ?? null,
    applyCredits: request.autoApplyCredits ?? null,
    deliveryFeeCents: request.deliveryFeeCents,
    deliveryFeeDescription: request.deliveryFeeDescription,
    ...(request.deliveryFeeCents !== null && { deliveryFeeIsTaxed: deliveryFee?.isTaxed ?? true }),
    payments: request.payments,
    inventoryLocationId: request.inventoryLocationId ?? null,
  };
}

/** The current terms, on which a cart was priced. */
function termsOfCart({ offered, taxIds, organization, priced }: DecidedCart, atMs: number): OrderTerms {
  const optionIds = priced.lines.map(({ productOptionId }) => productOptionId);
  return {
    atMs,
    optionIds,
    offered: offered.map(({ id }) => id),
    discounts: usedTerms(offered, priced.usedDiscountIds, optionIds),
    taxIds,
    maximumPercent: organization.maximum_discount_percent,
  };
}

/** The tags of the cart's products that the order's discounts name, also as what must be bought: a return asks for them (D89). */
function tagsThatCount({ discounts }: OrderTerms, { priced, options }: DecidedCart) {
  const named = new Set(discounts.flatMap(({ row }) => [...row.tag_ids, ...(row.buy_targets?.tagIds ?? [])]));
  if (named.size === 0) return [];
  const tagsOf = new Map(
    priced.lines.map(({ productId, productOptionId }) => [
      productId,
      options.get(productOptionId)?.tag_ids ?? [],
    ]),
  );
  return [...tagsOf]
    .map(([productId, all]) => ({ productId, tagIds: all.filter((id) => named.has(id)) }))
    .filter(({ tagIds }) => tagIds.length > 0);
}

/** D31: the steps of the arithmetic, as they are stored beside the order. */
export function stepsOf({ steps }: DecidedCart['priced']): string {
  assert(steps !== null, 'an order is priced without its steps');
  return storedSteps(steps);
}
