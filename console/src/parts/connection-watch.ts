/** Whether the service is reachable. `offline`: the browser has no network; `reconnecting`: it has one, but nothing answers. */
export type Connection =
  | { readonly status: 'online' }
  | {
      readonly status: 'reconnecting' | 'offline';
      /** Milliseconds of the epoch. */
      readonly since: number;
    };

interface ConnectionSources {
  /** Probes the service; false: no answer. */
  readonly probe: () => Promise<boolean>;
  /** The browser's online flag. It can be false although the service runs on the same machine and answers. */
  readonly isBrowserOnline: () => boolean;
}

/** Tracks whether the service is reachable. A suspicion starts a probe; only the probe decides. */
interface ConnectionWatch {
  readonly present: () => Connection;
  /** Calls the listener when `present` changes. Returns the function that stops it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Calls the listener when the service answers again. Returns the function that stops it. */
  readonly onReconnected: (listener: () => void) => () => void;
  /** A request got no answer, or the browser reports a network change. */
  readonly suspect: () => void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 10_000;

export function watchConnection({ probe, isBrowserOnline }: ConnectionSources): ConnectionWatch {
  const listeners = new Set<() => void>();
  const returns = new Set<() => void>();
  let present: Connection = { status: 'online' };
  let isProbing = false;
  let isSuspectedAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  function set(next: Connection): void {
    present = next;
    for (const listener of listeners) listener();
  }
  function decide(isReached: boolean, suspectedAt: number): void {
    if (isReached) {
      delayMs = firstDelayMs;
      if (present.status === 'online') return;
      set({ status: 'online' });
      for (const listener of returns) listener();
      return;
    }
    const status = isBrowserOnline() ? 'reconnecting' : 'offline';
    const since = present.status === 'online' ? suspectedAt : present.since;
    if (present.status !== status) set({ status, since });
    timer = setTimeout(() => void ask(), delayMs);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
  async function ask(): Promise<void> {
    isProbing = true;
    isSuspectedAgain = false;
    clearTimeout(timer);
    const suspectedAt = Date.now();
    const isReached = await probe().catch(() => false);
    isProbing = false;
    // The service may have answered just before it was lost, or the other way round.
    if (isSuspectedAgain) void ask();
    else decide(isReached, suspectedAt);
  }
  return {
    present: () => present,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onReconnected: (listener) => {
      returns.add(listener);
      return () => void returns.delete(listener);
    },
    suspect: () => {
      if (isProbing) isSuspectedAgain = true;
      else void ask();
    },
  };
}
