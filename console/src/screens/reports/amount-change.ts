import { t } from '../../words/words.ts';

/** The change from one amount to another in whole percent, halves away from zero: `+12%`, `−3%`, `±0%`; from nothing: `new`. */
export function changeInWords(present: number, former: number): string {
  if (former === 0) return present === 0 ? '±0%' : t`new`;
  const change = present - former;
  // Whole numbers only: twice the percent, rounded down, and its half rounded up.
  const percent = Math.trunc((Math.abs(change) * 200 + Math.abs(former)) / (Math.abs(former) * 2));
  if (percent === 0) return '±0%';
  return `${change < 0 ? '−' : '+'}${percent}%`;
}

/** The change as the line below a figure: `+12% from $1,240.00`. */
export function changeFrom(
  present: number,
  former: number,
  inWords: (amount: number) => string,
): { readonly change: string } {
  return {
    change: former === 0 ? t`Nothing before` : t`${changeInWords(present, former)} from ${inWords(former)}`,
  };
}
