import { useEffect, useSyncExternalStore } from 'react';
import { saleQueue } from './offline-store.ts';

/** How many sales wait on this device, and how many of them the service refused. */
interface WaitingSales {
  readonly waiting: number;
  readonly refused: number;
  /** Why the first of those was refused. */
  readonly refusal: string | null;
  /** Cents of all of them. */
  readonly total: number;
}

let present: WaitingSales = { waiting: 0, refused: 0, refusal: null, total: 0 };
const listeners = new Set<() => void>();
const otherTabs = new BroadcastChannel('offline-sales');
otherTabs.onmessage = () => void read();

async function read(): Promise<void> {
  const queue = await saleQueue.all().catch(() => []);
  const refusals = queue.flatMap(({ queued: { refusal } }) => (refusal === null ? [] : [refusal]));
  present = {
    waiting: queue.length,
    ...{ refused: refusals.length, refusal: refusals[0] ?? null },
    total: queue.reduce((sum, { queued }) => sum + queued.sale.total, 0),
  };
  for (const listener of listeners) listener();
}

/** After a change of the queue: this tab and the others count again. */
export async function tellOfQueue(): Promise<void> {
  otherTabs.postMessage(null);
  await read();
}

export function useWaitingSales(): WaitingSales {
  useEffect(() => void read(), []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => present,
  );
}
