import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAgain } from '../../parts/read-again.ts';
import { useInStock } from '../../parts/use-in-stock.ts';
import { useLive } from '../../parts/use-live.ts';
import type { Cart } from './cart.ts';
import { useCartPricing } from './use-cart-pricing.ts';

/** Price and stock of the cart, up to date with the shop. */
export function usePricedCart(cart: Cart) {
  const queryClient = useQueryClient();
  const priced = useCartPricing(cart);
  useLive(
    ['products', 'discounts', 'taxes'],
    useCallback(() => readAgain(queryClient, { queryKey: ['cart-pricing'] }, 'shown'), [queryClient]),
  );
  useLive(['inventory', 'organization']);
  const inStock = useInStock(
    cart.lines.map(({ option }) => option.productName),
    'in-store',
  );
  const isShort = cart.lines.some(({ option, quantity }) => (inStock(option) ?? quantity) < quantity);
  return { priced, inStock, isShort };
}
