import { expect, test } from 'vitest';
import type { TokenRequest } from '../../platform/http/shared-rate-limits.ts';
import { CallTurns } from './call-turns.ts';

/** Buckets as the database keeps them, by a clock that goes on when a call waits. */
function sharedBuckets() {
  const clock = { nowMs: 0 };
  const fullAtMs = new Map<string, number>();
  const take = async (requests: readonly TokenRequest[]) =>
    requests.map(({ name, perSecond, burst, wanted }) => {
      const eachMs = 1_000 / perSecond;
      const fullMs = Math.max(fullAtMs.get(name) ?? 0, clock.nowMs);
      const free = Math.floor((burst * eachMs - (fullMs - clock.nowMs)) / eachMs + 1e-9);
      const granted = Math.max(0, Math.min(wanted, free));
      fullAtMs.set(name, fullMs + granted * eachMs);
      return { granted, fullAfterMs: fullMs + granted * eachMs - clock.nowMs };
    });
  const giveBack = async (buckets: readonly Pick<TokenRequest, 'name' | 'perSecond'>[]) => {
    for (const { name, perSecond } of buckets) fullAtMs.set(name, fullAtMs.get(name)! - 1_000 / perSecond);
  };
  return { clock, tokens: { take, giveBack } };
}

test.each([
  [['L1'], 46],
  [['L1', 'L2', 'L3', 'L4', 'L5'], 120],
])(
  'whatever processes call for %j, no second has more calls than the state takes, and hardly fewer',
  async (licenses, perSecond) => {
    const { clock, tokens } = sharedBuckets();
    const waiting: { readonly untilMs: number; readonly goOn: () => void }[] = [];
    const wait = (ms: number) =>
      new Promise<void>((goOn) => waiting.push({ untilMs: clock.nowMs + ms, goOn }));
    const processes = [1, 2].map(() => new CallTurns({ tokens, wait }));
    const calls: { readonly license: string; readonly atMs: number }[] = [];
    const callers = Promise.all(
      processes.flatMap((turns) =>
        licenses.flatMap((license) =>
          Array.from({ length: 6 }, async () => {
            while (clock.nowMs < 5_000) {
              await turns.take({ state: 'CA', licenseNumber: license, vendorKey: 'key' });
              calls.push({ license, atMs: clock.nowMs });
            }
          }),
        ),
      ),
    );
    let isOver = false;
    void callers.finally(() => {
      isOver = true;
    });
    // The clock goes on to the next that waits, once all the others wait, too.
    while (!isOver) {
      for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
      waiting.sort((a, b) => a.untilMs - b.untilMs);
      const next = waiting.shift();
      if (next === undefined) continue;
      clock.nowMs = next.untilMs;
      next.goOn();
    }
    const mostOf = (times: readonly number[]): number =>
      Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length));
    for (const license of licenses) {
      const times = calls.flatMap((it) => (it.license === license ? [it.atMs] : []));
      expect(mostOf(times)).toBeLessThanOrEqual(50);
    }
    expect(mostOf(calls.map(({ atMs }) => atMs))).toBeLessThanOrEqual(150);
    expect(calls.length).toBeGreaterThan(5 * perSecond);
  },
);

test('a call that cannot be counted fails, and so do those that wait with it', async () => {
  const tokens = {
    take: async () => {
      throw new Error('no database');
    },
    giveBack: async () => {},
  };
  const turns = new CallTurns({ tokens, wait: async () => {} });
  const take = () => turns.take({ state: 'CA', licenseNumber: 'L1', vendorKey: 'key' });
  const both = await Promise.allSettled([take(), take()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
