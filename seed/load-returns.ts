import type { Context } from '../src/platform/database/context.ts';
import type { ImportedLines, OrderHistory } from '../src/shop/orders/import-orders.ts';
import type { ReturnRequest } from '../src/shop/returns/decide-return.ts';
import { returnOrder, voidReturn } from '../src/shop/returns/returns.ts';
import { contextAt, staffOriginOf, type TradingShop } from './loaded-shop.ts';

/** One in this many orders comes back in part, and one in this many of these returns is voided. */
const returnEvery = 45;
const voidEvery = 8;

const dayMs = 86_400_000;

const reasons = ['Wrong item in the bag', 'Does not draw', 'Seal was broken', 'Changed their mind'] as const;

/** Takes back one unit of some orders of the history, days after their handover, by both roles that can. */
export async function loadReturns(
  context: Context,
  trading: TradingShop,
  histories: readonly OrderHistory[],
  linesByOrder: ReadonlyMap<string, ImportedLines>,
): Promise<void> {
  const nowMs = context.clock.now();
  const fulfilled = histories.flatMap((history) => {
    const step = history.steps.find(({ action }) => action === 'fulfill');
    return step === undefined ? [] : [{ history, fulfilledAtMs: step.atMs }];
  });
  const cannabis = cannabisOptions(trading);
  const desk = ['manager', 'owner'];
  let count = 0;
  for (const [index, { history, fulfilledAtMs }] of fulfilled.entries()) {
    if (index % returnEvery !== 0) continue;
    const place = count++;
    const atMs = fulfilledAtMs + (1 + (place % 3)) * dayMs;
    if (atMs + dayMs > nowMs) continue;
    const [line] = linesByOrder.get(history.orderId)!;
    const key = desk[place % desk.length]!;
    const by = trading.staff.get(key)!;
    const origin = staffOriginOf(trading, key);
    const { shown } = await returnOrder(
      contextAt(context, atMs),
      origin,
      trading.organization,
      history.orderId,
      {
        ...refundOf(history, place),
        lines: [
          {
            orderLineItemId: line!.id,
            quantity: 1,
            type: place % 5 === 4 ? 'exchange' : 'return',
            // Cannabis that has left the shop is not sold again.
            inventoryAction: !cannabis.has(line!.productOptionId)
              ? 'inventory'
              : place % 2 === 0
                ? 'waste'
                : 'vendor',
            reason: reasons[place % reasons.length]!,
          },
        ],
        adjustmentCents: 0,
        adjustmentDescription: '',
        idempotencyKey: null,
      },
      by,
    );
    if (place % voidEvery !== 1) continue;
    const reason = 'Rung up on the wrong order';
    await voidReturn(contextAt(context, atMs + 12 * 60_000), origin, trading.organization, shown.id, {
      reason,
      by,
    });
  }
}

/** Money goes back by the same payment type, or becomes store credit of a known customer. */
function refundOf(
  { customer, request }: OrderHistory,
  place: number,
): Pick<ReturnRequest, 'refundType' | 'paymentTypeId'> {
  if (place % 3 === 2 && customer !== null) return { refundType: 'store-credit', paymentTypeId: null };
  return { refundType: 'payment-method', paymentTypeId: request.payments.at(-1)!.paymentTypeId };
}

function cannabisOptions({ content, optionIds }: TradingShop): ReadonlySet<number> {
  const typeOf = new Map(content.categories.map(({ name, cannabisType }) => [name, cannabisType]));
  return new Set(
    content.products
      .filter(({ categoryName }) => typeOf.get(categoryName) !== 'none')
      .flatMap(({ options }) => options.map(({ key }) => optionIds.get(key)!)),
  );
}
