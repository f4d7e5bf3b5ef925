import { lineDiscount } from './line.ts';

/**
 * Kind `product`: the same reductions as kind `line`. Only the name differs: a shop uses it for offers on
 * particular products, such as a brand of the week, to keep them apart from other line discounts.
 */
export const productDiscount = {
  ...lineDiscount,
  console: { ...lineDiscount.console, label: 'Off selected products, line by line' },
};
