import { expect, test } from 'vitest';
import { type BrowserApis, type LiveMessage, shareLiveStream } from './src/parts/shared-live.ts';

const placed = { resource: 'order', id: '7', name: 'order.placed' };

interface OpenedStream {
  readonly tell: (told: LiveMessage) => void;
}

/** A browser with tabs. `locks`: whether pages have locks, or are refused when they ask. */
function openBrowser(locks: 'given' | 'none' | 'refused' = 'given') {
  const streams = new Set<OpenedStream>();
  const channels = new Set<(message: { readonly data: LiveMessage }) => void>();
  const waiting: (() => void)[] = [];
  let isHeld = false;

  async function request(
    _name: string,
    { ifAvailable, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
    work: (lock: unknown) => Promise<void>,
  ): Promise<void> {
    if (locks === 'refused') throw new DOMException('not here', 'SecurityError');
    signal?.throwIfAborted();
    if (isHeld && ifAvailable) return work(null);
    if (isHeld) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal?.addEventListener('abort', () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(signal.reason);
        });
      });
    }
    isHeld = true;
    await work({});
    isHeld = false;
    waiting.shift()?.();
  }

  const apis: BrowserApis = {
    openStream: (tell) => {
      const stream = { tell };
      streams.add(stream);
      return () => streams.delete(stream);
    },
    locks: locks === 'none' ? undefined : { request },
    openChannel: () => {
      let own: ((message: { readonly data: LiveMessage }) => void) | undefined;
      return {
        addEventListener: (_type, listener) => {
          own = listener;
          channels.add(listener);
        },
        postMessage: (data) => {
          for (const hear of channels) if (hear !== own) hear({ data });
        },
        close: () => void channels.delete(own!),
      };
    },
  };
  return {
    streams,
    channels,
    openTab() {
      const told: LiveMessage[] = [];
      return { told, close: shareLiveStream(apis, (it) => told.push(it)) };
    },
    /** Resolves when no work is pending. */
    settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

test('eight tabs share one stream, and each tab gets each change once', async () => {
  const browser = openBrowser();
  const tabs = Array.from({ length: 8 }, () => browser.openTab());
  await browser.settled();
  const [stream, ...others] = browser.streams;
  expect(others).toEqual([]);
  stream!.tell(placed);
  // Tabs that joined later may have read data before they listened.
  const [first, ...joined] = tabs;
  expect(first!.told).toEqual([placed]);
  for (const { told } of joined) expect(told).toEqual(['everything', placed]);
});

test('when the tab with the stream closes, another tab takes over and informs the rest', async () => {
  const browser = openBrowser();
  const [first, second, third] = [browser.openTab(), browser.openTab(), browser.openTab()];
  await browser.settled();
  first.close();
  await browser.settled();
  const [stream, ...others] = browser.streams;
  expect(others).toEqual([]);
  stream!.tell(placed);
  expect([first.told, second.told, third.told]).toEqual([[], ['everything', placed], ['everything', placed]]);
});

test('a tab that closes while it waits is skipped, and the last tab closes the stream', async () => {
  const browser = openBrowser();
  const [first, second, third] = [browser.openTab(), browser.openTab(), browser.openTab()];
  await browser.settled();
  second.close();
  first.close();
  await browser.settled();
  [...browser.streams][0]!.tell(placed);
  expect([second.told, third.told]).toEqual([['everything'], ['everything', placed]]);
  third.close();
  await browser.settled();
  expect([browser.streams.size, browser.channels.size]).toEqual([0, 0]);
  browser.openTab();
  await browser.settled();
  expect(browser.streams.size).toBe(1);
});

test('a tab that closes at once leaves no stream open', async () => {
  const browser = openBrowser();
  browser.openTab().close();
  await browser.settled();
  expect([browser.streams.size, browser.channels.size]).toEqual([0, 0]);
});

test.each(['none', 'refused'] as const)('where locks are %s, each tab has its own stream', async (locks) => {
  const browser = openBrowser(locks);
  const [first, second] = [browser.openTab(), browser.openTab()];
  await browser.settled();
  expect(browser.streams.size).toBe(2);
  for (const stream of browser.streams) stream.tell(placed);
  expect([first.told, second.told]).toEqual([[placed], [placed]]);
  first.close();
  second.close();
  await browser.settled();
  expect([browser.streams.size, browser.channels.size]).toEqual([0, 0]);
});
