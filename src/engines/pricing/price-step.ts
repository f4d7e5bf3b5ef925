/** One step of the calculation, for people (D31). `base` and `exact` are cents as exact text; `base` of a tax by content is milligrams or grams. */
export interface PriceStep {
  readonly step:
    | 'line'
    | 'discount'
    | 'discount-share'
    | 'discount-trimmed'
    | 'best-of'
    | 'total-price'
    | 'discount-cap'
    | 'loyalty-reward'
    | 'taxable-price'
    | 'net-of-included-taxes'
    | 'tax-line'
    | 'tax'
    | 'exemption'
    | 'tax-share'
    | 'adjustment'
    | 'before-credits'
    | 'credit'
    | 'net-price'
    | 'payment-fee'
    | 'grand-total';
  readonly rule: string;
  readonly subject: string;
  readonly base: string;
  readonly rate: string | null;
  readonly exact: string;
  /** Null if the step keeps its exact amount. */
  readonly roundedCents: number | null;
}

/** The name of a line in the steps. */
export function optionSubject(line: { readonly productOptionId: number }): string {
  return `option ${line.productOptionId}`;
}

/** A step with whole cents, without rate and rounding. */
export function centsStep(
  step: PriceStep['step'],
  rule: string,
  subject: string,
  baseCents: number,
  cents: number = baseCents,
): PriceStep {
  return { step, rule, subject, base: `${baseCents}`, rate: null, exact: `${cents}`, roundedCents: cents };
}
