import { decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { type Changes, changesOf, rowChangesOf } from '../../platform/events/changes-of.ts';
import type {
  CartAdjustment,
  CartPayment,
  ChosenPackage,
  LineReduction,
  PriceOverride,
} from '../carts/cart-request.ts';
import type { GivenAmount } from '../promotions/cart-promotions.ts';
import type { OrderRequest } from './build-order.ts';
import { addressOf } from './order-document.ts';
import type { AskedFor, OrderRecord } from './order-record.ts';

/* The request and the order that result from an edit. Pure. */

/** A change by staff; an undefined field stays as it is. */
export interface OrderChange {
  readonly lineItems?: OrderRequest['lineItems'] | undefined;
  /** Those that `lineItems` name; options that name none keep theirs. */
  readonly chosenPackages?: readonly ChosenPackage[] | undefined;
  readonly deliveryNotes?: string | null | undefined;
  readonly internalNotes?: string | null | undefined;
  readonly discountIds?: readonly number[] | undefined;
  /** All of them; those of discounts that the order has no more go by themselves. */
  readonly discountAmounts?: readonly GivenAmount[] | undefined;
  readonly discountCodes?: readonly string[] | undefined;
  readonly loyaltyRewards?: AskedFor['loyaltyRewards'] | undefined;
  readonly adjustments?: readonly CartAdjustment[] | undefined;
  /** All of them; prices of options that the order has no more of go by themselves. */
  readonly priceOverrides?: readonly PriceOverride[] | undefined;
  readonly lineReductions?: readonly LineReduction[] | undefined;
  /** Null: the customer's own status applies. */
  readonly taxExempt?: AskedFor['taxExempt'] | undefined;
  readonly address?: NonNullable<OrderRequest['address']> | undefined;
  readonly payments?: readonly CartPayment[] | undefined;
}

/** Notes change no amount: an edit of notes alone does not price the order. */
export function changesAmounts({ deliveryNotes: _, internalNotes: __, ...rest }: OrderChange): boolean {
  return changedFields(rest).length > 0;
}

/** The names of the changed fields. */
export function changedFields(change: OrderChange): string[] {
  return Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Fails with INVALID_ORDER for an address of an order that is not a delivery. */
export function assertAddressFits({ head: { type } }: OrderRecord, { address }: OrderChange): void {
  if (address === undefined || type === 'delivery') return;
  throw failure('INVALID_ORDER', `address is for deliveries, not for ${type} orders`);
}

/** The request of the edited order. */
export function requestAfter(order: OrderRecord, change: OrderChange): OrderRequest {
  const { head } = order;
  const { asked } = order.head;
  const address = change.address ?? addressOf(order);
  const chosenDiscountIds = change.discountIds ?? asked.discountIds;
  const taxExempt = change.taxExempt === undefined ? asked.taxExempt : change.taxExempt;
  return {
    type: head.type,
    lineItems: (change.lineItems ?? order.lines).map((line) => withWeight(order, line)),
    customer: null,
    ...(head.userId !== null && { customerId: head.userId }),
    ...(head.boughtById !== null && { boughtById: head.boughtById }),
    address,
    postalCode: address?.postalCode ?? null,
    deliveryFeeCents: asked.deliveryFeeCents,
    deliveryFeeDescription: asked.deliveryFeeDescription,
    deliveryFeeIsTaxed: asked.deliveryFeeIsTaxed ?? true,
    deliveryNotes: change.deliveryNotes === undefined ? head.deliveryNotes : change.deliveryNotes,
    internalNotes: change.internalNotes === undefined ? head.internalNotes : change.internalNotes,
    shiftName: head.shiftName,
    inventoryLocationId: asked.inventoryLocationId,
    expectedCustomerGrandTotalCents: null,
    discountCodes: change.discountCodes ?? asked.discountCodes,
    chosenDiscountIds,
    givenAmounts:
      change.discountAmounts ??
      asked.discountAmounts?.filter(({ discountId }) => chosenDiscountIds.includes(discountId)) ??
      [],
    loyaltyRewards: change.loyaltyRewards ?? asked.loyaltyRewards,
    chosenPackages: packagesAfter(order, change),
    adjustments: change.adjustments ?? asked.adjustments,
    ...pricesAfter(asked, change, change.lineItems ?? order.lines),
    ...(taxExempt !== null && { taxExempt }),
    ...(asked.contact && { contact: asked.contact }),
    ...(asked.applyCredits !== null && { autoApplyCredits: asked.applyCredits }),
    payments: change.payments ?? asked.payments,
  };
}

/** A line that names no weight keeps that of the order. */
function withWeight(
  { lines }: OrderRecord,
  { productOptionId, quantity, weight }: OrderRequest['lineItems'][number],
): OrderRequest['lineItems'][number] {
  const former = lines.find((line) => line.productOptionId === productOptionId && line.isWeighed);
  const kept = weight ?? (quantity === 1 ? former?.optionAmount : undefined);
  return { productOptionId, quantity, ...(kept !== undefined && { weight: kept }) };
}

/**
 * The packages of the edited lines. An option that names none keeps what it has: a package alone follows a new quantity or weight, several
 * stay with the same one only.
 */
function packagesAfter(order: OrderRecord, { lineItems, chosenPackages = [] }: OrderChange): ChosenPackage[] {
  const { chosenPackages: former = [] } = order.head.asked;
  if (lineItems === undefined) return [...former];
  const naming = new Set(chosenPackages.map(({ productOptionId }) => productOptionId));
  const kept = former.flatMap((chosen) => {
    const { productOptionId } = chosen;
    const lines = lineItems.filter((line) => line.productOptionId === productOptionId);
    if (lines.length === 0 || naming.has(productOptionId)) return [];
    const isAlone = former.filter((it) => it.productOptionId === productOptionId).length === 1;
    const line = order.lines.find((it) => it.productOptionId === productOptionId)!;
    const { weight } = withWeight(order, lines[0]!);
    const quantity = lines.reduce((sum, it) => sum + it.quantity, 0);
    const isSame =
      line.quantity === quantity && (weight === undefined || decimal(line.optionAmount).eq(weight));
    if (isSame) return [chosen];
    return isAlone ? [{ ...chosen, quantity, ...(weight !== undefined && { weight }) }] : [];
  });
  return [...kept, ...chosenPackages];
}

/** Prices and reductions of lines by hand: those that stay are of options that the order still has, and not given anew. */
function pricesAfter(
  { priceOverrides = [], lineReductions = [] }: AskedFor,
  change: OrderChange,
  lines: readonly { readonly productOptionId: number }[],
): Required<Pick<OrderRequest, 'lineReductions' | 'priceOverrides'>> {
  const kept = new Set(lines.map(({ productOptionId }) => productOptionId));
  const stays =
    (other: readonly { readonly productOptionId: number }[] = []) =>
    ({ productOptionId }: { readonly productOptionId: number }) =>
      kept.has(productOptionId) && !other.some((it) => it.productOptionId === productOptionId);
  return {
    priceOverrides: change.priceOverrides ?? priceOverrides.filter(stays(change.lineReductions)),
    lineReductions: change.lineReductions ?? lineReductions.filter(stays(change.priceOverrides)),
  };
}

/** The changes of an edit, for the audit log (D58); null: none. Free text and addresses stay out. */
export function orderChanges(before: OrderRecord, after: OrderRecord): Changes | null {
  const head = changesOf(toldHead(before), toldHead(after), ['address', 'deliveryNotes', 'internalNotes']);
  const lineItems = rowChangesOf(toldLines(before), toldLines(after));
  return head === null && lineItems === null ? null : { ...head, ...(lineItems !== null && { lineItems }) };
}

function toldHead(order: OrderRecord) {
  const { head, adjustments, payments } = order;
  const { asked } = order.head;
  return {
    totalPrice: head.totalPriceCents,
    discountsTotal: head.discountsTotalCents,
    netPrice: head.netPriceCents,
    customerGrandTotal: head.customerGrandTotalCents,
    deliveryFee: head.deliveryFeeCents,
    address: addressOf(order),
    deliveryNotes: head.deliveryNotes,
    internalNotes: head.internalNotes,
    taxExempt: asked.taxExempt,
    priceOverrides: (asked.priceOverrides ?? []).map(({ productOptionId, unitPriceCents, reason }) => ({
      productOptionId,
      unitPrice: unitPriceCents,
      reason,
    })),
    lineReductions: (asked.lineReductions ?? []).map(shownReduction),
    chosenPackages: asked.chosenPackages ?? [],
    discountIds: asked.discountIds,
    discountAmounts: asked.discountAmounts ?? [],
    discountCodes: asked.discountCodes,
    loyaltyRewards: asked.loyaltyRewards,
    // Not the descriptions: the order keeps them, and an entry outlives the erasure of its customer.
    adjustments: adjustments.map(({ amountCents: amount }) => ({ amount })),
    payments: payments.map(({ paymentTypeId, amountCents: amount }) => ({ paymentTypeId, amount })),
  };
}

/** As requests have it. */
export function shownReduction(reduction: NonNullable<AskedFor['lineReductions']>[number]) {
  const { productOptionId, reason } = reduction;
  return {
    productOptionId,
    percent: reduction.type === 'percent' ? reduction.percent : null,
    amount: reduction.type === 'flat' ? reduction.cents : null,
    reason,
  };
}

function toldLines({ lines }: OrderRecord) {
  return lines.map((line) => ({
    id: line.id,
    productOptionId: line.productOptionId,
    productName: line.productName,
    optionName: line.optionName,
    quantity: line.quantity,
    unitPrice: line.unitPriceCents,
  }));
}

/**
 * The repriced order with the identity of the former one: its head except what an edit changes, the ids of
 * lines whose option stays, and the original staff member of manual discounts. It holds no stock yet.
 */
export function withIdentityOf(former: OrderRecord, fresh: OrderRecord): OrderRecord {
  const formerLines = new Map(former.lines.map((line) => [line.productOptionId, line]));
  const lineIds = new Map(
    fresh.lines.map(({ id, productOptionId }) => [id, formerLines.get(productOptionId)?.id ?? id]),
  );
  const wasGiven = new Set(former.head.asked.discountIds);
  const giverOf = (discountId: number) =>
    former.discounts.find((discount) => discount.discountId === discountId)?.adminId;
  const { head } = fresh;
  return {
    ...fresh,
    placedBy: former.placedBy,
    customerFullName: former.customerFullName,
    dispatchTask: former.dispatchTask,
    lines: fresh.lines.map((line) => ({
      ...line,
      id: lineIds.get(line.id)!,
      createdAt: formerLines.get(line.productOptionId)?.createdAt ?? line.createdAt,
    })),
    discounts: fresh.discounts.map((discount) => ({
      ...discount,
      orderLineItemId: discount.orderLineItemId === null ? null : lineIds.get(discount.orderLineItemId)!,
      adminId: wasGiven.has(discount.discountId)
        ? (giverOf(discount.discountId) ?? discount.adminId)
        : discount.adminId,
    })),
    head: {
      ...former.head,
      totalPriceCents: head.totalPriceCents,
      netPriceCents: head.netPriceCents,
      customerGrandTotalCents: head.customerGrandTotalCents,
      merchandiseCents: head.merchandiseCents,
      discountsTotalCents: head.discountsTotalCents,
      paymentFeesCents: head.paymentFeesCents,
      deliveryFeeCents: head.deliveryFeeCents,
      deliveryFeeDescription: head.deliveryFeeDescription,
      deliveryNotes: head.deliveryNotes,
      internalNotes: head.internalNotes,
      taxExempt: head.taxExempt,
      isMedical: head.isMedical,
      lawEdition: head.lawEdition,
      street1: head.street1,
      street2: head.street2,
      city: head.city,
      addressState: head.addressState,
      postalCode: head.postalCode,
      updatedAt: head.updatedAt,
      asked: head.asked,
      // Staff know the customer: the edit was decided with the history.
      isUnproven: head.isUnproven,
    },
  };
}
