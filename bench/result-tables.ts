import type { MeasuredRow } from './bench-row.ts';
import type { EngineSpeed } from './pricing-engine.ts';

/** Baselines, ours and ratios at 8 connections, as Markdown. */
export function ratioTable(rows: readonly MeasuredRow[]): string {
  return table(
    [
      'work',
      'baseline/s',
      'ours/s',
      'ratio',
      'target',
      'goal',
      'p50 ms',
      'p99 ms',
      'server CPU ms',
      'database CPU ms',
      'statements',
      'round trips',
    ],
    rows.map((row) => [
      row.work,
      count(row.baselineOpsPerSecond),
      count(row.oursOpsPerSecond),
      `${row.ratio.toFixed(2)}${row.ratio >= row.goal ? ' ++' : row.ratio >= row.target ? ' +' : ' −'}`,
      row.target.toFixed(2),
      row.goal.toFixed(2),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      row.serverCpuMs.toFixed(3),
      row.databaseCpuMs.toFixed(3),
      String(row.statements),
      String(row.roundTrips),
    ]),
  );
}

/** Ours at other numbers of connections, and the ratio to the baseline where it was measured there, as Markdown. */
export function concurrencyTable(rows: readonly MeasuredRow[]): string {
  const concurrencies = rows[0]?.beside.map(({ concurrency }) => concurrency) ?? [];
  return table(
    [
      'work',
      ...concurrencies.flatMap((concurrency) => [`${concurrency}: ours/s`, 'ratio', 'p50 ms', 'p99 ms']),
    ],
    rows.map((row) => [
      row.work,
      ...row.beside.flatMap(({ opsPerSecond, ratio, p50Ms, p99Ms }) => [
        count(opsPerSecond),
        Number.isNaN(ratio) ? '' : ratio.toFixed(2),
        p50Ms.toFixed(2),
        p99Ms.toFixed(2),
      ]),
    ]),
  );
}

/** The pricing function alone, as Markdown. */
export function engineTable(speeds: readonly EngineSpeed[]): string {
  return table(
    ['the pricing function alone', 'carts/s', 'µs per line and discount'],
    speeds.map(({ what, cartsPerSecond, microsecondsPerPair }) => [
      what,
      count(cartsPerSecond),
      microsecondsPerPair.toFixed(2),
    ]),
  );
}

/**
 * The effect of depth and size on the time of a list's page, against the first row, as Markdown. The machine's speed
 * can change in the minutes between rows; the time in units of the row's own baseline is independent of it.
 */
export function pageTable([first, ...others]: readonly MeasuredRow[]): string {
  const change = (of: (row: MeasuredRow) => number, row: MeasuredRow): string =>
    `${Math.round((of(row) / of(first!) - 1) * 100)} %`;
  const cpuMs = (row: MeasuredRow): number => row.serverCpuMs + row.databaseCpuMs;
  return table(
    [`against ${first!.work}`, 'time in baselines', 'time (p50)', 'CPU, server and database'],
    others.map((row) => [
      row.work,
      change((one) => 1 / one.ratio, row),
      change((one) => one.p50Ms, row),
      change(cpuMs, row),
    ]),
  );
}

/** Markdown. The first column is text, the others are numbers. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  return [line(head), rule, ...body.map(line)].join('\n');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
