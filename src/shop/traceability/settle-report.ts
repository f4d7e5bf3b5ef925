import { hash } from 'node:crypto';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { afterTurn } from '../../engines/state-reports/report-lifecycle.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { announceReports } from './announce-report.ts';
import {
  insertReports,
  insertSteps,
  isReceipt,
  lockOrderOfReport,
  lockReportsLike,
  type ReportRow,
  selectReceiptOfRecord,
} from './state-report-queries.ts';
import { turnStatement } from './turn-report.ts';

/**
 * A person has entered a report on the state's website: it is no longer sent. Fails with STATE_REPORT_NOT_FOUND, and with
 * INVALID_REPORT_TURN for one that is settled or under way.
 */
export async function enterByHand(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  by: { readonly staffId: number; readonly note: string },
): Promise<void> {
  await settled(context, origin, organization, id, 'entered by hand', async (tx, reports, nowMs) => {
    const report = reportIn(reports, id);
    if (afterTurn(report.state, 'enter-by-hand') === null) throw cannot(report, 'enter-by-hand');
    const stepId = await context.ids.takeOne();
    tx.queue(
      turnStatement(report, 'enter-by-hand', { problem: null, staffId: by.staffId }, nowMs),
      ...insertSteps([
        {
          ...{ reportId: id, id: stepId, state: 'done-by-hand', createdAt: isoTimestamp(nowMs) },
          words: `Entered on the state's website. ${by.note}`.trim(),
        },
      ]),
    );
    await announceReports(tx, context, nowMs, [{ event: 'order.reported', report }]);
  });
}

/**
 * Sends what a report says again, as a new report under a new number: after a refusal, or when the state has it no longer as it was
 * sent. Resolves to the id of the new one. Fails with STATE_REPORT_NOT_FOUND, and with INVALID_REPORT_TURN for a report that is
 * under way, or is not the last of its sale.
 */
export async function sendAgain(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<number> {
  const [newId, stepId, oldStepId] = await context.ids.take(3);
  await settled(context, origin, organization, id, 'sent again', async (tx, reports, nowMs) => {
    const report = reportIn(reports, id);
    const isLast = reports.at(-1)!.id === id;
    const isOfStock = !isReceipt(report);
    const isUnderWay = ['waiting', 'sending', 'unknown', 'superseded'].includes(report.state);
    // An adjustment that the state has would count twice.
    const isOver = isOfStock && report.state !== 'refused';
    if (!isLast || isUnderWay || isOver) throw cannot(report, 'send-again');
    const at = isoTimestamp(nowMs);
    const revision = report.revision + 1;
    const recordId = reports.findLast(({ state }) => state === 'accepted')?.state_record_id ?? null;
    const [[receipt]] = await tx.run(
      recordId === null ? null : selectReceiptOfRecord({ connectionId: report.connection_id, recordId }),
    );
    const isThere = recordId !== null && receipt?.is_void !== true;
    const { payload } = report;
    tx.queue(
      insertReports({
        ...{ id: newId!, connectionId: report.connection_id, orderId: report.order_id, revision },
        kind: isOfStock ? report.kind : kindOf(report, isThere),
        ...{
          orderNumber: report.order_number,
          tripId: report.trip_id,
          packageId: report.package_id,
          payload,
          digest: hash('sha256', payload),
        },
        externalNumber: externalNumber(
          isOfStock ? `${report.external_number[0]}${newId}` : report.order_number!,
          revision,
        ),
        ...{ packages: new TextArray(report.packages), state: 'waiting', problem: null, at },
        occurredAt: isoTimestamp(report.occurred_at),
        dueAt: report.due_at === null ? null : isoTimestamp(report.due_at),
        alarmAt: isoTimestamp(report.alarm_at),
      }),
      ...insertSteps([
        {
          ...{ reportId: newId!, id: stepId!, state: 'waiting', createdAt: at },
          words: `Sent again by a person, after ${report.external_number}.`,
        },
      ]),
    );
    if (report.state !== 'refused') return;
    tx.queue(
      turnStatement(report, 'overtake', { problem: report.problem }, nowMs),
      ...insertSteps([
        {
          ...{ reportId: id, id: oldStepId!, state: 'superseded', createdAt: at },
          words: 'A person sends it again under a new number.',
        },
      ]),
    );
  });
  return newId!;
}

/** A receipt that is there is corrected; otherwise it is made anew. */
function kindOf({ kind }: ReportRow, isThere: boolean): ReportRow['kind'] {
  if (!isThere) return 'sale';
  return kind === 'sale' ? 'correction' : kind;
}

async function settled(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  how: string,
  work: (tx: TenantTransaction, reports: readonly ReportRow[], nowMs: number) => Promise<void>,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const [, reports] = await tx.run(lockOrderOfReport({ id }), lockReportsLike({ id }));
    const report = reportIn(reports, id);
    const nowMs = context.clock.now();
    await work(tx, reports, nowMs);
    await announce(tx, context, origin, nowMs, {
      event: 'state_report.settled',
      subjectType: 'state_report',
      subjectId: id,
      payload: { stateReportId: id },
      details: { orderId: report.order_id, number: report.external_number, how },
    });
  });
}

function reportIn(reports: readonly ReportRow[], id: number): ReportRow {
  const report = reports.find((it) => it.id === id);
  if (report === undefined) throw failure('STATE_REPORT_NOT_FOUND', 'There is no such report.');
  return report;
}

function cannot({ state }: ReportRow, action: string) {
  return failure(
    'INVALID_REPORT_TURN',
    `A report that is ${state} cannot be changed so, or is not the last of its sale.`,
    {
      status: state,
      action,
    },
  );
}
