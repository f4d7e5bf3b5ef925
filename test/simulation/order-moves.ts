import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import {
  askedOf,
  choose,
  creditLeft,
  describeCart,
  drawCart,
  giveBack,
  hold,
  needsOf,
  refusalOf,
  settleCredits,
} from './cart-moves.ts';
import {
  type Account,
  amountsOfCart,
  type ModelOrder,
  type Paid,
  releaseCredits,
  type Step,
  steps,
} from './order-model.ts';
import { expectOrder } from './order-views.ts';
import {
  customers,
  drawnFrom,
  feeOf,
  locations,
  type PaymentType,
  paymentTypes,
  typedTypes,
  webShop,
} from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

const reason = 'The customer did not come';
const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };

/** Places an order of an integrator or of staff. It may be refused, and may be sent twice at once. */
export async function placeOrder(world: TradingWorld): Promise<void> {
  await placeOrderOf(world, null);
}

/** The same; of a customer who signed in at the web shop, if one is given. Resolves to null for a refused order. */
export async function placeOrderOf(
  world: TradingWorld,
  signedIn: { readonly email: string; readonly token: string } | null,
): Promise<ModelOrder | null> {
  const { random } = world;
  const caller = random.chance(0.65) ? random.integer(0, world.integratorCount - 1) : null;
  const integrator = signedIn === null ? caller : webShop;
  const cart = drawCart(world, integrator === null);
  const drawn = integrator !== null || random.chance(0.7) ? random.pick(customers) : null;
  const known = customers.find(({ email }) => email === signedIn?.email);
  const who = known === undefined ? drawn : { ...known, token: signedIn!.token };
  const account = (who && world.accounts.get(who.email)) ?? null;
  const key = world.uuid();
  const body = {
    type: cart.type,
    ...(who !== null &&
      (account === null || integrator !== null ? { customer: who } : { customerId: account.id })),
    ...(cart.type === 'delivery' && { address }),
    ...askedOf(world, cart),
    idempotencyKey: key,
  };
  const path = integrator === null ? '/staff/v1/orders' : '/api/v1/orders';
  const send = () =>
    integrator === null
      ? world.askStaff('POST', path, body)
      : integrator === webShop
        ? world.askWebShop('POST', path, body)
        : world.askIntegrator(integrator, 'POST', path, body);

  const amounts = amountsOfCart(cart, creditLeft(world, account));
  const chosen = choose(world, needsOf(world, cart.wishes), drawnFrom[cart.type]);
  const refusal = refusalOf(world, cart, amounts.merchandiseCents, chosen !== null);
  world.story.push(`place ${describeCart(cart)}${refusal === null ? '' : `, ${refusal}`}`);
  const reply = await (random.chance(0.05) ? sendTwice(send, refusal) : world.surely(send));
  if (refusal !== null) {
    expect(reply.error?.code, reply.text).toBe(refusal);
    return null;
  }
  expect(reply, reply.text).toMatchObject({ status: 201 });
  const customerId = async () =>
    (await world.askStaff('GET', `/staff/v1/orders/${reply.data.id}`)).data.customer.id;
  const order: ModelOrder = {
    id: reply.data.id,
    key,
    integrator,
    account: who === null ? null : accountOf(world, who.email, await customerId()),
    cart,
    status: cart.type === 'delivery' ? 'draft' : 'new',
    lines: reply.data.lineItems.map((line: TestReply['data'], at: number) => ({
      ...cart.wishes[at]!,
      id: line.id,
      returned: 0,
      parts: [],
    })),
    used: [],
    amounts,
    paid: cart.intended === null ? [] : [{ type: cart.intended, amountCents: amounts.dueCents }],
    place: null,
    dispatch: null,
    fulfilledAtMs: null,
    returns: [],
  };
  world.orders.push(order);
  if (integrator !== webShop) world.remember({ path, integrator, body, reply });
  if (order.status === 'new') hold(world, order, chosen!);
  await settleCredits(world, order);
  await expectOrder(world, order);
  return order;
}

/** Takes a step with an order, allowed or not, by one member of staff or by two at once. */
export async function stepOrder(world: TradingWorld): Promise<void> {
  const { random } = world;
  const open = world.orders.filter(({ status }) => status !== 'fulfilled' && status !== 'canceled');
  const candidates = open.length > 0 && random.chance(0.93) ? open : world.orders;
  if (candidates.length === 0) return;
  const order = random.pick(candidates);
  const all = Object.keys(steps) as Step[];
  const possible = all.filter((step) => steps[step].from.includes(order.status));
  const step =
    possible.length > 0 && random.chance(0.9)
      ? random.pickWeighted(possible, (it) => ({ fulfill: 4, pack: 3, accept: 6 })[it as 'pack'] ?? 1)
      : random.pick(all);
  if (!steps[step].from.includes(order.status)) return refuseStep(world, order, step);
  switch (step) {
    case 'accept':
      return accept(world, order);
    case 'fulfill':
      return fulfill(world, order);
    case 'void':
      return voidSale(world, order);
    default:
      await take(world, order, step, { reason }, null);
      if (step === 'unaccept') giveBack(world, order);
      if (step === 'unaccept') order.place = null;
      if (step === 'cancel') canceledBy(world, order);
      return expectOrder(world, order);
  }
}

export const openOrders = ({ orders }: TradingWorld): ModelOrder[] =>
  orders.filter(({ status }) => status === 'draft' || status === 'new' || status === 'packed');

/** The order is canceled, by staff, or because it was not paid in time. */
export function canceledBy(world: TradingWorld, order: ModelOrder): void {
  noteStep(world, order, 'cancel');
  giveBack(world, order);
  releaseCredits(order);
  world.money.giveBack(order);
}

/** Sets the driver of a delivery, or is refused. */
export async function dispatchOrder(world: TradingWorld): Promise<void> {
  const { random } = world;
  if (world.orders.length === 0) return;
  const open = world.orders.filter(
    ({ status, cart }) => cart.type === 'delivery' && (status === 'new' || status === 'packed'),
  );
  const order = random.pick(open.length > 0 && random.chance(0.9) ? open : world.orders);
  const status = random.pick(['unassigned', 'assigned', 'active', 'completed', 'failed']);
  const send = () =>
    world.askStaff('POST', `/staff/v1/orders/${order.id}/dispatch`, { status, driverName: 'Tomas Reyes' });
  world.story.push(`dispatch ${order.id}: ${status}`);
  if (open.includes(order)) {
    expect((await world.surely(send)).status).toBe(200);
    // An order that is on its way already does not leave again.
    if (status === 'active' && order.dispatch !== 'active')
      world.mails.tell('order-out-for-delivery', order, world.nowMs);
    if (status === 'failed' && order.dispatch !== 'failed')
      world.mails.tell('order-delivery-failed', order, world.nowMs);
    order.dispatch = status;
  } else {
    const refused = order.cart.type === 'delivery' ? 'INVALID_ORDER_TRANSITION' : 'INVALID_ORDER';
    expect((await send()).error?.code).toBe(refused);
  }
  await expectOrder(world, order);
}

export async function accept(world: TradingWorld, order: ModelOrder): Promise<void> {
  const place = world.random.chance(0.2) ? world.random.pick(locations) : null;
  const places = place ?? order.place;
  const chosen = choose(
    world,
    needsOf(world, order.lines),
    places === null ? drawnFrom[order.cart.type] : [places],
  );
  const body = place === null ? {} : { inventoryLocationId: world.shop.locationId(place) };
  await take(world, order, 'accept', body, chosen === null ? 'OUT_OF_STOCK' : null);
  if (chosen !== null) {
    order.place = places;
    hold(world, order, chosen);
  }
  await expectOrder(world, order);
}

async function fulfill(world: TradingWorld, order: ModelOrder): Promise<void> {
  const { random, money } = world;
  const isAtProviders = money.ofOrder(order).some(({ appliedCents }) => appliedCents > 0);
  const paid = random.chance(isAtProviders ? 0.9 : 0.7) ? drawPayments(world, order) : null;
  const isWrong = paid !== null && random.chance(0.1);
  const leavesUnknownPayment = random.chance(0.6);
  const cashCents = paid?.[0]?.type.method === 'cash' ? paid[0].amountCents : null;
  const changeCents = random.integer(0, 2000);
  const body = {
    ...(leavesUnknownPayment && { leavesUnknownPayment }),
    ...(paid !== null && {
      payments: paid.map(({ type, amountCents }, at) => ({
        paymentTypeId: world.shop.paymentTypeId(type.name),
        amount: amountCents + (isWrong && at === 0 ? 1 : 0),
        ...(at === 0 && cashCents !== null && { tendered: cashCents + changeCents }),
      })),
    }),
  };
  const isUnpaid = paid === null && order.paid.length === 0 && order.amounts.grandCents > 0;
  const usedCents = usedBy(paid ?? order.paid);
  const refusal =
    isWrong || isUnpaid ? 'INVALID_ORDER' : refusalOfMoney(world, order, usedCents, leavesUnknownPayment);
  const reply = await take(world, order, 'fulfill', body, refusal);
  if (refusal === null) {
    fulfilledBy(world, order, paid);
    // After a crash the order is read; the reply with the cash change is lost.
    if (reply.data.change !== undefined) {
      expect(reply.data.change).toBe(cashCents === null ? 0 : changeCents);
    }
  }
  await expectOrder(world, order);
}

/** The order is handed over and paid; null: as it was intended. */
export function fulfilledBy(world: TradingWorld, order: ModelOrder, paid: readonly Paid[] | null): void {
  const { dueCents } = order.amounts;
  world.money.use(order, usedBy(paid ?? order.paid));
  if (paid !== null) {
    const feesCents = paid.reduce((sum, { type, amountCents }) => sum + feeOf(type, amountCents), 0);
    order.paid = paid;
    order.amounts = { ...order.amounts, feesCents, grandCents: dueCents + feesCents };
  }
  order.fulfilledAtMs = world.nowMs;
  if (order.account !== null) order.account.points += order.amounts.merchandiseCents;
}

/** What of each type pays, with its fees. */
const usedBy = (paid: readonly Paid[]) => (type: PaymentType) =>
  paid
    .filter((it) => it.type === type)
    .reduce((sum, { amountCents }) => sum + amountCents + feeOf(type, amountCents), 0);

/** What stands in the way of the money of an order that is handed over; null: nothing. */
function refusalOfMoney(
  { money }: TradingWorld,
  order: ModelOrder,
  usedCents: (type: PaymentType) => number,
  leavesUnknown: boolean,
): string | null {
  const open = money.openOf(order);
  // A link that waits is known.
  if (open !== undefined && !(leavesUnknown && open.isSilent)) return 'PAYMENT_IN_PROGRESS';
  const isShort = paymentTypes.some((type) => {
    const ofType = money.ofOrder(order).filter((it) => it.type === type);
    const counted = ofType.reduce((sum, { appliedCents }) => sum + appliedCents, 0);
    return type.provider !== null && usedCents(type) > counted;
  });
  return isShort ? 'INVALID_ORDER' : null;
}

/** A sale of the day without returns is undone, while its drawer is open. */
async function voidSale(world: TradingWorld, order: ModelOrder): Promise<void> {
  const isOfToday = world.dayOf(order.fulfilledAtMs!) === world.dayOf();
  const isOpen = isOfToday && order.returns.length === 0 && !world.inClosedDrawers.has(order);
  await take(world, order, 'void', { reason }, isOpen ? null : 'SALE_NOT_VOIDABLE');
  if (isOpen) {
    giveBack(world, order, { wasSold: true });
    releaseCredits(order);
    world.money.giveBack(order);
    if (order.account !== null) order.account.points -= order.amounts.merchandiseCents;
    order.fulfilledAtMs = null;
  }
  await expectOrder(world, order);
}

/** Takes an allowed step, and expects success, or the refusal that is given. */
async function take(
  world: TradingWorld,
  order: ModelOrder,
  step: Step,
  body: object,
  refusal: string | null,
): Promise<TestReply> {
  const path = `/staff/v1/orders/${order.id}`;
  const isBare = step === 'unaccept' || step === 'pack' || step === 'unpack';
  const send = () => world.askStaff('POST', `${path}/${step}`, isBare ? undefined : body);
  world.story.push(`${step} ${order.id}${refusal === null ? '' : `, ${refusal}`}`);
  if (refusal !== null) {
    const reply = await send();
    expect(reply.error?.code, reply.text).toBe(refusal);
    return reply;
  }
  const reply = world.random.chance(0.08)
    ? await stepTwice(send, steps[step].to, step)
    : await world.surely(send, async () => {
        const shown = await world.askStaff('GET', path);
        return shown.data.status === order.status ? null : shown;
      });
  expect(reply, reply.text).toMatchObject({ status: 200, data: { status: steps[step].to } });
  if (step !== 'cancel') noteStep(world, order, step);
  return reply;
}

/** The status, the mails and the dispatch task of a step. */
export function noteStep(world: TradingWorld, order: ModelOrder, step: Step): void {
  order.status = steps[step].to;
  const told = { pack: 'order-ready', cancel: 'order-canceled', fulfill: 'receipt' }[step as string];
  const isTold = step !== 'pack' || order.cart.type === 'pickup';
  if (told !== undefined && isTold) world.mails.tell(told, order, world.nowMs);
  const isOpen = order.dispatch !== null && !['completed', 'failed'].includes(order.dispatch);
  if (isOpen && step === 'fulfill') order.dispatch = 'completed';
  if (isOpen && step === 'cancel') order.dispatch = 'failed';
}

async function refuseStep(world: TradingWorld, order: ModelOrder, step: Step): Promise<void> {
  world.story.push(`${step} ${order.id}, which is ${order.status}`);
  const body = step === 'cancel' || step === 'void' ? { reason } : {};
  const reply = await world.askStaff('POST', `/staff/v1/orders/${order.id}/${step}`, body);
  expect(reply, reply.text).toMatchObject({
    status: 409,
    error: { code: 'INVALID_ORDER_TRANSITION', meta: { status: order.status, action: step } },
  });
  await expectOrder(world, order);
}

/** Two staff at once: one succeeds, the other gets the current status. */
async function stepTwice(send: () => Promise<TestReply>, to: string, step: Step): Promise<TestReply> {
  const replies = await Promise.all([send(), send()]);
  const won = replies.find(({ status }) => status === 200);
  const lost = replies.find((reply) => reply !== won);
  expect(lost, lost?.text).toMatchObject({
    status: 409,
    error: { code: 'INVALID_ORDER_TRANSITION', meta: { status: to, action: step } },
  });
  return won!;
}

/** One request, sent by two at once: one order, or the same refusal for both. */
async function sendTwice(send: () => Promise<TestReply>, refusal: string | null): Promise<TestReply> {
  const replies = await Promise.all([send(), send()]);
  if (refusal === null) {
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(1);
    expect(replies[0]!.data.id).toBe(replies[1]!.data.id);
  } else {
    expect(replies[1]!.error?.code).toBe(refusal);
  }
  return replies[0]!;
}

/** What providers took, and the rest in one or two parts that staff type; seldom by a provider that took nothing. */
function drawPayments({ random, money }: TradingWorld, order: ModelOrder): Paid[] {
  let left = order.amounts.dueCents;
  const taken = money.ofOrder(order).flatMap(({ type, appliedCents, feeCents }): Paid[] => {
    const amountCents = Math.min(left, Math.max(0, appliedCents - feeCents));
    left -= amountCents;
    return amountCents > 0 ? [{ type, amountCents }] : [];
  });
  if (left === 0 && taken.length > 0) return taken;
  const first = random.chance(0.5) ? left : random.integer(0, left);
  const parts = first === left ? [left] : [first, left - first];
  const types = random.chance(0.1) ? paymentTypes : typedTypes;
  return [...taken, ...parts.map((amountCents) => ({ type: random.pick(types), amountCents }))];
}

function accountOf(world: TradingWorld, email: string, id: number): Account {
  const known = world.accounts.get(email);
  if (known !== undefined) {
    expect(id).toBe(known.id);
    return known;
  }
  const account = { email, id, credits: [], points: 0 };
  world.accounts.set(email, account);
  return account;
}
