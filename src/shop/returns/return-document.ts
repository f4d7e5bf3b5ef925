import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { OrderFulfillment, OrderLine, OrderRecord, StaffName } from '../orders/order-record.ts';
import type { inventoryActions, ShownReturn } from '../orders/order-return-schema.ts';
import type { RefundAmounts } from './return-amounts.ts';
import { isPutBack, type ReturnedFulfillment } from './return-stock.ts';

/** Units of a line with the same inventory action. */
export interface ReturnedLine {
  readonly orderLineItemId: number;
  readonly quantity: number;
  readonly type: 'return' | 'exchange';
  readonly inventoryAction: (typeof inventoryActions)[number];
  readonly reason: string;
}

/** A return as shown on its order (D39). */
export function returnDocument(
  order: OrderRecord,
  made: {
    readonly id: number;
    readonly refundType: ShownReturn['refundType'];
    readonly paymentTypeName: string;
    readonly adjustmentCents: number;
    readonly adjustmentDescription: string;
    readonly amounts: RefundAmounts;
    readonly cashRoundingCents: number | null;
    readonly lines: readonly (ReturnedLine & { readonly stock: readonly ReturnedFulfillment[] })[];
    readonly by: StaffName;
    readonly atMs: number;
  },
): ShownReturn {
  const { amounts } = made;
  const lineOf = new Map(order.lines.map((line) => [line.id, line]));
  const fulfillmentOf = new Map(order.fulfillments.map((fulfillment) => [fulfillment.id, fulfillment]));
  return {
    id: made.id,
    refundType: made.refundType,
    refundInitial: amounts.refundInitialCents,
    refundTotal: amounts.refundTotalCents,
    // Avoids -0.
    cashRounding: 0 - (made.cashRoundingCents ?? 0),
    creditsTotal: amounts.creditsTotalCents,
    discountsTotal: amounts.discountsTotalCents,
    adjustmentAmount: made.adjustmentCents,
    adjustmentDescription: made.adjustmentDescription,
    paymentTypeName: made.paymentTypeName,
    loyaltyTotal: amounts.loyaltyTotalCents,
    voidedAt: null,
    voidedReason: null,
    createdAt: isoTimestamp(made.atMs),
    createdBy: { ...made.by },
    voidedBy: {},
    lineItems: made.lines.map(({ stock, ...line }) => ({
      orderLineItemId: line.orderLineItemId,
      type: line.type,
      inventoryAction: line.inventoryAction,
      quantity: line.quantity,
      reason: line.reason,
      fulfillAs: stock.map(({ fulfillmentId, amount }) =>
        returnedFrom(
          lineOf.get(line.orderLineItemId)!,
          fulfillmentOf.get(fulfillmentId)!,
          amount,
          isPutBack(line.inventoryAction),
        ),
      ),
    })),
    taxes: shownTaxes(order, amounts),
  };
}

/** The taxes of a return, including those that are not refunded. */
export function shownTaxes(order: OrderRecord, { taxes }: RefundAmounts): ShownReturn['taxes'] {
  return taxes.map(({ taxId, amountCents, refunded }) => {
    const tax = order.taxes.find((it) => it.taxId === taxId)!;
    return {
      taxId,
      amount: amountCents,
      description: tax.description,
      refunded,
      rate: canonicalDecimalText(tax.rate),
      included: tax.included,
      exemptable: tax.exemptable,
      type: tax.type,
      tier: tax.tier,
    };
  });
}

function returnedFrom(line: OrderLine, fulfillment: OrderFulfillment, amount: string, isBack: boolean) {
  const quantity =
    line.inventoryType === 'product' ? decimal(amount).div(line.optionAmount).round(6) : decimal(amount);
  return {
    pkg:
      fulfillment.packageLabel === null
        ? null
        : {
            unit: fulfillment.packageUnit ?? '',
            label: fulfillment.packageLabel,
            costPerUnit: canonicalDecimalText(fulfillment.packageCostPerUnit ?? '0'),
          },
    optionSum: isBack ? decimal(amount).toNumber() : 0,
    productOptionId: line.productOptionId,
    quantityFulfilled: decimalText(quantity),
  };
}

/** The return after its void. */
export function voidedReturn(
  shown: ShownReturn,
  { by, reason, atMs }: { readonly by: StaffName; readonly reason: string; readonly atMs: number },
): ShownReturn {
  return { ...shown, voidedAt: isoTimestamp(atMs), voidedReason: reason, voidedBy: { ...by } };
}
