import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';

interface PlaceInQueue {
  /** Null: they are in no line, or it is not known yet. */
  readonly entry: Schema['QueueEntry'] | null;
  /** Whether they are to leave it, as they do unless somebody says otherwise. */
  readonly leaves: boolean;
  readonly setLeaves: (leaves: boolean) => void;
  /** Takes them out, served, if they are to leave. */
  readonly leave: () => void;
}

/** The place of a customer who has been served: they are still counted as waiting until they are taken out. */
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
    dataOf(api.POST('/staff/v1/instore-queues/{entryId}/remove', { params, body: { reason: 'Served' } }))
      .then(() => notifyDone(`${customerName(entry)} left the queue.`), notifyError)
      .finally(() => void queryClient.invalidateQueries({ queryKey: ['instore-queues'] }));
  };
  return { entry, leaves, setLeaves, leave };
}
