/** The fee that a customer pays for a payment type. */
interface PaymentFeeTerms {
  /** Cents per payment. */
  readonly fee: number;
  /** Percent of the payment, as decimal text. */
  readonly feePercent: string;
}

/**
 * The fee of a payment in cents (D28): the flat part plus the percentage, rounded to the nearest cent, halves up; 0 if nothing
 * is paid. Used only to show change before the service replies with its own fee. Exact, in whole numbers.
 */
export function paymentFee({ fee, feePercent }: PaymentFeeTerms, amountCents: number): number {
  if (amountCents === 0) return 0;
  const [whole = '0', fraction = ''] = feePercent.split('.');
  const scale = 100n * 10n ** BigInt(fraction.length);
  const rate = BigInt(`${whole}${fraction}`);
  return fee + Number((BigInt(amountCents) * rate * 2n + scale) / (scale * 2n));
}

/** Cash amounts that cover an amount, the exact amount first: 1842 → $18.42, $20, $40, $50, $100. */
export function cashSuggestions(cents: number): readonly number[] {
  const notes = [500, 1_000, 2_000, 5_000, 10_000];
  const rounded = notes.map((note) => Math.ceil(cents / note) * note);
  return [...new Set([cents, ...rounded])].sort((one, other) => one - other).slice(0, 5);
}
