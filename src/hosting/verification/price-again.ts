import { isDeepStrictEqual } from 'node:util';
import { countedThc, unitContent } from '../../engines/goods/potency.ts';
import { pricePayments } from '../../engines/pricing/payment-fees.ts';
import { type ChargedTax, chargeTaxes } from '../../engines/pricing/taxes.ts';
import { countedContent, countedContentsText } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { InvariantError } from '../../kernel/assert.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { shownAmountsOf } from '../../shop/orders/orders.ts';
import type { OrderRange, WrongRow } from './data-check.ts';
import type { Named } from './finding.ts';
import {
  type PricedLineRow,
  type PricedOrderRow,
  type PricedPaymentRow,
  type PricedTaxRow,
  selectPricedLines,
  selectPricedOrders,
  selectPricedPayments,
  selectPricedTaxes,
} from './priced-order-queries.ts';

/**
 * Taxes and fees of stored orders, charged again by the pricing engine on the lines, rates and payments that each order
 * keeps. Discounts are not chosen again: what they were at the time of the order is not kept, only what they took, which
 * the statements of order-amount-checks.ts add up.
 */
export const pricedAgain: Named = {
  name: 'priced-again',
  promise: 'the pricing engine charges the same taxes and fees again',
};

/** An order's document shows what its rows say. */
export const shownAsStored: Named = {
  name: 'order-documents',
  promise: 'the document that is shown of an order has the amounts of its rows',
};

/** Limits count what an order keeps of its lines, and do not read them. */
export const countedAsStored: Named = {
  name: 'order-contents',
  promise: 'limits count of an order what its lines hold, without what came back',
};

type Wrong = Pick<WrongRow, 'in_table' | 'row_key' | 'order_number' | 'words'>;

/** What is wrong with the orders of a range, by check. */
export async function priceAgain(
  database: Pick<Database, 'read'>,
  organization: OrganizationId,
  range: OrderRange,
): Promise<{
  readonly priced: readonly Wrong[];
  readonly shown: readonly Wrong[];
  readonly counted: readonly Wrong[];
  readonly orders: number;
}> {
  const bounds = { after: range.after, until: range.until };
  const [orders, lines, taxes, payments] = await database.read(
    organization,
    selectPricedOrders(bounds),
    selectPricedLines(bounds),
    selectPricedTaxes(bounds),
    selectPricedPayments(bounds),
  );
  const linesOf = groupBy(lines, (row) => row.order_id);
  const taxesOf = groupBy(taxes, (row) => row.order_id);
  const paymentsOf = groupBy(payments, (row) => row.order_id);
  return {
    orders: orders.length,
    priced: orders.flatMap((order) => [
      ...wrongTaxes(order, linesOf.get(order.id) ?? [], taxesOf.get(order.id) ?? []),
      ...wrongFees(order, paymentsOf.get(order.id) ?? []),
    ]),
    counted: orders.flatMap((order) => wrongContents(order, linesOf.get(order.id) ?? [])),
    shown: orders.flatMap((order) =>
      wrongDocument(order, taxesOf.get(order.id) ?? [], paymentsOf.get(order.id) ?? []),
    ),
  };
}

/** How a tax was charged, where the order does not keep it. */
interface Variant {
  readonly taxBase: 'gross_cents' | 'list_cents';
  readonly rounding: 'as set' | 'half-up' | 'up';
  /** Which taxes without cents of the delivery fee apply to it. */
  readonly onFee: 'as set' | 'none' | 'all';
}

const variants: readonly Variant[] = (['as set', 'half-up', 'up'] as const).flatMap((rounding) =>
  (['gross_cents', 'list_cents'] as const).flatMap((taxBase) =>
    (['as set', 'none', 'all'] as const).map((onFee) => ({ taxBase, rounding, onFee })),
  ),
);

function wrongTaxes(
  order: PricedOrderRow,
  lines: readonly PricedLineRow[],
  taxes: readonly PricedTaxRow[],
): Wrong[] {
  if (taxes.length === 0) return [];
  const at = (row_key: string, words: string): Wrong => ({
    ...{ in_table: 'order_taxes', row_key, words },
    order_number: order.number,
  });
  let first: Wrong[] | undefined;
  for (const variant of variants) {
    let charged: readonly ChargedTax[];
    try {
      charged = chargedAgain(order, lines, taxes, variant);
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      return [at(order.id, `its taxes cannot be charged again: ${error.message}`)];
    }
    const byId = new Map(charged.map((tax) => [tax.tax.id, tax]));
    const wrong = taxes.flatMap((row): Wrong[] => {
      const again = byId.get(row.tax_id);
      const isSame =
        again?.amountCents === row.amount_cents &&
        again.amountBeforeExemptionCents === row.amount_before_exemption_cents;
      if (isSame) return [];
      const cents = again?.amountCents ?? 0;
      const before = again?.amountBeforeExemptionCents ?? 0;
      return [
        at(
          `${order.id} ${row.id}`,
          `${row.description} is ${row.amount_cents} of ${row.amount_before_exemption_cents}, ` +
            `${row.rate} % of the stored lines is ${cents} of ${before}`,
        ),
      ];
    });
    if (wrong.length === 0) return [];
    first ??= wrong;
  }
  return first ?? [];
}

function chargedAgain(
  order: PricedOrderRow,
  lines: readonly PricedLineRow[],
  taxes: readonly PricedTaxRow[],
  { taxBase, rounding, onFee }: Variant,
): readonly ChargedTax[] {
  const fee = order.delivery_fee_cents;
  const appliesToFee = (row: PricedTaxRow) =>
    row.fee_allocation_cents !== 0 || (onFee === 'as set' ? (row.applies_to_fees ?? false) : onFee === 'all');
  const feeLine = { subject: order.delivery_fee_description ?? 'delivery fee', productCategoryId: null };
  return chargeTaxes(
    taxes.map((row) => ({
      ...{
        id: row.tax_id,
        description: row.description,
        rate: row.rate,
        basis: row.basis,
        tier: row.tier,
        type: row.type,
      },
      ...{ included: row.included, encompass: row.encompass, exemptable: row.exemptable },
      appliesToFees: appliesToFee(row),
      rounding: rounding === 'as set' ? (row.rounding ?? 'half-up') : rounding,
      excludedProductCategoryIds: row.excluded_category_ids,
      nonExemptableProductCategoryIds: row.non_exemptable_category_ids,
    })),
    [
      ...lines.map((line) => ({
        subject: line.option_name,
        productCategoryId: line.product_category_id,
        grossCents: line[taxBase],
        quantity: line.quantity,
        content: unitContent(statedOf(line)),
      })),
      ...(fee === null ? [] : [{ ...feeLine, grossCents: fee }]),
    ],
    order.tax_exempt,
    null,
  );
}

function statedOf(line: PricedLineRow) {
  return {
    cannabisType: line.product_cannabis_type,
    unit: line.product_unit,
    amount: line.option_amount,
    content: line.option_content,
    thcPercent: line.option_thc_percent,
    thcMg: line.option_thc_mg,
  };
}

function wrongFees(order: PricedOrderRow, payments: readonly PricedPaymentRow[]): Wrong[] {
  const { payments: again } = pricePayments(
    payments.map((row) => ({
      ...{ paymentTypeId: row.payment_type_id, name: row.name, amountCents: row.amount_cents },
      ...{ feeCents: row.fee_cents, feePercent: row.fee_percent, feeDescription: row.fee_description },
    })),
    order.due_cents,
    null,
  );
  return payments.flatMap((row, index): Wrong[] => {
    const { feeAmountCents } = again[index]!;
    if (feeAmountCents === row.fee_amount_cents) return [];
    const words = `the fee of ${row.name} is ${row.fee_amount_cents}, on ${row.amount_cents} it is ${feeAmountCents}`;
    return [
      {
        in_table: 'order_payments',
        row_key: `${order.id} ${row.id}`,
        order_number: order.number,
        words,
      },
    ];
  });
}

function wrongContents(order: PricedOrderRow, lines: readonly PricedLineRow[]): Wrong[] {
  const kept = lines.map((line) => ({
    cannabisType: line.product_cannabis_type,
    content: countedContent(statedOf(line)),
    thcMg: countedThc(statedOf(line)),
    quantity: line.quantity - line.returned_quantity,
  }));
  const held = order.is_unproven ? '{}' : countedContentsText(kept);
  if (isDeepStrictEqual(JSON.parse(held), order.counted_contents)) return [];
  const words = `counted_contents is ${JSON.stringify(order.counted_contents)}, its lines hold ${held}`;
  return [{ in_table: 'orders', row_key: order.id, order_number: order.number, words }];
}

function wrongDocument(
  order: PricedOrderRow,
  taxes: readonly PricedTaxRow[],
  payments: readonly PricedPaymentRow[],
): Wrong[] {
  const at = (words: string): Wrong[] => [
    { in_table: 'order_explanations', row_key: order.id, order_number: order.number, words },
  ];
  if (order.shown_rows === null) return at('shown_rows is missing');
  let shown: ReturnType<typeof shownAmountsOf>;
  try {
    shown = shownAmountsOf(order.shown_rows);
  } catch {
    return at('shown_rows cannot be read');
  }
  const paidCents = payments.reduce((sum, { final_amount_cents }) => sum + final_amount_cents, 0);
  const taxCents = taxes.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return [
    ...(shown.finalPriceCents === order.total_price_cents
      ? []
      : at(`it shows lines of ${shown.finalPriceCents}, the order has ${order.total_price_cents}`)),
    ...(shown.taxCents === taxCents
      ? []
      : at(`it shows taxes of ${shown.taxCents}, the order has ${taxCents}`)),
    ...(shown.paidCents === paidCents
      ? []
      : at(`it shows payments of ${shown.paidCents}, the order has ${paidCents}`)),
  ];
}
