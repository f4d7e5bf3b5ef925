import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiFailure } from '../../api.ts';
import { sentence } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';

/** The order in the cache, with its calculation steps, which replies to a step omit. */
export function orderKey(id: string) {
  return ['orders', id] as const;
}

/**
 * Runs a step of an order and updates the order everywhere. On a conflict (409) it shows the order's current status, refetches
 * it, and rethrows the error.
 */
export function useOrderStep(): <Reply>(orderId: string, send: () => Promise<Reply>) => Promise<Reply> {
  const queryClient = useQueryClient();
  return useCallback(
    async (orderId, send) => {
      try {
        const reply = await send();
        if (isOrder(reply)) {
          queryClient.setQueryData<Order>(orderKey(orderId), (kept) => kept && { ...kept, ...reply });
        }
        return reply;
      } catch (error) {
        if (error instanceof ApiFailure && error.code === 'INVALID_ORDER_TRANSITION') {
          notifications.show({
            title: t`The order has changed`,
            message: t`This order is ${sentence(String(error.meta.status ?? t`something else`)).toLowerCase()} now. The page shows its current state.`,
            color: 'yellow',
            autoClose: 8_000,
          });
        }
        throw error;
      } finally {
        void queryClient.invalidateQueries({ queryKey: ['orders'] });
      }
    },
    [queryClient],
  );
}

function isOrder(reply: unknown): reply is Order {
  return typeof reply === 'object' && reply !== null && 'allowedActions' in reply;
}

/** Whether the message of a conflict was already shown. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'INVALID_ORDER_TRANSITION';
}
