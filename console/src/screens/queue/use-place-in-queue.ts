import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';

interface PlaceInQueue {
  /** Null: not in a line, or not loaded yet. */
  readonly entry: Schema['QueueEntry'] | null;
  /** Whether the customer leaves the queue, the default. */
  readonly leaves: boolean;
  readonly setLeaves: (leaves: boolean) => void;
  /** Removes the customer as served, if `leaves`. */
  readonly leave: () => void;
}

/** The place in the queue of a served customer: they count as waiting until removed. */
export function usePlaceInQueue(customerId: number | undefined): PlaceInQueue {
  const queryClient = useQueryClient();
  const [leaves, setLeaves] = useState(true);
  const queues = useQuery({
    queryKey: ['instore-queues'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/instore-queues', { signal })),
    enabled: customerId !== undefined,
    staleTime: 0,
  });
  const { pos = [], intake = [] } = queues.data ?? {};
  const entry =
    customerId === undefined ? null : ([...pos, ...intake].find(({ id }) => id === customerId) ?? null);
  const leave = () => {
    if (entry === null || !leaves) return;
    const params = { path: { entryId: entry.entryId } };
    dataOf(api.POST('/staff/v1/instore-queues/{entryId}/remove', { params, body: { reason: t`Served` } }))
      .then(() => notifyDone(t`${customerName(entry)} left the queue.`), notifyError)
      .finally(() => void queryClient.invalidateQueries({ queryKey: ['instore-queues'] }));
  };
  return { entry, leaves, setLeaves, leave };
}
