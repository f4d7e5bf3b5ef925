import type { Schema } from '../api.ts';
import { t } from '../words/words.ts';

/** `THC 24.1%`, or a range; null: not known. */
export function thcInWords({
  thcAmount,
  thcAmountRangeLow,
  thcAmountRangeHigh,
  thcUnit,
}: Pick<Schema['Product'], 'thcAmount' | 'thcAmountRangeHigh' | 'thcAmountRangeLow' | 'thcUnit'>):
  | string
  | null {
  const unit = thcUnit === 'mg' ? ' mg' : (thcUnit ?? '');
  if (thcAmount !== null) return t`THC ${thcAmount}${unit}`;
  if (thcAmountRangeLow === null || thcAmountRangeHigh === null) return null;
  return t`THC ${thcAmountRangeLow}–${thcAmountRangeHigh}${unit}`;
}
