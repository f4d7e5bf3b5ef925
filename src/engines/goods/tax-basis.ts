import { decimal } from '../../kernel/decimal.ts';
import type { UnitContent } from './potency.ts';

/* What a tax is charged on, where it is not one percentage of the price. Pure. */

/** A percentage of the price for products above `aboveThcPercent` and up to and with `upToThcPercent`. */
export interface PotencyBracket {
  /** Decimal text; null: from 0 on. */
  readonly aboveThcPercent: string | null;
  /** Decimal text; null: without end. */
  readonly upToThcPercent: string | null;
  readonly rate: string;
}

/**
 * potency: a percentage of the price, by the product's THC. thc-mg, grams: cents for each milligram of THC, or for each gram of the
 * product, as decimal text.
 */
export type TaxBasis =
  | { readonly kind: 'potency'; readonly brackets: readonly PotencyBracket[] }
  | { readonly kind: 'thc-mg' | 'grams'; readonly cents: string };

/** The fact of a product that a tax needs. */
export type NeededFact = keyof UnitContent;

/** The fact that each kind needs. */
export const factOfKind = { potency: 'thcPercent', 'thc-mg': 'thcMg', grams: 'grams' } as const;

/** The fact of each taxed product that this tax cannot be charged without. */
export function neededFact({ kind }: TaxBasis): NeededFact {
  return factOfKind[kind];
}

/** Why a basis cannot be charged, in words; null: it can. Brackets must cover every potency once, in ascending order. */
export function findBasisFault(basis: TaxBasis): string | null {
  if (basis.kind !== 'potency') {
    return decimal(basis.cents).gt(0) ? null : 'cents must be above 0';
  }
  const { brackets } = basis;
  for (const [index, { aboveThcPercent: above, upToThcPercent: upTo }] of brackets.entries()) {
    const former = brackets[index - 1];
    if (former === undefined) {
      if (above !== null) return `brackets[0].aboveThcPercent must be null: below ${above} % is a gap`;
    } else if (former.upToThcPercent === null || above === null) {
      return `brackets[${index}] overlaps the one before: both hold at ${above ?? '0'} %`;
    } else if (!decimal(above).eq(former.upToThcPercent)) {
      const isGap = decimal(above).gt(former.upToThcPercent);
      return isGap
        ? `brackets[${index}] leaves a gap between ${former.upToThcPercent} % and ${above} %`
        : `brackets[${index}] overlaps the one before between ${above} % and ${former.upToThcPercent} %`;
    }
    if (upTo !== null && decimal(upTo).lte(above ?? 0)) {
      return `brackets[${index}].upToThcPercent must be above ${above ?? '0'}`;
    }
  }
  const last = brackets.at(-1);
  if (last === undefined) return 'brackets must not be empty';
  return last.upToThcPercent === null
    ? null
    : `brackets[${brackets.length - 1}].upToThcPercent must be null: above ${last.upToThcPercent} % is a gap`;
}

/** What a tax charges, for people: "10 % up to 35 % THC, 25 % above". */
export function chargeInWords({
  rate,
  basis,
}: {
  readonly rate: string;
  readonly basis?: TaxBasis | null;
}): string {
  if (basis == null) return `${rate} %`;
  if (basis.kind !== 'potency') {
    return `${basis.cents} cents per ${basis.kind === 'grams' ? 'gram' : 'milligram of THC'}`;
  }
  return basis.brackets
    .map(
      ({ upToThcPercent: upTo, rate: share }) =>
        `${share} % ${upTo === null ? 'above' : `up to ${upTo} % THC`}`,
    )
    .join(', ');
}

const words: Readonly<Record<NeededFact, string>> = {
  thcPercent: 'its THC in percent',
  thcMg: 'its THC in milligrams',
  grams: 'its weight',
};

/** A needed fact, for people: "its THC in percent". */
export const factInWords = (fact: NeededFact): string => words[fact];
