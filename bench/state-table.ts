import { table } from './result-tables.ts';
import type { MeasuredBacklog, MeasuredReporting, MeasuredYear, ReportingSize } from './state-row.ts';

/** Reporting may cost that part of an order. */
const shareMax = 0.1;
/** A year has to be compared in that much work. */
const yearMinutesMax = 5;
/** Calls of a license that the state lets through. */
const callsPerSecond = 50;
/** The service keeps a bit below the limit; the first and the last seconds of a backlog are not full. */
const rateShareMin = 0.9;

/** The result, as Markdown. */
export function reportingTable(
  { orders, backlog, year }: MeasuredReporting,
  { waiting, receipts }: ReportingSize,
): string {
  const { without, written, sent, readBack } = orders;
  const share = (ms: number): string => `${((100 * ms) / without).toFixed(1)} %`;
  const all = written + sent + readBack;
  const row = (name: string, ms: number) => [name, ms.toFixed(2), share(ms)];
  const rows = [
    ...(backlog === null ? [] : [backlogRow(backlog, waiting)]),
    ...(year === null ? [] : [yearRow(year, receipts)]),
  ];
  return [
    table(
      ['one order, placed to handed over', 'CPU ms', 'of the order'],
      [
        row('not reported', without),
        row(`the report, written with it ${written <= shareMax * without ? '+' : '−'}`, written),
        row('sent by the worker', sent),
        row('read back', readBack),
        [`all of reporting ${all <= shareMax * without ? '+' : '−'}`, all.toFixed(2), share(all)],
      ],
    ),
    ...(rows.length === 0 ? [] : ['', table(['', 'seconds', '', 'memory on the way, MB'], rows)]),
  ].join('\n');
}

function backlogRow({ seconds, cpuMs, refused, megabytes }: MeasuredBacklog, waiting: number): string[] {
  const perSecond = waiting / seconds;
  return [
    `${waiting.toLocaleString('en-US')} waiting reports at ${callsPerSecond} calls a second`,
    seconds.toFixed(0),
    `${perSecond.toFixed(1)}/s ${perSecond >= rateShareMin * callsPerSecond ? '+' : '−'}, ${cpuMs.toFixed(2)} CPU ms each, ${refused} put off`,
    megabytes.join(', '),
  ];
}

function yearRow({ workSeconds, reads, cpuSeconds, megabytes }: MeasuredYear, receipts: number): string[] {
  return [
    `a year of ${receipts.toLocaleString('en-US')} receipts compared`,
    workSeconds.toFixed(0),
    `${reads.toLocaleString('en-US')} reads, ${cpuSeconds.toFixed(0)} CPU s ${workSeconds <= 60 * yearMinutesMax ? '+' : '−'}`,
    megabytes.join(', '),
  ];
}
