import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiFailure } from '../../api.ts';
import { sentence } from '../../parts/status-badge.tsx';
import type { Order } from './order-words.ts';

/** The order as it is kept here: with the steps of its arithmetic, which a reply to a step leaves out. */
export function orderKey(id: string) {
  return ['orders', id] as const;
}

/**
 * Does something with an order and shows what it then is, everywhere. When somebody else was quicker (409), says what the
 * order is by now, and has it asked again; the refusal is thrown on.
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
            title: 'Somebody was quicker',
            message: `This order is ${sentence(String(error.meta.status ?? 'something else')).toLowerCase()} by now. It is shown as it is.`,
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

/** Whether the message of a conflict was shown already. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'INVALID_ORDER_TRANSITION';
}
