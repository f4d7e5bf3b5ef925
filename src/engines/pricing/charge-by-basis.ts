import { decimal } from '../../kernel/decimal.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import type { UnitContent } from '../goods/potency.ts';
import { factOfKind, type PotencyBracket, type TaxBasis } from '../goods/tax-basis.ts';
import { type Fraction, fraction, multiply, parsePercent } from './exact-amounts.ts';

/* What a tax with a basis charges, exactly. Pure. */

const boundsOf = memoizeByObject((basis: TaxBasis & { readonly kind: 'potency' }) =>
  basis.brackets.map(({ upToThcPercent: upTo }) => (upTo === null ? null : decimal(upTo))),
);

/** The bracket of a product; null: its THC is not known. */
export function bracketOf(
  basis: TaxBasis & { readonly kind: 'potency' },
  unit: UnitContent | null,
): PotencyBracket | null {
  const thcPercent = unit?.thcPercent ?? null;
  if (thcPercent === null) return null;
  const bounds = boundsOf(basis);
  const at = bounds.findIndex((upTo) => upTo === null || upTo.gte(thcPercent));
  return basis.brackets[at]!;
}

/** The share of the price that a tax by potency takes of a product; nothing where its THC is not known. */
export function shareByPotency(
  basis: TaxBasis & { readonly kind: 'potency' },
  unit: UnitContent | null,
): Fraction {
  const bracket = bracketOf(basis, unit);
  return bracket === null ? nothing : parsePercent(bracket.rate);
}

/** What is charged for a number of units by content, in cents; nothing where the content is not known. */
export function chargeByContent(
  basis: TaxBasis & { readonly kind: 'thc-mg' | 'grams' },
  unit: UnitContent | null,
  quantity: number,
): { readonly content: Fraction; readonly cents: Fraction } {
  const text = unit?.[factOfKind[basis.kind] as 'thcMg' | 'grams'] ?? null;
  if (text === null) return { content: nothing, cents: nothing };
  const content = multiply(exactNumber(text), fraction(BigInt(quantity)));
  return { content, cents: multiply(content, exactNumber(basis.cents)) };
}

const nothing = fraction(0n);

/** Decimal text of any length. */
function exactNumber(text: string): Fraction {
  const [whole, decimals = ''] = text.split('.') as [string, string?];
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}
