import { afterTurn, openStates, type ReportTurn } from '../../engines/state-reports/report-lifecycle.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type ReportRow, setReportState } from './state-report-queries.ts';

/** What a turn changes besides the state. */
export interface TurnFacts {
  readonly problem: string | null;
  /** When it is sent or looked for next; absent: now. */
  readonly nextAtMs?: number;
  readonly recordId?: number | null;
  readonly staffId?: number | null;
}

/** The statement that takes a report from its state to the next one. The turn has to be possible. */
export function turnStatement(
  report: Pick<ReportRow, 'id' | 'state' | 'attempts'>,
  turn: ReportTurn,
  { problem, nextAtMs, recordId = null, staffId = null }: TurnFacts,
  nowMs: number,
) {
  const to = afterTurn(report.state, turn);
  assert(to !== null, () => `a report that is ${report.state} can ${turn}`);
  const at = isoTimestamp(nowMs);
  return setReportState({
    ...{ id: report.id, from: report.state, to, problem, recordId, staffId, at },
    attempts: report.attempts + (turn === 'send' ? 1 : 0),
    nextAt: isoTimestamp(nextAtMs ?? nowMs),
    sentAt: turn === 'send' ? at : null,
    settledAt: openStates.includes(to) ? null : at,
  });
}
