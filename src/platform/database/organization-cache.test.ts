import { expect, test } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { organizationId } from '../../kernel/ids.ts';
import { OrganizationCache } from './organization-cache.ts';

function setUp() {
  const clock = new ManualClock(1_000_000);
  const commits = new Map<number, number>();
  const database = { commitCount: (id: number) => commits.get(id) ?? 0 };
  return {
    clock,
    commits,
    kept: new OrganizationCache({ wallClock: clock, database }, () => [] as string[]),
  };
}
const [ours, theirs] = [organizationId(1), organizationId(2)];

test('an entry stays until a write of its organization; writes of others keep it', () => {
  const { commits, kept } = setUp();
  const first = kept.of(ours);
  expect(kept.of(ours)).toBe(first);
  commits.set(theirs, 1);
  expect(kept.of(ours)).toBe(first);
  commits.set(ours, 1);
  expect(kept.of(ours)).not.toBe(first);
});

test('an entry expires within a second, and when the clock is set back', () => {
  const { clock, kept } = setUp();
  const first = kept.of(ours);
  clock.advance(899);
  expect(kept.of(ours)).toBe(first);
  clock.advance(1);
  const second = kept.of(ours);
  expect(second).not.toBe(first);
  clock.advance(-1);
  expect(kept.of(ours)).not.toBe(second);
});

test('data read before a write and stored after it is never returned', () => {
  const { commits, kept } = setUp();
  const beforeWrite = kept.of(ours);
  commits.set(ours, 1);
  beforeWrite.push('old');
  expect(kept.of(ours)).toEqual([]);
});
