/** Something off a price, or on top of it, as it is being typed. */
export interface Adjustment {
  /** Cents; null: none is typed yet, or what is typed is none. */
  readonly amount: number | null;
  /** A direction of its own: also of an amount that is not there yet. */
  readonly way: 'off' | 'on';
  readonly description: string;
}

/** What people take off or add by hand; the service keeps it to the limit of the role. */
export interface Reductions {
  readonly discountIds: number[];
  readonly discountCodes: string[];
  readonly adjustments: readonly Adjustment[];
  readonly taxExempt: { exempt: boolean; reason: string } | null;
}

export const noReductions: Reductions = {
  discountIds: [],
  discountCodes: [],
  adjustments: [],
  taxExempt: null,
};

/** An adjustment of an order, to be changed. */
export function typedAdjustment({
  amount,
  description,
}: {
  amount: number;
  description: string;
}): Adjustment {
  return { amount: Math.abs(amount), way: amount > 0 ? 'on' : 'off', description };
}

/** What an adjustment lacks; null: nothing, or all of it, as of a row that was only begun. */
export function lackOf({ amount, description }: Adjustment): 'amount' | 'description' | null {
  if (!amount === (description.trim() === '')) return null;
  return amount ? 'description' : 'amount';
}

/** The adjustments as the service takes them; one that lacks something is not among them. */
export function adjustmentsBody(
  adjustments: readonly Adjustment[],
): { amount: number; description: string }[] {
  return adjustments.flatMap(({ amount, way, description }) =>
    amount && description.trim() !== '' ? [{ amount: way === 'on' ? amount : -amount, description }] : [],
  );
}

/** What is only half typed, in words; null: nothing is. It would come to nothing, and nobody would notice. */
export function halfTyped({ adjustments, taxExempt }: Reductions): string | null {
  const lack = adjustments.map(lackOf).find((it) => it !== null);
  if (lack)
    return lack === 'amount' ? 'An adjustment has no amount yet.' : 'An adjustment needs what it is for.';
  return taxExempt && taxExempt.reason.trim() === '' ? 'Taxes by hand need a reason.' : null;
}
