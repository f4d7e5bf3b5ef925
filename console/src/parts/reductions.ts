/** A manual reduction of or addition to a price, being typed. */
export interface Adjustment {
  /** Cents; null: nothing valid is typed yet. */
  readonly amount: number | null;
  /** The direction, kept separately so it also holds without an amount. */
  readonly way: 'off' | 'on';
  readonly description: string;
}

/** Manual reductions and additions; the service enforces the limit of the role. */
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

/** A saved adjustment of an order, as editable input. */
export function typedAdjustment({
  amount,
  description,
}: {
  amount: number;
  description: string;
}): Adjustment {
  return { amount: Math.abs(amount), way: amount > 0 ? 'on' : 'off', description };
}

/** The missing part of an adjustment; null: complete, or an untouched row. */
export function missingPart({ amount, description }: Adjustment): 'amount' | 'description' | null {
  if (!amount === (description.trim() === '')) return null;
  return amount ? 'description' : 'amount';
}

/** The adjustments as the body of a request, without incomplete ones. */
export function adjustmentsBody(
  adjustments: readonly Adjustment[],
): { amount: number; description: string }[] {
  return adjustments.flatMap(({ amount, way, description }) =>
    amount && description.trim() !== '' ? [{ amount: way === 'on' ? amount : -amount, description }] : [],
  );
}

/** Says in words what is incomplete; null: nothing. Incomplete input would be dropped without notice. */
export function incompleteInput({ adjustments, taxExempt }: Reductions): string | null {
  const lack = adjustments.map(missingPart).find((it) => it !== null);
  if (lack)
    return lack === 'amount' ? 'An adjustment has no amount yet.' : 'An adjustment has no description yet.';
  return taxExempt && taxExempt.reason.trim() === '' ? 'The tax override has no reason yet.' : null;
}
