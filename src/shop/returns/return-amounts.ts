import { type Rounding, roundCents, sumCents } from '../../engines/pricing/exact-amounts.ts';
import { assert } from '../../kernel/assert.ts';
import {
  type ChargedTaxes,
  type ChargeParts,
  type LineCharge,
  paidCents,
  type TaxPart,
} from './return-charges.ts';

/** Returned units of a line, with the shares that they used up. */
export interface ReturnedShares {
  readonly orderLineItemId: number;
  readonly quantity: number;
  readonly parts: ChargeParts;
}

/**
 * The shares of the units that are returned now: for every stored part, the share of all returned units less the
 * shares of earlier returns. The last units therefore take the remainder, and each part ends at exactly what was
 * charged. Until then, refunds round down and deductions round up: no return pays more than the exact share, or less
 * than nothing. `returned` are the earlier units of the same line that are not voided.
 */
export function sharesOfReturn(
  line: LineCharge,
  returned: readonly ReturnedShares[],
  quantity: number,
  charged: ChargedTaxes,
): ChargeParts {
  const before = sumParts(returned.map(({ parts }) => parts));
  const after = sumCents(returned, (it) => it.quantity) + quantity;
  assert(quantity > 0 && after <= line.quantity, `line ${line.orderLineItemId} has no ${quantity} to return`);
  const { parts } = line;
  /** The part of all returned units that earlier returns have not used; its sign never changes. */
  const rest = (whole: number, had: number, rounding: Rounding) => {
    const share = roundCents(BigInt(whole) * BigInt(after), BigInt(line.quantity), rounding) - had;
    return whole < 0 ? Math.min(0, share) : Math.max(0, share);
  };
  const exact: ChargeParts = {
    subtotalCents: rest(parts.subtotalCents, before.subtotalCents, 'down'),
    adjustmentsCents: rest(
      parts.adjustmentsCents,
      before.adjustmentsCents,
      parts.adjustmentsCents < 0 ? 'up' : 'down',
    ),
    discountsCents: rest(parts.discountsCents, before.discountsCents, 'up'),
    loyaltyCents: rest(parts.loyaltyCents, before.loyaltyCents, 'up'),
    promoCodesCents: rest(parts.promoCodesCents, before.promoCodesCents, 'up'),
    storeCreditsCents: rest(parts.storeCreditsCents, before.storeCreditsCents, 'up'),
    taxes: parts.taxes.map(({ taxId, amountCents }) => ({
      taxId,
      amountCents: rest(amountCents, taxCents(before, taxId), 'down'),
    })),
  };
  const mayBeRefunded = rest(paidCents(parts, charged), paidCents(before, charged), 'down');
  return within(exact, mayBeRefunded, line.parts, before, charged);
}

/**
 * The shares, corrected by cents where they would refund less than nothing or more than allowed. This happens after
 * voids, which can leave units that rounding favored, and on lines of a few cents. A later return makes up for the
 * correction.
 */
function within(
  shares: ChargeParts,
  maxCents: number,
  whole: ChargeParts,
  before: ChargeParts,
  charged: ChargedTaxes,
): ChargeParts {
  const bent: { -readonly [Part in keyof ChargeParts]: ChargeParts[Part] } = { ...shares };
  let missingCents = -paidCents(bent, charged);
  for (const part of ['promoCodesCents', 'storeCreditsCents', 'loyaltyCents', 'discountsCents'] as const) {
    const cents = Math.min(Math.max(0, missingCents), bent[part]);
    bent[part] -= cents;
    missingCents -= cents;
  }
  if (missingCents > 0) bent.adjustmentsCents += missingCents;

  let excessCents = paidCents(bent, charged) - maxCents;
  for (const part of ['promoCodesCents', 'storeCreditsCents', 'loyaltyCents', 'discountsCents'] as const) {
    const cents = Math.min(Math.max(0, excessCents), whole[part] - before[part] - bent[part]);
    bent[part] += cents;
    excessCents -= cents;
  }
  const leastAdjustments = Math.min(0, whole.adjustmentsCents - before.adjustmentsCents);
  const adjusted = Math.min(Math.max(0, excessCents), bent.adjustmentsCents - leastAdjustments);
  bent.adjustmentsCents -= adjusted;
  excessCents -= adjusted;
  bent.taxes = bent.taxes.map(({ taxId, amountCents }) => {
    const cents = charged.has(taxId) ? Math.min(Math.max(0, excessCents), amountCents) : 0;
    excessCents -= cents;
    return { taxId, amountCents: amountCents - cents };
  });
  return bent;
}

/** The sum of the parts. */
export function sumParts(parts: readonly ChargeParts[]): ChargeParts {
  const taxIds = new Set(parts.flatMap(({ taxes }) => taxes.map(({ taxId }) => taxId)));
  const sum = (read: (it: ChargeParts) => number) => sumCents(parts, read);
  return {
    subtotalCents: sum((it) => it.subtotalCents),
    adjustmentsCents: sum((it) => it.adjustmentsCents),
    discountsCents: sum((it) => it.discountsCents),
    loyaltyCents: sum((it) => it.loyaltyCents),
    promoCodesCents: sum((it) => it.promoCodesCents),
    storeCreditsCents: sum((it) => it.storeCreditsCents),
    taxes: [...taxIds].map((taxId) => ({ taxId, amountCents: sum((it) => taxCents(it, taxId)) })),
  };
}

function taxCents({ taxes }: { readonly taxes: readonly TaxPart[] }, taxId: number): number {
  return taxes.find((tax) => tax.taxId === taxId)?.amountCents ?? 0;
}

/** The amounts of a return (D39): negative amounts go to the customer, positive ones reduce them. */
export interface RefundAmounts {
  readonly refundInitialCents: number;
  readonly discountsTotalCents: number;
  readonly loyaltyTotalCents: number;
  readonly creditsTotalCents: number;
  readonly taxes: readonly {
    readonly taxId: number;
    readonly amountCents: number;
    readonly refunded: boolean;
  }[];
  readonly refundTotalCents: number;
}

/** The amounts of shares: the charges, negated. A return without refund has only amounts of 0 and refunds no tax. */
export function refundAmounts(
  shares: ChargeParts,
  charged: ChargedTaxes,
  { refunds, adjustmentCents }: { readonly refunds: boolean; readonly adjustmentCents: number },
): RefundAmounts {
  const taxes = shares.taxes
    .filter(({ amountCents }) => amountCents > 0)
    .map(({ taxId, amountCents }) => ({
      taxId,
      amountCents: -amountCents,
      refunded: refunds && charged.has(taxId),
    }));
  if (!refunds) {
    return {
      refundInitialCents: 0,
      discountsTotalCents: 0,
      loyaltyTotalCents: 0,
      creditsTotalCents: 0,
      taxes,
      refundTotalCents: 0,
    };
  }
  return {
    // Avoids -0: JSON and PostgreSQL distinguish it from 0.
    refundInitialCents: 0 - (shares.subtotalCents + shares.adjustmentsCents),
    discountsTotalCents: shares.discountsCents,
    loyaltyTotalCents: shares.loyaltyCents,
    creditsTotalCents: shares.promoCodesCents + shares.storeCreditsCents,
    taxes,
    refundTotalCents: adjustmentCents - paidCents(shares, charged),
  };
}
