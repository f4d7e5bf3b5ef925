import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { businessDayAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { giveBackToCards } from '../gift-cards/gift-cards.ts';
import { giveBackPromotions, movePoints, selectEarnedPoints } from '../promotions/promotions.ts';
import { undoSaleAtRegister } from '../registers/registers.ts';
import { promotionsOf } from './order-promotions.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * Fails with SALE_NOT_VOIDABLE unless a fulfilled order can still be voided: on its business day, and without any return, because
 * returns are in the books. Open sessions of its drawer are asked for by `undoSale`.
 */
export async function assertVoidable(
  tx: Pick<TenantTransaction, 'run'>,
  sale: OrderRecord,
  nowMs: number,
): Promise<void> {
  await assertOnDayOfSale(tx, sale, nowMs, {
    hasReturns: () =>
      failure('SALE_NOT_VOIDABLE', 'Goods of this sale were returned: return the others, too.', {
        reason: 'has-returns',
      }),
    isOver: () =>
      failure('SALE_NOT_VOIDABLE', 'The business day of this sale is over: make a return.', {
        reason: 'day-is-over',
      }),
  });
}

/** Fails as given unless it is still the business day of a sale, and nothing of it was returned. */
export async function assertOnDayOfSale(
  tx: Pick<TenantTransaction, 'run'>,
  { head, returns }: OrderRecord,
  nowMs: number,
  refusals: { readonly hasReturns: () => Error; readonly isOver: () => Error },
): Promise<void> {
  if (returns.length > 0) throw refusals.hasReturns();
  const [[shop]] = await tx.run(selectOrganization({}));
  assert(shop !== undefined && head.fulfilledAt !== null, 'a sale has a shop and a time');
  const days = { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
  if (businessDayAt(head.fulfilledAt, days) !== businessDayAt(nowMs, days)) throw refusals.isOver();
}

/**
 * Takes back, in the transaction of the void, what the sale brought about besides its stock: discount uses, credits and points, and the
 * money of the drawer and of gift cards. What else follows a sale (a report to the state, a payment that moved) is undone here, too. Fails with
 * SALE_NOT_VOIDABLE when its drawer is closed.
 */
export async function undoSale(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  sale: OrderRecord,
  cause: { readonly transitionId: number; readonly atMs: number; readonly staffId: number },
): Promise<void> {
  const { transitionId, atMs, staffId } = cause;
  const { id: orderId, userId } = sale.head;
  await giveBackPromotions(tx, context, origin, promotionsOf(sale), cause);
  if (userId !== null) {
    const [[earned]] = await tx.run(selectEarnedPoints({ userId, orderId }));
    await movePoints(tx, context, origin, {
      ...{ userId, type: 'taken-back', reason: 'Sale voided', orderId, causeId: transitionId, atMs },
      points: decimalText(zero.minus(earned?.points ?? '0')),
    });
  }
  await undoSaleAtRegister(tx, context, { orderId, staffId, atMs });
  await giveBackToCards(tx, context, origin, { orderId, staffId, atMs });
}
