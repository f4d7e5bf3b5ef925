import type { Queued } from '../../engines/state-reports/report-lifecycle.ts';
import { isOfTrip, type ReportRow } from './state-report-queries.ts';
import { tripContentOf } from './told-trips.ts';

/** A report in the order in which reports go out. */
export function queuedAs(report: ReportRow, nowMs: number): Queued & ReportRow {
  return { ...report, isDue: report.next_at <= nowMs, ...namesOf(report) };
}

/**
 * What a report waits for, and what waits for it. The steps of a trip follow each other; all but its loading deal with what is in the
 * vehicle by then, so that a counter's sale which the state does not take while the package is on a ledger does not hold back the end of
 * that ledger.
 */
function namesOf(report: ReportRow): Pick<Queued, 'waitsFor' | 'holdsBack' | 'oneByOne'> {
  const order = report.order_id === null ? [] : [`order ${report.order_id}`];
  if (!isOfTrip(report)) {
    const names = [...report.packages, ...order];
    // Accepted orders can hold the last of a package that is finished: their sales go out before it.
    const isNotSent = report.kind === 'finish' && (report.state === 'waiting' || report.state === 'refused');
    return { waitsFor: names, holdsBack: isNotSent ? [] : names, oneByOne: order };
  }
  const trip = tripContentOf(report).way === 'ledger' ? [`trip ${report.trip_id}`] : [];
  const steps = [...trip, ...order];
  const gives = !(report.kind === 'departure' || report.kind === 'delivery');
  const isBack = report.kind === 'delivery' && trip.length === 0;
  return {
    waitsFor: report.kind === 'trip' ? [...steps, ...report.packages] : steps,
    holdsBack: gives || isBack ? [...steps, ...report.packages] : steps,
    oneByOne: steps,
  };
}
