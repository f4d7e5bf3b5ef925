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
  readonly counts: ReturnType<FaultyWorld['takeCounts']> | null;
  readonly words: readonly string[];
}

let built: BuiltProgram;
beforeAll(async () => {
  if (isAsked || isLongSuite) built = await buildProgram();
});
afterAll(() => built?.remove());

async function runRound(fault: Fault, world: FaultyWorld, round: number): Promise<Round> {
  world.takeCounts();
  try {
    await world.trade();
    const reason = await fault.run(world, seededRandom(`${seed} ${fault.name} ${round}`));
    if (reason !== null)
      return { fault: fault.name, outcome: 'not run', recoveryMs: null, counts: null, words: [reason] };
    const { recoveryMs, faults } = await world.recover();
    const outcome = faults.length === 0 ? 'passed' : 'FAILED';
    return { fault: fault.name, outcome, recoveryMs, counts: world.takeCounts(), words: faults };
  } catch (error) {
    return {
      fault: fault.name,
      outcome: 'FAILED',
      recoveryMs: null,
      counts: null,
      words: [String((error as Error).stack)],
    };
  }
}

/** All rounds of the faults of one place, one fault after the other, on one deployment that goes on. */
async function runPlace(faults: readonly Fault[], rounds: number): Promise<Round[]> {
  const results: Round[] = [];
  const world = await openWorld(built, faults[0]!.place);
  if (typeof world === 'string') {
    return faults.map(({ name }) => ({
      ...{ fault: name, outcome: 'not run', recoveryMs: null, counts: null, words: [world] },
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
    const sum = (count: 'orders' | 'replays' | 'steps' | 'returns') =>
      own.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0);
    return `| ${name} | ${of('passed')} | ${of('FAILED')} | ${of('not run')} | ${(slowest / 1_000).toFixed(1)} | ${sum('orders')} | ${sum('replays')} | ${sum('steps')} | ${sum('returns')} |`;
  });
  return [
    '| Fault | passed | failed | not run | slowest recovery, s | orders | replays | steps | returns |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

test.runIf(isAsked || isLongSuite)(
  'after every fault the program goes on by itself, every answered order is there once, and verify finds nothing',
  async () => {
    const chosen = allFaults.filter(({ name }) => only === undefined || name.includes(only));
    expect(chosen.length).toBeGreaterThan(0);
    const rounds = Number(askedRounds ?? 1);
    const results: Round[] = [];
    for (const place of new Set(chosen.map((fault) => fault.place))) {
      results.push(
        ...(await runPlace(
          chosen.filter((fault) => fault.place === place),
          rounds,
        )),
      );
    }
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
