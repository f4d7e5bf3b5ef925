import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import {
  type Account,
  amountsOfCart,
  type Cart,
  joinParts,
  keptParts,
  type ModelOrder,
  type Paid,
  releaseCredits,
  type SoldLine,
  type Step,
  steps,
  stockOf,
  usableCredits,
  type Wish,
} from './order-model.ts';
import { expectOrder } from './order-views.ts';
import type { Need, Taken } from './shelf-model.ts';
import {
  code,
  codeUses,
  customers,
  deliveryMinimumCents,
  drawnFrom,
  feeOf,
  type LocationName,
  locations,
  type OrderType,
  paymentTypes,
  soldOptions,
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
      if (step === 'unaccept' || step === 'cancel') giveBack(world, order);
      if (step === 'unaccept') order.place = null;
      if (step === 'cancel') releaseCredits(order);
      return expectOrder(world, order);
  }
}

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
  const refusal =
    changed.hasCode && codesLeft(world, order) === 0
      ? 'DISCOUNT_CODE_INVALID'
      : plan === null
        ? 'OUT_OF_STOCK'
        : null;
  world.story.push(`edit ${order.id} to ${describeCart(changed)}${refusal === null ? '' : `, ${refusal}`}`);
  const reply = await world.surely(() => world.askStaff('PATCH', path, body));
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
    order.dispatch = status;
  } else {
    const refused = order.cart.type === 'delivery' ? 'INVALID_ORDER_TRANSITION' : 'INVALID_ORDER';
    expect((await send()).error?.code).toBe(refused);
  }
  await expectOrder(world, order);
}

async function accept(world: TradingWorld, order: ModelOrder): Promise<void> {
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
  const { random } = world;
  const { dueCents } = order.amounts;
  const paid = random.chance(0.7) ? drawPayments(world, dueCents) : null;
  const isWrong = paid !== null && random.chance(0.1);
  const cashCents = paid?.[0]?.type.method === 'cash' ? paid[0].amountCents : null;
  const changeCents = random.integer(0, 2000);
  const body =
    paid === null
      ? {}
      : {
          payments: paid.map(({ type, amountCents }, at) => ({
            paymentTypeId: world.shop.paymentTypeId(type.name),
            amount: amountCents + (isWrong && at === 0 ? 1 : 0),
            ...(at === 0 && cashCents !== null && { tendered: cashCents + changeCents }),
          })),
        };
  const isUnpaid = paid === null && order.paid.length === 0 && order.amounts.grandCents > 0;
  const reply = await take(world, order, 'fulfill', body, isWrong || isUnpaid ? 'INVALID_ORDER' : null);
  if (!isWrong && !isUnpaid) {
    if (paid !== null) {
      const feesCents = paid.reduce((sum, { type, amountCents }) => sum + feeOf(type, amountCents), 0);
      order.paid = paid;
      order.amounts = { ...order.amounts, feesCents, grandCents: dueCents + feesCents };
    }
    // After a crash the order is read; the reply with the cash change is lost.
    if (reply.data.change !== undefined) {
      expect(reply.data.change).toBe(cashCents === null ? 0 : changeCents);
    }
    order.fulfilledAtMs = world.nowMs;
    if (order.account !== null) order.account.points += order.amounts.merchandiseCents;
  }
  await expectOrder(world, order);
}

/** A sale of the day without returns is undone. */
async function voidSale(world: TradingWorld, order: ModelOrder): Promise<void> {
  const isOpen = world.dayOf(order.fulfilledAtMs!) === world.dayOf() && order.returns.length === 0;
  await take(world, order, 'void', { reason }, isOpen ? null : 'SALE_NOT_VOIDABLE');
  if (isOpen) {
    giveBack(world, order);
    releaseCredits(order);
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
  order.status = steps[step].to;
  const told = { pack: 'order-ready', cancel: 'order-canceled', fulfill: 'receipt' }[step as string];
  const isTold = step !== 'pack' || order.cart.type === 'pickup';
  if (told !== undefined && isTold) world.mails.tell(told, order, world.nowMs);
  const isOpen = order.dispatch !== null && !['completed', 'failed'].includes(order.dispatch);
  if (isOpen && step === 'fulfill') order.dispatch = 'completed';
  if (isOpen && step === 'cancel') order.dispatch = 'failed';
  return reply;
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

function drawCart(world: TradingWorld, byStaff: boolean): Cart {
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

function drawWishes({ random }: TradingWorld): Wish[] {
  const chosen = random.shuffle(soldOptions).slice(0, random.integer(1, 3));
  return chosen.map((option) => ({
    option,
    quantity: random.chance(0.05) ? random.integer(20, 60) : random.integer(1, 4),
  }));
}

function drawPayments({ random }: TradingWorld, dueCents: number): Paid[] {
  const first = random.chance(0.5) ? dueCents : random.integer(0, dueCents);
  const parts = first === dueCents ? [dueCents] : [first, dueCents - first];
  return parts.map((amountCents) => ({ type: random.pick(paymentTypes), amountCents }));
}

/** The inputs of a cart, beside its type and customer. */
function askedOf({ shop }: TradingWorld, cart: Cart) {
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

function describeCart({ type, wishes, hasCode }: Cart): string {
  return `${type} ${wishes.map(({ option, quantity }) => `${quantity} ${option.name}`).join(' + ')}${hasCode ? ' by code' : ''}`;
}

function refusalOf(
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
function codesLeft({ orders }: TradingWorld, except: ModelOrder | null): number {
  return (
    codeUses -
    orders.filter((order) => order !== except && order.cart.hasCode && order.status !== 'canceled').length
  );
}

function needsOf(world: TradingWorld, wishes: readonly Wish[]): Need[] {
  return wishes.map((wish) => ({ ...world.itemOf(wish.option), amount: stockOf(wish) }));
}

const choose = (world: TradingWorld, needs: readonly Need[], places: readonly LocationName[]) =>
  world.shelves.choose(needs, places, world.dayOf());

function hold(world: TradingWorld, order: ModelOrder, chosen: readonly (readonly Taken[])[]): void {
  for (const [at, line] of order.lines.entries()) {
    for (const { shelf, amount } of chosen[at]!) world.shelves.move(shelf, -amount, 'taken');
    line.parts = joinParts(line.parts, chosen[at]!);
  }
}

function giveBack(world: TradingWorld, order: ModelOrder): void {
  for (const line of order.lines) {
    for (const { shelf, amount } of line.parts) world.shelves.move(shelf, amount, 'given-back');
    line.parts = [];
  }
}

interface EditPlan {
  readonly lines: readonly SoldLine[];
  readonly released: readonly Taken[];
  readonly chosen: readonly (readonly Taken[])[];
}

/** The stock that an edit moves (D25); null if stock does not suffice. */
function planEdit(world: TradingWorld, order: ModelOrder, cart: Cart): EditPlan | null {
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

function moveTo(world: TradingWorld, order: ModelOrder, plan: EditPlan): void {
  order.lines = [...plan.lines];
  if (order.status === 'draft') return;
  for (const { shelf, amount } of plan.released) world.shelves.move(shelf, amount, 'given-back');
  hold(world, order, plan.chosen);
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

function creditLeft(world: TradingWorld, account: Account | null): number {
  return usableCredits(account, world.nowMs).reduce((sum, { remainingCents }) => sum + remainingCents, 0);
}

/** Deducts the credits that the order reports as used: their sum is as predicted, and each is at most its balance. */
async function settleCredits(world: TradingWorld, order: ModelOrder): Promise<void> {
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
