import type { IDBPDatabase } from 'idb';
import { ApiFailure } from '../api.ts';

/* Queues of what was done on this device while the service could not be reached. */

/** What the service does not have yet. */
export interface Kept {
  readonly organizationId: number;
  /** Why the service refused it; null: not sent, or not answered. */
  readonly refusal: string | null;
}

export interface KeptQueue<Value extends Kept> {
  /** What waits, in the order in which it was done. */
  readonly all: () => Promise<readonly { readonly key: number; readonly queued: Value }[]>;
  /** Resolves once it is on the disk: then it is done. */
  readonly add: (value: Value) => Promise<void>;
  readonly drop: (key: number) => Promise<void>;
  readonly refuse: (key: number, refusal: string) => Promise<void>;
}

/** The store of a queue in a database of this device. */
export const queueStore = 'queue';

/** The queue in the store `queue` of a database, whose keys count up. */
export function keptQueue<Value extends Kept>(
  // idb's types of a schema cannot be told from outside for any schema.
  database: () => Promise<IDBPDatabase>,
): KeptQueue<Value> {
  return {
    all: async () => {
      const transaction = (await database()).transaction(queueStore);
      const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
      return keys.map((key, index) => ({ key: key as number, queued: values[index] as Value }));
    },
    add: async (value) => {
      const transaction = (await database()).transaction(queueStore, 'readwrite', { durability: 'strict' });
      await transaction.store.add(value);
      await transaction.done;
    },
    drop: async (key) => (await database()).delete(queueStore, key),
    refuse: async (key, refusal) => {
      const db = await database();
      const queued = (await db.get(queueStore, key)) as Value | undefined;
      if (queued) await db.put(queueStore, { ...queued, refusal }, key);
    },
  };
}

/** Whether the same request would be refused again. One that collided with others was not done, and is to be sent again. */
const isRefusal = ({ status, code }: ApiFailure) =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status) && code !== 'TRANSACTION_RETRY_EXCEEDED';

/** After something that got no answer, while the service seems to answer. */
const againMs = 10_000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

interface Sending<Value extends Kept> {
  /** Names the queue among the tabs of this browser. */
  readonly name: string;
  readonly queue: KeptQueue<Value>;
  /** What was done in another shop is never sent. */
  readonly organizationId: number | undefined;
  /** Sends one with its idempotency key. Rejects with `ApiFailure`. */
  readonly send: (value: Value) => Promise<unknown>;
  /** What was refused; it stays in the queue with the reason, unless this drops it. */
  readonly onRefused?: (key: number, value: Value, failure: ApiFailure) => Promise<void>;
  /** Tries the whole once more. */
  readonly again: () => void;
  /** After the round: what waits has changed. */
  readonly onDone: () => Promise<void>;
}

/**
 * Sends what waits, in its order; one tab at a time. What the service has is never sent as another one. The connection tells of its
 * return once; what failed around that moment is tried again by itself.
 */
export async function sendInOrder<Value extends Kept>(sending: Sending<Value>): Promise<void> {
  const { name, queue, organizationId, send, onRefused, again, onDone } = sending;
  const againSoon = () => {
    clearTimeout(timers.get(name));
    timers.set(name, setTimeout(again, againMs));
  };
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    // It is being sent, maybe by a request that was begun before the connection broke.
    if (lock === null) return againSoon();
    for (const { key, queued } of await queue.all()) {
      if (queued.organizationId !== organizationId) continue;
      try {
        await send(queued);
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (!isRefusal(error)) {
          againSoon();
          break;
        }
        await queue.refuse(key, error.message);
        await onRefused?.(key, queued, error);
        continue;
      }
      await queue.drop(key);
    }
    await onDone();
  });
}
