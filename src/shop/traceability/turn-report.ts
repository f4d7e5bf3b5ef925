import { afterTurn, openStates, type ReportTurn } from '../../engines/state-reports/report-lifecycle.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type ReportRow, setReportStates, type TurnRow } from './state-report-queries.ts';

/** What a turn changes besides the state. */
export interface TurnFacts {
  readonly problem: string | null;
  /** When it is sent or looked for next; absent: now. */
  readonly nextAtMs?: number;
  readonly recordId?: number | null;
  readonly staffId?: number | null;
}

type TurnedReport = Pick<ReportRow, 'id' | 'state' | 'attempts'>;

/** A report, what happens to it, and what that changes besides. */
export interface Turn<Report extends TurnedReport = ReportRow> {
  readonly report: Report;
  readonly turn: ReportTurn;
  readonly facts: TurnFacts;
}

/** The statement that takes a report from its state to the next one. The turn has to be possible. */
export function turnStatement(report: TurnedReport, turn: ReportTurn, facts: TurnFacts, nowMs: number) {
  return turnStatements([{ report, turn, facts }], nowMs);
}

/** The statement that takes reports from their states to the next ones. The turns have to be possible. */
export function turnStatements(turns: readonly Turn<TurnedReport>[], nowMs: number) {
  const rows = turns.map((it) => turnRow(it, nowMs));
  return setReportStates({ rows: JSON.stringify(rows), at: isoTimestamp(nowMs) });
}

function turnRow({ report, turn, facts }: Turn<TurnedReport>, nowMs: number): TurnRow {
  const { problem, nextAtMs, recordId = null, staffId = null } = facts;
  const to = afterTurn(report.state, turn);
  assert(to !== null, () => `a report that is ${report.state} can ${turn}`);
  const at = isoTimestamp(nowMs);
  return {
    ...{ id: report.id, from: report.state, to, problem, record_id: recordId, staff_id: staffId },
    attempts: report.attempts + (turn === 'send' ? 1 : 0),
    next_at: isoTimestamp(nextAtMs ?? nowMs),
    sent_at: turn === 'send' ? at : null,
    settled_at: openStates.includes(to) ? null : at,
  };
}
