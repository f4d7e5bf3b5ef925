import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiFailure } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import type { CartChange, Customer } from './cart.ts';

/**
 * Keeps the cart's customer current: changes elsewhere show in the cart and reprice it. A customer who was merged or erased is
 * removed from the cart with a message.
 */
export function useCustomerOnFile(customer: Customer | null, onChange: (change: CartChange) => void): void {
  const queryClient = useQueryClient();
  useLive(['customers']);
  const { data, error } = useQuery({
    ...customerQuery(customer?.id ?? 0),
    enabled: customer !== null,
    staleTime: 0,
  });
  const isGone =
    (error instanceof ApiFailure && error.status === 404) || (data !== undefined && data.erasedAt !== null);
  const latest = useRef({ customer, onChange });
  useEffect(() => {
    latest.current = { customer, onChange };
  });
  useEffect(() => {
    const { customer: present, onChange: change } = latest.current;
    if (present === null) return;
    if (isGone) {
      change({ type: 'customer', customer: null });
      notifyRefusal(
        t`They were merged with another customer or erased. Choose the customer again.`,
        t`${customerName(present)} no longer exists`,
      );
    } else if (data?.id === present.id && data.updatedAt > present.updatedAt) {
      change({ type: 'customer', customer: data });
      void queryClient.invalidateQueries({ queryKey: ['cart-pricing'] });
    }
  }, [isGone, data, queryClient]);
}
