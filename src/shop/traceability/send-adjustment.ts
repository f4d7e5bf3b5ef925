import { textMember } from '../../engines/state-reports/json-members.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { selectIsPackageHeld } from '../inventory/stock.ts';
import type { LaneParts } from './lane-parts.ts';
import type { AdjustmentContent, FinishContent } from './report-adjustment.ts';
import type { Prepared, Seen } from './send-receipt.ts';
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

/** Prepares an adjustment with the reason that the owner chose. */
export function preparedAdjustment({ client, connection }: LaneParts, report: ReportRow): Prepared {
  const { label, quantity, unit, date, reason: own, isWaste } = adjustmentOf(report);
  const reason = own ?? (isWaste ? connection.waste_reason : null) ?? connection.adjustment_reason;
  if (reason === null) {
    const words = 'No reason is chosen that adjustments name: choose one at the license.';
    return { kind: 'known', outcome: { kind: 'refused', words } };
  }
  const head = {
    ...{ Label: label, UnitOfMeasure: unit, AdjustmentReason: reason },
    ...{ AdjustmentDate: date, ReasonNote: report.external_number },
  };
  const body = `[${JSON.stringify(head).slice(0, -1)},"Quantity":${quantity}}]`;
  return {
    kind: 'call',
    call: async () => withoutIds(await client.write('POST', '/packages/v2/adjust', body)),
  };
}

/** The state hears of each sale once it is handed over, and does not finish a package before. */
const heldMs = 30 * 60_000;

/** Prepares taking an empty package out of the state's list. */
export async function preparedFinish(
  { client, context, organization }: LaneParts,
  report: ReportRow,
): Promise<Prepared> {
  const { label, date } = finishOf(report);
  const [[held]] = await context.database.read(
    organization,
    selectIsPackageHeld({ packageId: report.package_id! }),
  );
  if (held!.is_held) {
    const words = 'Orders hold goods of the package: it is finished once they are handed over.';
    return { kind: 'known', outcome: { kind: 'later', words, afterMs: heldMs } };
  }
  const body = JSON.stringify([{ Label: label, ActualDate: date }]);
  return {
    kind: 'call',
    call: async () => withoutIds(await client.write('PUT', '/packages/v2/finish', body)),
  };
}

/** The ids that the state answers are not those of receipts. */
function withoutIds(outcome: WriteOutcome): WriteOutcome {
  return outcome.kind === 'done' ? { kind: 'done', ids: [] } : outcome;
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
