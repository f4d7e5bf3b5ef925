import { expect } from 'vitest';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestReply } from '../harness/test-service.ts';
import type { ModelOrder } from './order-model.ts';
import type { ModelPayment } from './payment-model.ts';
import type { TradingWorld } from './trading-world.ts';

type Data = TestReply['data'];

const states: Readonly<Record<string, ModelPayment['state']>> = {
  ...{ created: 'open', sending: 'open', waiting: 'open', authorized: 'open', unknown: 'open' },
  ...{ captured: 'paid', settled: 'paid', 'refund-pending': 'paid', refunded: 'paid' },
  ...{ canceled: 'ended', failed: 'ended', expired: 'ended', returned: 'returned' },
};

/** The payments of an order are as predicted. */
export async function expectPayments(world: TradingWorld, order: ModelOrder): Promise<void> {
  const { status, data, text } = await world.askStaff('GET', `/staff/v1/orders/${order.id}/payment-intents`);
  expect(status, text).toBe(200);
  const shown = data.map((it: Data) => [it.id, states[it.status], it.captured, it.tip, it.applied]);
  expect(shown).toEqual(
    world.money.ofOrder(order).map((it) => [it.id, it.state, it.capturedCents, it.tipCents, it.appliedCents]),
  );
  expect(data.map((it: Data) => [it.refunded, it.returned])).toEqual(
    world.money.ofOrder(order).map((it) => [it.refundedCents, it.returnedCents]),
  );
}

/** What is open for people is as predicted; of what no provider says, once it is quiet, there is a task each. */
async function expectTasks(world: TradingWorld, isQuiet: boolean): Promise<void> {
  const { data } = await world.askStaff('GET', '/staff/v1/payment-tasks');
  // What a batch lacks was never known, as that batch closed by itself: its total says so.
  const differences = data.filter(({ kind }: Data) => kind === 'settlement');
  expect(differences.filter(({ reason }: Data) => reason !== 'batch-differs')).toEqual([]);
  const shown = data
    .filter(({ kind }: Data) => kind !== 'unknown' && kind !== 'settlement')
    .map((it: Data) => `${it.kind} ${it.paymentIntentId} ${it.amount}`);
  const open = world.money.tasks.filter(({ isDone }) => !isDone);
  expect(shown.toSorted()).toEqual(
    open.map(({ kind, payment, amountCents }) => `${kind} ${payment.id} ${amountCents}`).toSorted(),
  );
  if (!isQuiet) return;
  const doubts = data
    .filter(({ kind }: Data) => kind === 'unknown')
    .map((it: Data) => `${it.paymentIntentId} ${it.amount}`);
  const unknown = world.money.open.filter(({ fate }) => fate.kind === 'lost' || fate.kind === 'none');
  expect(doubts.toSorted()).toEqual(
    unknown.map((it) => `${it.id} ${it.amountCents + it.feeCents}`).toSorted(),
  );
}

/**
 * The money of the providers is that of the orders, and of tasks that name the rest. What is not quiet yet, such as a refund on its
 * way, may still be with the provider.
 */
export async function auditMoney(world: TradingWorld, isQuiet: boolean): Promise<void> {
  const { money, providers } = world;
  const orders = new Set(money.payments.map(({ order }) => order));
  for (const order of isQuiet ? orders : [...orders].slice(-20)) await expectPayments(world, order);
  await expectTasks(world, isQuiet);
  const refunds = await tenantSql(
    world.service.context.database,
    world.shop.organizationId,
    'select payment_intent_id::integer as id, reference, amount_cents::integer as cents, status from payment_refunds',
  );
  for (const payment of money.payments) {
    const { reference, capturedCents, tipCents, refundedCents, returnedCents, fate, state } = payment;
    const asked = payment.amountCents + payment.feeCents + tipCents;
    if (state !== 'open') {
      expect(providers.takenBy([reference]), `${payment.id} is charged once`).toBeLessThanOrEqual(asked);
    }
    const own = refunds.filter(({ id }) => id === payment.id);
    const taken = providers.takenBy([reference, ...own.map((it) => it.reference)]);
    if (state === 'open') {
      // The task of an unknown payment, or the next look, names it.
      if (fate.kind === 'waits' || fate.kind === 'none') expect(taken).toBe(0);
      continue;
    }
    const tasksCents = money.openTasks(payment, 'refund').reduce((sum, it) => sum + it.amountCents, 0);
    const { appliedCents, byHandCents } = payment;
    expect(capturedCents).toBe(appliedCents + tasksCents + byHandCents + refundedCents + returnedCents);
    const underWay = own
      .filter(({ status }) => status !== 'paid' && status !== 'failed')
      .reduce((sum, { cents }) => sum + cents, 0);
    const withShop = capturedCents + tipCents - refundedCents - returnedCents;
    expect(taken - withShop, `${payment.id}, with its refunds`).toBeGreaterThanOrEqual(0);
    expect(taken - withShop, `${payment.id}, with its refunds`).toBeLessThanOrEqual(isQuiet ? 0 : underWay);
  }
}
