import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { unitPlural } from '../catalog/products.ts';
import { addressOf, discountsOn, shownDiscount, shownPayment, slotOf } from './order-document.ts';
import type {
  OrderAdjustment,
  OrderCredit,
  OrderDiscount,
  OrderLine,
  OrderRecord,
  OrderTax,
} from './order-record.ts';

/** The reply to creating the order, also when it is replayed (D22). */
export function createdOrder(record: OrderRecord) {
  const { head } = record;
  const orderId = head.id;
  return {
    id: orderId,
    organizationId: record.organizationId,
    totalPrice: head.totalPriceCents,
    netPrice: head.netPriceCents,
    deliveryNotes: head.deliveryNotes,
    createdAt: isoTimestamp(head.createdAt),
    updatedAt: isoTimestamp(head.updatedAt),
    customerGrandTotal: head.customerGrandTotalCents,
    type: head.type,
    source: head.source,
    status: head.status,
    taxExempt: head.taxExempt,
    isMedical: head.isMedical,
    idempotencyKey: head.idempotencyKey,
    deliveryFee: head.deliveryFeeCents,
    deliveryFeeDescription: head.deliveryFeeDescription,
    apiConsumerName: head.apiConsumerName,
    address: addressOf(record),
    credits: record.credits.map((credit) => createdCredit(credit, orderId)),
    lineItems: record.lines.map((line) => createdLine(record, line)),
    taxes: record.taxes.map((tax) => createdTax(tax, orderId)),
    discounts: discountsOn(record, null).map((discount) => createdDiscount(discount, orderId)),
    adjustments: record.adjustments.map((adjustment) => createdAdjustment(adjustment, orderId)),
    payments: record.payments.map(shownPayment),
    ...slotOf(head),
    customer: head.userId === null ? null : { id: head.userId, fullName: record.customerFullName ?? '' },
  };
}

function createdLine(record: OrderRecord, line: OrderLine) {
  return {
    id: line.id,
    orderId: record.head.id,
    productOptionId: line.productOptionId,
    quantity: line.quantity,
    productId: line.productId,
    productName: line.productName,
    productUnit: line.productUnit,
    productUnitPlural: unitPlural(line.productUnit),
    productStrainType: line.productStrainType,
    optionName: line.optionName,
    optionAmount: Number(line.optionAmount),
    optionPrice: line.optionPriceCents,
    optionSalesPrice: line.optionSalesPriceCents,
    createdAt: isoTimestamp(line.createdAt),
    updatedAt: isoTimestamp(line.updatedAt),
    productIsFeatured: line.productIsFeatured,
    productCategoryId: line.productCategoryId,
    productSubCategoryIds: line.productSubCategoryIds,
    productBrand: line.productBrand,
    productBrandId: line.productBrandId,
    deletedAt: null,
    unitPrice: line.unitPriceCents,
    subtotalPrice: line.subtotalPriceCents,
    finalPrice: line.finalPriceCents,
    discounts: discountsOn(record, line.id).map((discount) => ({
      ...createdDiscount(discount, record.head.id),
      orderLineItemId: line.id,
    })),
  };
}

function createdCredit(credit: OrderCredit, orderId: string) {
  return {
    id: credit.id,
    creditId: credit.customerCreditId,
    orderId,
    type: credit.type,
    amountUsed: credit.amountUsedCents,
    description: credit.description,
    createdAt: isoTimestamp(credit.createdAt),
    updatedAt: isoTimestamp(credit.updatedAt),
    percent: credit.percent === null ? null : canonicalDecimalText(credit.percent),
  };
}

function createdTax(tax: OrderTax, orderId: string) {
  return {
    id: tax.id,
    orderId,
    amount: tax.amountCents,
    description: tax.description,
    createdAt: isoTimestamp(tax.createdAt),
    updatedAt: isoTimestamp(tax.updatedAt),
    deletedAt: null,
    taxId: tax.taxId,
    rate: canonicalDecimalText(tax.rate),
    amountBeforeExemption: tax.amountBeforeExemptionCents,
    amountExempted: tax.amountExemptedCents,
    included: tax.included,
    exemptable: tax.exemptable,
    encompass: tax.encompass,
    excludedProductCategoryIds: tax.excludedCategoryIds,
    nonExemptableProductCategoryIds: tax.nonExemptableCategoryIds,
    normalRate: canonicalDecimalText(tax.normalRate),
    type: tax.type,
  };
}

function createdAdjustment(adjustment: OrderAdjustment, orderId: string) {
  return {
    id: adjustment.id,
    orderId,
    amount: adjustment.amountCents,
    description: adjustment.description,
    createdAt: isoTimestamp(adjustment.createdAt),
    updatedAt: isoTimestamp(adjustment.updatedAt),
    deletedAt: null,
    isTaxExemption: adjustment.isTaxExemption,
    taxId: adjustment.taxId,
    adminId: adjustment.adminId,
  };
}

function createdDiscount(discount: OrderDiscount, orderId: string) {
  return {
    id: discount.id,
    orderId,
    ...shownDiscount(discount),
    createdAt: isoTimestamp(discount.createdAt),
    updatedAt: isoTimestamp(discount.updatedAt),
    deletedAt: null,
    adminId: discount.adminId,
  };
}
