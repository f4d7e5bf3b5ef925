import { expect, it } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { failureLimits, RateLimits } from './rate-limits.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

const toy = { url: '/api/v1/toys/7' };
const limitHeaders = (reply: Awaited<ReturnType<typeof ask>>) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => reply.headers[name]);

it('a key may burst to twice its rate, and then send at its rate', async () => {
  const clock = new ManualClock(0);
  const server = createToyServer({ clock, rateLimits: 'on' });
  for (let left = 29; left >= 0; left--) {
    const reply = await ask(server, toy);
    expect(reply.status).toBe(200);
    expect(limitHeaders(reply)).toEqual(['30', String(left), String(Math.ceil((30 - left) / 15))]);
  }
  const refused = await ask(server, toy);
  expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
  expect(limitHeaders(refused)).toEqual(['30', '0', '2']);
  clock.advance(1000);
  for (let count = 0; count < 15; count++) expect((await ask(server, toy)).status).toBe(200);
  expect((await ask(server, toy)).status).toBe(429);
  await server.close();
});

it('the operator can set the rate of a key', async () => {
  const clock = new ManualClock(0);
  const rateLimitPerSecond = { menu: 4, other: 0.5 };
  const server = createToyServer({ clock, rateLimits: 'on', caller: { rateLimitPerSecond } });
  expect((await ask(server, toy)).headers['ratelimit-limit']).toBe('1');
  expect((await ask(server, toy)).headers['retry-after']).toBe('2');
  await server.close();
});

it('a request without the permission is a 403 and counts', async () => {
  const server = createToyServer({
    clock: new ManualClock(0),
    rateLimits: 'on',
    caller: { permissions: new Set(['menu']) },
  });
  for (let count = 0; count < 31; count++) {
    const reply = await ask(server, toy);
    expect([reply.status, reply.headers['ratelimit-remaining']]).toEqual([
      403,
      String(Math.max(0, 29 - count)),
    ]);
  }
  await server.close();
});

it('failed authentications of an address are limited; valid keys from it are not', async () => {
  const clock = new ManualClock(0);
  const server = createToyServer({ clock, rateLimits: 'on' });
  const wrong = { ...toy, headers: { 'x-client-key': 'dck_test_wrong' } };
  for (let count = 0; count < 20; count++) expect((await ask(server, wrong)).status).toBe(401);
  const refused = await ask(server, wrong);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.headers).toMatchObject({
    'ratelimit-limit': '20',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '20',
  });
  expect((await ask(server, toy)).status).toBe(200);
  clock.advance(1000);
  expect((await ask(server, wrong)).status).toBe(401);
  expect((await ask(server, wrong)).status).toBe(429);
  await server.close();
});

it('switched off, nothing is counted', async () => {
  const server = createToyServer({ clock: new ManualClock(0), rateLimits: 'off' });
  for (let count = 0; count < 100; count++) expect((await ask(server, toy)).status).toBe(200);
  await server.close();
});

it('groups and keys have separate buckets', () => {
  const limits = new RateLimits(new ManualClock(0));
  const take = (key: number, group: string) => limits.takeRequest(key, group, 1).allowed;
  expect([take(1, 'menu'), take(1, 'menu'), take(1, 'menu')]).toEqual([true, true, false]);
  expect([take(1, 'other'), take(2, 'menu')]).toEqual([true, true]);
});

it('a clock that steps back adds and removes no tokens', () => {
  const clock = new ManualClock(10_000);
  const limits = new RateLimits(clock);
  expect(limits.takeRequest(1, 'other', 1).remaining).toBe(1);
  clock.set(0);
  expect(limits.takeRequest(1, 'other', 1).remaining).toBe(0);
  clock.advance(1000);
  expect(limits.takeRequest(1, 'other', 1).allowed).toBe(true);
});

it('a flood of names does not free a refused name, of any kind', () => {
  const limits = new RateLimits(new ManualClock(0));
  const failed = (name: string) => limits.takeFailures([failureLimits.signInsOfAccount, name]);
  for (let count = 0; count < 10; count++) expect(failed('guessed')).toBeNull();
  expect(failed('guessed')).toMatchObject({ kind: 'signInsOfAccount', state: { retryAfterSeconds: 30 } });
  for (let count = 0; count < 10_000; count++) failed(`flood ${count}`);
  for (let count = 0; count < 10_000; count++)
    limits.takeFailures([failureLimits.keys.ofAddress, `flood ${count}`]);
  expect(failed('guessed')).not.toBeNull();
  // No name is refused because of other names.
  const innocent = Array.from({ length: 1_000 }, (_, at) => failed(`innocent ${at}`));
  expect(innocent.filter((refusal) => refusal !== null)).toEqual([]);
});

it('buckets of many keys are dropped once they are full again, and not before', () => {
  const clock = new ManualClock(0);
  const limits = new RateLimits(clock);
  const spend = () => limits.takeRequest(0, 'other', 1).allowed;
  expect([spend(), spend(), spend()]).toEqual([true, true, false]);
  for (let id = 1; id < 5_000; id++) limits.takeRequest(id, 'other', 1);
  expect(spend()).toBe(false);
  clock.advance(2_000);
  for (let id = 1; id < 5_000; id++) limits.takeRequest(id, 'other', 1);
  expect([spend(), spend(), spend()]).toEqual([true, true, false]);
});

it('failures that are given back do not count, and time that goes back adds no tokens', () => {
  const clock = new ManualClock(1_000_000);
  const limits = new RateLimits(clock);
  const failure = [failureLimits.signInsOfAccount, 'a'] as const;
  for (let count = 0; count < 40; count++) {
    expect(limits.takeFailures(failure)).toBeNull();
    if (count >= 10) limits.giveBackFailures(failure);
    if (count === 9) clock.advance(30_000);
  }
  expect(limits.takeFailures(failure)).toBeNull();
  clock.set(0);
  expect(limits.takeFailures(failure)).toMatchObject({ state: { retryAfterSeconds: 30, remaining: 0 } });
  clock.advance(30_000);
  expect(limits.takeFailures(failure)).toBeNull();
});
