import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { type Cart, cartBody } from './cart.ts';
import { type Refusal, refusedPart, without } from './refused-part.ts';

type Pricing = Schema['StaffCartPricing'];

/** The current price of the cart from the service; the previous price stays until the next one arrives. */
export interface CartPricing {
  readonly pricing: Pricing | null;
  /** The refused parts of the cart; `pricing` is for the rest. */
  readonly refusals: readonly Refusal[];
  readonly error: Error | null;
  /** Whether `pricing` and `refusals` belong to the current cart. */
  readonly isCurrent: boolean;
}

/** With more refusals than this, the cart has another problem. */
const refusalsMax = 12;

const nothing: { readonly pricing: Pricing | null; readonly refusals: readonly Refusal[] } = {
  pricing: null,
  refusals: [],
};

/** Prices a cart without its refused parts. Fails if the whole cart is refused. */
async function priceOf(cart: Cart, signal: AbortSignal): Promise<typeof nothing> {
  const refusals: Refusal[] = [];
  let rest = cart;
  while (rest.lines.length > 0) {
    try {
      const body = cartBody(rest);
      return { pricing: await dataOf(api.POST('/staff/v1/orders/pricing', { body, signal })), refusals };
    } catch (error) {
      const part = refusedPart(rest, error);
      if (part === null || refusals.length === refusalsMax) throw error;
      refusals.push({ part, failure: error as ApiFailure });
      rest = without(rest, part);
    }
  }
  return { pricing: null, refusals };
}

/** Prices the cart shortly after the last change. */
export function useCartPricing(cart: Cart): CartPricing {
  const body = JSON.stringify(cartBody(cart));
  const [wanted] = useDebouncedValue(cart, 120);
  const wantedBody = JSON.stringify(cartBody(wanted));
  const isEmpty = cart.lines.length === 0;
  const query = useQuery({
    queryKey: ['cart-pricing', wantedBody],
    queryFn: ({ signal }) => priceOf(wanted, signal),
    enabled: !isEmpty && wanted.lines.length > 0,
    placeholderData: keepPreviousData,
    // Stock, limits and discounts change, so a price is never reused: neither is its key, which places one order. Also not by a
    // device whose clock went back, where 0 would mean an hour.
    staleTime: Number.NEGATIVE_INFINITY,
    gcTime: 60_000,
  });
  // The last price stays visible when the next one fails.
  const [last, setLast] = useState(nothing);
  const present = isEmpty ? nothing : (query.data ?? last);
  if (present !== last) setLast(present);
  return {
    pricing: present.pricing,
    refusals: query.error ? [] : present.refusals,
    error: isEmpty ? null : query.error,
    isCurrent: body === wantedBody && !query.isFetching && !query.isPlaceholderData && query.error === null,
  };
}
