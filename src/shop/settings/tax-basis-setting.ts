import type { TaxBasis } from '../../engines/goods/tax-basis.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';

/** A basis as staff send it and as responses show it. */
interface SentBasis {
  readonly kind: TaxBasis['kind'];
  readonly brackets?: (TaxBasis & { readonly kind: 'potency' })['brackets'];
  readonly cents?: string;
}

/** The basis of a tax. Fails with INVALID_PARAMS when it lacks what its kind needs, or has what it does not. */
export function readBasis(sent: SentBasis | null): TaxBasis | null {
  if (sent === null) return null;
  const { kind, brackets, cents } = sent;
  if (kind === 'potency') {
    if (brackets === undefined || cents !== undefined) {
      throw failure('INVALID_PARAMS', 'basis must have brackets and no cents: its kind is potency');
    }
    const decimals = (text: string | null) => text && canonicalDecimalText(text);
    return {
      kind,
      brackets: brackets.map(({ aboveThcPercent, upToThcPercent, rate }) => ({
        aboveThcPercent: decimals(aboveThcPercent),
        upToThcPercent: decimals(upToThcPercent),
        rate: canonicalDecimalText(rate),
      })),
    };
  }
  if (cents === undefined || brackets !== undefined) {
    throw failure('INVALID_PARAMS', `basis must have cents and no brackets: its kind is ${kind}`);
  }
  return { kind, cents: canonicalDecimalText(cents) };
}
