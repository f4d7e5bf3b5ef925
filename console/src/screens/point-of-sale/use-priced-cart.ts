import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { readAgain } from '../../parts/read-again.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { sayOfScan } from '../../scanner/scanner.ts';
import { t } from '../../words/words.ts';
import type { Cart } from './cart.ts';
import { type CartPricing, useCartPricing } from './use-cart-pricing.ts';

/** Price and stock of the cart, up to date with the shop. */
export function usePricedCart(cart: Cart) {
  const queryClient = useQueryClient();
  const priced = useCartPricing(cart);
  useLive(
    ['products', 'discounts', 'taxes', 'inventory', 'organization'],
    useCallback(() => readAgain(queryClient, { queryKey: ['cart-pricing'] }, 'shown'), [queryClient]),
  );
  const { pricing } = priced;
  const short = useMemo(() => shortOf(pricing), [pricing]);
  useToldShortage(cart, short);
  const inStock = useCallback(
    ({ productOptionId }: SaleOption) => short.get(productOptionId)?.there ?? null,
    [short],
  );
  return { priced, inStock, isShort: short.size > 0 };
}

interface Shortage {
  readonly there: number;
  /** What the service says. */
  readonly words: string;
}

/** By option, how many the cart can have, where it has more (the preview says so). */
function shortOf(pricing: CartPricing['pricing']): ReadonlyMap<number, Shortage> {
  const short = new Map<number, Shortage>();
  for (const warning of pricing?.warnings ?? []) {
    if (typeof warning === 'string' || warning.code !== 'OUT_OF_STOCK') continue;
    short.set(warning.productOptionId!, { there: warning.maxQuantity!, words: warning.message });
  }
  return short;
}

/** "Only 3 of Plum Anchor, 3.5 grams in stock." */
function shortageInWords({ productName, optionName }: SaleOption, there: number): string {
  const name = `${productName}, ${optionName}`;
  return there === 0 ? t`${name} is out of stock.` : t`Only ${there} of ${name} in stock.`;
}

/** Tells of each shortage once, when it arises: at the scan, before anything is paid. */
function useToldShortage(cart: Cart, short: ReadonlyMap<number, Shortage>): void {
  const told = useRef<ReadonlyMap<number, Shortage>>(new Map());
  useEffect(() => {
    for (const { option, weight } of cart.lines) {
      const shortage = short.get(option.productOptionId);
      if (!shortage || told.current.get(option.productOptionId)?.words === shortage.words) continue;
      const words = weight === undefined ? shortageInWords(option, shortage.there) : shortage.words;
      sayOfScan(words);
      notifyRefusal(words, t`Not enough in stock`);
    }
    told.current = short;
  }, [cart.lines, short]);
}
