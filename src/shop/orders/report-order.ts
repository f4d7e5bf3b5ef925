import { roundCents, sumCents } from '../../engines/pricing/exact-amounts.ts';
import type { LineMoney } from '../../engines/state-reports/receipt-of-sale.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { ReportedSale } from '../traceability/reported-sale.ts';
import { reportSale } from '../traceability/traceability.ts';
import type { OrderLine, OrderRecord } from './order-record.ts';

/** What came back of a line: its shares of what the line cost and of the stock that it took. */
export interface GoodsBack {
  readonly orderLineItemId: number;
  /** The goods after discounts, in cents. */
  readonly goodsCents: number;
  readonly taxes: readonly { readonly taxId: number; readonly amountCents: number }[];
  readonly stock: readonly { readonly fulfillmentId: number; readonly amount: string }[];
}

/**
 * Tells the state's system of a fulfilled order as it is after `back`, everything that came back and stays back, in the transaction of
 * what changed it. Does nothing for a shop that does not report by a connection.
 */
export function reportOrder(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  back: () => readonly GoodsBack[] | Promise<readonly GoodsBack[]>,
  nowMs: number,
): Promise<void> {
  return reportSale(tx, context, async () => reportedSale(order, await back(), nowMs), nowMs);
}

/** An order as the state is told of it, after `back`. */
export function reportedSale(order: OrderRecord, back: readonly GoodsBack[], nowMs: number): ReportedSale {
  const { head, lines, fulfillments, taxes } = order;
  const included = new Set(taxes.filter((tax) => tax.included).map(({ taxId }) => taxId));
  const excises = new Set(taxes.filter(({ type }) => type !== 'standard').map(({ taxId }) => taxId));
  const taxCents = (parts: readonly { readonly taxId: number; readonly amountCents: number }[]) =>
    sumCents(parts, ({ taxId, amountCents }) => (included.has(taxId) ? amountCents : 0));
  return {
    ...{ orderId: head.id, orderNumber: head.number, isMedical: head.isMedical },
    ...{ customerId: head.userId, tripId: order.dispatchTask?.tripId ?? null },
    soldAtMs: head.fulfilledAt ?? nowMs,
    goods: lines.flatMap((line) => {
      const ofLine = back.filter(({ orderLineItemId }) => orderLineItemId === line.id);
      const backOf = (id: number) =>
        ofLine
          .flatMap(({ stock }) => stock)
          .reduce((sum, it) => (it.fulfillmentId === id ? sum.plus(it.amount) : sum), zero);
      const took = fulfillments.filter(({ orderLineItemId }) => orderLineItemId === line.id);
      const parts = took.flatMap((it) => {
        const left = decimal(it.amount).minus(backOf(it.id));
        return left.lte(zero) ? [] : [{ ...it, amount: decimalText(left) }];
      });
      // All of it came back.
      if (took.length > 0 && parts.length === 0) return [];
      return [
        {
          ...{ name: line.productName, isCannabis: line.productCannabisType !== 'none', parts },
          money: moneyOf(line, ofLine, excises, taxCents(line.taxAllocations)),
          amountCents:
            line.grossCents -
            taxCents(line.taxAllocations) -
            sumCents(ofLine, (it) => it.goodsCents - taxCents(it.taxes)),
        },
      ];
    }),
  };
}

/** Price and taxes of what is left of a line. Taxes that the price contains are taken out of it in the share of what was paid. */
function moneyOf(
  { subtotalPriceCents, grossCents, taxAllocations }: OrderLine,
  back: readonly GoodsBack[],
  excises: ReadonlySet<number>,
  includedTaxCents: number,
): LineMoney {
  const backCents = sumCents(back, ({ goodsCents }) => goodsCents);
  const gross = BigInt(grossCents);
  const left = gross - BigInt(backCents);
  const untaxed = gross - BigInt(includedTaxCents);
  const priceOfFreeCents = back.length === 0 ? subtotalPriceCents : 0;
  const taxesCents = (isExcise: boolean) => {
    const counted = ({ taxId, amountCents }: { readonly taxId: number; readonly amountCents: number }) =>
      excises.has(taxId) === isExcise ? amountCents : 0;
    return sumCents(taxAllocations, counted) - sumCents(back, ({ taxes }) => sumCents(taxes, counted));
  };
  return {
    priceCents:
      grossCents === 0
        ? priceOfFreeCents
        : roundCents(BigInt(subtotalPriceCents) * untaxed * left, gross * gross),
    salesTaxCents: Math.max(0, taxesCents(false)),
    exciseTaxCents: Math.max(0, taxesCents(true)),
  };
}
