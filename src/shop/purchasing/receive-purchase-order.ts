import type { Static } from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { tagsPackages } from '../../engines/duties/ready-shop.ts';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { ReceivedStock } from '../inventory/receive-stock.ts';
import {
  readPackageUnit,
  receiveStock,
  receptionGuards,
  selectTradedProducts,
  stockFacts,
  toldPackage,
} from '../inventory/stock.ts';
import { insertPurchaseOrderKeys, type KeyedOutcome, selectPurchaseOrderKey } from './purchase-order-keys.ts';
import {
  insertReceptions,
  lockPurchaseOrder,
  type PurchaseOrderLineRow,
  type ReceptionRow,
  selectPurchaseOrderLines,
  selectReceptions,
  touchPurchaseOrder,
} from './purchase-order-queries.ts';
import type { PurchaseOrder, ReceptionsBody } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';
import { purchaseOrderNotFound, refuseClosed } from './update-purchase-order.ts';

/**
 * Receives goods of some lines (D52), all or nothing: more than the ordered amount can be received. Resolves to the
 * order as the API shows it; if the key was already used for a reception of this order, nothing is received again.
 * Fails with PURCHASE_ORDER_NOT_FOUND, PURCHASE_ORDER_CLOSED, INVALID_CHILD_RESOURCE for a line of another order,
 * INVALID_PARAMS for cannabis without a label where the state tags it, and as `receiveStock` does.
 */
export async function receivePurchaseOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: Static<typeof ReceptionsBody>,
  idempotencyKey: string | null = null,
): Promise<KeyedOutcome<Static<typeof PurchaseOrder>>> {
  const ids = await context.ids.take(sent.length);
  const key = idempotencyKey && ({ purchaseOrderId: id, kind: 'reception', idempotencyKey } as const);
  const replayed = await context.database.write(
    organization,
    async (tx) => {
      const nowMs = context.clock.now();
      const at = isoTimestamp(nowMs);
      const [[order], lines, receptions] = await tx.run(
        lockPurchaseOrder({ id }),
        selectPurchaseOrderLines({ purchaseOrderIds: [id] }),
        selectReceptions({ purchaseOrderIds: [id] }),
      );
      if (order === undefined) throw purchaseOrderNotFound();
      const [known] = key ? await tx.run(selectPurchaseOrderKey(key)) : [[]];
      if (known.length > 0) return true;
      const lineOf = new Map(lines.map((line) => [line.id, line]));
      const planned = sent.map((reception, index) => {
        const line = lineOf.get(reception.lineItemId);
        if (line !== undefined) return { ...reception, line, receptionId: ids[index]!, index };
        throw failure(
          'INVALID_CHILD_RESOURCE',
          `[${index}].lineItemId must be the id of a line of this purchase order.`,
        );
      });
      refuseClosed(order);
      await refuseUntagged(tx, context, planned, nowMs);
      const received = await receiveStock(tx, context, origin, nowMs, planned.map(receptionOfLine));
      refuseConvertedExcess(planned, received, receptions);
      tx.queue(
        ...insertReceptions(
          planned.map(({ line, receptionId, inventoryLocationId, costPerUnit }, index) => ({
            id: receptionId,
            purchaseOrderId: id,
            purchaseOrderLineId: line.id,
            inventoryLocationId,
            packageId: received[index]!.packageId,
            amount: decimalText(received[index]!.stock),
            // As ordered, until an invoice says otherwise: undoing it takes back what it cost then.
            costPerUnit: costPerUnit ?? (line.invoiced_cost_per_unit === null ? line.cost_per_unit : null),
            actor: origin.actor,
            createdAt: at,
            undoesId: null,
          })),
        ),
        touchPurchaseOrder({ id, updatedAt: at }),
        ...insertPurchaseOrderKeys(key ? [{ ...key, createdAt: at }] : []),
      );
      await announce(tx, context, origin, nowMs, receptionEvent(id, planned, received));
      return false;
    },
    { retryOnConstraints: receptionGuards },
  );
  const [shown] = await shownPurchaseOrders(
    (...statements) => context.database.read(organization, ...statements),
    [id],
  );
  return { shown: shown!, replayed };
}

/** A reception in the request, with its line of the order. */
type PlannedReception = Static<typeof ReceptionsBody>[number] & {
  readonly line: PurchaseOrderLineRow;
  readonly receptionId: number;
  readonly index: number;
};

function receptionEvent(
  purchaseOrderId: number,
  planned: readonly PlannedReception[],
  received: readonly ReceivedStock[],
) {
  return {
    event: 'purchase_order.received' as const,
    subjectType: 'purchase_order' as const,
    subjectId: purchaseOrderId,
    payload: {
      purchaseOrderId,
      receptionIds: planned.map(({ receptionId }) => receptionId),
      ...stockFacts(planned.map(({ line }, at) => stockOf(line, received[at]!.packageId))),
    },
    details: {
      purchaseOrderId,
      receptions: planned.map(({ line, receptionId, inventoryLocationId, confirmExcess }, index) => ({
        receptionId,
        lineItemId: line.id,
        inventoryLocationId,
        amount: decimalText(received[index]!.stock),
        packageId: received[index]!.packageId,
        ...toldPackage(received[index]!),
        ...(confirmExcess && { confirmExcess }),
      })),
    },
  };
}

function receptionOfLine({ line, index, receptionId, package: sent, ...reception }: PlannedReception) {
  const { label, unit, multiplier, ...details } = sent ?? {};
  const pathOf = (field: string) => `[${index}].${fieldOf[field] ?? field}`;
  return {
    causeId: receptionId,
    productId: line.product_id,
    productOptionId: line.product_option_id,
    locationId: reception.inventoryLocationId,
    amount: decimal(reception.amount),
    unit: unit === undefined ? null : readPackageUnit(unit, pathOf('unit')),
    costPerUnit:
      reception.costPerUnit ?? canonicalDecimalText(line.invoiced_cost_per_unit ?? line.cost_per_unit),
    package: label === undefined ? null : { label, details },
    multiplier: multiplier ?? null,
    confirmsExcess: reception.confirmExcess ?? false,
    pathOf,
  };
}

/** Where the state tags cannabis, none is received loose: without its tag it cannot be sold by the book. */
async function refuseUntagged(
  tx: TenantTransaction,
  { law }: Context,
  planned: readonly PlannedReception[],
  nowMs: number,
): Promise<void> {
  const loose = planned.filter(({ package: sent }) => sent === undefined);
  if (loose.length === 0) return;
  const [[shop], products] = await tx.run(
    selectOrganization({}),
    selectTradedProducts({ ids: loose.map(({ line }) => line.product_id) }),
  );
  assert(shop !== undefined, 'the organization of a signed-in caller exists');
  if (!tagsPackages(law.current.find(shop.state), localDateAt(nowMs, shop.tz))) return;
  for (const { line, index } of loose) {
    const product = products.find(({ id }) => id === line.product_id);
    if (product?.category_cannabis_type === 'none' || product?.inventory_type === 'none') continue;
    throw failure(
      'INVALID_PARAMS',
      `[${index}].package.label must be the tag of the package: ${shop.state} tags all cannabis`,
    );
  }
}

/**
 * The fields that a line of the order decides: `receiveStock` refuses goods that have changed since they were ordered.
 */
const fieldOf: Readonly<Record<string, string>> = {
  productId: 'lineItemId',
  productOptionId: 'lineItemId',
  unit: 'package.unit',
  multiplier: 'package.multiplier',
};

/**
 * More than was ordered may come. But an amount in another unit is more than the line by a mistake of units as well: ten
 * pounds of a line of ten grams. Fails with MORE_THAN_ANNOUNCED unless it is confirmed.
 */
function refuseConvertedExcess(
  planned: readonly PlannedReception[],
  received: readonly ReceivedStock[],
  before: readonly ReceptionRow[],
): void {
  for (const [index, { line, package: sent, confirmExcess }] of planned.entries()) {
    const { inPackage, stock } = received[index]!;
    if (
      confirmExcess ||
      sent?.unit === undefined ||
      inPackage === null ||
      decimal(inPackage.multiplier).eq(1)
    ) {
      continue;
    }
    const come = before
      .filter((row) => row.purchase_order_line_id === line.id)
      .reduce((sum, row) => sum.plus(row.amount), zero);
    if (come.plus(stock).lte(line.amount)) continue;
    const [announced, amount] = [canonicalDecimalText(line.amount), decimalText(stock)];
    throw failure(
      'MORE_THAN_ANNOUNCED',
      `[${index}].amount is ${amount} in the unit of the line, which has ${announced}. Send [${index}].confirmExcess if that is meant.`,
      { announced, received: decimalText(come), amount, unit: 'units of the line' },
    );
  }
}

function stockOf({ product_id: productId }: { readonly product_id: number }, packageId?: number | null) {
  return { productId, packageId: packageId ?? 0 };
}
