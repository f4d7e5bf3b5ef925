import { t } from '../words/words.ts';

/** A manual reduction of or addition to a price, being typed. */
export interface Adjustment {
  /** Cents; null: nothing valid is typed yet. */
  readonly amount: number | null;
  /** The direction, kept separately so it also holds without an amount. */
  readonly way: 'off' | 'on';
  readonly description: string;
}

/** What is given of a manual discount on the order, being typed. */
export interface GivenPart {
  readonly discountId: number;
  readonly way: 'percent' | 'amount';
  /** Decimal text; empty: nothing valid is typed yet. */
  readonly percent: string;
  /** Cents; null: nothing valid is typed yet. */
  readonly amount: number | null;
  readonly reason: string;
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

/** What of a part is missing; null: it is complete. */
export function missingOfPart({ way, percent, amount, reason }: GivenPart): 'amount' | 'reason' | null {
  if (way === 'percent' ? percent === '' : !amount) return 'amount';
  return reason.trim() === '' ? 'reason' : null;
}

/** The same of the parts of chosen discounts, in words. */
export function incompletePart({
  discountIds,
  discountParts = [],
}: Pick<Reductions, 'discountIds'> & { readonly discountParts?: readonly GivenPart[] | undefined }):
  | string
  | null {
  const lack = discountParts
    .filter(({ discountId }) => discountIds.includes(discountId))
    .map(missingOfPart)
    .find((it) => it !== null);
  if (lack === undefined) return null;
  return lack === 'amount'
    ? t`A part of a discount has no amount yet.`
    : t`A part of a discount has no reason yet.`;
}

/** The parts as the body of a request, without incomplete ones. */
export function partsBody(parts: readonly GivenPart[]) {
  return parts.flatMap((part) => {
    if (missingOfPart(part) !== null) return [];
    const { discountId, way, percent, amount, reason } = part;
    return [{ discountId, reason, ...(way === 'percent' ? { percent } : { amount: amount ?? 0 }) }];
  });
}

/** Says in words what is incomplete; null: nothing. Incomplete input would be dropped without notice. */
export function incompleteInput({ adjustments, taxExempt }: Reductions): string | null {
  const lack = adjustments.map(missingPart).find((it) => it !== null);
  if (lack)
    return lack === 'amount' ? t`An adjustment has no amount yet.` : t`An adjustment has no description yet.`;
  return taxExempt && taxExempt.reason.trim() === '' ? t`The tax override has no reason yet.` : null;
}
