import { type IDBPDatabase, openDB } from 'idb';

/** What was kept at a time; null: nothing any more. */
export interface CopyEntry {
  readonly at: number;
  readonly text: string | null;
}

/** Keeps texts so that they are there after a crash of the browser or of the machine. */
export interface DurableCopy {
  /** Resolves once it is on the disk, or cannot be. The latest entry of a key counts. */
  readonly put: (key: string, entry: CopyEntry) => Promise<void>;
  readonly get: (key: string) => Promise<CopyEntry | null>;
}

const store = 'texts';

/**
 * In IndexedDB with strict durability: the browser answers after the disk has it, where `localStorage` is written some seconds
 * later. Writes that wait for each other become one.
 */
export function strictCopy(): DurableCopy {
  const waiting = new Map<string, CopyEntry>();
  let running: Promise<void> | null = null;
  let opened: Promise<IDBPDatabase> | null = null;
  const database = () => {
    opened ??= openDB('till', 1, { upgrade: (created) => void created.createObjectStore(store) });
    return opened;
  };
  const drain = async (): Promise<void> => {
    try {
      while (waiting.size > 0) {
        const entries = [...waiting];
        waiting.clear();
        const transaction = (await database()).transaction(store, 'readwrite', { durability: 'strict' });
        await Promise.all([
          ...entries.map(([key, entry]) => transaction.store.put(entry, key)),
          transaction.done,
        ]);
      }
    } catch {
      // A browser that keeps nothing, or has no room left.
      waiting.clear();
    } finally {
      running = null;
    }
  };
  return {
    put: (key, entry) => {
      waiting.set(key, entry);
      running ??= drain();
      return running;
    },
    get: async (key) => {
      try {
        const entry: unknown = await (await database()).get(store, key);
        return isEntry(entry) ? entry : null;
      } catch {
        return null;
      }
    },
  };
}

function isEntry(it: unknown): it is CopyEntry {
  const { at, text } = (it ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(at) && (text === null || typeof text === 'string');
}
