import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import type { PriceStep } from '../../engines/pricing/price-step.ts';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { shownRedemption } from '../carts/carts.ts';
import type { ExplanationRow } from './explanation-queries.ts';
import type {
  OrderAdjustment,
  OrderCredit,
  OrderDiscount,
  OrderDispatchTask,
  OrderFulfillment,
  OrderHead,
  OrderLine,
  OrderPayment,
  OrderRecord,
  OrderTax,
} from './order-record.ts';
import type { ShownReturn } from './order-return-schema.ts';
import { assertShownTotals } from './order-totals.ts';

/** The columns of an order that its document shows. */
export type ShownHead = Pick<
  OrderHead,
  | (
      | 'id'
      | 'userId'
      | 'type'
      | 'source'
      | 'status'
      | 'taxExempt'
      | 'isMedical'
      | 'customerName'
      | 'apiConsumerName'
    )
  | ('totalPriceCents' | 'netPriceCents' | 'customerGrandTotalCents' | 'deliveryFeeCents')
  | ('deliveryFeeDescription' | 'createdAt' | 'packedAt' | 'fulfilledAt' | 'canceledAt' | 'cancelationReason')
  | ('cancelAdminId' | 'shiftName' | 'street1' | 'street2' | 'city' | 'addressState' | 'postalCode')
  | ('slotFrom' | 'slotTo')
>;

/** What a document is made of. */
export interface StoredDocument extends ShownHead {
  readonly organizationId: number;
  /** What `shownRowsOf` made of the order's other rows. */
  readonly shownRows: string | null;
  /** Null or empty: none. */
  readonly returns: readonly ShownReturn[] | null;
  readonly dispatchTask: Omit<OrderDispatchTask, 'createdAt' | 'updatedAt'> | null;
}

/**
 * The order as lists and detail show it (D26), as JSON text without the customer: `orderJson` adds the current
 * profile (D26). Amounts, names and prices are those at the time of the order (D25). What is stored as shown is not read.
 */
export function orderDocument(stored: StoredDocument): string {
  assert(stored.shownRows !== null, () => `order ${stored.id} has no stored rows`);
  const before = JSON.stringify(headOf(stored));
  const after = JSON.stringify(tailOf(stored));
  return `${before.slice(0, -1)},${stored.shownRows.slice(1, -1)},${after.slice(1)}`;
}

function headOf(stored: StoredDocument) {
  const returns = stored.returns ?? [];
  return {
    id: stored.id,
    organizationId: stored.organizationId,
    ...(stored.userId !== null && { userId: stored.userId }),
    totalPrice: stored.totalPriceCents,
    netPrice: stored.netPriceCents,
    customerGrandTotal: stored.customerGrandTotalCents,
    createdAt: isoTimestamp(stored.createdAt),
    packedAt: timestampOrNull(stored.packedAt),
    fulfilledAt: timestampOrNull(stored.fulfilledAt),
    type: stored.type,
    source: stored.source,
    status: stored.status,
    cancelationReason: stored.cancelationReason,
    cancelAdminId: stored.cancelAdminId,
    canceledAt: timestampOrNull(stored.canceledAt),
    taxExempt: stored.taxExempt,
    refundTotal: sumCents(
      returns.filter(({ voidedAt }) => voidedAt === null),
      (it) => it.refundTotal,
    ),
    isMedical: stored.isMedical,
    customerName: stored.customerName,
    deliveryFee: stored.deliveryFeeCents,
    deliveryFeeDescription: stored.deliveryFeeDescription,
    apiConsumerName: stored.apiConsumerName,
  };
}

function tailOf(stored: StoredDocument) {
  return {
    returns: stored.returns ?? [],
    address: addressOf({ head: stored }),
    shift: stored.shiftName === null ? null : { name: stored.shiftName },
    dispatchTask: dispatchTaskOf(stored),
    ...slotOf(stored),
  };
}

/** What documents show of an order's rows. */
type ShownRows = ReturnType<typeof rowsOf>;

/**
 * What the document shows of an order's rows, as JSON text: it is stored, and read as it is. Fails when the order does not
 * add up.
 */
export function shownRowsOf(record: OrderRecord): string {
  const { head } = record;
  const rows = rowsOf(record);
  assertShownTotals({
    ...rows,
    id: head.id,
    totalPrice: head.totalPriceCents,
    netPrice: head.netPriceCents,
    customerGrandTotal: head.customerGrandTotalCents,
    deliveryFee: head.deliveryFeeCents,
  });
  return JSON.stringify(rows);
}

function rowsOf(record: OrderRecord) {
  const fulfillmentsOf = new Map<number, OrderFulfillment[]>();
  for (const fulfillment of record.fulfillments) {
    const held = fulfillmentsOf.get(fulfillment.orderLineItemId);
    if (held === undefined) fulfillmentsOf.set(fulfillment.orderLineItemId, [fulfillment]);
    else held.push(fulfillment);
  }
  return {
    lineItems: record.lines.map((line) => shownLine(record, line, fulfillmentsOf.get(line.id) ?? [])),
    payments: record.payments.map(shownPayment),
    placedBy: record.placedBy ?? {},
    fulfilledBy: record.fulfilledBy ?? {},
    adjustments: record.adjustments.map(shownAdjustment),
    credits: record.credits.map(shownCredit),
    discounts: discountsOn(record, null).map(shownDiscount),
    loyaltyRedemptions: record.loyaltyRedemptions.map(shownRedemption),
    taxes: record.taxes.map(shownTax),
  };
}

/** The amounts that a stored text shows, in cents. */
export function shownAmountsOf(text: string) {
  const { lineItems, taxes, payments } = JSON.parse(text) as ShownRows;
  return {
    finalPriceCents: sumCents(lineItems, ({ finalPrice }) => finalPrice),
    taxCents: sumCents(taxes, ({ amount }) => amount),
    paidCents: sumCents(payments, ({ finalAmount }) => finalAmount),
  };
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
  const { finalAmountCents, tenderedCents, roundingCents } = payment;
  return {
    id: payment.id,
    paymentTypeId: payment.paymentTypeId,
    amount: payment.amountCents,
    finalAmount: finalAmountCents,
    name: payment.name,
    fee: payment.feeCents,
    feePercent: canonicalDecimalText(payment.feePercent),
    feeAmount: payment.feeAmountCents,
    feeDescription: payment.feeDescription,
    tendered: tenderedCents,
    change: tenderedCents === null ? null : tenderedCents - finalAmountCents - roundingCents,
    cashRounding: roundingCents,
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

function dispatchTaskOf({
  dispatchTask: task,
  ...stored
}: Pick<StoredDocument, 'dispatchTask' | 'slotFrom' | 'slotTo'>) {
  if (task === null) return null;
  return {
    ...slotOf(stored),
    id: task.id,
    status: task.status,
    driverName: task.driverName,
    trackingUrl: task.trackingUrl,
    estimatedArrivalAt: timestampOrNull(task.estimatedArrivalAt),
    completedAt: timestampOrNull(task.completedAt),
    ...tripOf(task),
  };
}

function tripOf({
  tripId,
  driverId,
  vehicleId,
  stopPosition,
  stopStatus,
}: NonNullable<StoredDocument['dispatchTask']>) {
  if (tripId === null) return {};
  return { trip: { tripId, driverId, vehicleId, stop: stopPosition! + 1, stopStatus } };
}

/** The time slot that was chosen, if any. */
export function slotOf({ slotFrom, slotTo }: Pick<OrderHead, 'slotFrom' | 'slotTo'>) {
  if (slotFrom === null || slotTo === null) return {};
  return { slot: { from: isoTimestamp(slotFrom), to: isoTimestamp(slotTo) } };
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
export function addressOf({
  head,
}: {
  readonly head: Pick<OrderHead, 'street1' | 'street2' | 'city' | 'addressState' | 'postalCode'>;
}) {
  if (head.street1 === null) return null;
  return {
    street1: head.street1,
    street2: head.street2,
    city: head.city ?? '',
    state: head.addressState ?? '',
    postalCode: head.postalCode ?? '',
  };
}

/** A document with what `orderJson` adds: the last change and the customer. */
export interface CurrentOrder extends StoredDocument {
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
}

/** The document with the time of the last change and the current customer, as JSON text. */
export function orderJson(row: CurrentOrder): string {
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
  return `${orderDocument(row).slice(0, -1)},"updatedAt":"${isoTimestamp(row.updated_at)}","customer":${customer}}`;
}

function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}

/** Costs are numbers in replies (D4) and exact decimals before. */
function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/**
 * The steps of an order's arithmetic (D31) as they are stored: JSON with their words as they were. Steps in a row that say the
 * same with other figures, such as the shares of the lines in a tax, stand in one group: that is half as long.
 */
interface StepGroup {
  readonly step: PriceStep['step'];
  readonly rule: string;
  /** Absent: none. */
  readonly rate?: string | undefined;
  /** What the subjects begin with: the tax of shares; absent: nothing. */
  readonly of?: string | undefined;
  /** Subject, base, exact (null: as rounded) and rounded amount of each. */
  readonly steps: (readonly [string, string, string | null, number | null])[];
}

/** The steps as text, for the column `steps`. */
export function storedSteps(steps: readonly PriceStep[]): string {
  const groups: StepGroup[] = [];
  let group: StepGroup | undefined;
  for (const { step, rule, subject, base, rate, exact, roundedCents } of steps) {
    const comma = subject.lastIndexOf(', ');
    const of = comma < 0 ? undefined : subject.slice(0, comma);
    const joins =
      group?.step === step && group.rule === rule && group.rate === (rate ?? undefined) && group.of === of;
    if (group === undefined || !joins) {
      group = { step, rule, rate: rate ?? undefined, of, steps: [] };
      groups.push(group);
    }
    const own = comma < 0 ? subject : subject.slice(comma + 2);
    group.steps.push([own, base, exact === String(roundedCents) ? null : exact, roundedCents]);
  }
  return JSON.stringify(groups);
}

/** What a reply says beside the order, as JSON text of its members: the steps, or that they were pruned (D76), and the law (D97). */
export function explanationMembers({ steps, lawEdition }: ExplanationRow): string {
  const shown =
    steps === null ? '"explanationPruned":true' : `"explanation":${JSON.stringify(readSteps(steps))}`;
  return `${shown},"lawEdition":${JSON.stringify(lawEdition)}`;
}

/** What `storedSteps` stored. */
export function readSteps(text: string): PriceStep[] {
  return (JSON.parse(text) as StepGroup[]).flatMap(({ step, rule, rate = null, of, steps }) =>
    steps.map(([own, base, exact, roundedCents]) => ({
      ...{ step, rule, subject: of === undefined ? own : `${of}, ${own}`, base, rate },
      ...{ exact: exact ?? String(roundedCents), roundedCents },
    })),
  );
}
