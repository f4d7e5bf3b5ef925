import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { OfflineSale } from '../../engines/offline-pricing/offline-sale.ts';
import type { PriceStep } from '../../engines/pricing/price-step.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { stockFacts } from '../inventory/stock.ts';
import { movePoints, selectLoyaltyProgram, usePromotions } from '../promotions/promotions.ts';
import { orderActionOf } from './actions/order-actions.ts';
import { tellCustomer } from './mail-order.ts';
import { storedSteps } from './order-document.ts';
import { setOrderChange } from './order-mail-queries.ts';
import { lawfulPointsPerDollar, pointsOf, promotionsOf } from './order-promotions.ts';
import { insertOrders } from './order-queries.ts';
import type { OrderRecord } from './order-record.ts';

interface OfflineOrder {
  /** Fulfilled, with its stock. */
  readonly order: OrderRecord;
  readonly sale: OfflineSale;
  /** Empty: the service prices it otherwise. */
  readonly steps: readonly PriceStep[];
  /** Discounts whose uses have been limited since: a use beyond the limit would be refused, so this one is not counted. */
  readonly limitedDiscountIds: readonly number[];
}

/** Queues the rows of an order that was sold offline. Resolves to the id of its placing, the cause of what it takes. */
export async function recordOfflineOrder(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { order, sale, steps, limitedDiscountIds }: OfflineOrder,
): Promise<number> {
  const { id: orderId } = order.head;
  const [transitionId, fulfilledId] = await context.ids.take(2);
  const about = { subjectType: 'order', subjectId: orderId } as const;
  tx.queue(...insertOrders([{ order, steps: storedSteps(steps) }]));
  await announce(
    tx,
    context,
    origin,
    nowMs,
    {
      ...{ event: 'order.placed', auditId: transitionId!, ...about },
      payload: {
        ...{ orderId, status: 'new', type: 'in-store', source: 'in-store' },
        ...stockFacts(order.fulfillments),
      },
      details: { status: 'new', soldOffline: sale.number, soldAt: sale.soldAt, total: sale.total },
    },
    {
      ...{ event: orderActionOf('fulfill').event, auditId: fulfilledId!, ...about },
      payload: { orderId, status: 'fulfilled' },
      details: { from: 'new', to: 'fulfilled' },
    },
  );
  const uses = promotionsOf(order);
  const counted = uses.discounts.filter(({ discountId }) => !limitedDiscountIds.includes(discountId));
  const cause = { transitionId: transitionId!, atMs: nowMs };
  await usePromotions(tx, context, origin, { ...uses, discounts: counted }, cause);
  const [[program], [organization]] = await tx.run(selectLoyaltyProgram({}), selectOrganization({}));
  const earned = { transitionId: fulfilledId!, atMs: nowMs };
  const law = context.law.current;
  const rate = lawfulPointsPerDollar(
    law,
    organization!,
    order,
    program?.points_per_dollar,
    Date.parse(sale.soldAt),
  );
  await movePoints(tx, context, origin, ...pointsOf(order, rate, earned));
  const changeCents = sale.tenders.reduce(
    (sum, { tendered, amount, fee, rounding = 0 }) =>
      sum + (tendered === null ? 0 : tendered - amount - fee - rounding),
    0,
  );
  if (sale.tenders.some(({ tendered }) => tendered !== null)) {
    tx.queue(setOrderChange({ id: orderId, changeCents }));
  }
  await tellCustomer(tx, context, order, { receipt: { changeCents } }, nowMs);
  return transitionId!;
}
