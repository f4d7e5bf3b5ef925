import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import {
  type Account,
  appliedAdjustmentCents,
  type GoodsReturned,
  type ModelOrder,
  type Share,
  type SoldLine,
  type StoreCredit,
  sharesOfUnits,
  shelfOfBack,
  validReturns,
} from './order-model.ts';
import { expectOrder } from './order-views.ts';
import { cashType, locations, type PlaceName, taxOf } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

interface Units {
  readonly line: SoldLine;
  readonly quantity: number;
}

/** Takes goods of an order back, sometimes more than remain, sometimes twice at once with one key. */
export async function returnGoods(world: TradingWorld): Promise<void> {
  const { random } = world;
  const sold = world.orders.filter(({ status }) => status === 'fulfilled');
  if (sold.length === 0) return;
  const order = random.pick(random.chance(0.05) ? world.orders : sold);
  const units = drawUnits(world, order);
  if (units.length === 0) return;
  const isTooMuch = random.chance(0.08);
  const putBack = random.chance(0.7);
  const refundType = random.pickWeighted(['payment-method', 'store-credit', 'none'] as const, (it) =>
    it === 'payment-method' ? 5 : it === 'none' || order.account === null ? 1 : 4,
  );
  const type = refundType === 'store-credit' && order.account === null ? 'payment-method' : refundType;
  const takers = world.money.ofOrder(order).filter(({ appliedCents }) => appliedCents > 0);
  // Where the money came from, mostly.
  const by = takers.length > 0 && random.chance(0.85) ? random.pick(takers).type : cashType;
  const place = putBack && random.chance(0.15) ? random.pick(locations) : null;
  const body = {
    refundType: type,
    ...(place !== null && { inventoryLocationId: world.placeId(place) }),
    ...(type === 'payment-method' && { paymentTypeId: world.shop.paymentTypeId(by.name) }),
    lineItems: units.map(({ line, quantity }, at) => ({
      orderLineItemId: line.id,
      quantity: isTooMuch && at === 0 ? line.quantity - line.returned + 1 : quantity,
      type: 'return',
      inventoryAction: putBack ? 'inventory' : random.pick(['waste', 'vendor']),
      reason: 'Changed their mind',
    })),
    idempotencyKey: world.uuid(),
  };
  const path = `/staff/v1/orders/${order.id}/returns`;
  const send = () => world.askStaff('POST', path, body);
  world.story.push(
    `return of ${order.id}: ${units.map(({ quantity }) => quantity).join(' + ')} units, ${type}`,
  );
  if (order.status !== 'fulfilled' || isTooMuch) {
    const code = order.status === 'fulfilled' ? 'RETURN_QUANTITY_EXCEEDED' : 'INVALID_ORDER_TRANSITION';
    expect((await send()).error?.code).toBe(code);
    return expectOrder(world, order);
  }
  const refundableCents = type === 'payment-method' ? world.money.refundableCents(order, by) : null;
  if (refundableCents !== null) {
    const lineItems = body.lineItems.map(({ type: _, reason: __, ...line }) => line);
    const { idempotencyKey: _, ...asked } = body;
    const preview = await world.askStaff('POST', `${path}/preview`, { ...asked, lineItems });
    expect(preview.status, preview.text).toBe(200);
    if (-preview.data.refundTotal > refundableCents) {
      expect((await send()).error?.code).toBe('REFUND_EXCEEDS_PAYMENT');
      return expectOrder(world, order);
    }
  }
  const reply = await (random.chance(0.1) ? returnTwice(send) : world.surely(send));
  expect(reply, reply.text).toMatchObject({ status: 201 });
  const returned = await bookReturn(world, order, units, { putBack, type, place, data: reply.data });
  order.returns.push(returned);
  if (type === 'payment-method') world.money.refund(order, by, returned.refundCents, returned.id);
  expectRefunds(order, returned);
  world.remember({ path, integrator: null, body, reply });
  await expectOrder(world, order);
}

/** Voids a return, or is refused. */
export async function voidReturn(world: TradingWorld): Promise<void> {
  const { random } = world;
  const all = world.orders.flatMap((order) => order.returns.map((returned) => ({ order, returned })));
  if (all.length === 0) return;
  const valid = all.filter(({ returned }) => !returned.isVoided);
  const { order, returned } = random.pick(valid.length > 0 && random.chance(0.9) ? valid : all);
  const refusal = refusalOfVoid(world, returned);
  world.story.push(`void return ${returned.id} of ${order.id}${refusal === null ? '' : `, ${refusal}`}`);
  const send = () =>
    world.askStaff('POST', `/staff/v1/order-returns/${returned.id}/void`, { reason: 'Rung up twice' });
  if (refusal !== null) {
    expect((await send()).error?.code).toBe(refusal);
    return expectOrder(world, order);
  }
  const reply = await world.surely(send, async () => {
    const { data } = await world.askStaff('GET', `/staff/v1/orders/${order.id}`);
    const isVoided = data.returns.some(
      (it: TestReply['data']) => it.id === returned.id && it.voidedAt !== null,
    );
    return isVoided ? { ...(await world.askStaff('GET', '/staff/v1/order-returns')), status: 200 } : null;
  });
  expect(reply, reply.text).toMatchObject({ status: 200 });
  returned.isVoided = true;
  world.money.keep(returned.id);
  for (const { line, quantity, shares } of returned.units) {
    line.returned -= quantity;
    for (const { part, amount } of shares) {
      part.returned -= amount;
      if (returned.putBack) world.shelves.move(shelfOfBack(part, returned.place), -amount, 'returned');
    }
  }
  if (returned.credit !== null) returned.credit.expiresAtMs = world.nowMs;
  if (order.account !== null) order.account.points += returned.pointsTaken;
  await expectOrder(world, order);
}

/** All remaining units of an order, or some; goods with a share of an adjustment come back together. */
function drawUnits({ random }: TradingWorld, order: ModelOrder): Units[] {
  const left = order.lines.filter((line) => line.returned < line.quantity);
  if (order.cart.adjustmentCents !== 0 || random.chance(0.3)) {
    return left.map((line) => ({ line, quantity: line.quantity - line.returned }));
  }
  return random
    .shuffle(left)
    .slice(0, random.integer(1, 2))
    .map((line) => ({ line, quantity: random.integer(1, line.quantity - line.returned) }));
}

async function returnTwice(send: () => Promise<TestReply>): Promise<TestReply> {
  const [one, other] = await Promise.all([send(), send()]);
  expect([one!.status, other!.status]).toEqual([201, 201]);
  expect(other!.data).toEqual(one!.data);
  return one!;
}

async function bookReturn(
  world: TradingWorld,
  order: ModelOrder,
  units: readonly Units[],
  made: {
    readonly putBack: boolean;
    readonly place: PlaceName | null;
    readonly type: GoodsReturned['refundType'];
    readonly data: TestReply['data'];
  },
): Promise<GoodsReturned> {
  const { data, putBack, type, place } = made;
  const booked = units.map(({ line, quantity }) => {
    const shares: Share[] = sharesOfUnits(line, quantity);
    line.returned += quantity;
    for (const { part, amount } of shares) {
      part.returned += amount;
      if (putBack) world.shelves.move(shelfOfBack(part, place), amount, 'returned');
    }
    return { line, quantity, shares };
  });
  // Adjustments are split over the goods; an order with adjustments comes back at once.
  const goodsCents = -data.refundInitial - data.discountsTotal - appliedAdjustmentCents(order);
  const isRefunded = type !== 'none';
  const { account } = order;
  // Points that were spent are owed: the balance goes below zero.
  const pointsTaken = isRefunded && account !== null ? goodsCents : 0;
  if (account !== null) account.points -= pointsTaken;
  return {
    id: data.id,
    units: booked,
    putBack,
    refundType: type,
    refundCents: 0 - data.refundTotal,
    goodsCents: isRefunded ? goodsCents : 0,
    ...{ pointsTaken, place },
    credit: account === null ? null : await newCredit(world, account, order, made),
    isVoided: false,
  };
}

/** The store credit of a return: for the part that store credit had paid, and for a refund as store credit. */
async function newCredit(
  world: TradingWorld,
  account: Account,
  order: ModelOrder,
  { type, data }: { readonly type: GoodsReturned['refundType']; readonly data: TestReply['data'] },
): Promise<StoreCredit | null> {
  const cents = data.creditsTotal + (type === 'store-credit' ? -data.refundTotal : 0);
  const { data: all } = await world.askStaff('GET', `/staff/v1/customers/${account.id}/credits`);
  const made = all.filter((it: TestReply['data']) => !account.credits.some(({ id }) => id === it.id));
  expect(made.map((it: TestReply['data']) => it.amount)).toEqual(cents === 0 ? [] : [cents]);
  if (cents === 0) return null;
  expect(order.account).toBe(account);
  const credit = { id: made[0].id, amountCents: cents, remainingCents: cents, expiresAtMs: null };
  account.credits.push(credit);
  return credit;
}

/** At most the amount paid; exactly that when all units are back; and to the cent if nothing had to be split. */
function expectRefunds(order: ModelOrder, returned: GoodsReturned): void {
  const { cart, amounts } = order;
  const valid = validReturns(order);
  const refunded = valid.reduce((sum, { refundCents }) => sum + refundCents, 0);
  expect(refunded).toBeLessThanOrEqual(amounts.netCents);
  expect(returned.refundCents).toBeGreaterThanOrEqual(0);
  if (returned.refundType === 'none') {
    expect(returned.refundCents).toBe(0);
    return;
  }
  const isSplit = cart.hasCode || cart.adjustmentCents !== 0 || amounts.creditCents > 0;
  if (!isSplit) {
    const goods = returned.units.reduce((sum, it) => sum + it.line.option.finalCents * it.quantity, 0);
    expect(returned.refundCents).toBe(goods + (cart.isExempt ? 0 : taxOf(goods)));
  }
  const isAllBack = order.lines.every(({ quantity, returned: units }) => units === quantity);
  if (isAllBack && valid.every(({ refundType }) => refundType !== 'none')) {
    expect(refunded).toBe(amounts.netCents);
  }
}

function refusalOfVoid(world: TradingWorld, returned: GoodsReturned): string | null {
  const { credit, isVoided, place, putBack, units } = returned;
  if (isVoided) return 'ORDER_RETURN_VOIDED';
  if (credit !== null && credit.remainingCents !== credit.amountCents) return 'STORE_CREDIT_SPENT';
  const isMoved = world.money.movedReturns.has(returned.id);
  if (!putBack) return isMoved ? 'RETURN_REFUNDED' : null;
  const shares = units
    .flatMap((it) => it.shares)
    .map(({ part, amount }) => ({ shelf: shelfOfBack(part, place), amount }));
  const isGone = shares.some(({ shelf }) => {
    const wanted = shares
      .filter((it) => isDeepStrictEqual(it.shelf, shelf))
      .reduce((sum, { amount }) => sum + amount, 0);
    return world.shelves.amountOn(shelf) < wanted;
  });
  return isGone ? 'OUT_OF_STOCK' : isMoved ? 'RETURN_REFUNDED' : null;
}
