import type { Schema } from '../api.ts';
import { t } from '../words/words.ts';

/** What a tax charges, in a few words: `9.25%`, `10% to 35% THC, 25% above`, `0.625¢ per mg THC`. */
export function taxChargeInWords({ rate, basis }: Pick<Schema['Tax'], 'rate' | 'basis'>): string {
  if (basis === null) return `${rate}%`;
  const { brackets = [], cents = '' } = basis;
  if (basis.kind === 'grams') return t`${cents}¢ per g`;
  if (basis.kind === 'thc-mg') return t`${cents}¢ per mg THC`;
  return brackets
    .map(({ upToThcPercent: upTo, rate: share }) =>
      upTo === null ? t`${share}% above` : t`${share}% to ${upTo}% THC`,
    )
    .join(', ');
}
