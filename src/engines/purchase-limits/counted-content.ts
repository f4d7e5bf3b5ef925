import type { CannabisType } from '../goods/cannabis-type.ts';

/** The content of an option, and the amount that one unit of it is sold as. */
interface SoldOption {
  readonly cannabisType: CannabisType;
  /** Content of one unit, decimal text in the type's unit; null if not recorded. */
  readonly content: string | null;
  /** The unit of `amount`. */
  readonly unit: 'gram' | 'item';
  readonly amount: string;
}

/**
 * The counted content of one unit of an option (D36). Flower that is sold by the gram uses its amount if it has no
 * recorded content; every other option without a content counts nothing.
 */
export function countedContent({ cannabisType, content, unit, amount }: SoldOption): string | null {
  if (cannabisType === 'none') return null;
  if (content !== null) return content;
  return cannabisType === 'non-concentrated' && unit === 'gram' ? amount : null;
}
