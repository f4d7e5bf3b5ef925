import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { allTasks } from '../../src/app/app.ts';
import { mailTask } from '../../src/platform/mail/mail.ts';
import { photoTask } from '../../src/shop/catalog/product-photos.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { tradeForYear } from './trading-year.ts';

/** Seeds of years that failed once, with the fault: they run every time. */
const keptSeeds: readonly number[] = [];

/** The arguments of `npm run simulate`: a seed to repeat or to begin with, and the duration. */
const { SIMULATION_SEED: askedSeed, SIMULATION_HOURS: askedHours } = process.env;
const isAsked = askedSeed !== undefined || askedHours !== undefined;
const drawnSeed = askedSeed === undefined ? randomInt(1_000_000_000) : Number(askedSeed);
const knownSeeds = [...(isLongSuite ? [1, 2] : []), ...keptSeeds];
const yearMsMax = isLongSuite ? 600_000 : 300_000;

test.each(isAsked ? [drawnSeed] : [...new Set([...knownSeeds, drawnSeed])])(
  'a year of trading goes as predicted; crashes, killed workers and replays included: seed %i',
  async (seed) => {
    const { crashes, orders, returns, taken, takenOver, trips, catalogs, unchangedCatalogs } =
      await tradeForYear(seed);
    expect(orders).toBeGreaterThan(0);
    expect(returns).toBeGreaterThan(0);
    expect(taken).toBeGreaterThan(0);
    expect(trips).toBeGreaterThan(0);
    expect(crashes).toBeGreaterThan(0);
    expect(takenOver).toBeGreaterThan(0);
    expect(catalogs).toBeGreaterThanOrEqual(isLongSuite ? 52 : 3);
    expect(unchangedCatalogs).toBeGreaterThan(0);
  },
  yearMsMax,
);

test('the simulation contains every task of the program', () => {
  const names = allTasks(undefined as never, undefined as never, null).map(({ name }) => name);
  // Mail has no move here: src/platform/mail/send-mail.test.ts ends its process at every step.
  // Nor has a reset: src/shop/sandbox/sandbox-reset.test.ts repeats it.
  // Nor has an import of a menu: src/shop/imports/killed-imports.test.ts ends it at a drawn write and goes on.
  expect(names).toEqual([photoTask, 'import_menu', 'load_move_file', mailTask, 'reset_sandbox']);
});

const hours = Number(askedHours ?? 0);

if (hours > 0) {
  test(`years go as predicted for ${hours} hours`, goOn, hours * 3_600_000 + yearMsMax);
}

async function goOn(): Promise<void> {
  const failures: unknown[] = [];
  const endMs = performance.now() + hours * 3_600_000;
  for (let seed = drawnSeed + 1, count = 1; performance.now() < endMs; seed++, count++) {
    await tradeForYear(seed).catch((error: unknown) => {
      failures.push(error);
      console.error(error);
    });
    if (count % 10 === 0) console.log(`${count} years, ${failures.length} of them wrong`);
  }
  expect(failures).toEqual([]);
}
