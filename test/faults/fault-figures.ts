import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { LoadCounts } from './fault-load.ts';

/** One fault, the recovery from it, and the look at all data. */
export interface Round {
  readonly fault: string;
  readonly outcome: 'passed' | 'FAILED' | 'not run';
  readonly recoveryMs: number | null;
  /** From the load before the fault to the end of the look at all data. */
  readonly tookMs: number;
  /** Where the time went, by part. */
  readonly partsMs: Readonly<Record<string, number>>;
  readonly counts: LoadCounts | null;
  readonly words: readonly string[];
}

/** The figures of one run, or of several that were added up. */
interface Figures {
  readonly seeds: readonly number[];
  readonly results: readonly Round[];
}

export function readFigures(path: string): Figures {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { seeds: [], results: [] };
}

/** Whole at every moment: a long run may be killed. */
export function writeFigures(path: string, figures: Figures): void {
  writeFileSync(`${path}.new`, JSON.stringify(figures));
  renameSync(`${path}.new`, path);
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);

function rowOf(name: string, own: readonly Round[]): string {
  const of = (outcome: Round['outcome']) => own.filter((round) => round.outcome === outcome).length;
  const ran = own.filter(({ outcome }) => outcome !== 'not run');
  const recoveries = ran.flatMap(({ recoveryMs }) => recoveryMs ?? []).sort((one, other) => one - other);
  const meanMs = ran.reduce((total, { tookMs }) => total + tookMs, 0) / Math.max(1, ran.length);
  const sum = (count: 'orders' | 'replays' | 'steps' | 'returns') =>
    own.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0);
  const cells = [
    ...[name, of('passed'), of('FAILED'), of('not run')],
    inSeconds(recoveries[Math.floor(recoveries.length / 2)] ?? 0),
    ...[inSeconds(recoveries.at(-1) ?? 0), inSeconds(meanMs)],
    ...[sum('orders'), sum('replays'), sum('steps'), sum('returns')],
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The figures by fault, and of all together. */
export function tableOf(results: readonly Round[]): string {
  const names = [...new Set(results.map(({ fault }) => fault))];
  return [
    '| Fault | passed | failed | not run | recovery, s (median) | (slowest) | round, s | orders | replays | steps | returns |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...names.map((name) =>
      rowOf(
        name,
        results.filter(({ fault }) => fault === name),
      ),
    ),
    rowOf('all', results),
  ].join('\n');
}

/** Where the mean round's time goes. */
export function partsOf(results: readonly Round[]): string {
  const ran = results.filter(({ outcome }) => outcome === 'passed');
  const names = [...new Set(ran.flatMap(({ partsMs }) => Object.keys(partsMs)))];
  const mean = (name: string) =>
    ran.reduce((total, { partsMs }) => total + (partsMs[name] ?? 0), 0) / Math.max(1, ran.length);
  return names.map((name) => `${name} ${inSeconds(mean(name))} s`).join(', ');
}
