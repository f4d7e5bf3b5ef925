import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { type BuiltProgram, buildProgram } from '../simulation/built-program.ts';
import { allFaults, type Fault } from './fault-kinds.ts';
import { type FaultyWorld, openWorld } from './faulty-world.ts';

/** The arguments of `npm run faults`. */
const {
  FAULTS_ROUNDS: askedRounds,
  FAULTS_ONLY: only,
  FAULTS_SEED: askedSeed,
  FAULTS_JSON: jsonPath,
} = process.env;
const isAsked = askedRounds !== undefined;
const seed = askedSeed === undefined ? randomInt(1_000_000) : Number(askedSeed);

interface Round {
  readonly fault: string;
  readonly outcome: 'passed' | 'FAILED' | 'not run';
  readonly recoveryMs: number | null;
  /** From the load before the fault to the end of the look at all data. */
  readonly tookMs: number;
  readonly counts: ReturnType<FaultyWorld['takeCounts']> | null;
  readonly words: readonly string[];
}

let built: BuiltProgram;
beforeAll(async () => {
  if (isAsked || isLongSuite) built = await buildProgram();
});
afterAll(() => built?.remove());

async function runRound(fault: Fault, world: FaultyWorld, round: number): Promise<Round> {
  const beganMs = performance.now();
  const ended = (outcome: Round['outcome'], words: readonly string[], recoveryMs: number | null = null) => {
    const counts = recoveryMs === null ? null : world.takeCounts();
    const tookMs = Math.round(performance.now() - beganMs);
    return { fault: fault.name, outcome, recoveryMs, tookMs, counts, words };
  };
  world.takeCounts();
  try {
    await world.trade();
    const reason = await fault.run(world, seededRandom(`${seed} ${fault.name} ${round}`));
    if (reason !== null) return ended('not run', [reason]);
    const { recoveryMs, faults } = await world.recover();
    return ended(faults.length === 0 ? 'passed' : 'FAILED', faults, recoveryMs);
  } catch (error) {
    return ended('FAILED', [String((error as Error).stack)]);
  }
}

/** All rounds of the faults of one place, one fault after the other, on one deployment that goes on. */
async function runPlace(faults: readonly Fault[], rounds: number): Promise<Round[]> {
  const results: Round[] = [];
  const beganMs = performance.now();
  const world = await openWorld(built, faults[0]!.place);
  console.log(`${faults[0]!.place}: open after ${Math.round(performance.now() - beganMs)} ms`);
  if (typeof world === 'string') {
    return faults.map(({ name }) => ({
      ...{ fault: name, outcome: 'not run', recoveryMs: null, tookMs: 0, counts: null, words: [world] },
    }));
  }
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const fault of faults) {
        const result = await runRound(fault, world, round);
        console.log(`${fault.name}: ${result.outcome} ${result.words.join('; ').slice(0, 500)}`);
        results.push(result);
      }
    }
  } finally {
    await world.close();
  }
  return results;
}

function tableOf(results: readonly Round[]): string {
  const names = [...new Set(results.map(({ fault }) => fault))];
  const rows = names.map((name) => {
    const own = results.filter(({ fault }) => fault === name);
    const of = (outcome: Round['outcome']) => own.filter((round) => round.outcome === outcome).length;
    const slowest = Math.max(0, ...own.map(({ recoveryMs }) => recoveryMs ?? 0));
    const meanMs = own.reduce((total, { tookMs }) => total + tookMs, 0) / own.length;
    const sum = (count: 'orders' | 'replays' | 'steps' | 'returns') =>
      own.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0);
    return `| ${name} | ${of('passed')} | ${of('FAILED')} | ${of('not run')} | ${(slowest / 1_000).toFixed(1)} | ${(meanMs / 1_000).toFixed(1)} | ${sum('orders')} | ${sum('replays')} | ${sum('steps')} | ${sum('returns')} |`;
  });
  return [
    '| Fault | passed | failed | not run | slowest recovery, s | round, s | orders | replays | steps | returns |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

test.runIf(isAsked || isLongSuite)(
  'after every fault the program goes on by itself, every answered order is there once, and verify finds nothing',
  async () => {
    const chosen = allFaults.filter(({ name }) => only === undefined || name.includes(only));
    expect(chosen.length).toBeGreaterThan(0);
    const rounds = Number(askedRounds ?? 1);
    // Each place has a program and a database of its own, and most of a round is waiting: they wait at the same time.
    const places = [...new Set(chosen.map((fault) => fault.place))];
    const ofPlaces = await Promise.all(
      places.map((place) =>
        runPlace(
          chosen.filter((fault) => fault.place === place),
          rounds,
        ),
      ),
    );
    const results = ofPlaces.flat();
    const notRun = new Map(
      results.filter(({ outcome }) => outcome === 'not run').map(({ fault, words }) => [fault, words[0]]),
    );
    console.log(
      [
        `Seed ${seed}`,
        tableOf(results),
        ...[...notRun].map(([fault, why]) => `not run: ${fault}: ${why}`),
      ].join('\n'),
    );
    if (jsonPath !== undefined) writeFileSync(jsonPath, JSON.stringify({ seed, results }, null, 2));
    expect(results.filter(({ outcome }) => outcome === 'FAILED')).toEqual([]);
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true);
  },
  6 * 3_600_000,
);

test('faults have different names, which --only finds', () => {
  const names = allFaults.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(15);
});
