import { expect } from 'vitest';
import { paymentDeskOf } from '../../src/shop/payments/payments.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestReply } from '../harness/test-service.ts';
import type { ModelOrder } from './order-model.ts';
import { canceledBy, openOrders } from './order-moves.ts';
import { expectPayments } from './payment-audit.ts';
import type { Fate, ModelPayment } from './payment-model.ts';
import { payWithinMinutes } from './payment-providers.ts';
import { bankType, feeOf, type PaymentType, terminalType } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Longer than the longest pause between two looks at what is not known. */
const longestPauseMs = 16 * minuteMs;
/** The bank is looked at each day for 61 days. */
const returnDaysMax = 50;

/** What happens between the shop, its terminal and the customer. */
const terminalStories = {
  tap: 8,
  tip: 1,
  'approved in part': 2,
  decline: 2,
  cancel: 1,
  'paid, and the line is cut': 3,
  'the line is cut': 2,
  'a late tap': 2,
  'staff abort': 1,
  'the service dies': 2,
  'the batch closes unread': 1,
} as const;
type TerminalStory = keyof typeof terminalStories;

/** Asks for money at the counter: by the terminal, or by a link to the bank. */
export async function payAtCounter(world: TradingWorld): Promise<void> {
  const { random, money, providers } = world;
  const open = openOrders(world);
  if (open.length === 0) return;
  const order = random.pick(open);
  const type = random.chance(0.8) ? terminalType : bankType;
  const left = money.leftCents(order);
  const isWhole = random.chance(0.85);
  const amountCents = Math.max(1, isWhole ? left : random.integer(1, Math.max(1, left + 100)));
  const inProgress = money.openOf(order) !== undefined;
  const refusal = inProgress ? 'PAYMENT_IN_PROGRESS' : amountCents > left ? 'INVALID_ORDER' : null;
  const story = random.pickWeighted(
    Object.keys(terminalStories) as TerminalStory[],
    (it) => terminalStories[it],
  );
  const ask = () =>
    world.askStaff('POST', '/staff/v1/payment-intents', {
      ...{ orderId: order.id, paymentTypeId: world.shop.paymentTypeId(type.name), amount: amountCents },
      registerId: providers.registerId,
    });
  world.story.push(
    `ask ${type.name} for ${amountCents} of ${left}, ${order.id}: ${refusal ?? (type === terminalType ? story : 'link')}`,
  );
  if (refusal !== null) {
    const reply = await ask();
    expect(reply.error?.code, reply.text).toBe(refusal);
    return;
  }
  if (type === bankType) {
    const payment = await begun(world, order, type, amountCents, null, await ask());
    await paymentDeskOf(world.service.context).idle();
    return followLink(world, payment);
  }
  await playTerminal(world, order, amountCents, story, ask);
  if (random.chance(0.7)) await untilKnown(world);
  await expectPayments(world, order);
}

async function playTerminal(
  world: TradingWorld,
  order: ModelOrder,
  amountCents: number,
  story: TerminalStory,
  ask: () => Promise<TestReply>,
): Promise<void> {
  const { random, providers, money } = world;
  const { server, tpn } = providers;
  const feeCents = feeOf(terminalType, amountCents);
  const asked = amountCents + feeCents;
  const isPart = story === 'approved in part';
  const approvedCents = isPart ? random.integer(feeCents + 1, asked) : asked;
  const tipCents = story === 'tip' ? 300 : 0;
  const taken: Fate = { kind: 'taken', cents: approvedCents, tipCents };
  const customer = { does: 'tap', tipCents, ...(isPart && { approvedCents }) } as const;
  const start = async () => begun(world, order, terminalType, amountCents, null, await ask());
  const ended = () => paymentDeskOf(world.service.context).idle();
  const at = 'POST /v2/Payment/Sale';
  switch (story) {
    case 'decline':
    case 'cancel': {
      server.terminals.customer(tpn, { does: story });
      const payment = await start();
      await ended();
      payment.state = 'ended';
      return;
    }
    case 'the line is cut': {
      server.faults.plan({ kind: 'close', at });
      const payment = await start();
      await ended();
      payment.fate = { kind: 'none' };
      payment.isSilent = true;
      return;
    }
    case 'paid, and the line is cut':
    case 'the batch closes unread': {
      server.terminals.customer(tpn, customer);
      server.faults.plan({ kind: random.pick(['commit-then-close', 'commit-then-500'] as const), at });
      const payment = await start();
      await ended();
      payment.fate = taken;
      payment.isSilent = true;
      if (story === 'the batch closes unread') closeBatch(world);
      return;
    }
    case 'a late tap':
    case 'staff abort': {
      const payment = await start();
      await server.whenHeld();
      const again = await ask();
      expect(again.error?.code, again.text).toBe('PAYMENT_IN_PROGRESS');
      world.clock.advance(random.integer(5, 90) * 1000);
      if (story === 'a late tap') server.terminals.customer(tpn, customer);
      else await world.askStaff('POST', `/staff/v1/payment-intents/${payment.id}/cancel`);
      await ended();
      if (story === 'a late tap') money.capture(payment, approvedCents, tipCents);
      else payment.state = 'ended';
      return;
    }
    case 'the service dies': {
      const payment = await start();
      await server.whenHeld();
      await world.die();
      const isPaid = random.chance(0.7);
      server.terminals.customer(tpn, isPaid ? customer : { does: 'cancel' });
      payment.fate = isPaid ? taken : { kind: 'none' };
      return;
    }
    default: {
      server.terminals.customer(tpn, customer);
      const payment = await start();
      await ended();
      money.capture(payment, approvedCents, tipCents);
    }
  }
}

/** An integrator asks for the intended payment of an order; its customer agrees at the bank, late, or never. */
export async function payOnline(world: TradingWorld): Promise<void> {
  const { random, money, providers } = world;
  const asked = openOrders(world).filter(
    ({ integrator, cart }) =>
      integrator !== null && integrator < world.integratorCount && cart.intended?.provider != null,
  );
  if (asked.length === 0) return;
  const order = random.pick(asked);
  const shown = (await world.askStaff('GET', `/staff/v1/orders/${order.id}`)).data.payments[0];
  const type = order.cart.intended!;
  const open = money.openOf(order);
  const isSame = open !== undefined && open.type === type && open.expiresAtMs !== null;
  const isDue = shown.amount > 0 && shown.amount <= money.leftCents(order);
  // A terminal needs its register: no integrator asks there.
  const refusal =
    open !== undefined
      ? 'PAYMENT_IN_PROGRESS'
      : type === terminalType
        ? 'PAYMENT_TYPE_NOT_CONNECTED'
        : isDue
          ? null
          : 'INVALID_ORDER';
  const ask = () =>
    world.askIntegrator(order.integrator!, 'POST', '/api/v1/payment-intents', {
      ...{ orderPaymentId: shown.id, source: 'e-commerce' },
    });
  world.story.push(`ask online for ${shown.amount} by ${type.name}, ${order.id}, ${refusal ?? ''}`);
  if (refusal !== null) {
    const reply = await ask();
    if (isSame && reply.status === 201) {
      expect(reply.data.id, 'the open one, or none').toBe(open.id);
      return;
    }
    expect(reply.error?.code, reply.text).toBe(refusal);
    return;
  }
  const isCut = random.chance(0.15);
  if (isCut) providers.server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/paymentLink' });
  const nowMs = world.nowMs;
  const reply = await world.surely(ask);
  providers.server.faults.clear();
  const expiresAtMs = nowMs + payWithinMinutes * minuteMs;
  const payment = await begun(world, order, type, shown.amount, expiresAtMs, reply);
  payment.isSilent = reply.data.status === 'unknown';
  await followLink(world, payment);
}

/** What the customer does behind a link. */
async function followLink(world: TradingWorld, payment: ModelPayment): Promise<void> {
  const { random, providers } = world;
  const { server } = providers;
  payment.fate = { kind: 'waits' };
  if (random.chance(0.75)) {
    if (random.chance(0.2)) {
      server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/capturePreauthTransaction' });
    }
    // Without a link there is nothing to agree to.
    if (server.bank.confirm(payment.reference)) {
      const cents = payment.amountCents + payment.feeCents;
      payment.fate = { kind: 'taken', cents, tipCents: 0 };
      await providers.deliver(world.service, random.integer(0, 2));
      await untilKnown(world);
    }
    server.faults.clear();
  }
  await expectPayments(world, payment.order);
}

/** Looks of the worker until all is known that can be. */
export async function untilKnown(world: TradingWorld): Promise<void> {
  for (let look = 0; look < 3; look++) {
    world.clock.advance(longestPauseMs);
    const hasClosed = await world.providers.work(world.service, world.shop);
    for (const payment of world.money.open) seeFate(world, payment);
    if (!hasClosed) continue;
    // Once more before its batch is closed: after that the terminal knows them no longer.
    for (const payment of world.money.open) {
      if (payment.type === terminalType) seeFate(world, payment);
    }
    batchClosed(world);
  }
}

/** The end of a year: links end, refunds arrive, and what is not known has its task. */
export async function settleMoney(world: TradingWorld): Promise<void> {
  for (let day = 0; day < 6; day++) {
    world.clock.advance(dayMs);
    await untilKnown(world);
  }
}

/** The prediction of a look; an order that was not paid in time is canceled with it. */
function seeFate(world: TradingWorld, payment: ModelPayment): void {
  const { money } = world;
  const { order, expiresAtMs, isAskedToEnd } = payment;
  money.look(payment, world.nowMs);
  const isOver = expiresAtMs !== null && expiresAtMs <= world.nowMs;
  if (!isOver || isAskedToEnd || payment.state !== 'ended') return;
  const all = money.ofOrder(order);
  const isUnpaid = all.every((it) => it.appliedCents === 0 && it.state !== 'open');
  const canEnd = order.status === 'draft' || order.status === 'new';
  if (all.at(-1) === payment && isUnpaid && canEnd) {
    world.story.push(`${order.id} was not paid in time`);
    canceledBy(world, order);
  }
}

/** What happens to money later: the bank takes it back, batches close, people do their tasks, links end. */
export async function moveMoney(world: TradingWorld): Promise<void> {
  const { random, money } = world;
  const act = random.pickWeighted(['return', 'recover', 'batch', 'task', 'look', 'end'] as const, (it) =>
    it === 'task' ? 4 : it === 'return' || it === 'look' ? 2 : 1,
  );
  world.story.push(`money: ${act}`);
  if (act === 'batch') return void closeBatch(world);
  if (act === 'task') return seeToTask(world);
  if (act === 'look') return untilKnown(world);
  if (act === 'end') return endPayment(world);
  const isYoung = ({ createdAtMs }: ModelPayment) => world.nowMs - createdAtMs < returnDaysMax * dayMs;
  const state = act === 'return' ? 'paid' : 'returned';
  const ofBank = money.payments.filter(
    (it) => it.type === bankType && it.state === state && it.refundedCents === 0 && isYoung(it),
  );
  if (ofBank.length === 0) return;
  const payment = random.pick(ofBank);
  const { bank } = world.providers.server;
  world.story.push(`${act} of ${payment.id}, ${payment.order.id}`);
  expect(act === 'return' ? bank.returns(payment.reference, 'R01') : bank.recovers(payment.reference)).toBe(
    true,
  );
  // By its webhook, doubled or lost, or by the look of the next day.
  await world.providers.deliver(world.service, random.integer(0, 2));
  world.clock.advance(25 * 60 * minuteMs);
  await untilKnown(world);
  if (act === 'return') money.takeBack(payment);
  else money.recover(payment);
  await expectPayments(world, payment.order);
}

/** The terminal's batch closes, as at night: what was not read by then is not read any more. */
function closeBatch(world: TradingWorld): void {
  const { providers } = world;
  providers.server.terminals.closeBatch(providers.tpn);
  batchClosed(world);
}

function batchClosed({ money }: TradingWorld): void {
  money.canProve = false;
  for (const payment of money.open) {
    if (payment.type === terminalType) payment.fate = { kind: 'lost' };
  }
}

/** A person ends a payment that is under way. */
async function endPayment(world: TradingWorld): Promise<void> {
  const { random, money } = world;
  if (money.open.length === 0) return;
  const payment = random.pick(money.open);
  const reply = await world.askStaff('POST', `/staff/v1/payment-intents/${payment.id}/cancel`);
  expect(reply.status, reply.text).toBe(200);
  money.askToEnd(payment, world.nowMs);
  await untilKnown(world);
  await expectPayments(world, payment.order);
}

async function seeToTask(world: TradingWorld): Promise<void> {
  const { random, money, providers } = world;
  const open = money.tasks.filter(({ isDone }) => !isDone);
  if (open.length === 0) return;
  const task = random.pick(open);
  const { payment, kind, amountCents } = task;
  const { data } = await world.askStaff('GET', '/staff/v1/payment-tasks');
  const shown = data.find(
    (it: TestReply['data']) =>
      it.kind === kind && it.paymentIntentId === payment.id && it.amount === amountCents,
  );
  expect(shown, 'the task is listed').toBeDefined();
  const path = `/staff/v1/payment-tasks/${shown.id}`;
  world.story.push(`task ${kind} of ${amountCents} of ${payment.id}`);
  if (kind === 'collect' || random.chance(0.2)) {
    expect((await world.askStaff('POST', `${path}/done`, { note: 'In cash' })).status).toBe(204);
    return money.end(task, 'by hand');
  }
  const isTerminal = payment.type === terminalType;
  const hasCard = random.chance(0.8);
  const isRefused = isTerminal && (!hasCard || random.chance(0.1));
  if (isTerminal && hasCard) {
    providers.server.terminals.customer(providers.tpn, { does: isRefused ? 'decline' : 'tap' });
  }
  expect((await world.askStaff('POST', `${path}/refund`, { hasCard })).status).toBe(204);
  await paymentDeskOf(world.service.context).idle();
  money.end(task, isRefused ? 'refused' : 'refunded');
  await expectPayments(world, payment.order);
}

/** Takes an accepted request into the model. */
async function begun(
  world: TradingWorld,
  order: ModelOrder,
  type: PaymentType,
  amountCents: number,
  expiresAtMs: number | null,
  reply: TestReply,
): Promise<ModelPayment> {
  expect(reply, reply.text).toMatchObject({ status: 201, data: { amount: amountCents } });
  const { id } = reply.data;
  const [row] = await tenantSql(
    world.service.context.database,
    world.shop.organizationId,
    'select reference from payment_intents where id = $1',
    id,
  );
  const payment: ModelPayment = {
    ...{ id, order, type, amountCents, expiresAtMs, reference: row!.reference },
    ...{ feeCents: feeOf(type, amountCents), createdAtMs: world.nowMs, state: 'open' },
    ...{
      fate: { kind: 'none' },
      isAskedToEnd: false,
      isSilent: false,
      absentCount: 0,
      isInKnownBatch: world.money.canProve,
    },
    ...{ capturedCents: 0, tipCents: 0, appliedCents: 0, refundedCents: 0, returnedCents: 0, byHandCents: 0 },
  };
  world.money.payments.push(payment);
  return payment;
}
