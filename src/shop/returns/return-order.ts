import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockedBalances, moveStock, quarantineLocation, stockFacts } from '../inventory/stock.ts';
import type { OrderRecord, StaffName } from '../orders/order-record.ts';
import type { ShownReturn } from '../orders/order-return-schema.ts';
import { loadOrder, reportOrder, updateReturns } from '../orders/orders.ts';
import { reportWaste } from '../traceability/traceability.ts';
import {
  type DecidedReturn,
  decideReturn,
  type LineToReturn,
  putBack,
  type ReturnFacts,
  type ReturnRequest,
} from './decide-return.ts';
import { goodsBack } from './goods-back.ts';
import { assertReturnLawful } from './lawful-return.ts';
import { recordRefund } from './record-refund.ts';
import type { RefundAmounts } from './return-amounts.ts';
import { returnDocument } from './return-document.ts';
import { loadReturnFacts } from './return-facts.ts';
import { insertOrderReturns, insertReturnLines, insertReturnTaxes } from './return-queries.ts';
import { quantitiesByLine, returnMovements } from './return-stock.ts';
import { settleReturn } from './settle-return.ts';

/** What a person may refund without a recent proof (D72), and the refusal of more. */
export interface UnprovenRefund {
  readonly cents: number;
  readonly refusal: Failure;
}

/**
 * Returns goods of a fulfilled order (D39), under a lock on the order. Amounts are shares of the stored ones. Stock
 * goes back where it came from, and not into a vehicle; credits and points follow. All in one transaction with the return as the cause, so
 * that nothing happens twice. If the key has already made a return, that return is the answer, whatever else the
 * request says.
 */
export async function returnOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  request: ReturnRequest,
  by: StaffName,
  unprovenMax: UnprovenRefund | null = null,
): Promise<{ readonly shown: ShownReturn; readonly replayed: boolean }> {
  return context.database.write(organization, async (tx) => {
    const { idempotencyKey } = request;
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    const facts = await loadReturnFacts(tx, order, request, { lock: true });
    const first = order.returns.find(({ id }) => id === facts.madeReturnId);
    if (first !== undefined) return { shown: first, replayed: true };
    await assertReturnLawful(tx, context.law.current, order, request, context.clock.now());
    const decided = await placed(tx, context, origin, order, decideReturn(order, request, facts));
    const { paymentTypeName, lines, amounts, points, settlement, adjustment, cashRoundingCents } = decided;
    refuseUnproven(-amounts.refundTotalCents - (request.exchangedCents ?? 0), unprovenMax);
    const nowMs = context.clock.now();
    const id = await context.ids.takeOne();
    const shown = returnDocument(order, {
      ...{ ...request, ...adjustment, id, paymentTypeName, amounts, lines, by, cashRoundingCents },
      atMs: nowMs,
    });
    const settled = await settleReturn(tx, context, origin, { order, settlement, returnId: id, atMs: nowMs });
    tx.queue(
      ...insertOrderReturns([
        {
          id,
          orderId,
          idempotencyKey,
          refundType: request.refundType,
          paymentTypeId: request.paymentTypeId,
          paymentTypeName,
          ...amountColumns(amounts),
          cashRoundingCents,
          ...adjustment,
          earnedPoints: points.earned,
          redeemedPoints: points.redeemed,
          ...settled,
          createdByStaffId: by.id,
          createdAt: isoTimestamp(nowMs),
          document: JSON.stringify(shown),
        },
      ]),
      ...insertReturnLines(
        lines.map((line, position) => lineRow(line, { orderReturnId: id, orderId, position })),
      ),
      ...insertReturnTaxes(amounts.taxes.map((tax) => ({ orderReturnId: id, ...tax }))),
      ...updateReturns(
        { ...order, head: { ...order.head, updatedAt: nowMs }, returns: [...order.returns, shown] },
        quantitiesByLine(lines, 1),
      ),
    );
    await recordRefund(tx, context, origin, {
      ...{ ...request, orderId, id, by, nowMs },
      ...{ kind: 'refund', takesGiftCards: takesGiftCards(request, facts) },
      refundCents: amounts.refundTotalCents,
      cashRoundingCents: cashRoundingCents ?? 0,
    });
    const movements = returnMovements(putBack(lines), order.fulfillments, 'put-back');
    await moveStock(tx, context, origin, { cause: 'returned', causeId: id, atMs: nowMs, movements });
    await reportOrder(tx, context, order, () => goodsBack(facts.returned, lines), nowMs);
    const wasted = lines
      .filter(({ inventoryAction }) => inventoryAction === 'waste')
      .flatMap(({ stock }) => stock);
    await reportWaste(tx, context, returnMovements(wasted, order.fulfillments, 'take-again'), nowMs);
    await announce(tx, context, origin, nowMs, {
      event: 'order.returned',
      auditId: id,
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, orderReturnId: id, ...stockFacts(movements) },
      details: toldOf(id, request, decided, settled),
    });
    return { shown, replayed: false };
  });
}

/** Whether the refund goes onto gift cards. */
function takesGiftCards({ paymentTypeId }: ReturnRequest, { paymentTypes }: ReturnFacts): boolean {
  return paymentTypes.some((type) => type.id === paymentTypeId && type.takesGiftCards);
}

/**
 * What was decided, with quarantine as the place of what is kept apart. Balances are made here for goods that go where none of them
 * were.
 */
async function placed(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { fulfillments }: OrderRecord,
  decided: DecidedReturn,
): Promise<DecidedReturn> {
  const isApart = ({ inventoryAction }: LineToReturn) => inventoryAction === 'quarantine';
  const quarantineId = decided.lines.some(isApart)
    ? await quarantineLocation(tx, context, origin, context.clock.now())
    : null;
  const lines = decided.lines.map((line) =>
    quarantineId !== null && isApart(line)
      ? { ...line, stock: line.stock.map((share) => ({ ...share, locationId: quarantineId })) }
      : line,
  );
  const elsewhere = putBack(lines).filter(({ locationId }) => locationId !== undefined);
  if (elsewhere.length > 0) await lockedBalances(tx, returnMovements(elsewhere, fulfillments, 'put-back'));
  return { ...decided, lines };
}

/** What the audit keeps of a return. */
function toldOf(
  orderReturnId: number,
  { refundType, paymentTypeId }: ReturnRequest,
  { amounts, points, adjustment: { rewardTakenBackCents, pointsChargedCents } }: DecidedReturn,
  settled: object,
) {
  return {
    ...{ orderReturnId, refundType, refundTotal: amounts.refundTotalCents, earnedPoints: points.earned },
    ...(paymentTypeId !== null && { paymentTypeId }),
    ...(rewardTakenBackCents !== 0 && { rewardTakenBack: rewardTakenBackCents }),
    ...(pointsChargedCents !== 0 && { pointsCharged: pointsChargedCents }),
    ...settled,
  };
}

function refuseUnproven(givenCents: number, unprovenMax: UnprovenRefund | null): void {
  if (unprovenMax !== null && givenCents > unprovenMax.cents) throw unprovenMax.refusal;
}

function amountColumns(amounts: RefundAmounts) {
  const { taxes, ...columns } = amounts;
  const refunded = taxes.filter((tax) => tax.refunded);
  return { ...columns, taxesTotalCents: sumCents(refunded, ({ amountCents }) => amountCents) };
}

function lineRow(
  { parts, stock, ...line }: LineToReturn,
  place: { readonly orderReturnId: number; readonly orderId: string; readonly position: number },
) {
  const { taxes, ...columns } = parts;
  return {
    ...place,
    ...line,
    ...columns,
    taxShares: JSON.stringify(taxes.filter(({ amountCents }) => amountCents !== 0)),
    fulfillmentShares: JSON.stringify(stock),
  };
}
