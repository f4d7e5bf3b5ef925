import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { ManualClock, systemClock } from '../../kernel/clock.ts';
import type { RateLimitState } from '../../platform/http/attempt-counts.ts';
import { failureLimits, RateLimits } from '../../platform/http/rate-limits.ts';
import { SharedRateLimits, type TokenStore } from '../../platform/http/shared-rate-limits.ts';
import { deleteFullBuckets } from './rate-limit-queries.ts';
import { SharedRateLimitTokens } from './shared-rate-limit-tokens.ts';

/** Processes that share a database. */
const service = await startTestService();
afterAll(() => service.close());

const processCount = 3;
const processes = Array.from(
  { length: processCount },
  () =>
    new SharedRateLimits(
      new RateLimits(systemClock),
      new SharedRateLimitTokens(service.context),
      systemClock,
    ),
);
let nextId = 1;

/** So slow that no token comes back during a test. */
const perSecond = 0.001;

test('requests to three processes together get the limit of a key, and none more', async () => {
  const id = nextId++;
  // Twice the rate at once; a token comes back every hundredth of a second.
  const rate = 100;
  const startedMs = performance.now();
  const states = await Promise.all(
    Array.from({ length: 600 }, (_, at) => processes[at % processCount]!.takeRequest(id, 'other', rate)),
  );
  const comeBack = ((performance.now() - startedMs) / 1_000) * rate;
  const allowed = states.filter((state) => state.allowed).length;
  expect(allowed).toBeGreaterThanOrEqual(200 * 0.9);
  expect(allowed).toBeLessThanOrEqual(200 + Math.ceil(comeBack));
  const refused = states.find((state) => !state.allowed)!;
  expect(refused).toMatchObject({ limit: 200, remaining: 0 });
  expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
});

test('most requests are decided without asking the database, and headers count down', async () => {
  const { statistics } = service.context.database;
  const id = nextId++;
  const [limits] = processes;
  const before = statistics.roundTrips;
  const states: RateLimitState[] = [];
  for (let count = 0; count < 80; count += 1) states.push(await limits!.takeRequest(id, 'menu', 50));
  expect(states.every(({ allowed }) => allowed)).toBe(true);
  // An eighth of what is left is taken at a time.
  expect(statistics.roundTrips - before).toBeLessThan(20);
  expect(states[0]).toMatchObject({ limit: 100, remaining: 99 });
  expect(states.at(-1)!.remaining).toBeLessThan(60);
});

test('guesses of a password count over all processes, one by one, and a right one is given back', async () => {
  const account = `person-${nextId++}`;
  const attempt = [failureLimits.signInsOfAccount, account] as const;
  for (let count = 0; count < 9; count += 1) {
    expect(await processes[count % processCount]!.takeFailures(attempt)).toBeNull();
  }
  expect(await processes[0]!.takeFailures(attempt)).toBeNull();
  processes[0]!.giveBackFailures(attempt);
  await expect.poll(async () => (await processes[1]!.takeFailures(attempt)) === null).toBe(true);
  for (const limits of processes) {
    expect(await limits.takeFailures(attempt)).toMatchObject({
      kind: 'signInsOfAccount',
      state: { allowed: false, limit: 10, remaining: 0 },
    });
  }
  // All at once, from several processes: as many as one after the other.
  const many = [failureLimits.signInsOfAccount, `person-${nextId++}`] as const;
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, at) => processes[at % processCount]!.takeFailures(many)),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
});

test('an attempt over one of its limits does not count for the others', async () => {
  const [limits, elsewhere] = processes;
  const full = [failureLimits.signInsOfAccount, `person-${nextId++}`] as const;
  const other = [failureLimits.signInsOfDevice, `device-${nextId++}`] as const;
  for (let count = 0; count < 10; count += 1) await elsewhere!.takeFailures(full);
  for (let count = 0; count < 20; count += 1) {
    expect((await limits!.takeFailures(other, full))?.kind).toBe('signInsOfAccount');
  }
  for (let count = 0; count < 10; count += 1) expect(await limits!.takeFailures(other)).toBeNull();
});

test('a visitor of a page who asks too much costs the other visitors nothing, at any process', async () => {
  const id = nextId++;
  const visit = (at: number, address: string) =>
    processes[at % processCount]!.takeVisit(id, 'menu', perSecond * 5_000, address);
  const states = await Promise.all(Array.from({ length: 60 }, (_, at) => visit(at, '203.0.113.7')));
  expect(states.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(12);
  expect((await visit(0, '203.0.113.8')).allowed).toBe(true);
});

test('while the database does not answer, each process keeps the limits by itself', async () => {
  const silent: TokenStore = {
    take: () => Promise.reject(new Error('no database')),
    giveBack: () => Promise.reject(new Error('no database')),
  };
  const limits = new SharedRateLimits(new RateLimits(systemClock), silent, systemClock);
  const states = await Promise.all(
    Array.from({ length: 12 }, () => limits.takeRequest(1, 'other', perSecond * 5_000)),
  );
  expect(states.filter(({ allowed }) => allowed).length).toBe(10);
  const outcomes: unknown[] = [];
  for (let count = 0; count < 12; count += 1) {
    outcomes.push(await limits.takeFailures([failureLimits.signInsOfAccount, 'a']));
  }
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
  limits.giveBackFailures([failureLimits.signInsOfAccount, 'a']);
});

test('a clock that is put back refuses no longer than a burst takes, in a process and in the database', async () => {
  const clock = new ManualClock(Date.now());
  const rate = 1_000;
  const grant = { granted: 0, fullAfterMs: 2_000 };
  const store: TokenStore = { take: async () => [grant], giveBack: async () => {} };
  const limits = new SharedRateLimits(new RateLimits(clock), store, clock);
  expect((await limits.takeRequest(1, 'other', rate)).allowed).toBe(false);
  grant.granted = 1;
  clock.advance(-3_600_000);
  expect((await limits.takeRequest(1, 'other', rate)).allowed).toBe(true);

  const id = nextId++;
  await processes[0]!.takeRequest(id, 'other', rate);
  // As the clock of the hour before sees it: an hour is taken.
  const hour = { name: `request ${id} other`, perSecond: -1 / 3_600 };
  await new SharedRateLimitTokens(service.context).giveBack([hour]);
  await expect.poll(async () => (await processes[1]!.takeRequest(id, 'other', rate)).allowed).toBe(true);
});

test('a full bucket is deleted', async () => {
  const [limits] = processes;
  await limits!.takeRequest(nextId++, 'other', 1_000_000);
  await expect
    .poll(async () => (await service.context.database.global(deleteFullBuckets({ limit: 100 }))).length)
    .toBeGreaterThan(0);
});
