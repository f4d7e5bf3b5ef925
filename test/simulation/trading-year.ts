import { seededRandom } from '../../seed/seeded-random.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { giveCredit, movePoints, replay } from './account-moves.ts';
import { editOrder } from './edit-moves.ts';
import { dispatchOrder, placeOrder, stepOrder } from './order-moves.ts';
import { moveMoney, payAtCounter, payOnline, settleMoney } from './payment-moves.ts';
import { changePhotos, finishJobs, runJobs } from './photo-moves.ts';
import { returnGoods, voidReturn } from './return-moves.ts';
import { playInSandbox } from './sandbox-moves.ts';
import { buySignedIn, signIn } from './sign-in-moves.ts';
import { auditState, auditTransfers, reportToState } from './state-audit.ts';
import {
  adjustStock,
  countStock,
  orderGoods,
  receiveGoods,
  settlePurchase,
  transferStock,
} from './stock-moves.ts';
import { audit, auditMenu, auditYear } from './trading-audit.ts';
import { startMs, TradingWorld } from './trading-world.ts';
import { deliverByTrip } from './trip-moves.ts';
import { WeeklyCatalog } from './weekly-catalog.ts';

/** The moves of people in a shop, and their relative frequency. */
export const moves: readonly {
  readonly make: (world: TradingWorld) => Promise<void>;
  readonly weight: number;
}[] = [
  { make: placeOrder, weight: 30 },
  { make: stepOrder, weight: 38 },
  { make: editOrder, weight: 7 },
  { make: dispatchOrder, weight: 4 },
  { make: deliverByTrip, weight: 8 },
  { make: returnGoods, weight: 10 },
  { make: voidReturn, weight: 4 },
  { make: adjustStock, weight: 4 },
  { make: transferStock, weight: 4 },
  { make: countStock, weight: 3 },
  { make: orderGoods, weight: 3 },
  { make: receiveGoods, weight: 9 },
  { make: settlePurchase, weight: 3 },
  { make: movePoints, weight: 3 },
  { make: giveCredit, weight: 2 },
  { make: replay, weight: 5 },
  { make: changePhotos, weight: 2 },
  { make: payAtCounter, weight: 10 },
  { make: payOnline, weight: 5 },
  { make: moveMoney, weight: 5 },
  { make: reportToState, weight: 4 },
  { make: runJobs, weight: 1 },
  { make: signIn, weight: 3 },
  { make: buySignedIn, weight: 4 },
  { make: playInSandbox, weight: 2 },
];

/** The default number of moves in a year. */
/** A year of fewer moves has longer days, and none of its kinds of moves less. */
const movesOfYear = Number(process.env.SIMULATION_MOVES ?? (isLongSuite ? 500 : 220));
/** An audit reads all of the shop. A failure is repeated with the closer ones (`npm run simulate`). */
const movesBetweenAudits = isLongSuite || process.env.SIMULATION_SEED !== undefined ? 50 : 110;
const storyLength = 25;

const weekMs = 7 * 86_400_000;
const weeksOfYear = 52;

/** The weeks in which a whole catalog is sent: all in the long suite, else three or four, drawn. */
function weeksOfCatalog(seed: number): ReadonlySet<number> {
  const weeks = Array.from({ length: weeksOfYear }, (_, at) => at + 1);
  const random = seededRandom(`weeks ${seed}`);
  return new Set(isLongSuite ? weeks : random.shuffle(weeks).slice(0, random.integer(3, 4)));
}

interface TradedYear {
  readonly orders: number;
  readonly crashes: number;
  /** Jobs that a killed worker had begun, and another one finished. */
  readonly takenOver: number;
  readonly returns: number;
  /** Trips of the van that came back. */
  readonly trips: number;
  /** Payments that a provider took. */
  readonly taken: number;
  /** Whole catalogs that an integrator sent, and those of them that changed nothing. */
  readonly catalogs: number;
  readonly unchangedCatalogs: number;
}

/** A year goes on until each kind of event has happened in it. */
function lacksAKind({ crashes, trips, money, orders }: TradingWorld): boolean {
  const isTaken = money.payments.some(({ capturedCents }) => capturedCents > 0);
  return crashes === 0 || trips === 0 || !isTaken || orders.every(({ returns }) => returns.length === 0);
}

/**
 * Trades for a year, which is the same for the same seed on every machine, and continuously compares the service's
 * answers with a model's predictions. Fails with the last events and the command that repeats it.
 */
export async function tradeForYear(seed: number, moveCount = movesOfYear): Promise<TradedYear> {
  const world = await TradingWorld.open(seed, moveCount);
  const catalog = await WeeklyCatalog.open(world.service, seed);
  const weeks = weeksOfCatalog(seed);
  let latestWeek = 0;
  let at = 0;
  try {
    for (; at < moveCount || lacksAKind(world); at++) {
      const isTurn = world.advance();
      if (isTurn) await auditMenu(world);
      await world.random.pickWeighted(moves, ({ weight }) => weight).make(world);
      const week = Math.floor((world.nowMs - startMs) / weekMs);
      for (const due of weeks) if (due > latestWeek && due <= week) await catalog.sync(world);
      latestWeek = Math.max(latestWeek, week);
      if (at % movesBetweenAudits === movesBetweenAudits - 1) await audit(world);
    }
    await finishJobs(world);
    await settleMoney(world);
    await world.state.settle(world.service, world.clock);
    await auditState(world);
    await auditYear(world);
    await auditTransfers(world);
    // Moves are as far apart as they are drawn, so a year of them can end some weeks early.
    for (const week of [...weeks].toSorted((a, b) => a - b)) {
      if (week <= latestWeek) continue;
      world.clock.set(startMs + week * weekMs);
      await catalog.sync(world);
    }
    await catalog.expectEqual(world);
    return {
      orders: world.orders.length,
      crashes: world.crashes,
      takenOver: world.workers.leftBehind,
      returns: world.orders.reduce((sum, { returns }) => sum + returns.length, 0),
      trips: world.trips,
      taken: world.money.payments.filter(({ capturedCents }) => capturedCents > 0).length,
      catalogs: catalog.syncs,
      unchangedCatalogs: catalog.unchanged,
    };
  } catch (error) {
    const story = world.story.slice(-storyLength).map((line) => `  ${line}`);
    const when = new Date(world.nowMs).toISOString();
    throw new Error(
      [
        `The year of seed ${seed} went wrong at move ${at + 1}, ${when}.`,
        `Repeat it: npm run simulate -- --seed=${seed} --moves=${moveCount}`,
        'Keep it: add the seed to keptSeeds in test/simulation/trading-year.test.ts',
        'What happened last:',
        ...story,
        error instanceof Error ? error.message : String(error),
      ].join('\n'),
      { cause: error },
    );
  } finally {
    await world.close();
  }
}
