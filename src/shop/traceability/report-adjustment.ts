import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { alarmAtMs } from '../../engines/state-reports/report-deadline.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import type { StockObserver } from '../inventory/move-stock.ts';
import { observeStock, selectPackageMultipliers } from '../inventory/stock.ts';
import { connectionAt, connectionsOf } from './connection-facts.ts';
import { insertReports, insertSteps } from './state-report-queries.ts';

/** A change of a package that is no sale, as the state gets it. */
export interface AdjustmentContent {
  readonly label: string;
  /** Decimal text in the unit of the package; negative takes away. */
  readonly quantity: string;
  readonly unit: string;
  /** The day in the shop. */
  readonly date: string;
}

const reported: ReadonlySet<string> = new Set(['adjusted', 'counted', 'wasted']);
const quantityDecimals = 4;

/**
 * Writes what the state is to be told of stock that was adjusted, counted or thrown away, in the transaction of the change: one
 * report for each package. Stock that moves between locations of a license is none of the state's business.
 */
const reportAdjustments: StockObserver = async (tx, context, effects) => {
  const moved = effects.flatMap(({ cause, atMs, movements }) =>
    reported.has(cause) ? movements.flatMap((it) => (it.packageId === 0 ? [] : [{ ...it, atMs }])) : [],
  );
  if (moved.length === 0) return;
  const connections = await connectionsOf(context, tx);
  if (connections.length === 0) return;
  const byPackage = groupBy(moved, ({ packageId }) => packageId);
  const [[organization], packages] = await tx.run(
    selectOrganization({}),
    selectPackageMultipliers({ ids: [...byPackage.keys()] }),
  );
  const ids = await context.ids.take(2 * packages.length);
  for (const [at, { id: packageId, label, unit, multiplier }] of packages.entries()) {
    const [first, ...others] = byPackage.get(packageId)!;
    const delta = others.reduce((sum, it) => sum.plus(it.delta), first!.delta);
    const quantity = delta.div(decimal(multiplier)).round(quantityDecimals, 1);
    const connection = connectionAt(connections, first!.locationId);
    if (connection === undefined || quantity.eq(zero)) continue;
    const [id, stepId] = [ids[2 * at]!, ids[2 * at + 1]!];
    const atText = isoTimestamp(first!.atMs);
    const date = localDateAt(first!.atMs, organization!.tz);
    const payload = JSON.stringify({
      label,
      quantity: decimalText(quantity),
      unit,
      date,
    } satisfies AdjustmentContent);
    tx.queue(
      insertReports({
        ...{
          id,
          connectionId: connection.id,
          kind: 'adjustment',
          revision: 1,
          state: 'waiting',
          problem: null,
        },
        ...{ orderId: null, orderNumber: null, packageId, externalNumber: externalNumber(`A${id}`, 1) },
        ...{ payload, digest: hash('sha256', payload), packages: new TextArray([label]) },
        ...{ occurredAt: atText, dueAt: null, at: atText },
        alarmAt: isoTimestamp(alarmAtMs(first!.atMs, null)),
      }),
      ...insertSteps([
        {
          reportId: id,
          id: stepId,
          state: 'waiting',
          words: 'Written with the change of stock.',
          createdAt: atText,
        },
      ]),
    );
  }
};

observeStock(reportAdjustments);
