import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchConnection } from './connection-watch.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A service and a browser whose network can be switched off. */
function open() {
  const net = { isReached: true, isBrowserOnline: true, probes: 0 };
  const watch = watchConnection({
    probe: async () => {
      net.probes += 1;
      return net.isReached;
    },
    isBrowserOnline: () => net.isBrowserOnline,
  });
  let returns = 0;
  watch.onReconnected(() => {
    returns += 1;
  });
  return { net, watch, returns: () => returns };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

test('an unanswered request is not an outage while the service answers a probe', async () => {
  const { watch, returns } = open();
  watch.suspect();
  await settled();
  expect([watch.present(), returns()]).toEqual([{ status: 'online' }, 0]);
});

test('an outage is reported with its start until the service answers again; the return is reported once', async () => {
  const { net, watch, returns } = open();
  net.isReached = false;
  await vi.advanceTimersByTimeAsync(5_000);
  watch.suspect();
  await settled();
  expect(watch.present()).toEqual({ status: 'reconnecting', since: 5_000 });
  await vi.advanceTimersByTimeAsync(20_000);
  net.isBrowserOnline = false;
  watch.suspect();
  await settled();
  expect(watch.present()).toEqual({ status: 'offline', since: 5_000 });
  net.isReached = true;
  net.isBrowserOnline = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([watch.present(), returns()]).toEqual([{ status: 'online' }, 1]);
});

test('a service on the same machine stays reachable while the browser is offline', async () => {
  const { net, watch } = open();
  net.isBrowserOnline = false;
  watch.suspect();
  await settled();
  expect(watch.present()).toEqual({ status: 'online' });
});

test('a connection lost during a probe is noticed', async () => {
  const { net, watch } = open();
  watch.suspect();
  net.isReached = false;
  watch.suspect();
  await settled();
  expect(watch.present().status).toBe('reconnecting');
});

test('a long outage is probed every ten seconds', async () => {
  const { net, watch } = open();
  net.isReached = false;
  watch.suspect();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(net.probes).toBeGreaterThan(55);
  expect(net.probes).toBeLessThan(70);
});
