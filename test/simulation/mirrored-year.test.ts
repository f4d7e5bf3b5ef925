import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLongSuite } from '../harness/long-suite.ts';
import { MirroredWorld } from './mirrored-world.ts';
import { noRecords, recordMoves } from './record-moves.ts';
import { TradingWorld } from './trading-world.ts';
import { moves } from './trading-year.ts';

const storyLength = 25;

/**
 * Trades for a year, changes records in between, and keeps a copy that is killed again and again. At random moments, and at
 * the end, the copy catches up and is compared with the shop, row by row.
 */
async function mirrorYear(
  seed: number,
  kind: 'SQLite' | 'PostgreSQL',
  moveCount: number,
): Promise<{ readonly kills: number; readonly comparisons: number; readonly crashes: number }> {
  const world = await TradingWorld.open(seed, moveCount);
  const mirrored = await MirroredWorld.open(world, kind);
  const records = noRecords();
  let at = 0;
  try {
    for (; at < moveCount; at += 1) {
      world.advance();
      await world.random.pickWeighted(moves, ({ weight }) => weight).make(world);
      if (world.random.chance(0.4)) {
        await world.random.pickWeighted(recordMoves, ({ weight }) => weight).make(world, records);
      }
      if (world.random.chance(0.15)) await mirrored.run();
      if (at === Math.floor(moveCount / 2) || world.random.chance(0.04)) await mirrored.compare();
    }
    await mirrored.run();
    await mirrored.compare();
    const { kills, comparisons } = mirrored;
    return { kills, comparisons, crashes: world.crashes };
  } catch (error) {
    throw new Error(
      [
        `The mirrored year of seed ${seed} in ${kind} went wrong at move ${at + 1}, ${new Date(world.nowMs).toISOString()}.`,
        'What happened last:',
        ...world.story.slice(-storyLength).map((line) => `  ${line}`),
        error instanceof Error ? error.message : String(error),
      ].join('\n'),
      { cause: error },
    );
  } finally {
    await mirrored.close();
    await world.close();
  }
}

const moveCount = isLongSuite ? 500 : 60;
const yearMsMax = isLongSuite ? 1_200_000 : 240_000;

test.each(isLongSuite ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const))(
  'a copy in %s equals the shop, row by row, through a year of trading, merges, erasures, imports and kills',
  async (kind) => {
    const { kills, comparisons, crashes } = await mirrorYear(randomInt(1_000_000_000), kind, moveCount);
    expect(kills).toBeGreaterThan(0);
    expect(comparisons).toBeGreaterThan(1);
    if (isLongSuite) expect(crashes).toBeGreaterThan(0);
  },
  yearMsMax,
);
