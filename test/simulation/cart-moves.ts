import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import {
  type Account,
  type Cart,
  joinParts,
  type ModelOrder,
  shelfOfBack,
  stockOf,
  usableCredits,
  type Wish,
} from './order-model.ts';
import type { Need, Taken } from './shelf-model.ts';
import {
  code,
  codeUses,
  deliveryMinimumCents,
  type LocationName,
  type OrderType,
  paymentTypes,
  soldOptions,
} from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

export function drawCart(world: TradingWorld, byStaff: boolean): Cart {
  const { random } = world;
  const type: OrderType = random.pickWeighted(['pickup', 'delivery', 'in-store'], (it) =>
    it === 'in-store' ? (byStaff ? 2 : 0) : 1,
  );
  return {
    type,
    wishes: drawWishes(world),
    hasCode: random.chance(0.2),
    adjustmentCents: byStaff && random.chance(0.15) ? random.pick([-350, -1000, 200]) : 0,
    isExempt: byStaff && random.chance(0.1),
    intended: random.chance(0.7) ? random.pick(paymentTypes) : null,
  };
}

export function drawWishes({ random }: TradingWorld): Wish[] {
  const chosen = random.shuffle(soldOptions).slice(0, random.integer(1, 3));
  return chosen.map((option) => ({
    option,
    quantity: random.chance(0.05) ? random.integer(20, 60) : random.integer(1, 4),
  }));
}

/** The inputs of a cart, beside its type and customer. */
export function askedOf({ shop }: TradingWorld, cart: Cart) {
  return {
    lineItems: cart.wishes.map(({ option, quantity }) => ({
      productOptionId: shop.optionId(option.name),
      quantity,
    })),
    ...(cart.hasCode && { discountCodes: [code] }),
    ...(cart.adjustmentCents !== 0 && {
      adjustments: [{ amount: cart.adjustmentCents, description: 'By hand' }],
    }),
    ...(cart.isExempt && { taxExempt: { exempt: true, reason: 'Card seen' } }),
    ...(cart.intended !== null && {
      payments: [{ paymentTypeId: shop.paymentTypeId(cart.intended.name), remaining: true }],
    }),
  };
}

export function describeCart({ type, wishes, hasCode }: Cart): string {
  return `${type} ${wishes.map(({ option, quantity }) => `${quantity} ${option.name}`).join(' + ')}${hasCode ? ' by code' : ''}`;
}

export function refusalOf(
  world: TradingWorld,
  cart: Cart,
  merchandiseCents: number,
  isThere: boolean,
): string | null {
  if (cart.hasCode && codesLeft(world, null) === 0) return 'DISCOUNT_CODE_INVALID';
  if (cart.type === 'delivery' && merchandiseCents < deliveryMinimumCents) return 'ORDER_MINIMUM_NOT_MET';
  return isThere ? null : 'OUT_OF_STOCK';
}

/** The remaining uses of the code, without counting one of the orders. */
export function codesLeft({ orders }: TradingWorld, except: ModelOrder | null): number {
  return (
    codeUses -
    orders.filter((order) => order !== except && order.cart.hasCode && order.status !== 'canceled').length
  );
}

export function needsOf(world: TradingWorld, wishes: readonly Wish[]): Need[] {
  return wishes.map((wish) => ({ ...world.itemOf(wish.option), amount: stockOf(wish) }));
}

export const choose = (world: TradingWorld, needs: readonly Need[], places: readonly LocationName[]) =>
  world.shelves.choose(needs, places, world.dayOf());

export function hold(world: TradingWorld, order: ModelOrder, chosen: readonly (readonly Taken[])[]): void {
  for (const [at, line] of order.lines.entries()) {
    for (const { shelf, amount } of chosen[at]!) world.shelves.move(shelf, -amount, 'taken');
    line.parts = joinParts(line.parts, chosen[at]!);
  }
}

/** What the order holds goes back where it is; of a sale, not into the van. */
export function giveBack(world: TradingWorld, order: ModelOrder, { wasSold = false } = {}): void {
  for (const line of order.lines) {
    for (const part of line.parts) {
      world.shelves.move(wasSold ? shelfOfBack(part) : part.shelf, part.amount, 'given-back');
    }
    line.parts = [];
  }
}

export function creditLeft(world: TradingWorld, account: Account | null): number {
  return usableCredits(account, world.nowMs).reduce((sum, { remainingCents }) => sum + remainingCents, 0);
}

/** Deducts the credits that the order reports as used: their sum is as predicted, and each is at most its balance. */
export async function settleCredits(world: TradingWorld, order: ModelOrder): Promise<void> {
  const { data } = await world.askStaff('GET', `/staff/v1/orders/${order.id}`);
  const usable = usableCredits(order.account, world.nowMs);
  order.used = data.credits.map((used: TestReply['data']) => {
    const credit = usable.find(({ id }) => id === used.creditId)!;
    expect(used.amountUsed).toBeLessThanOrEqual(credit.remainingCents);
    credit.remainingCents -= used.amountUsed;
    return { credit, cents: used.amountUsed };
  });
  expect(order.used.reduce((sum, { cents }) => sum + cents, 0)).toBe(order.amounts.creditCents);
}
