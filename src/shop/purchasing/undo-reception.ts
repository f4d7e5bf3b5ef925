import type { Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Package } from '../inventory/package-schemas.ts';
import { lastReceptionOf, shownPackagesById, stockFacts, takeBackReceptions } from '../inventory/stock.ts';
import {
  insertReceptions,
  lockPurchaseOrder,
  selectPurchaseOrderLines,
  selectReceptionOrder,
  selectReceptions,
  touchPurchaseOrder,
} from './purchase-order-queries.ts';
import type { PurchaseOrder } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';
import { purchaseOrderNotFound, refuseClosed } from './update-purchase-order.ts';

/**
 * Undoes a delivery of a purchase order, as long as nothing of it was used: what was received at that instant leaves stock and is
 * not owed. Resolves to the order as the API shows it. Fails with PURCHASE_ORDER_NOT_FOUND, PURCHASE_ORDER_CLOSED, RECEPTION_USED,
 * and INVALID_PARAMS when nothing was received at that instant, or it is undone already.
 */
export async function undoReception(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  receivedAt: string,
): Promise<Static<typeof PurchaseOrder>> {
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const [[order], lines, receptions] = await tx.run(
      lockPurchaseOrder({ id }),
      selectPurchaseOrderLines({ purchaseOrderIds: [id] }),
      selectReceptions({ purchaseOrderIds: [id] }),
    );
    if (order === undefined) throw purchaseOrderNotFound();
    refuseClosed(order);
    const undone = receptions.filter(({ created_at: cameAt }) => cameAt === Date.parse(receivedAt));
    if (undone.length === 0) {
      throw failure('INVALID_PARAMS', 'receivedAt must be the time of a reception of this purchase order');
    }
    const ids = await context.ids.take(undone.length);
    const costOf = new Map(lines.map((line) => [line.id, line.invoiced_cost_per_unit ?? line.cost_per_unit]));
    const keys = await takeBackReceptions(
      tx,
      context,
      origin,
      nowMs,
      undone.map((row, index) => ({
        causeId: row.id,
        undoId: ids[index]!,
        costPerUnit: canonicalDecimalText(row.cost_per_unit ?? costOf.get(row.purchase_order_line_id)!),
      })),
    );
    tx.queue(
      ...insertReceptions(
        undone.map((row, index) => ({
          id: ids[index]!,
          purchaseOrderId: id,
          purchaseOrderLineId: row.purchase_order_line_id,
          inventoryLocationId: row.inventory_location_id,
          packageId: row.package_id,
          amount: canonicalDecimalText(`-${row.amount}`),
          costPerUnit: row.cost_per_unit,
          actor: origin.actor,
          createdAt: at,
          undoesId: row.id,
        })),
      ),
      touchPurchaseOrder({ id, updatedAt: at }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'purchase_order.updated',
      subjectType: 'purchase_order',
      subjectId: id,
      payload: { purchaseOrderId: id, ...stockFacts(keys) },
      details: { purchaseOrderId: id, undoneReceptions: undone.map((row) => row.id) },
    });
  });
  const [shown] = await shownPurchaseOrders(
    (...statements) => context.database.read(organization, ...statements),
    [id],
  );
  return shown!;
}

/**
 * Undoes the last reception of a package, as long as nothing of it was used. What came with a purchase order is undone there.
 * Resolves to the package. Fails with PACKAGE_NOT_FOUND, INVALID_PACKAGE_TRANSITION and RECEPTION_USED.
 */
export async function undoPackageReceipt(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  packageId: number,
): Promise<Static<typeof Package>> {
  const undoId = await context.ids.takeOne();
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const causeId = await lastReceptionOf(tx, packageId);
    const [[ordered]] = await tx.run(selectReceptionOrder({ id: causeId }));
    if (ordered !== undefined) {
      throw failure(
        'INVALID_PACKAGE_TRANSITION',
        'The package came with a purchase order: undo its receipt there.',
        { status: 'received', action: 'undo-receipt' },
      );
    }
    const keys = await takeBackReceptions(tx, context, origin, nowMs, [
      { causeId, undoId, costPerUnit: null },
    ]);
    await announce(tx, context, origin, nowMs, {
      event: 'package.updated',
      subjectType: 'package',
      subjectId: packageId,
      payload: { packageId, ...stockFacts(keys) },
      details: { packageId, undoneReception: causeId },
    });
  });
  const [shown] = await shownPackagesById(context, organization, [packageId]);
  return shown!;
}
