import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { dutyOn } from '../../engines/jurisdictions/duty.ts';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { receiptOfSale } from '../../engines/state-reports/receipt-of-sale.ts';
import { alarmAtMs, dueAtMs } from '../../engines/state-reports/report-deadline.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { selectPackageMultipliers } from '../inventory/stock.ts';
import { announceReports } from './announce-report.ts';
import { connectionsOf } from './connection-facts.ts';
import type { ConnectionRow } from './connection-queries.ts';
import { reportSaleOfTrip } from './report-trip.ts';
import { flagsOf, goodsOf, type ReportedSale } from './reported-sale.ts';
import {
  insertReports,
  insertSteps,
  isReceipt,
  type ReportKind,
  type ReportRow,
  selectReportsOfOrder,
} from './state-report-queries.ts';
import { turnStatement } from './turn-report.ts';

/**
 * Writes what the state is to be told of an order as it is now, in the transaction of what changed it: its sale, and each
 * correction after something came back. A report that has not gone out is overtaken by the new one. Without a
 * connection it does nothing, and costs nothing.
 */
export async function reportSale(
  tx: TenantTransaction,
  context: Context,
  saleOf: () => Promise<ReportedSale>,
  nowMs: number,
): Promise<void> {
  const connections = await connectionsOf(context, tx);
  if (connections.length === 0) return;
  const sale = await saleOf();
  const packageIds = sale.goods.flatMap(({ parts }) => parts.map(({ packageId }) => packageId));
  const [[organization], packages, all] = await tx.run(
    selectOrganization({}),
    selectPackageMultipliers({ ids: packageIds.filter((id) => id !== 0) }),
    selectReportsOfOrder({ orderId: sale.orderId }),
  );
  const { tz, state } = organization!;
  const duty = dutyOn(context.law.current.find(state)?.duties, 'reporting', localDateAt(nowMs, tz));
  const deadline = duty.known === 'value' ? duty.duty.value.deadline : null;
  const multipliers = new Map(packages.map(({ id, multiplier }) => [id, multiplier]));
  if (await reportSaleOfTrip(tx, context, sale, all, multipliers)) return;
  const earlier = all.filter(isReceipt);
  for (const connection of connections) {
    const ofIt = earlier.filter(({ connection_id: id }) => id === connection.id);
    const goods = goodsOf(sale, connections, connection, multipliers);
    const isItsSale = goods.some(({ isCannabis }) => isCannabis);
    if (!isItsSale && ofIt.length === 0) continue;
    // What was sold before the license was connected was entered otherwise, and is corrected there.
    if (ofIt.length === 0 && sale.soldAtMs < connection.created_at) continue;
    const made = receiptOfSale(
      {
        soldAtMs: sale.soldAtMs,
        timeZone: tz,
        isMedical: sale.isMedical,
        customerId: sale.customerId,
        goods,
      },
      flagsOf(connection),
    );
    if (made.content.lines.length === 0 && made.problems.length === 0 && ofIt.length === 0) continue;
    await writeReport(tx, context, nowMs, {
      ...{ connection, sale, made, earlier: ofIt, dueMs: dueAtMs(deadline, nowMs, tz) },
    });
  }
}

interface ReportToWrite {
  readonly connection: ConnectionRow;
  readonly sale: ReportedSale;
  readonly made: ReturnType<typeof receiptOfSale>;
  readonly earlier: readonly ReportRow[];
  readonly dueMs: number | null;
}

async function writeReport(
  tx: TenantTransaction,
  context: Context,
  happenedMs: number,
  { connection, sale, made, earlier, dueMs }: ReportToWrite,
): Promise<void> {
  // The worker goes by the deployment's clock; that of a sandbox may be ahead.
  const nowMs = Math.min(happenedMs, context.wallClock.now());
  const at = isoTimestamp(nowMs);
  const overtaken = earlier.filter(({ state }) => state === 'waiting' || state === 'refused');
  const [id, ...stepIds] = await context.ids.take(2 + overtaken.length);
  const revision = earlier.length + 1;
  const payload = JSON.stringify(made.content);
  const problem = made.problems.length === 0 ? null : made.problems.join(' ');
  const state = problem === null ? 'waiting' : 'refused';
  for (const [index, report] of overtaken.entries()) {
    tx.queue(
      turnStatement(report, 'overtake', { problem: null }, nowMs),
      ...insertSteps([
        {
          ...{ reportId: report.id, id: stepIds[index]!, state: 'superseded', createdAt: at },
          words: 'A later report of the same sale says all that it says.',
        },
      ]),
    );
  }
  tx.queue(
    insertReports({
      ...{
        id: id!,
        connectionId: connection.id,
        kind: kindOf(made.content.lines.length, revision),
        revision,
      },
      ...{ orderId: sale.orderId, orderNumber: sale.orderNumber, tripId: null, packageId: null },
      externalNumber: externalNumber(sale.orderNumber, revision),
      ...{ payload, digest: hash('sha256', payload), state, problem, at, occurredAt: at },
      packages: new TextArray(labelsOf(made.content.lines, earlier)),
      dueAt: dueMs === null ? null : isoTimestamp(dueMs),
      alarmAt: isoTimestamp(problem === null ? alarmAtMs(nowMs, dueMs) : nowMs),
    }),
    ...insertSteps([
      {
        ...{ reportId: id!, id: stepIds.at(-1)!, state, createdAt: at },
        words: problem ?? 'Written with the sale.',
      },
    ]),
  );
  if (problem !== null)
    await announceReports(tx, context, nowMs, [
      {
        event: 'report.refused',
        report: {
          id: id!,
          order_id: sale.orderId,
          trip_id: null,
          kind: kindOf(made.content.lines.length, revision),
          revision,
        },
      },
    ]);
}

function kindOf(lineCount: number, revision: number): ReportKind {
  if (revision === 1) return 'sale';
  return lineCount === 0 ? 'void' : 'correction';
}

/** The labels of a report; those of a correction include packages that are no longer in it. */
function labelsOf(lines: readonly { readonly label: string }[], earlier: readonly ReportRow[]): string[] {
  return [...new Set([...lines.map(({ label }) => label), ...(earlier.at(-1)?.packages ?? [])])];
}
