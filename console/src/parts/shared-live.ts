/** What the service sends when something has changed; nothing personal is in it. */
export interface LiveEvent {
  /** The subject of the event's name: `order`. */
  readonly resource: string;
  readonly id: string;
  /** `order.placed`. */
  readonly name: string;
}

/** A change; `everything`: changes may have been missed. */
export type Told = LiveEvent | 'everything';

type Work = (lock: unknown) => Promise<void>;

/** Of `LockManager`, what is used: `work` runs for one who asks at a time, and has it until it is done. */
interface Locks {
  /** With null, if somebody has it. */
  request(name: string, options: { ifAvailable: true }, work: Work): Promise<unknown>;
  /** Waits for its turn. */
  request(name: string, options: { signal: AbortSignal }, work: Work): Promise<unknown>;
}

/** Of `BroadcastChannel`, what is used: hears what the others post, never itself. */
interface Channel {
  addEventListener(type: 'message', listener: (message: { readonly data: Told }) => void): void;
  postMessage(told: Told): void;
  close(): void;
}

/** What a browser gives. */
export interface Means {
  /** As `openLiveStream`. */
  readonly openStream: (tell: (told: Told) => void) => () => void;
  /** Undefined where pages have no locks: without TLS, but on the machine itself. */
  readonly locks: Locks | undefined;
  readonly openChannel: (name: string) => Channel;
}

/** Of this origin: what it is called is the same in every tab. */
const name = 'dispensary-live';

/**
 * Listens together with the other tabs of the browser, which opens few connections to one host: one holds the stream
 * and tells the others; when it closes, another one takes over. A stream tells `everything` first; a tab that joins one which
 * is there already is told so at once, because of what it may have read before. Without locks each tab has a stream of its own.
 * Returns the function that ends it.
 */
export function listenTogether(means: Means, tell: (told: Told) => void): () => void {
  const { locks, openStream } = means;
  if (locks === undefined) return openStream(tell);
  const ending = new AbortController();
  const { signal } = ending;
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const channel = means.openChannel(name);
  channel.addEventListener('message', ({ data }) => tell(data));

  async function listenForAll(): Promise<void> {
    if (signal.aborted) return;
    const close = openStream((told) => {
      tell(told);
      channel.postMessage(told);
    });
    await ended;
    close();
  }
  async function takeTurns(): Promise<void> {
    await locks!.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await listenForAll();
      else if (!signal.aborted) tell('everything');
    });
    await locks!.request(name, { signal }, listenForAll);
  }
  async function listen(): Promise<void> {
    try {
      await takeTurns();
    } catch {
      // It ended while it waited; or locks are refused, as some browsers do that are to keep nothing.
      if (!signal.aborted) await listenAlone();
    }
    channel.close();
  }
  async function listenAlone(): Promise<void> {
    const close = openStream(tell);
    await ended;
    close();
  }
  void listen();
  return () => ending.abort();
}
