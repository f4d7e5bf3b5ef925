import { randomInt } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isLongSuite } from '../harness/long-suite.ts';
import { startTestService } from '../harness/test-service.ts';
import { LawfulYear } from './lawful-year.ts';

/** Seeds of years that failed once: they run every time. */
const keptSeeds: readonly number[] = [];

const { SIMULATION_SEED: askedSeed } = process.env;
const seeds = askedSeed === undefined ? [...keptSeeds, randomInt(1_000_000_000)] : [Number(askedSeed)];
const moves = Number(process.env.SIMULATION_MOVES ?? (isLongSuite ? 3_000 : 120));

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

test.each(seeds)(
  'a year of three states: residents, visitors, patients and caregivers get what the law lets them have, and owe what it says: seed %i',
  async (seed) => {
    const year = await LawfulYear.open(service, seed);
    const { sold, refused } = await year.trade(moves);
    expect(sold).toBeGreaterThan(moves / 10);
    expect(refused).toBeGreaterThan(moves / 20);
    await year.expectBooks();
  },
  600_000,
);
