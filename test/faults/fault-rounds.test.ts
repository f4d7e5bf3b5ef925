import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { type BuiltProgram, buildProgram } from '../simulation/built-program.ts';
import { partsOf, type Round, readFigures, tableOf, writeFigures } from './fault-figures.ts';
import { allFaults, type Fault } from './fault-kinds.ts';
import { type FaultyWorld, openWorld, Parts, type Place } from './faulty-world.ts';
import { machineIsFree } from './free-machine.ts';
import { nextChange } from './moved-clock.ts';

/** The arguments of `npm run faults`. */
const {
  FAULTS_ROUNDS: askedRounds,
  FAULTS_ONLY: only,
  FAULTS_SEED: askedSeed,
  FAULTS_JSON: jsonPath,
  FAULTS_ADD_TO: sumPath,
} = process.env;
const isAsked = askedRounds !== undefined;
/** All of them in the long suite; in `npm test` one of each part that other files end less often, on one deployment. */
const inEveryRun = ['damaged-file', 'client-resets'];
const isWhole = isAsked || isLongSuite;
const seed = askedSeed === undefined ? randomInt(1_000_000) : Number(askedSeed);

/** Orders of more rounds would only make each look at all data longer. */
const roundsOfWorld = 12;
/** Deployments at a time: most of a round is waiting, and most faults are those of embedded ones. */
const lanesAt: Readonly<Record<Place, number>> = {
  embedded: 3,
  'small disk': 1,
  'behind a wire': 1,
  'by a moved clock': 1,
};

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildProgram();
});
afterAll(() => built.remove());

async function runRound(fault: Fault, world: FaultyWorld, round: number): Promise<Round> {
  const beganMs = performance.now();
  const parts = new Parts();
  const ended = (
    outcome: Round['outcome'],
    words: readonly string[],
    recoveryMs: number | null = null,
    partsMs: Round['partsMs'] = {},
  ): Round => ({
    ...{ fault: fault.name, outcome, recoveryMs, words, partsMs: { ...parts.ms, ...partsMs } },
    counts: recoveryMs === null ? null : world.takeCounts(),
    tookMs: Math.round(performance.now() - beganMs),
  });
  world.takeCounts();
  try {
    await world.trade();
    parts.end('orders before');
    const reason = await fault.run(world, seededRandom(`${seed} ${fault.name} ${round}`));
    parts.end('fault');
    if (reason !== null) return ended('not run', [reason]);
    const { recoveryMs, faults, partsMs } = await world.recover();
    return ended(faults.length === 0 ? 'passed' : 'FAILED', faults, recoveryMs, partsMs);
  } catch (error) {
    return ended('FAILED', [String((error as Error).stack)]);
  }
}

interface Task {
  readonly fault: Fault;
  readonly round: number;
}

/** Takes tasks of one place until none is left, each some on a deployment of their own. */
async function runLane(place: Place, tasks: Task[], onRound: (round: Round) => void): Promise<void> {
  const without = (task: Task, outcome: 'FAILED' | 'not run', why: string) =>
    onRound({
      ...{ fault: task.fault.name, outcome, recoveryMs: null, tookMs: 0, partsMs: {}, counts: null },
      words: [why],
    });
  while (tasks.length > 0) {
    if (isWhole) await machineIsFree();
    const world = await openWorld(built, place).catch((error: Error) => error);
    if (typeof world === 'string') {
      for (const task of tasks.splice(0)) without(task, 'not run', world);
      return;
    }
    if (world instanceof Error) {
      const task = tasks.shift();
      if (task !== undefined) without(task, 'FAILED', `no deployment: ${world.stack}`);
      continue;
    }
    try {
      for (let done = 0; done < roundsOfWorld && tasks.length > 0; done += 1) {
        // Its own load would keep the machine busy, and every order is looked at.
        await world.load.pause();
        if (isWhole) await machineIsFree();
        world.load.resume();
        const task = tasks.shift();
        if (task === undefined) break;
        const { fault, round } = task;
        const result = await runRound(fault, world, round);
        onRound(result);
        // What a fault broke must not fail the rounds of others.
        if (result.outcome === 'FAILED') break;
      }
    } finally {
      await world.close();
    }
  }
}

test(
  'after every fault the program goes on by itself, every answered order is there once, and verify finds nothing',
  async () => {
    const chosen = allFaults.filter(({ name }) =>
      isWhole ? only === undefined || name.includes(only) : inEveryRun.includes(name),
    );
    expect(chosen.length).toBeGreaterThan(isWhole ? 0 : inEveryRun.length - 1);
    const rounds = Number(askedRounds ?? 1);
    const before = sumPath === undefined ? readFigures('') : readFigures(sumPath);
    const results: Round[] = [];
    const onRound = (round: Round) => {
      results.push(round);
      const { fault, outcome, tookMs, words } = round;
      console.log(`${results.length} ${fault}: ${outcome} ${tookMs} ms ${words.join('; ').slice(0, 1_000)}`);
      if (jsonPath !== undefined) writeFigures(jsonPath, { seeds: [seed], results });
      if (sumPath !== undefined) {
        writeFigures(sumPath, { seeds: [...before.seeds, seed], results: [...before.results, ...results] });
      }
    };
    const places = [...new Set(chosen.map((fault) => fault.place))];
    await Promise.all(
      places.flatMap((place) => {
        const own = chosen.filter((fault) => fault.place === place);
        const tasks = Array.from({ length: rounds }, (_, round) =>
          own.map((fault) => ({ fault, round })),
        ).flat();
        const lanes = Math.min(lanesAt[place], Math.ceil(tasks.length / 4));
        return Array.from({ length: lanes }, () => runLane(place, tasks, onRound));
      }),
    );
    const all = [...before.results, ...results];
    const notRun = new Map(
      results.filter(({ outcome }) => outcome === 'not run').map(({ fault, words }) => [fault, words[0]]),
    );
    console.log(
      [
        `Seed ${seed}`,
        tableOf(all),
        `A round: ${partsOf(all)}`,
        ...[...notRun].map(([fault, why]) => `not run: ${fault}: ${why}`),
      ].join('\n'),
    );
    expect(results.filter(({ outcome }) => outcome === 'FAILED')).toEqual([]);
    expect(all.some(({ outcome }) => outcome === 'passed')).toBe(true);
  },
  isWhole ? 12 * 3_600_000 : 300_000,
);

test('faults have different names, which --only finds', () => {
  const names = allFaults.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(15);
});

test('the changes of both ways are found', () => {
  const zone = 'America/Los_Angeles';
  const after = Date.UTC(2026, 10, 26);
  expect(new Date(nextChange(zone, 'forward', after)).toISOString()).toBe('2027-03-14T10:00:00.000Z');
  expect(new Date(nextChange(zone, 'back', after)).toISOString()).toBe('2027-11-07T09:00:00.000Z');
});
