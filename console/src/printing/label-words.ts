import type { Product } from '../screens/catalog/product-words.ts';

type Potent = Pick<
  Product,
  | ('thcAmount' | 'thcAmountRangeLow' | 'thcAmountRangeHigh' | 'thcUnit')
  | ('cbdAmount' | 'cbdAmountRangeLow' | 'cbdAmountRangeHigh' | 'cbdUnit')
>;

type PotentOption = Pick<Product['options'][number], 'thcPercent' | 'thcMg' | 'cbdPercent' | 'cbdMg'>;

/** `THC 18–22%, CBD 0.2%`; empty: not told. What an option states goes before what its product does. */
export function potencyInWords(product: Potent, option?: PotentOption): string {
  return (['thc', 'cbd'] as const)
    .flatMap((part) => {
      const [percent, mg] = [option?.[`${part}Percent`] ?? null, option?.[`${part}Mg`] ?? null];
      if (percent !== null || mg !== null) {
        const own = [percent !== null && `${percent}%`, mg !== null && `${mg} mg`].filter(
          (it) => it !== false,
        );
        return [`${part.toUpperCase()} ${own.join(' ')}`];
      }
      const unit = product[`${part}Unit`];
      const amount = product[`${part}Amount`];
      const [low, high] = [product[`${part}AmountRangeLow`], product[`${part}AmountRangeHigh`]];
      const said = amount ?? (low !== null && high !== null ? `${low}–${high}` : (low ?? high));
      if (said === null || unit === null) return [];
      return [`${part.toUpperCase()} ${said}${unit === '%' ? '%' : ` ${unit}`}`];
    })
    .join(', ');
}

/** The newest result: `Alder Analytics, 2026-02-11`; empty: none. */
export function labResultInWords({ labResults }: Pick<Product, 'labResults'>): string {
  const [newest] = labResults.toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
  return newest ? [newest.lab, newest.date].filter(Boolean).join(', ') : '';
}
