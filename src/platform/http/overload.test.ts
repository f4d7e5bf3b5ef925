import { expect, it, onTestFinished, vi } from 'vitest';
import { Overload } from './overload.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

function watched() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const overload = new Overload();
  onTestFinished(() => {
    overload.stop();
    vi.useRealTimers();
  });
  // Fake timers are never late; instead the clock jumps ahead before the timer fires.
  const stall = (ms: number) => {
    const nowMs = performance.now();
    vi.spyOn(performance, 'now').mockReturnValueOnce(nowMs + 250 + ms);
    vi.advanceTimersToNextTimer();
  };
  return { overload, stall };
}

it('a thousand concurrent requests are accepted; one more is refused until one ends', () => {
  const { overload } = watched();
  for (let count = 0; count < 1000; count++) overload.enter();
  expect(overload.isOverloaded).toBe(false);
  overload.enter();
  expect(overload.isOverloaded).toBe(true);
  overload.leave();
  expect(overload.isOverloaded).toBe(false);
});

it('one late timer is tolerated, repeated late timers are not', () => {
  const { overload, stall } = watched();
  const samples: boolean[] = [];
  for (let count = 1; count <= 3; count++) {
    stall(count * 5000);
    samples.push(overload.isOverloaded);
  }
  expect(samples).toEqual([false, false, true]);
  stall(0);
  expect(overload.isOverloaded).toBe(false);
});

it('a refused request gets Retry-After, and health still answers', async () => {
  vi.spyOn(Overload.prototype, 'isOverloaded', 'get').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const server = createToyServer();
  const reply = await ask(server, { url: '/api/v1/toys/7' });
  expect([reply.status, reply.code, reply.headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
  expect((await ask(server, { url: '/healthz' })).status).toBe(200);
  await server.close();
});
