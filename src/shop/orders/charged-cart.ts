import type { OfflineSale } from '../../engines/offline-pricing/offline-sale.ts';
import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { pricePayments } from '../../engines/pricing/payment-fees.ts';
import { assertPricedCart, type PricedCart, type UsedDiscount } from '../../engines/pricing/priced-cart.ts';
import { InvariantError } from '../../kernel/assert.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import type { OfferedDiscountRow } from '../promotions/promotions.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import type { DatedTaxRow } from '../settings/tax-queries.ts';
import { cartTax } from '../settings/terms-of-sale.ts';

/** What an offline sale names, by id. */
interface NamedBySale {
  readonly options: ReadonlyMap<number, SellableOptionRow>;
  readonly taxes: readonly DatedTaxRow[];
  readonly discounts: readonly OfferedDiscountRow[];
  readonly paymentTypes: readonly PaymentTypeRow[];
}

/**
 * The priced cart of a sale at the amounts that were charged. Fails with INVALID_PARAMS when they contradict each other, and for ids
 * of other organizations.
 */
export function chargedCart(sale: OfflineSale, named: NamedBySale): PricedCart {
  try {
    const cart = cartOf(sale, named);
    const paidCents = sumCents(cart.payments, ({ amountCents }) => amountCents);
    if (cart.customerGrandTotalCents !== sale.total || paidCents !== cart.netPriceCents) {
      throw failure(
        'INVALID_PARAMS',
        `The parts come to ${cart.customerGrandTotalCents} cents and the tenders to ${paidCents}, the total is ${sale.total}.`,
      );
    }
    assertPricedCart(cart);
    return cart;
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    throw failure('INVALID_PARAMS', `The amounts contradict each other: ${error.message}.`);
  }
}

function cartOf(sale: OfflineSale, named: NamedBySale): PricedCart {
  const lines = sale.lines.map((line) => {
    const option = named.options.get(line.productOptionId)!;
    const discounts = line.discounts.map((used) => usedDiscount(used, named.discounts));
    const subtotalPriceCents = line.unitPrice * line.quantity;
    return {
      productOptionId: line.productOptionId,
      productId: option.product_id,
      productCategoryId: option.category_id,
      quantity: line.quantity,
      unitPriceCents: line.unitPrice,
      subtotalPriceCents,
      finalPriceCents: subtotalPriceCents - sumCents(discounts, ({ amountUsedCents }) => amountUsedCents),
      discounts,
      grossCents: line.gross,
      taxAllocations: line.taxes.map(({ taxId, amount }) => ({ taxId, amountCents: amount })),
    };
  });
  const taxes = sale.taxes.map(({ taxId, amount, exempted }) => {
    const { rounding: _, appliesToFees: __, basis: ___, rate, ...terms } = cartTax(taxOf(taxId, named.taxes));
    return {
      ...terms,
      ...{ rate, normalRate: rate, feeAllocationCents: 0 },
      amountCents: amount,
      amountBeforeExemptionCents: amount + exempted,
      amountExemptedCents: exempted,
    };
  });
  const discounts = sale.discounts.map((used) => usedDiscount(used, named.discounts));
  const adjustments = sale.exemptions.map(({ taxId, amount }) => ({
    amountCents: amount,
    description: taxOf(taxId, named.taxes).description,
    isTaxExemption: true,
    taxId,
  }));
  const payments = paymentsOf(sale, named.paymentTypes);
  const totalPriceCents = sumCents(lines, ({ finalPriceCents }) => finalPriceCents);
  const orderDiscountsCents = sumCents(discounts, ({ amountUsedCents }) => amountUsedCents);
  const netPriceCents =
    totalPriceCents -
    orderDiscountsCents +
    sumCents(adjustments, ({ amountCents }) => amountCents) +
    sumCents(taxes, ({ included, amountCents }) => (included ? 0 : amountCents));
  const paymentFeesCents = sumCents(payments, ({ feeAmountCents }) => feeAmountCents);
  return {
    ...{ lines, taxes, discounts, adjustments, payments, totalPriceCents, netPriceCents, paymentFeesCents },
    merchandiseCents: sumCents(lines, ({ grossCents }) => grossCents),
    deliveryFeeCents: null,
    customerGrandTotalCents: netPriceCents + paymentFeesCents,
    ...{ loyaltyRedemptions: [], rewardIdsBeyondCap: [], discountRefusals: [], credits: [], steps: null },
    usedDiscountIds: [
      ...new Set([...lines.flatMap((line) => line.discounts), ...discounts].map(({ id }) => id)),
    ],
    paymentsVerdict: { ok: true },
    discountsTotalCents:
      orderDiscountsCents +
      sumCents(
        lines.flatMap((line) => line.discounts),
        ({ amountUsedCents }) => amountUsedCents,
      ),
    ...{ discountsOverBudtenderLimit: false, discountsOverManagerLimit: false },
  };
}

function usedDiscount(
  { discountId, amountUsed }: OfflineSale['discounts'][number],
  rows: readonly OfferedDiscountRow[],
): UsedDiscount {
  const row = rows.find(({ id }) => id === discountId);
  if (row === undefined) throw failure('DISCOUNT_NOT_FOUND', `There is no discount ${discountId}.`);
  return {
    id: row.id,
    type: row.type,
    amount: canonicalDecimalText(row.amount),
    amountUsedCents: amountUsed,
    description: row.name,
  };
}

function taxOf(taxId: number, rows: readonly DatedTaxRow[]): DatedTaxRow {
  const row = rows.find(({ id }) => id === taxId);
  if (row === undefined) throw failure('INVALID_PARAMS', `There is no tax ${taxId}.`);
  return row;
}

function paymentsOf({ tenders }: OfflineSale, rows: readonly PaymentTypeRow[]): PricedCart['payments'] {
  return tenders.map(({ paymentTypeId, amount, fee }) => {
    const type = rows.find(({ id }) => id === paymentTypeId);
    if (type === undefined)
      throw failure('PAYMENT_TYPE_NOT_FOUND', `There is no payment type ${paymentTypeId}.`);
    const intended = {
      ...{ paymentTypeId, name: type.name, feeDescription: type.fee_description, amountCents: amount },
      ...{ feeCents: type.fee_cents, feePercent: type.fee_percent },
    };
    const [present] = pricePayments([intended], amount, null).payments;
    if (present!.feeAmountCents === fee) return present!;
    // The fee of the type has changed since: the order keeps what was charged.
    const { payments } = pricePayments([{ ...intended, feeCents: fee, feePercent: '0' }], amount, null);
    return payments[0]!;
  });
}
