import type { CannabisType } from '../kernel/cannabis-type.ts';

/** What an option says of its content, and of the amount that one unit of it is sold as. */
export interface SoldOption {
  readonly cannabisType: CannabisType;
  /** Of one unit, decimal text in the type's unit; null when it was not recorded. */
  readonly content: string | null;
  /** What `amount` counts. */
  readonly unit: 'gram' | 'item';
  readonly amount: string;
}

/**
 * What one unit of an option counts for limits (D36). Flower that is sold by the gram says what it holds by its
 * amount, also where nobody has recorded a content; everything else without a content counts nothing.
 */
export function countedContent({ cannabisType, content, unit, amount }: SoldOption): string | null {
  if (cannabisType === 'none') return null;
  if (content !== null) return content;
  return cannabisType === 'non-concentrated' && unit === 'gram' ? amount : null;
}
