import type { PricedCart } from '../pricing/priced-cart.ts';

/*
 * What a register tells of a sale that it made alone (D75): what was sold, at which amounts, and how it was paid. Names of taxes and
 * discounts are not in it: the service has them by their ids.
 */

/** Grams out of a package. */
export interface WeighedOut {
  readonly packageId: number;
  readonly weight: string;
}

/** Amounts are in cents. */
interface ChargedLine {
  readonly productOptionId: number;
  readonly quantity: number;
  /** Grams of goods sold loose; absent: by the piece. */
  readonly weight?: string;
  /** What of the weight came out of which packages; absent: the register does not say. */
  readonly packages?: readonly WeighedOut[];
  readonly unitPrice: number;
  readonly discounts: readonly { readonly discountId: number; readonly amountUsed: number }[];
  /** After all reductions. */
  readonly gross: number;
  readonly taxes: readonly { readonly taxId: number; readonly amount: number }[];
}

interface OfflineTender {
  readonly paymentTypeId: number;
  /** Before the fee. */
  readonly amount: number;
  readonly fee: number;
  /** The cash received; null: not cash, or exactly the amount. */
  readonly tendered: number | null;
  /** What rounding added to cash; absent: nothing. */
  readonly rounding?: number;
}

export interface OfflineSale {
  /** UUID v4: one sale, whatever is sent again. */
  readonly saleKey: string;
  /** The register's own number, on the receipt. */
  readonly number: string;
  /** ISO 8601. */
  readonly soldAt: string;
  readonly staffId: number;
  readonly outageKey: string;
  readonly terms: {
    readonly version: string;
    readonly issuedAt: string;
    readonly validUntil: string;
    readonly keyName: string;
  };
  readonly buyer: {
    readonly customerId: number | null;
    readonly birthday: string | null;
    readonly name: string | null;
  };
  /** How the ID of who takes the goods was seen; absent: it was not. */
  readonly idCheck?: 'scan' | 'eye';
  readonly discountIds: readonly number[];
  readonly lines: readonly ChargedLine[];
  readonly discounts: readonly { readonly discountId: number; readonly amountUsed: number }[];
  readonly taxes: readonly { readonly taxId: number; readonly amount: number; readonly exempted: number }[];
  /** Included taxes that an exempt customer does not pay; negative. */
  readonly exemptions: readonly { readonly taxId: number; readonly amount: number }[];
  readonly tenders: readonly OfflineTender[];
  /** What the customer paid, fees included. */
  readonly total: number;
}

/** The part of a sale that says what was charged, of a priced cart with payments that cover it. */
export function chargedOf(
  priced: PricedCart,
  tendered: readonly (number | null)[],
  rounding: readonly number[] = [],
  /** What was weighed, by option. */
  weights: ReadonlyMap<number, Pick<ChargedLine, 'weight' | 'packages'>> = new Map(),
): Pick<OfflineSale, 'lines' | 'discounts' | 'taxes' | 'exemptions' | 'tenders' | 'total'> {
  return {
    lines: priced.lines.map((line) => ({
      productOptionId: line.productOptionId,
      quantity: line.quantity,
      ...weights.get(line.productOptionId),
      unitPrice: line.unitPriceCents,
      discounts: line.discounts.map(({ id, amountUsedCents }) => ({
        discountId: id,
        amountUsed: amountUsedCents,
      })),
      gross: line.grossCents,
      taxes: line.taxAllocations.map(({ taxId, amountCents }) => ({ taxId, amount: amountCents })),
    })),
    discounts: priced.discounts.map(({ id, amountUsedCents }) => ({
      discountId: id,
      amountUsed: amountUsedCents,
    })),
    taxes: priced.taxes.map(({ id, amountCents, amountExemptedCents }) => ({
      taxId: id,
      amount: amountCents,
      exempted: amountExemptedCents,
    })),
    exemptions: priced.adjustments.flatMap(({ taxId, amountCents }) =>
      taxId === null ? [] : [{ taxId, amount: amountCents }],
    ),
    tenders: priced.payments.map((payment, index) => ({
      paymentTypeId: payment.paymentTypeId,
      amount: payment.amountCents,
      fee: payment.feeAmountCents,
      tendered: tendered[index] ?? null,
      ...(rounding[index] ? { rounding: rounding[index] } : {}),
    })),
    total: priced.customerGrandTotalCents,
  };
}

/** The text that a register signs: the same for the same values, whatever the order of members. */
export function signedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(signedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${signedText(member)}`);
  return `{${members.join()}}`;
}
