import { textMember } from '../../engines/state-reports/json-members.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { LaneParts } from './lane-parts.ts';
import { recordTurn } from './record-turn.ts';
import type { AdjustmentContent, FinishContent } from './report-adjustment.ts';
import type { Seen, Sent } from './send-receipt.ts';
import type { ReportRow } from './state-report-queries.ts';

/* Adjustments of packages at the state. Each is a difference with our number in its note, by which it is found again. */

/** What a report tells of a package. */
export function adjustmentOf({ payload }: Pick<ReportRow, 'payload'>): AdjustmentContent {
  return JSON.parse(payload) as AdjustmentContent;
}

/** What a report tells of a package that is used up. */
export function finishOf({ payload }: Pick<ReportRow, 'payload'>): FinishContent {
  return JSON.parse(payload) as FinishContent;
}

/** Sends an adjustment with the reason that the owner chose. That it is being sent is committed before the call. */
export async function sentAdjustment(parts: LaneParts, report: ReportRow): Promise<Sent> {
  const { label, quantity, unit, date, reason: own, isWaste } = adjustmentOf(report);
  const { adjustment_reason: chosen, waste_reason: ofWaste } = parts.connection;
  const reason = own ?? (isWaste ? ofWaste : null) ?? chosen;
  if (reason === null) {
    const outcome: WriteOutcome = {
      ...{ kind: 'refused', words: 'No reason is chosen that adjustments name: choose one at the license.' },
    };
    return { outcome, state: report.state, attempts: report.attempts };
  }
  await recordTurn(parts, report, 'send', { problem: null });
  parts.beat('before the call');
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

/** Takes an empty package out of the state's list. */
export async function sentFinish(parts: LaneParts, report: ReportRow): Promise<Sent> {
  await recordTurn(parts, report, 'send', { problem: null });
  parts.beat('before the call');
  const { label, date } = finishOf(report);
  const body = JSON.stringify([{ Label: label, ActualDate: date }]);
  const outcome = await parts.client.write('PUT', '/packages/v2/finish', body);
  parts.beat('after the call');
  const done = outcome.kind === 'done' ? ({ kind: 'done', ids: [] } as const) : outcome;
  return { outcome: done, state: 'sending', attempts: report.attempts + 1 };
}

/** Whether the state shows the package as finished. */
export async function seenFinish({ client }: LaneParts, report: ReportRow): Promise<Seen> {
  const read = await client.read(`/packages/v2/${encodeURIComponent(finishOf(report).label)}`);
  if (read.kind !== 'found') return { kind: 'unclear', words: read.words };
  const finishedOn = textMember(read.body, 'FinishedDate');
  const isFinished = finishedOn !== null && !finishedOn.startsWith('0001-');
  return isFinished ? { kind: 'there', recordId: null } : { kind: 'not-there' };
}

/** Looks for an adjustment by our number. The list is the control, too: who may not look gets no list. */
export async function seenAdjustment(parts: LaneParts, report: ReportRow): Promise<Seen> {
  const found = await adjustmentsThere(parts, [report]);
  if (typeof found === 'string') return { kind: 'unclear', words: found };
  return found.length > 0 ? { kind: 'there', recordId: null } : { kind: 'not-there' };
}

/** Which of the adjustments the state has; text: why that is not known. */
export async function adjustmentsThere(
  { client }: Pick<LaneParts, 'client'>,
  reports: readonly ReportRow[],
): Promise<readonly ReportRow[] | string> {
  if (reports.length === 0) return [];
  const listed = await client.list('/packages/v2/adjustments');
  if (listed.kind !== 'rows') return listed.words;
  const notes = groupBy(listed.rows, (row) => textMember(row, 'PackageLabel'));
  return reports.filter((report) =>
    notes
      .get(adjustmentOf(report).label)
      ?.some((row) => textMember(row, 'AdjustmentNote')?.includes(report.external_number) === true),
  );
}
