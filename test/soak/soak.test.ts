import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../simulation/built-program.ts';
import { type SoakSample, type SoakState, soakShop } from './soaked-shop.ts';

/** Whether a series of samples stays level. */
interface Slope {
  /** How much the line through the samples rises from the first to the last, as a share of their mean. */
  readonly rise: number;
  /** How many times the rise is its own standard error: chance alone gives less than three. */
  readonly certainty: number;
  readonly isFlat: boolean;
}

const riseMax = 0.15;
const certaintyMin = 3;

/** The line of least squares through samples at equal distances. A rise counts if it is large and no chance. */
function slopeOf(samples: readonly number[]): Slope {
  const count = samples.length;
  const mean = samples.reduce((sum, value) => sum + value, 0) / count;
  if (count < 3 || mean === 0) return { rise: 0, certainty: 0, isFlat: true };
  const middle = (count - 1) / 2;
  let [products, squares] = [0, 0];
  for (const [at, value] of samples.entries()) {
    products += (at - middle) * (value - mean);
    squares += (at - middle) ** 2;
  }
  const slope = products / squares;
  const rest = samples.reduce((sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / squares);
  const rise = (slope * (count - 1)) / mean;
  const certainty = error === 0 ? (slope === 0 ? 0 : Number.POSITIVE_INFINITY) : slope / error;
  return { rise, certainty, isFlat: rise <= riseMax || certainty < certaintyMin };
}

/** The arguments of `npm run soak`. */
const { SOAK_HOURS: askedHours, SOAK_JSON: jsonPath, SOAK_DATABASE: database } = process.env;
const hours = Number(askedHours ?? 0);
/** With a folder for the state, a run does a part, by default the rest, and the next run goes on. */
const { SOAK_STATE: stateFolder, SOAK_PART: askedPart } = process.env;
const samplesWanted = 120;
/** A sample is of ten seconds at least, so that its percentiles mean something. */
const sampleMsMin = 10_000;
/** Memory and caches fill in the first third. */
const warmUpShare = 1 / 3;

const judged: Readonly<Record<string, (sample: SoakSample) => number>> = {
  'memory of the program, MB': ({ programBytes }) => programBytes / 1e6,
  'memory of the database, MB': ({ databaseBytes }) => databaseBytes / 1e6,
  connections: ({ connections }) => connections,
  'half of the orders, ms': ({ medianMs }) => medianMs,
  '99 of 100 orders, ms': ({ p99Ms }) => p99Ms,
};

/** Bytes of disk that each order takes: orders are kept, so the disk grows, but no faster than they come. */
function diskPerOrder(samples: readonly SoakSample[]): number[] {
  return samples
    .slice(1)
    .map((sample, at) => (sample.diskBytes - samples[at]!.diskBytes) / Math.max(1, sample.orders));
}

test.runIf(hours > 0)(
  `memory, connections, disk and latencies stay level for ${hours} hours at a third of what the machine can do`,
  async () => {
    // On the disk, as a shop's: hours of orders do not fit into memory.
    const built = await buildProgram('/var/tmp');
    const statePath = join(stateFolder ?? built.folder, 'soak.json');
    mkdirSync(stateFolder ?? built.folder, { recursive: true });
    const former: SoakState | undefined = existsSync(statePath)
      ? JSON.parse(readFileSync(statePath, 'utf8'))
      : undefined;
    const doneMs = 1_000 * (former?.parts ?? []).reduce((sum, part) => sum + lengthOf(part), 0);
    const totalMs = hours * 3_600_000;
    const partMs = Math.min(totalMs - doneMs, Number(askedPart ?? hours) * 3_600_000);
    const everyMs = Math.max(sampleMsMin, totalMs / samplesWanted);
    const dataDir = join(stateFolder ?? built.folder, 'data');
    const shop = await soakShop(built, { dataDir, database, former });
    let state = former as SoakState;
    try {
      await shop.sample(partMs, everyMs, (now) => {
        state = now;
        // A part that is killed counts up to here.
        writeFileSync(`${statePath}.new`, JSON.stringify(state));
        renameSync(`${statePath}.new`, statePath);
      });
    } finally {
      await shop.close();
      await built.remove();
    }
    const samples = state.parts.flat();
    // A part begins with a cold program.
    const settled = state.parts.flatMap((part) => part.slice(Math.floor(part.length * warmUpShare)));
    const results = new Map<string, { values: number[]; slope: Slope }>();
    for (const [name, figureOf] of Object.entries(judged)) {
      const values = settled.map(figureOf);
      results.set(name, { values, slope: slopeOf(values) });
    }
    const disk = state.parts
      .flatMap((part) => diskPerOrder(part.slice(Math.floor(part.length * warmUpShare))))
      .map((bytes) => bytes / 1_000);
    results.set('disk of an order, kB', { values: disk, slope: slopeOf(disk) });
    console.log(report(results, shop.capacityPerSecond, shop.ordersPerSecond, state.parts));
    if (jsonPath !== undefined) writeFileSync(jsonPath, JSON.stringify({ samples }, null, 2));
    expect(state.faults).toEqual([]);
    expect(samples.length).toBeGreaterThan(3);
    const risen = [...results].filter(([, { slope }]) => !slope.isFlat).map(([name]) => name);
    expect(risen).toEqual([]);
  },
  (hours + 1) * 3_600_000,
);

/** The seconds of a part. */
function lengthOf(part: readonly SoakSample[]): number {
  const [first, last] = [part[0], part.at(-1)];
  // The first sample ends one distance after the beginning.
  return first === undefined || part.length < 2
    ? 0
    : ((last!.seconds - first.seconds) * part.length) / (part.length - 1);
}

function report(
  results: ReadonlyMap<string, { readonly values: readonly number[]; readonly slope: Slope }>,
  capacity: number,
  rate: number,
  parts: readonly (readonly SoakSample[])[],
): string {
  const samples = parts.flat();
  const seconds = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const orders = samples.reduce((sum, sample) => sum + sample.orders, 0);
  const figure = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const rows = [...results].map(([name, { values, slope }]) => {
    const share = `${(slope.rise * 100).toFixed(1)} %`;
    return `| ${name} | ${figure(values[0] ?? 0)} | ${figure(values.at(-1) ?? 0)} | ${share} | ${slope.isFlat ? 'flat' : 'RISES'} |`;
  });
  return [
    `${orders} orders in ${Math.round(seconds)} s of ${hours * 3_600} in ${parts.length} parts, ${rate.toFixed(1)} a second of ${capacity.toFixed(1)} possible; ${samples.length} samples.`,
    '| | first | last | rise | |',
    '| --- | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

test('a rise is told from chance', () => {
  const wave = Array.from({ length: 60 }, (_, at) => 100 + 10 * Math.sin(at));
  expect(slopeOf(wave).isFlat).toBe(true);
  expect(slopeOf(wave.map((value, at) => value + at))).toMatchObject({ isFlat: false });
  // Small, however certain.
  expect(slopeOf(Array.from({ length: 60 }, (_, at) => 1_000 + at)).isFlat).toBe(true);
  expect(slopeOf(wave.map((value, at) => value - at)).isFlat).toBe(true);
  expect(slopeOf([5, 5, 5, 5]).isFlat).toBe(true);
  expect(slopeOf([1, 9]).isFlat).toBe(true);
});
