import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiFailure } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import type { Customer } from './cart.ts';
import type { Sale } from './saved-sale-gate.tsx';

/**
 * Keeps the cart's customer current: changes elsewhere show in the cart and reprice it. A customer who was merged or erased is
 * removed from the cart with a message.
 */
export function useCustomerOnFile(
  customer: Customer | null,
  { current, change }: Pick<Sale, 'current' | 'change'>,
): void {
  const queryClient = useQueryClient();
  useLive(['customers']);
  const { data, error } = useQuery({
    ...customerQuery(customer?.id ?? 0),
    enabled: customer !== null,
    staleTime: 0,
  });
  const isGone =
    (error instanceof ApiFailure && error.status === 404) || (data !== undefined && data.erasedAt !== null);
  const drawnId = useRef<number | null>(null);
  useEffect(() => {
    drawnId.current = customer?.id ?? null;
  });
  useEffect(() => {
    const { customer: present } = current().cart;
    // Another customer may have been chosen a moment ago.
    if (present === null || present.id !== drawnId.current) return;
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
  }, [isGone, data, queryClient, current, change]);
}
