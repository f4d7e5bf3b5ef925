import { QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLiveStream } from './live-stream.ts';
import { updateReads } from './live-updates.ts';

/** Random times in milliseconds. */
interface Schedule {
  /** When the list is first read and when the stream is opened. */
  readonly readAt: number;
  readonly streamAt: number;
  /** Durations of the reads, one after another: to the service and back. */
  readonly reads: readonly { readonly up: number; readonly down: number }[];
  /** For each connection of the stream: time to its first message, and its lifetime. */
  readonly connections: readonly { readonly ready: number; readonly lasts: number }[];
  /** Delay between a change and its event. */
  readonly told: number;
  readonly orders: readonly number[];
}

/** Waits on the fake clock. */
const wait = (ms: number) => new Promise<void>((pass) => setTimeout(pass, ms));

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs a shop, its live stream and a board of its orders. Returns the orders that exist and those on the board. */
async function run({ readAt, streamAt, reads, connections, told, orders }: Schedule) {
  const placed: number[] = [];
  const streams = new Set<ServiceStream>();
  let connectionCount = 0;

  class ServiceStream {
    static readonly CLOSED = 2;
    readyState = 0;
    onmessage: (message: { data: string }) => void = () => {};
    onerror: () => void = () => {};
    readonly #listeners = new Map<string, () => void>();
    #isReady = false;

    constructor() {
      void this.#connect();
    }
    addEventListener(name: string, listener: () => void): void {
      this.#listeners.set(name, listener);
    }
    /** Like the browser: reconnects three seconds after a connection breaks. */
    async #connect(): Promise<void> {
      const { ready, lasts } = connections[connectionCount++ % connections.length]!;
      await wait(ready);
      if (this.readyState === 2) return;
      streams.add(this);
      this.#isReady = true;
      this.#listeners.get('ready')?.();
      await wait(lasts);
      if (this.readyState === 2) return;
      this.#isReady = false;
      streams.delete(this);
      this.onerror();
      await wait(3_000);
      if (this.readyState !== 2) await this.#connect();
    }
    async tell(data: string): Promise<void> {
      await wait(told);
      if (this.#isReady) this.onmessage({ data });
    }
    close(): void {
      this.readyState = 2;
      streams.delete(this);
    }
  }
  vi.stubGlobal('EventSource', ServiceStream);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { 'content-type': 'application/json' } }));

  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } });
  let readCount = 0;
  const board = new QueryObserver(client, {
    queryKey: ['orders'],
    queryFn: async () => {
      const { up, down } = reads[readCount++ % reads.length]!;
      await wait(up);
      const found = [...placed];
      await wait(down);
      return found;
    },
  });
  const stops: (() => void)[] = [];
  setTimeout(() => stops.push(board.subscribe(() => {})), readAt);
  setTimeout(() => {
    const listeners = new Set([{ resources: ['orders'] }]);
    stops.push(openLiveStream((it) => updateReads(client, listeners, it)));
  }, streamAt);
  for (const at of orders) {
    setTimeout(() => {
      placed.push(at);
      const data = JSON.stringify({ resource: 'order', id: String(at), name: 'order.placed' });
      for (const stream of streams) void stream.tell(data);
    }, at);
  }
  // Ends before the board would be refetched for age: nothing here may depend on that.
  await vi.advanceTimersByTimeAsync(14_900);
  const shown = client.getQueryData<number[]>(['orders']);
  for (const stop of stops) stop();
  client.clear();
  return { placed, shown, readCount };
}

const upTo = (max: number) => fc.integer({ min: 0, max });
const schedules: fc.Arbitrary<Schedule> = fc.record({
  readAt: upTo(200),
  streamAt: upTo(200),
  reads: fc.array(fc.record({ up: upTo(800), down: upTo(1_500) }), { minLength: 1, maxLength: 4 }),
  connections: fc.array(fc.record({ ready: upTo(3_500), lasts: fc.constantFrom(60_000, 1_000, 2_500) }), {
    minLength: 1,
    maxLength: 3,
  }),
  told: upTo(500),
  orders: fc.uniqueArray(upTo(5_000), { minLength: 1, maxLength: 6 }),
});

test('every placed order shows without a refetch for age, for any delays of list and stream', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.info(`Delays of the live stream: seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      // The last connection in the tested time stays open: otherwise no event could arrive.
      const connections = [...schedule.connections.slice(0, 1), { ready: 300, lasts: 60_000 }];
      const { placed, shown } = await run({ ...schedule, connections });
      expect(shown?.toSorted()).toEqual(placed.toSorted());
    }),
    { seed, numRuns: 200 },
  );
});

const quick = { up: 10, down: 10 };
const lasting = { ready: 10, lasts: 60_000 };
test.each<[string, Partial<Schedule>]>([
  ['the stream takes 3.5 s', { connections: [{ ready: 3_500, lasts: 60_000 }] }],
  ['the list takes 3.5 s to return', { reads: [{ up: 10, down: 3_500 }] }],
  ['both do', { reads: [{ up: 10, down: 3_500 }], connections: [{ ready: 3_500, lasts: 60_000 }] }],
])('an order between list and stream shows when %s', async (_, given) => {
  const schedule = { readAt: 0, streamAt: 0, reads: [quick], connections: [lasting], told: 5, orders: [500] };
  expect((await run({ ...schedule, ...given })).shown).toEqual([500]);
});

test('a list slower than the orders is still shown, and read only once at a time', async () => {
  const orders = Array.from({ length: 100 }, (_, index) => 200 + index * 50);
  const { shown, readCount } = await run({
    readAt: 0,
    streamAt: 0,
    reads: [{ up: 500, down: 500 }],
    connections: [lasting],
    told: 5,
    orders,
  });
  expect(shown).toEqual(orders);
  expect(readCount).toBeLessThan(10);
});
