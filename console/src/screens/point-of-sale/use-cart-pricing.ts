import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { type Cart, cartBody } from './cart.ts';
import { type Refusal, refusedPart, without } from './refused-part.ts';

type Pricing = Schema['StaffCartPricing'];

/** What the cart costs now, as the service says; the former price stays until the next one is there. */
export interface CartPricing {
  readonly pricing: Pricing | null;
  /** Parts of the cart that are refused: `pricing` is that of the rest. */
  readonly refusals: readonly Refusal[];
  readonly error: Error | null;
  /** Whether `pricing` and `refusals` are those of the cart as it is. */
  readonly isCurrent: boolean;
}

/** Beyond it there is something else the matter with the cart. */
const refusalsMax = 12;

const nothing: { readonly pricing: Pricing | null; readonly refusals: readonly Refusal[] } = {
  pricing: null,
  refusals: [],
};

/** Prices a cart without those parts of it that are refused. Fails when it is refused as a whole. */
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

/** Prices the cart as it changes, a moment after the last change. */
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
    // Stock, limits and discounts move: a price is for now.
    staleTime: 0,
    gcTime: 60_000,
  });
  // What was priced last stays in sight when the next price cannot be had.
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
