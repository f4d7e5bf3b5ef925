import { lineDiscount } from './line.ts';

/**
 * Kind `product`: takes exactly what kind `line` takes. Only the name is another: under it a shop keeps its
 * offers on particular goods, such as a brand of the week, apart from what is off its lines otherwise.
 */
export const productDiscount = lineDiscount;
