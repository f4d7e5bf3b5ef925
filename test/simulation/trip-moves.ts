import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import { creditLeft, settleCredits } from './cart-moves.ts';
import { moveTo, planEdit } from './edit-moves.ts';
import {
  amountsOfCart,
  type Cart,
  type ModelOrder,
  movedParts,
  type Paid,
  releaseCredits,
} from './order-model.ts';
import { accept, canceledBy, fulfilledBy, noteStep } from './order-moves.ts';
import { expectOrder } from './order-views.ts';
import { cashType, locations, type PlaceName, van } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

const floatCents = 5_000;
const minuteMs = 60_000;

type Outcome = 'delivered' | 'partly' | 'refused' | 'notHome' | 'unattended';

interface Drive {
  readonly path: string;
  /** The stop of each order. */
  readonly stops: ReadonlyMap<
    ModelOrder,
    { readonly id: number; readonly lines: readonly { readonly lineItemId: number }[] }
  >;
  cashCents: number;
  tipsCents: number;
}

/** Some deliveries go out with the van: handed over whole or in part, refused, or no customer opens; what comes back is looked at. */
export async function deliverByTrip(world: TradingWorld): Promise<void> {
  const { random, money } = world;
  const isReady = (order: ModelOrder) =>
    (order.status === 'new' || order.status === 'packed') && money.openOf(order) === undefined;
  const deliveries = world.orders.filter(({ cart }) => cart.type === 'delivery');
  const drafts = deliveries.filter(({ status }) => status === 'draft');
  if (!deliveries.some(isReady) && drafts.length > 0) await accept(world, random.pick(drafts));
  const ready = deliveries.filter(isReady);
  if (ready.length === 0) return;
  const orders = random.shuffle(ready).slice(0, random.integer(1, 4));
  world.story.push(`a trip with ${orders.map(({ id }) => id).join(', ')}`);
  const drive = await sendOut(world, orders);
  const passedBy: ModelOrder[] = [];
  for (const [at, order] of orders.entries()) {
    const outcome = random.pickWeighted(
      ['delivered', 'partly', 'refused', 'notHome', 'unattended'] as const,
      (it) => ({ delivered: 5, partly: 2, refused: 2, notHome: 1, unattended: 1 })[it],
    );
    world.story.push(`${outcome} ${order.id}`);
    world.clock.advance(random.integer(3, 20) * minuteMs);
    await closeStop(world, drive, order, outcome);
    if (outcome === 'unattended') {
      passedBy.push(order);
      continue;
    }
    // The first that still waits hears that it is next.
    const next = passedBy[0] ?? orders[at + 1];
    if (next !== undefined) world.mails.tell('order-delivery-next', next, world.nowMs);
  }
  await comeBack(world, drive, orders);
}

/** Plans, loads and leaves; a server may die on each, and the trip tells how far it came. */
async function sendOut(world: TradingWorld, orders: readonly ModelOrder[]): Promise<Drive> {
  const { driverId, vehicleId } = world.fleet;
  const made = await world.askStaff('POST', '/staff/v1/trips', { driverId, vehicleId });
  expect(made, made.text).toMatchObject({ status: 201 });
  const path = `/staff/v1/trips/${made.data.id}`;
  const planned = await world.askStaff('PUT', `${path}/stops`, { orderIds: orders.map(({ id }) => id) });
  expect(planned, planned.text).toMatchObject({ status: 200 });
  await onTrip(world, path, 'load', { float: floatCents }, ({ status }) => status === 'loaded');
  for (const order of orders) {
    moveHeld(world, order, van);
    order.dispatch = 'assigned';
  }
  world.clock.advance(minuteMs);
  await onTrip(world, path, 'depart', {}, ({ status }) => status === 'out');
  for (const order of orders) {
    world.mails.tell('order-out-for-delivery', order, world.nowMs);
    order.dispatch = 'active';
  }
  const stops = new Map(
    orders.map((order) => [
      order,
      planned.data.stops.find(({ orderId }: { orderId: string }) => orderId === order.id)!,
    ]),
  );
  return { path, stops, cashCents: 0, tipsCents: 0 };
}

async function closeStop(
  world: TradingWorld,
  drive: Drive,
  order: ModelOrder,
  outcome: Outcome,
): Promise<void> {
  const { random } = world;
  if (outcome === 'unattended') return;
  const stop = drive.stops.get(order)!;
  const at = `stops/${stop.id}`;
  const isDone = ({ stops }: TestReply['data']) =>
    stops.find(({ id }: { id: number }) => id === stop.id).status !== 'waiting';
  if (outcome === 'notHome') {
    await onTrip(world, drive.path, `${at}/not-home`, {}, isDone);
    missed(world, order);
    return expectOrder(world, order);
  }
  if (outcome === 'refused') {
    await onTrip(world, drive.path, `${at}/refuse`, { reason: 'Changed their mind' }, isDone);
    canceledBy(world, order);
    return expectOrder(world, order);
  }
  const changed = outcome === 'partly' ? less(world, order) : null;
  // The shown order is from before: its lines are named by it.
  const lines = changed?.wishes.map(({ option, quantity }) => ({
    lineItemId: order.lines.find((line) => line.option === option)!.id,
    quantity,
  }));
  if (changed !== null) takeLess(world, order, changed);
  const paid = paidAtDoor(world, order);
  const tip = random.chance(0.4) ? 200 : 0;
  const body = {
    payments: paid.map(({ type, amountCents }) => ({
      ...{ paymentTypeId: world.shop.paymentTypeId(type.name), amount: amountCents },
    })),
    ...(lines !== undefined && { lines }),
    tip,
  };
  await onTrip(world, drive.path, `${at}/deliver`, body, isDone);
  if (changed !== null) await settleCredits(world, order);
  noteStep(world, order, 'fulfill');
  fulfilledBy(world, order, paid);
  drive.tipsCents += tip;
  for (const { type, amountCents } of paid) if (type === cashType) drive.cashCents += amountCents;
  await expectOrder(world, order);
}

/** The driver is back: what is in the van is in the books, is looked at, and goes to stock or to waste; the drawer balances. */
async function comeBack(world: TradingWorld, drive: Drive, orders: readonly ModelOrder[]): Promise<void> {
  const { random, fleet, shelves } = world;
  world.clock.advance(10 * minuteMs);
  const isBack = ({ status }: TestReply['data']) => status === 'back';
  const back = await onTrip(world, drive.path, 'return', {}, isBack);
  const isOpen = ({ status }: ModelOrder) => status === 'new' || status === 'packed';
  for (const order of orders) if (isOpen(order) && order.dispatch !== 'failed') missed(world, order);
  const inVan = shelves.all().filter(({ shelf, amount }) => shelf.location === van && amount > 0);
  const keyOf = (it: { productId: number; productOptionId: number | null; packageId: number | null }) =>
    [it.productId, it.productOptionId ?? 0, it.packageId ?? 0].join(' ');
  const goods = inVan.map(({ shelf, amount }) => ({ shelf, units: amount, ...world.named(shelf) }));
  expect(
    Object.fromEntries(back.data.goods.map((it: TestReply['data']) => [keyOf(it), Number(it.amount)])),
  ).toEqual(Object.fromEntries(goods.map((it) => [keyOf(it), it.units])));
  const to = random.pick(locations);
  const seen = goods.map((it) => ({
    ...it,
    to: random.chance(0.75) ? ('stock' as const) : ('waste' as const),
  }));
  await onTrip(
    world,
    drive.path,
    'close',
    {
      toInventoryLocationId: world.placeId(to),
      goods: seen.map(({ shelf: _, units, ...it }) => ({ ...it, amount: String(units) })),
      counts: [{ paymentTypeId: null, counted: floatCents + drive.cashCents + drive.tipsCents }],
    },
    ({ status }) => status === 'closed',
  );
  for (const { shelf, units, to: where } of seen) {
    shelves.move(shelf, -units, where === 'waste' ? 'adjusted' : 'moved');
    if (where === 'stock') shelves.move({ ...shelf, location: to }, units, 'moved');
  }
  for (const order of orders.filter(isOpen)) moveHeld(world, order, to);
  for (const order of orders)
    if (order.status === 'fulfilled' && order.paid.length > 0) world.inClosedDrawers.add(order);
  for (const order of orders) await expectOrder(world, order);
  const { data: sessions } = await world.askStaff(
    'GET',
    `/staff/v1/drawer-sessions?registerId=${fleet.registerId}`,
  );
  const cash = sessions[0].payments.find(({ overShort }: TestReply['data']) => overShort !== null);
  expect(cash, JSON.stringify(sessions[0])).toMatchObject({
    ...{ sales: drive.cashCents, paidIn: drive.tipsCents, overShort: 0 },
  });
  world.trips += 1;
}

/** Takes a step of the trip that must take effect once; after a crash the trip tells whether it has. */
function onTrip(
  world: TradingWorld,
  path: string,
  act: string,
  body: object,
  isDone: (trip: TestReply['data']) => boolean,
): Promise<TestReply> {
  return world
    .surely(
      () => world.askStaff('POST', `${path}/${act}`, body),
      async () => {
        const shown = await world.askStaff('GET', path);
        return isDone(shown.data) ? shown : null;
      },
    )
    .then((reply) => {
      expect(reply, reply.text).toMatchObject({ status: 200 });
      return reply;
    });
}

/** No customer opened: the order stays, and its customer hears of it. */
function missed(world: TradingWorld, order: ModelOrder): void {
  if (order.dispatch !== 'failed') world.mails.tell('order-delivery-failed', order, world.nowMs);
  order.dispatch = 'failed';
}

/** What an order holds goes to another place: it gives it back, it moves, and the order takes it there. */
function moveHeld({ shelves }: TradingWorld, order: ModelOrder, location: PlaceName): void {
  for (const line of order.lines) {
    for (const { shelf, amount } of line.parts) {
      if (shelf.location === location) continue;
      const there = { ...shelf, location };
      shelves.move(shelf, amount, 'given-back');
      shelves.move(shelf, -amount, 'moved');
      shelves.move(there, amount, 'moved');
      shelves.move(there, -amount, 'taken');
    }
    line.parts = movedParts(line.parts, location);
  }
}

/** Fewer goods than were ordered; null: there is only one. */
function less({ random }: TradingWorld, { cart }: ModelOrder): Cart | null {
  const wishes = cart.wishes.map((wish, at) => ({
    ...wish,
    quantity: at === 0 ? Math.max(1, wish.quantity - 1) : random.integer(0, wish.quantity),
  }));
  const kept = wishes.filter(({ quantity }) => quantity > 0);
  const isLess = cart.wishes.some(({ quantity }, at) => wishes[at]!.quantity < quantity);
  return isLess ? { ...cart, wishes: kept } : null;
}

/** The edit at the door. */
function takeLess(world: TradingWorld, order: ModelOrder, changed: Cart): void {
  if (order.status === 'packed') noteStep(world, order, 'unpack');
  const plan = planEdit(world, order, changed);
  releaseCredits(order);
  order.cart = changed;
  order.amounts = amountsOfCart(changed, creditLeft(world, order.account));
  moveTo(world, order, plan!);
}

/** What providers took, and the rest in cash. */
function paidAtDoor({ money }: TradingWorld, order: ModelOrder): Paid[] {
  let left = order.amounts.dueCents;
  const taken = money.ofOrder(order).flatMap(({ type, appliedCents, feeCents }): Paid[] => {
    const amountCents = Math.min(left, Math.max(0, appliedCents - feeCents));
    left -= amountCents;
    return amountCents > 0 ? [{ type, amountCents }] : [];
  });
  return left > 0 || taken.length === 0 ? [...taken, { type: cashType, amountCents: left }] : taken;
}
