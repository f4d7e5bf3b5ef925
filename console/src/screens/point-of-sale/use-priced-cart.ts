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
    ({ productOptionId }: SaleOption) => short.get(productOptionId) ?? null,
    [short],
  );
  return { priced, inStock, isShort: short.size > 0 };
}

/** By option, how many the cart can have, where it has more (the preview says so). */
function shortOf(pricing: CartPricing['pricing']): ReadonlyMap<number, number> {
  const short = new Map<number, number>();
  for (const warning of pricing?.warnings ?? []) {
    if (typeof warning === 'string' || warning.code !== 'OUT_OF_STOCK') continue;
    short.set(warning.productOptionId!, warning.maxQuantity!);
  }
  return short;
}

/** "Only 3 of Plum Anchor, 3.5 grams in stock." */
function shortageInWords({ productName, optionName }: SaleOption, there: number): string {
  const name = `${productName}, ${optionName}`;
  return there === 0 ? t`${name} is out of stock.` : t`Only ${there} of ${name} in stock.`;
}

/** Tells of each shortage once, when it arises: at the scan, before anything is paid. */
function useToldShortage(cart: Cart, short: ReadonlyMap<number, number>): void {
  const told = useRef<ReadonlyMap<number, number>>(new Map());
  useEffect(() => {
    for (const { option } of cart.lines) {
      const there = short.get(option.productOptionId);
      if (there === undefined || told.current.get(option.productOptionId) === there) continue;
      const words = shortageInWords(option, there);
      sayOfScan(words);
      notifyRefusal(words, t`Not enough in stock`);
    }
    told.current = short;
  }, [cart.lines, short]);
}
