import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { alarmAtMs } from '../../engines/state-reports/report-deadline.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import type { StockEffect, StockMovement } from '../inventory/move-stock.ts';
import { observeStock, selectLocationOfPackage, selectPackageMultipliers } from '../inventory/stock.ts';
import { connectionAt, connectionsOf } from './connection-facts.ts';
import type { ConnectionRow } from './connection-queries.ts';
import { insertReports, insertSteps } from './state-report-queries.ts';

/** A change of a package that is no sale, as the state gets it. */
export interface AdjustmentContent {
  readonly label: string;
  /** Decimal text in the unit of the package; negative takes away. */
  readonly quantity: string;
  readonly unit: string;
  /** The day in the shop. */
  readonly date: string;
  /** One of the reasons of the state; null: the owner's choice for such changes. */
  readonly reason: string | null;
  readonly isWaste: boolean;
}

/** An empty package that is taken out of the state's list. */
export interface FinishContent {
  readonly label: string;
  readonly date: string;
}

interface PackageChange {
  readonly cause: 'stock' | 'waste';
  readonly atMs: number;
  /** What staff said. */
  readonly reason: string | null;
  readonly movements: readonly StockMovement[];
}

const reported: ReadonlySet<string> = new Set(['adjusted', 'counted', 'wasted']);
const quantityDecimals = 4;

/**
 * Writes what the state is to be told of stock that was adjusted, counted or thrown away, in the transaction of the change: one
 * report for each package. Stock that moves between locations of a license is none of the state's business.
 */
async function reportEffects(
  tx: TenantTransaction,
  context: Context,
  effects: readonly StockEffect[],
): Promise<void> {
  for (const { cause, atMs, movements, reason = null, isAtState } of effects) {
    if (!reported.has(cause) || isAtState === true) continue;
    await reportPackages(tx, context, {
      ...{ cause: cause === 'wasted' ? 'waste' : 'stock', atMs, reason, movements },
    });
  }
}

/**
 * Writes that goods which a customer brought back were thrown away: the corrected receipt has put them back into their package at
 * the state, and here they never came in. `movements` are what the package loses by it; undone, what it gets again.
 */
export function reportWaste(
  tx: TenantTransaction,
  context: Context,
  movements: readonly StockMovement[],
  atMs: number,
): Promise<void> {
  return reportPackages(tx, context, { cause: 'waste', atMs, reason: null, movements });
}

async function reportPackages(
  tx: TenantTransaction,
  context: Context,
  { cause, atMs, reason, movements }: PackageChange,
): Promise<void> {
  const byPackage = groupBy(movements, ({ packageId }) => packageId);
  byPackage.delete(0);
  if (byPackage.size === 0) return;
  const connections = await connectionsOf(context, tx);
  if (connections.length === 0) return;
  const [[organization], packages] = await tx.run(
    selectOrganization({}),
    selectPackageMultipliers({ ids: [...byPackage.keys()] }),
  );
  const date = localDateAt(atMs, organization!.tz);
  for (const { id: packageId, label, unit, multiplier } of packages) {
    const [first, ...others] = byPackage.get(packageId)!;
    const delta = others.reduce((sum, it) => sum.plus(it.delta), first!.delta);
    const quantity = delta.div(decimal(multiplier)).round(quantityDecimals, 1);
    const connection = connectionAt(connections, first!.locationId);
    if (connection === undefined || quantity.eq(zero)) continue;
    const content: AdjustmentContent = {
      ...{ label, quantity: decimalText(quantity), unit, date, isWaste: cause === 'waste' },
      reason: stateReason(connection, reason),
    };
    await writeStockReport(tx, context, connection, { kind: 'adjustment', packageId, atMs, content });
  }
}

/** The state's reason that staff named; null: none of them. */
function stateReason({ adjustment_reasons: reasons }: ConnectionRow, said: string | null): string | null {
  const wanted = said?.trim().toLowerCase();
  return reasons.find((reason) => reason.toLowerCase() === wanted) ?? null;
}

/** Writes that a package is used up, with its finish. */
async function reportFinish(
  tx: TenantTransaction,
  context: Context,
  packageId: number,
  atMs: number,
): Promise<void> {
  const connections = await connectionsOf(context, tx);
  if (connections.length === 0) return;
  const [[organization], [pack], [held]] = await tx.run(
    selectOrganization({}),
    selectPackageMultipliers({ ids: [packageId] }),
    selectLocationOfPackage({ packageId }),
  );
  const connection = connectionAt(connections, held?.location_id ?? 0);
  // Files tell what is left of a package.
  if (pack === undefined || connection === undefined || connection.system === 'ccrs-file') return;
  const content: FinishContent = { label: pack.label, date: localDateAt(atMs, organization!.tz) };
  await writeStockReport(tx, context, connection, { kind: 'finish', packageId, atMs, content });
}

interface StockReport {
  readonly kind: 'adjustment' | 'finish';
  readonly packageId: number;
  readonly atMs: number;
  readonly content: AdjustmentContent | FinishContent;
  /** The sale of which something came back; absent: it is of stock alone. */
  readonly ofSale?: { readonly orderId: string; readonly orderNumber: number; readonly revision: number };
}

/** Writes a report of stock. */
export async function writeStockReport(
  tx: TenantTransaction,
  context: Context,
  connection: ConnectionRow,
  { kind, packageId, atMs, content, ofSale }: StockReport,
): Promise<void> {
  const [id, stepId] = await context.ids.take(2);
  const at = isoTimestamp(atMs);
  const payload = JSON.stringify(content);
  const number = externalNumber(`${kind === 'finish' ? 'F' : 'A'}${id}`, 1);
  tx.queue(
    insertReports({
      ...{ id: id!, connectionId: connection.id, kind, state: 'waiting', problem: null },
      ...{ orderId: ofSale?.orderId ?? null, orderNumber: ofSale?.orderNumber ?? null },
      ...{ revision: ofSale?.revision ?? 1, tripId: null, packageId, externalNumber: number },
      ...{ payload, digest: hash('sha256', payload), packages: new TextArray([content.label]) },
      ...{ occurredAt: at, dueAt: null, at, alarmAt: isoTimestamp(alarmAtMs(atMs, null)) },
    }),
    ...insertSteps([
      {
        ...{ reportId: id!, id: stepId!, state: 'waiting', createdAt: at },
        words:
          kind === 'finish' ? 'Written with the finish of the package.' : 'Written with the change of stock.',
      },
    ]),
  );
}

observeStock({ moved: reportEffects, finished: reportFinish });
