import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Cart, cartBody } from './cart.ts';

/** What the cart costs now, as the service says; the former price stays until the next one is there. */
export interface CartPricing {
  readonly pricing: Schema['StaffCartPricing'] | null;
  readonly error: Error | null;
  /** Whether `pricing` is that of the cart as it is. */
  readonly isCurrent: boolean;
}

/** Prices the cart as it changes, a moment after the last change. */
export function useCartPricing(cart: Cart): CartPricing {
  const body = JSON.stringify(cartBody(cart));
  const [wanted] = useDebouncedValue(body, 120);
  const isEmpty = cart.lines.length === 0;
  const query = useQuery({
    queryKey: ['cart-pricing', wanted],
    queryFn: ({ signal }) => {
      const cartToPrice = JSON.parse(wanted) as ReturnType<typeof cartBody>;
      return dataOf(api.POST('/staff/v1/orders/pricing', { body: cartToPrice, signal }));
    },
    enabled: !isEmpty && !wanted.includes('"lineItems":[]'),
    placeholderData: keepPreviousData,
    // Stock, limits and discounts move: a price is for now.
    staleTime: 0,
    gcTime: 60_000,
  });
  return {
    pricing: isEmpty ? null : (query.data ?? null),
    error: isEmpty ? null : query.error,
    isCurrent: body === wanted && !query.isFetching && !query.isPlaceholderData && query.error === null,
  };
}
