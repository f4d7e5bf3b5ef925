import { shownRedemption } from '../carts/carts.ts';
import { canonicalDecimalText, decimal, decimalText } from '../kernel/decimal.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { sumCents } from '../pricing/cents.ts';
import type {
  OrderAdjustment,
  OrderCredit,
  OrderDiscount,
  OrderFulfillment,
  OrderLine,
  OrderPayment,
  OrderRecord,
  OrderTax,
  StaffName,
} from './order-record.ts';
import { assertShownTotals } from './order-totals.ts';

/**
 * The order as lists and detail show it (D26), as JSON text without the customer: `orderJson` adds the current
 * profile on reading (D26). Amounts, names and prices are those at the time of the order (D25).
 */
export function orderDocument(record: OrderRecord): string {
  const { head } = record;
  const fulfillmentsOf = new Map<number, OrderFulfillment[]>();
  for (const fulfillment of record.fulfillments) {
    const held = fulfillmentsOf.get(fulfillment.orderLineItemId);
    if (held === undefined) fulfillmentsOf.set(fulfillment.orderLineItemId, [fulfillment]);
    else held.push(fulfillment);
  }
  const shown = {
    id: head.id,
    organizationId: record.organizationId,
    ...(head.userId !== null && { userId: head.userId }),
    totalPrice: head.totalPriceCents,
    netPrice: head.netPriceCents,
    customerGrandTotal: head.customerGrandTotalCents,
    createdAt: isoTimestamp(head.createdAt),
    packedAt: timestampOrNull(head.packedAt),
    fulfilledAt: timestampOrNull(head.fulfilledAt),
    type: head.type,
    source: head.source,
    status: head.status,
    cancelationReason: head.cancelationReason,
    cancelAdminId: head.cancelAdminId,
    canceledAt: timestampOrNull(head.canceledAt),
    taxExempt: head.taxExempt,
    refundTotal: sumCents(
      record.returns.filter(({ voidedAt }) => voidedAt === null),
      (it) => it.refundTotal,
    ),
    isMedical: head.isMedical,
    customerName: head.customerName,
    deliveryFee: head.deliveryFeeCents,
    deliveryFeeDescription: head.deliveryFeeDescription,
    apiConsumerName: head.apiConsumerName,
    lineItems: record.lines.map((line) => shownLine(record, line, fulfillmentsOf.get(line.id) ?? [])),
    payments: record.payments.map(shownPayment),
    placedBy: staffName(record.placedBy),
    fulfilledBy: staffName(record.fulfilledBy),
    adjustments: record.adjustments.map(shownAdjustment),
    credits: record.credits.map(shownCredit),
    discounts: discountsOn(record, null).map(shownDiscount),
    loyaltyRedemptions: record.loyaltyRedemptions.map(shownRedemption),
    taxes: record.taxes.map(shownTax),
    returns: record.returns,
    address: addressOf(record),
    shift: head.shiftName === null ? null : { name: head.shiftName },
    dispatchTask: dispatchTaskOf(record),
  };
  assertShownTotals(shown);
  return JSON.stringify(shown);
}

function shownLine(record: OrderRecord, line: OrderLine, fulfillments: readonly OrderFulfillment[]) {
  return {
    id: line.id,
    quantity: line.quantity,
    productId: line.productId,
    optionId: line.productOptionId,
    productName: line.productName,
    productUnit: line.productUnit,
    productStrainType: line.productStrainType,
    optionName: line.optionName,
    productBrand: line.productBrand,
    optionAmount: Number(line.optionAmount),
    optionPrice: line.optionPriceCents,
    unitPrice: line.unitPriceCents,
    subtotalPrice: line.subtotalPriceCents,
    finalPrice: line.finalPriceCents,
    optionSalesPrice: line.optionSalesPriceCents,
    productBrandId: line.productBrandId,
    productMovingAverageCostPerUnit: numberOrNull(line.productMovingAverageCost),
    optionMovingAverageCostPerUnit: numberOrNull(line.optionMovingAverageCost),
    packageLineCost: numberOrNull(line.packageLineCost),
    primaryCategory: {
      id: line.productCategoryId,
      name: line.productCategoryName,
      cannabisType: line.productCannabisType,
    },
    fulfillAs: fulfillments.map((fulfillment) => fulfillAs(fulfillment, line)),
    discounts: discountsOn(record, line.id).map(shownDiscount),
  };
}

/** A payment as every reply with an order shows it. */
export function shownPayment(payment: OrderPayment) {
  return {
    id: payment.id,
    paymentTypeId: payment.paymentTypeId,
    amount: payment.amountCents,
    finalAmount: payment.finalAmountCents,
    name: payment.name,
    fee: payment.feeCents,
    feePercent: canonicalDecimalText(payment.feePercent),
    feeAmount: payment.feeAmountCents,
    feeDescription: payment.feeDescription,
  };
}

function shownAdjustment(adjustment: OrderAdjustment) {
  return {
    amount: adjustment.amountCents,
    description: adjustment.description,
    isTaxExemption: adjustment.isTaxExemption,
    taxId: adjustment.taxId,
  };
}

function shownCredit(credit: OrderCredit) {
  return {
    creditId: credit.customerCreditId,
    type: credit.type,
    amountUsed: credit.amountUsedCents,
    description: credit.description,
  };
}

function shownTax(tax: OrderTax) {
  return {
    taxId: tax.taxId,
    amount: tax.amountCents,
    description: tax.description,
    rate: canonicalDecimalText(tax.rate),
    amountBeforeExemption: tax.amountBeforeExemptionCents,
    amountExempted: tax.amountExemptedCents,
    included: tax.included,
    exemptable: tax.exemptable,
    tier: tax.tier,
    type: tax.type,
    normalRate: canonicalDecimalText(tax.normalRate),
  };
}

function dispatchTaskOf({ dispatchTask: task }: OrderRecord) {
  if (task === null) return null;
  return {
    id: task.id,
    status: task.status,
    driverName: task.driverName,
    trackingUrl: task.trackingUrl,
    estimatedArrivalAt: timestampOrNull(task.estimatedArrivalAt),
    completedAt: timestampOrNull(task.completedAt),
  };
}

/** The discounts on a line, or (null) on the order. */
export function discountsOn({ discounts }: OrderRecord, orderLineItemId: number | null): OrderDiscount[] {
  return discounts.filter((discount) => discount.orderLineItemId === orderLineItemId);
}

/** A discount as documents of orders show it. */
export function shownDiscount(discount: OrderDiscount) {
  return {
    discountId: discount.discountId,
    type: discount.type,
    amount: Number(discount.amount),
    amountUsed: discount.amountUsedCents,
    description: discount.description,
  };
}

/** D26: `optionSum` is the stock taken, negative; `quantityFulfilled` is how many of the line it serves. */
function fulfillAs(
  fulfillment: OrderFulfillment,
  line: { readonly inventoryType: string; readonly productOptionId: number; readonly optionAmount: string },
) {
  const amount = decimal(fulfillment.amount);
  const quantity = line.inventoryType === 'product' ? amount.div(line.optionAmount).round(6) : amount;
  return {
    pkg:
      fulfillment.packageLabel === null
        ? null
        : {
            unit: fulfillment.packageUnit,
            label: fulfillment.packageLabel,
            costPerUnit: canonicalDecimalText(fulfillment.packageCostPerUnit ?? '0'),
          },
    optionSum: -amount.toNumber(),
    productOptionId: line.productOptionId,
    quantityFulfilled: decimalText(quantity),
  };
}

/** The delivery address, or null. */
export function addressOf({ head }: OrderRecord) {
  if (head.street1 === null) return null;
  return {
    street1: head.street1,
    street2: head.street2,
    city: head.city ?? '',
    state: head.addressState ?? '',
    postalCode: head.postalCode ?? '',
  };
}

/** The stored document with the time of the last change and the current customer, as JSON text. */
export function orderJson(row: {
  readonly document: string;
  readonly updated_at: number;
  readonly customer_id: number | null;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly phone: string | null;
  readonly hash_id: string | null;
  readonly birthday: string | null;
  readonly sex: string | null;
  readonly zip: string | null;
  readonly license_expiry: string | null;
  readonly medical_expiration: string | null;
}): string {
  const customer =
    row.customer_id === null
      ? '{}'
      : JSON.stringify({
          id: row.customer_id,
          email: row.email,
          firstName: row.first_name,
          lastName: row.last_name,
          phone: row.phone,
          hashId: row.hash_id,
          birthday: row.birthday,
          sex: row.sex,
          zip: row.zip,
          licenseExpiry: row.license_expiry,
          medicalExpiration: row.medical_expiration,
        });
  return `${row.document.slice(0, -1)},"updatedAt":"${isoTimestamp(row.updated_at)}","customer":${customer}}`;
}

function staffName(staff: StaffName | null): StaffName | Record<never, never> {
  return staff ?? {};
}

function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}

/** Costs are numbers in replies (D4) and exact decimals before. */
function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
