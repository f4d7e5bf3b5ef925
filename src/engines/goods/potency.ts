import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import type { CannabisType } from './cannabis-type.ts';
import { comparableSizes, contentUnits } from './content-units.ts';

/* What one unit of an option holds, as exact numbers. Taxes, limits and labels are made of these, so that they cannot differ. Pure. */

/** The stated facts of an option. All numbers are decimal text; null: not stated. */
export interface StatedContent {
  readonly cannabisType: CannabisType;
  /** The unit of `amount`. */
  readonly unit: 'gram' | 'item';
  readonly amount: string;
  /** In the unit of the type. */
  readonly content: string | null;
  readonly thcPercent: string | null;
  readonly thcMg: string | null;
}

/** One unit of an option, as exact decimal text. Null: it is neither stated nor follows from what is. */
export interface UnitContent {
  readonly thcPercent: string | null;
  readonly thcMg: string | null;
  /** The weight of the product. */
  readonly grams: string | null;
}

/** Their content is the THC, not the weight. */
const countedByThc: ReadonlySet<CannabisType> = new Set(['edibles', 'low-dose-drinks']);
/** Their THC is never more than their weight, which is their content. */
const extracts: ReadonlySet<CannabisType> = new Set(['concentrated', 'inhalables']);

/** 1 % of a gram, in milligrams. */
const mgOfPercent = decimal(10);

/**
 * What a unit holds: as stated, else as it follows from what is stated. The content of edibles is their THC; a percentage and a weight
 * give milligrams, and milligrams and a weight a percentage.
 */
export function unitContent(stated: StatedContent): UnitContent {
  const weight = weightOf(stated);
  const { cannabisType, content, thcPercent } = stated;
  const thcMg =
    stated.thcMg ??
    (countedByThc.has(cannabisType) ? content : null) ??
    (thcPercent === null || weight === null
      ? null
      : decimalText(weight.times(thcPercent).times(mgOfPercent)));
  return {
    thcMg,
    thcPercent:
      thcPercent ??
      (thcMg === null || weight === null ? null : decimalText(decimal(thcMg).div(weight).div(mgOfPercent))),
    grams: weight && decimalText(weight),
  };
}

/**
 * The milligrams of THC that a limit counts: those of the unit, else for an extract its weight, which is never less than its THC. Null: a
 * limit on THC cannot count it.
 */
export function countedThc(stated: StatedContent): string | null {
  const { thcMg } = unitContent(stated);
  return thcMg ?? (extracts.has(stated.cannabisType) ? stated.content : null);
}

/** In grams. */
function weightOf({ cannabisType, content, unit, amount }: StatedContent): Decimal | null {
  if (cannabisType === 'none' || countedByThc.has(cannabisType)) return null;
  if (content === null) return unit === 'gram' ? decimal(amount) : null;
  const contentUnit = contentUnits[cannabisType];
  if (contentUnit === 'count' || contentUnit === 'fl oz') return null;
  const [size, gram] = comparableSizes(contentUnit, 'g');
  return decimal(content).times(size).div(gram);
}
