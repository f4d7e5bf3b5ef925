import { expect } from 'vitest';
import {
  askedOf,
  choose,
  codesLeft,
  creditLeft,
  describeCart,
  drawWishes,
  hold,
  settleCredits,
} from './cart-moves.ts';
import {
  amountsOfCart,
  type Cart,
  keptParts,
  type ModelOrder,
  releaseCredits,
  type SoldLine,
  stockOf,
} from './order-model.ts';
import { expectOrder } from './order-views.ts';
import type { Need, Taken } from './shelf-model.ts';
import { code, drawnFrom } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

/** Edits a draft or new order, or tries to edit another one. */
export async function editOrder(world: TradingWorld): Promise<void> {
  const { random } = world;
  if (world.orders.length === 0) return;
  const open = world.orders.filter(({ status }) => status === 'draft' || status === 'new');
  const order = random.pick(open.length > 0 && random.chance(0.95) ? open : world.orders);
  const path = `/staff/v1/orders/${order.id}`;
  const cart: Cart = { ...order.cart, ...(random.chance(0.8) ? { wishes: drawWishes(world) } : {}) };
  const changed: Cart = random.chance(0.3) ? { ...cart, hasCode: !cart.hasCode } : cart;
  const { type: _, ...asked } = { type: '', ...askedOf(world, changed) };
  const body = { lineItems: asked.lineItems, discountCodes: changed.hasCode ? [code] : [] };
  // Whatever becomes of the edit, what is under way ends before: its amounts would change.
  const underWay = world.money.openOf(order);
  if (underWay !== undefined) world.money.askToEnd(underWay, world.nowMs);
  if (!open.includes(order)) {
    world.story.push(`edit ${order.id}, which is ${order.status}`);
    const reply = await world.askStaff('PATCH', path, body);
    expect(reply, reply.text).toMatchObject({
      status: 409,
      error: { code: 'INVALID_ORDER_TRANSITION', meta: { status: order.status } },
    });
    return;
  }
  const plan = planEdit(world, order, changed);
  const isInTheWay = underWay?.state === 'open';
  const refusal = isInTheWay
    ? 'PAYMENT_IN_PROGRESS'
    : changed.hasCode && codesLeft(world, order) === 0
      ? 'DISCOUNT_CODE_INVALID'
      : plan === null
        ? 'OUT_OF_STOCK'
        : null;
  world.story.push(`edit ${order.id} to ${describeCart(changed)}${refusal === null ? '' : `, ${refusal}`}`);
  // Each try looks at what is not known, and looks are counted.
  const odds = isInTheWay ? { chance: 0 } : {};
  const reply = await world.surely(() => world.askStaff('PATCH', path, body), undefined, odds);
  if (refusal !== null) {
    expect(reply.error?.code, reply.text).toBe(refusal);
    return;
  }
  expect(reply, reply.text).toMatchObject({ status: 200 });
  releaseCredits(order);
  order.cart = changed;
  order.amounts = amountsOfCart(changed, creditLeft(world, order.account));
  order.paid =
    changed.intended === null ? [] : [{ type: changed.intended, amountCents: order.amounts.dueCents }];
  moveTo(world, order, plan!);
  for (const [at, line] of order.lines.entries()) line.id = reply.data.lineItems[at].id;
  await settleCredits(world, order);
  await expectOrder(world, order);
}

interface EditPlan {
  readonly lines: readonly SoldLine[];
  readonly released: readonly Taken[];
  readonly chosen: readonly (readonly Taken[])[];
}

/** The stock that an edit moves (D25); null if stock does not suffice. */
export function planEdit(world: TradingWorld, order: ModelOrder, cart: Cart): EditPlan | null {
  const released: Taken[] = [];
  const needs: Need[] = [];
  const gone = order.lines.filter(({ option }) => !cart.wishes.some((wish) => wish.option === option));
  for (const { parts } of gone) released.push(...parts.map(({ shelf, amount }) => ({ shelf, amount })));
  const lines = cart.wishes.map((wish): SoldLine => {
    const before = order.lines.find(({ option }) => option === wish.option);
    const change = keptParts(before?.parts ?? [], stockOf(wish));
    released.push(...change.released);
    needs.push({ ...world.itemOf(wish.option), amount: change.missing });
    return { ...wish, id: before?.id ?? 0, returned: 0, parts: change.kept };
  });
  for (const { shelf, amount } of released) world.shelves.move(shelf, amount, 'given-back');
  const chosen = choose(world, needs, order.place === null ? drawnFrom[cart.type] : [order.place]);
  for (const { shelf, amount } of released) world.shelves.move(shelf, -amount, 'given-back');
  return chosen === null ? null : { lines, released, chosen };
}

export function moveTo(world: TradingWorld, order: ModelOrder, plan: EditPlan): void {
  order.lines = [...plan.lines];
  if (order.status === 'draft') return;
  for (const { shelf, amount } of plan.released) world.shelves.move(shelf, amount, 'given-back');
  hold(world, order, plan.chosen);
}
