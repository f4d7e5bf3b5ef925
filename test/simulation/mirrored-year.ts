import { MirroredWorld } from './mirrored-world.ts';
import { noRecords, recordMoves } from './record-moves.ts';
import { TradingWorld } from './trading-world.ts';
import { moves } from './trading-year.ts';

const storyLength = 25;

/**
 * Trades for a year, changes records in between, and keeps a copy that is killed again and again. At random moments, and at
 * the end, the copy catches up and is compared with the shop, row by row.
 */
export async function mirrorYear(
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
