import { textMember } from '../../engines/state-reports/json-members.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import type { LaneParts } from './lane-parts.ts';
import { recordTurn } from './record-turn.ts';
import type { AdjustmentContent } from './report-adjustment.ts';
import type { Seen, Sent } from './send-receipt.ts';
import type { ReportRow } from './state-report-queries.ts';

/* Adjustments of packages at the state. Each is a difference with our number in its note, by which it is found again. */

/** What a report tells of a package. */
export function adjustmentOf({ payload }: Pick<ReportRow, 'payload'>): AdjustmentContent {
  return JSON.parse(payload) as AdjustmentContent;
}

/** Sends an adjustment with the reason that the owner chose. That it is being sent is committed before the call. */
export async function sentAdjustment(parts: LaneParts, report: ReportRow): Promise<Sent> {
  const reason = parts.connection.adjustment_reason;
  if (reason === null) {
    const outcome: WriteOutcome = {
      ...{ kind: 'refused', words: 'No reason is chosen that adjustments name: choose one at the license.' },
    };
    return { outcome, state: report.state, attempts: report.attempts };
  }
  await recordTurn(parts, report, 'send', { problem: null });
  parts.beat('before the call');
  const { label, quantity, unit, date } = adjustmentOf(report);
  const head = {
    ...{ Label: label, UnitOfMeasure: unit, AdjustmentReason: reason },
    ...{ AdjustmentDate: date, ReasonNote: report.external_number },
  };
  const body = `[${JSON.stringify(head).slice(0, -1)},"Quantity":${quantity}}]`;
  const outcome = await parts.client.write('POST', '/packages/v2/adjust', body);
  parts.beat('after the call');
  const done = outcome.kind === 'done' ? ({ kind: 'done', ids: [] } as const) : outcome;
  return { outcome: done, state: 'sending', attempts: report.attempts + 1 };
}

/** Looks for an adjustment by our number. The list is the control, too: who may not look gets no list. */
export async function seenAdjustment({ client }: LaneParts, report: ReportRow): Promise<Seen> {
  const { label } = adjustmentOf(report);
  const listed = await client.list('/packages/v2/adjustments');
  if (listed.kind !== 'rows') return { kind: 'unclear', words: listed.words };
  const isIt = (row: unknown) =>
    textMember(row, 'PackageLabel') === label &&
    textMember(row, 'AdjustmentNote')?.includes(report.external_number) === true;
  return listed.rows.some(isIt) ? { kind: 'there', recordId: null } : { kind: 'not-there' };
}
