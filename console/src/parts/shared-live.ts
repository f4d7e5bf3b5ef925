/** A live event of the service; it contains no personal data. */
export interface LiveEvent {
  /** The subject in the event's name: `order`. */
  readonly resource: string;
  readonly id: string;
  /** `order.placed`. */
  readonly name: string;
}

/** A change; `everything`: changes may have been missed. */
export type LiveMessage = LiveEvent | 'everything';

type Work = (lock: unknown) => Promise<void>;

/** The used part of `LockManager`: one `work` runs at a time and holds the lock until it is done. */
interface Locks {
  /** Called with null if the lock is taken. */
  request(name: string, options: { ifAvailable: true }, work: Work): Promise<unknown>;
  /** Waits for the lock. */
  request(name: string, options: { signal: AbortSignal }, work: Work): Promise<unknown>;
}

/** The used part of `BroadcastChannel`: receives messages of other tabs, not its own. */
interface Channel {
  addEventListener(type: 'message', listener: (message: { readonly data: LiveMessage }) => void): void;
  postMessage(message: LiveMessage): void;
  close(): void;
}

/** The browser APIs that are needed. */
export interface BrowserApis {
  /** Like `openLiveStream`. */
  readonly openStream: (send: (message: LiveMessage) => void) => () => void;
  /** Undefined where pages have no locks: without TLS, except on localhost. */
  readonly locks: Locks | undefined;
  readonly openChannel: (name: string) => Channel;
}

/** A channel of this origin with the same name in every tab. */
const name = 'dispensary-live';

/**
 * Shares one live stream between the tabs of a browser, because browsers limit connections to a host. One tab holds the stream
 * and informs the others; when it closes, another one takes over. A stream starts with `everything`; a tab that joins an
 * existing stream gets `everything` at once, because of data it may have read before. Without locks each tab has its own
 * stream. Returns the function that ends it.
 */
export function shareLiveStream(apis: BrowserApis, send: (message: LiveMessage) => void): () => void {
  const { locks, openStream } = apis;
  if (locks === undefined) return openStream(send);
  const ending = new AbortController();
  const { signal } = ending;
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const channel = apis.openChannel(name);
  channel.addEventListener('message', ({ data }) => send(data));

  async function listenForAll(): Promise<void> {
    if (signal.aborted) return;
    const close = openStream((message) => {
      send(message);
      channel.postMessage(message);
    });
    await ended;
    close();
  }
  async function takeTurns(): Promise<void> {
    await locks!.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await listenForAll();
      else if (!signal.aborted) send('everything');
    });
    await locks!.request(name, { signal }, listenForAll);
  }
  async function listen(): Promise<void> {
    try {
      await takeTurns();
    } catch {
      // It ended while waiting, or the browser refuses locks, as some do in private mode.
      if (!signal.aborted) await listenAlone();
    }
    channel.close();
  }
  async function listenAlone(): Promise<void> {
    const close = openStream(send);
    await ended;
    close();
  }
  void listen();
  return () => ending.abort();
}
