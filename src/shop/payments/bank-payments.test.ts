import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { server, bank } = at;

const asks = (orderPaymentId: number) =>
  service.call('POST', '/api/v1/payment-intents', {
    keys: at.shop.keys,
    body: { orderPaymentId, source: 'e-commerce' },
  });
const statusOf = async (orderId: string) =>
  (await at.manager.call('GET', `/staff/v1/orders/${orderId}`)).data.status;

async function referenceOf(id: number): Promise<string> {
  const [row] = await tenantSql(
    service.context.database,
    at.shop.organizationId,
    'select reference from payment_intents where id = $1',
    id,
  );
  return String(row!.reference);
}

/** An order that is paid by its link. */
async function paid() {
  const { id, paymentId } = await at.placed(bank);
  const { data } = await asks(paymentId);
  const reference = await referenceOf(data.id);
  expect(server.bank.confirm(reference)).toBe(true);
  await at.later(6);
  expect(await at.read(data.id)).toMatchObject({ status: 'captured', captured: 3500 });
  return { orderId: id, intentId: data.id, reference };
}

test('an intended payment is asked for once, and paid by its link', async () => {
  const { id, paymentId } = await at.placed(bank);
  const { status, data } = await asks(paymentId);
  expect(status).toBe(201);
  expect(data).toEqual({
    ...{ id: expect.any(Number), organizationId: at.shop.organizationId, userId: expect.any(Number) },
    ...{ paymentTypeId: bank, amount: 3500, feeAmount: 0, link: expect.stringContaining('/pay/') },
    ...{ status: 'waiting', source: 'e-commerce' },
    ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
  });
  expect((await asks(paymentId)).data.id).toBe(data.id);
  const page = await fetch(data.link, { method: 'POST' });
  expect(await page.text()).toContain('is authorized');
  await at.later(6);
  expect(await at.read(data.id)).toMatchObject({ status: 'captured', payerName: 'Robin Castellan' });
  const own = await service.call('GET', `/api/v1/payment-intents/${data.id}`, { keys: at.shop.keys });
  expect(own.data.status).toBe('captured');
  const listed = await service.call('GET', `/api/v1/orders/${id}/payment-intents`, { keys: at.shop.keys });
  expect(listed.data).toEqual([own.data]);
  expect((await at.fulfill(id, [{ paymentTypeId: bank, remaining: true }])).status).toBe(200);
  expect(await at.booked()).toBe(at.taken());
  // The customer's export has it.
  const { data: order } = await at.manager.call('GET', `/staff/v1/orders/${id}`);
  const customer = `/staff/v1/customers/${order.customer.id}`;
  const { data: exported } = await at.manager.call('GET', `${customer}/export`);
  expect(exported.orders.find((it: { id: string }) => it.id === id).providerPayments).toMatchObject([
    { status: 'captured', captured: 3500, tip: 0, refunded: 0, payerName: 'Robin Castellan', lastFour: null },
  ]);
});

test('a change of the price ends the payment first, and its link charges nothing any more', async () => {
  const { id, paymentId } = await at.placed(bank);
  const { data } = await asks(paymentId);
  const edit = { lineItems: [{ productOptionId: at.shop.optionId('eighth'), quantity: 2 }] };
  expect((await at.manager.call('PATCH', `/staff/v1/orders/${id}`, edit)).status).toBe(200);
  expect((await at.read(data.id)).status).toBe('canceled');
  server.bank.confirm(await referenceOf(data.id));
  await at.later(61);
  await at.later(301);
  expect(await at.read(data.id)).toMatchObject({ status: 'canceled', captured: 0 });
  expect(await statusOf(id)).toBe('new');
  expect(await at.booked()).toBe(at.taken());
});

test('an order that is not paid in its time is canceled', async () => {
  const { id, paymentId } = await at.placed(bank);
  const { data } = await asks(paymentId);
  await at.later(29 * 60);
  expect(await statusOf(id)).toBe('new');
  await at.later(2 * 60);
  expect(await at.read(data.id)).toMatchObject({ status: 'canceled' });
  expect(await statusOf(id)).toBe('canceled');
});

test('an order whose payment ended before is canceled when its time is over, unless another was asked for', async () => {
  const { id, paymentId } = await at.placed(bank);
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/paymentLink' });
  const { data } = await asks(paymentId);
  await at.later(3);
  expect((await at.read(data.id)).status).toBe('canceled');
  for (const seconds of [60, 300, 24 * 60 - 10]) await at.later(seconds);
  expect(await statusOf(id)).toBe('new');
  await at.later(10);
  expect(await statusOf(id)).toBe('canceled');
});

test('a customer who agrees after the order was canceled pays nothing; what was taken meanwhile is a task to give it back', async () => {
  const late = await at.placed(bank);
  const { data: lateIntent } = await asks(late.paymentId);
  const lateReference = await referenceOf(lateIntent.id);
  await at.later(31 * 60);
  expect(await statusOf(late.id)).toBe('canceled');
  server.bank.confirm(lateReference);
  await at.later(24 * 3_600);
  expect(await at.read(lateIntent.id)).toMatchObject({ status: 'canceled', captured: 0 });
  // The answer to the capture is lost, and the bank is away until the order is canceled.
  const { id, paymentId } = await at.placed(bank);
  const { data: intent } = await asks(paymentId);
  server.bank.confirm(await referenceOf(intent.id));
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/capturePreauthTransaction' });
  await at.later(6);
  server.faults.plan({ kind: 'html', times: 1_000 });
  await at.later(31 * 60);
  // Not known is not unpaid.
  expect([(await at.read(intent.id)).status, await statusOf(id)]).toEqual(['unknown', 'new']);
  await at.manager.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Never came' });
  expect(await statusOf(id)).toBe('canceled');
  server.faults.clear();
  await at.later(3_600);
  await at.later(3_600);
  expect(await at.read(intent.id)).toMatchObject({ status: 'captured', captured: 3500, applied: 0 });
  const ofOrder = async () => (await at.tasks()).filter(({ orderId }) => orderId === id);
  const [task, ...none] = await ofOrder();
  expect([task!.kind, task!.reason, task!.amount, none]).toEqual(['refund', 'order-canceled', 3500, []]);
  await at.manager.call('POST', `/staff/v1/payment-tasks/${task!.id}/refund`, { hasCard: false });
  await at.later(3);
  expect(await at.read(intent.id)).toMatchObject({ status: 'refunded', refunded: 3500 });
  expect([await ofOrder(), await at.booked()]).toEqual([[], at.taken()]);
});

test.each(['commit-then-close', 'close'] as const)(
  'a capture without an answer (%s) is read, and never made twice',
  async (kind) => {
    const { paymentId } = await at.placed(bank);
    const { data } = await asks(paymentId);
    server.bank.confirm(await referenceOf(data.id));
    server.faults.plan({ kind, at: 'POST /v2/capturePreauthTransaction' });
    await at.later(6);
    expect((await at.read(data.id)).status).toBe('unknown');
    await at.later(3);
    await at.later(5);
    expect(await at.read(data.id)).toMatchObject({ status: 'captured', captured: 3500 });
    expect(await at.booked()).toBe(at.taken());
  },
);

test.each([
  // Nothing reached the bank, or it shows the same link again.
  ['close', 'refused', 'waiting'],
  ['commit-then-close', 'same', 'waiting'],
  // The bank shows no link twice: what is agreed to behind the lost one is never captured, and another payment has its own.
  ['commit-then-close', 'refused', 'canceled'],
] as const)(
  'a customer whose link was lost on its way (%s, a repeat is %s) gets one: %s',
  async (kind, repeat, status) => {
    server.turn({ 'link-repeat': repeat });
    const { id, paymentId } = await at.placed(bank);
    server.faults.plan({ kind, at: 'POST /v2/paymentLink' });
    const { data: first } = await asks(paymentId);
    expect([first.status, first.link]).toEqual(['unknown', null]);
    const lost = await referenceOf(first.id);
    await at.later(3);
    const seen = await at.read(first.id);
    expect([seen.status, seen.link === null]).toEqual([status, status === 'canceled']);
    const { data: second } = await asks(paymentId);
    expect([second.link, second.id === first.id]).toEqual([
      expect.stringContaining('/pay/'),
      status === 'waiting',
    ]);
    if (second.id !== first.id) expect(server.bank.confirm(lost)).toBe(true);
    server.bank.confirm(await referenceOf(second.id));
    await at.later(6);
    await at.later(61);
    expect(await at.read(second.id)).toMatchObject({ status: 'captured', captured: 3500 });
    const taken = server.bank.ledger.entries.filter(({ reference }) => reference === lost);
    expect(taken.length).toBe(second.id === first.id ? 1 : 0);
    expect((await at.fulfill(id, [{ paymentTypeId: bank, remaining: true }])).status).toBe(200);
    server.turn({ 'link-repeat': 'refused' });
  },
);

test('a customer whose bank must be connected again, or who is suspended, loses no cart: the payment waits until it may go on', async () => {
  const { id, paymentId } = await at.placed(bank);
  const { data } = await asks(paymentId);
  server.bank.confirm(await referenceOf(data.id));
  for (const code of ['AP300', 'AP109'] as const) {
    server.bank.refuses(code);
    await at.later(6);
    expect([(await at.read(data.id)).status, await statusOf(id)]).toEqual(['authorized', 'new']);
  }
  server.bank.refuses(null);
  await at.later(60);
  expect(await at.read(data.id)).toMatchObject({ status: 'captured', captured: 3500 });
});

test('a canceled order gives its money back by itself: once, whatever answers are lost', async () => {
  const { orderId, intentId } = await paid();
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/reverseTransaction' });
  await at.manager.call('POST', `/staff/v1/orders/${orderId}/cancel`, { reason: 'Changed their mind' });
  await at.later(1);
  expect((await at.read(intentId)).status).toBe('refund-pending');
  await at.later(3);
  expect(await at.read(intentId)).toMatchObject({ status: 'refunded', refunded: 3500, applied: 0 });
  expect(await at.booked()).toBe(at.taken());
});

test('returned goods give money back to the bank, days later too', async () => {
  const { orderId, intentId } = await paid();
  const { data } = await at.fulfill(orderId, [{ paymentTypeId: bank, remaining: true }]);
  await at.later(25 * 3_600);
  const line = {
    orderLineItemId: data.lineItems[0].id,
    quantity: 1,
    type: 'return',
    inventoryAction: 'waste',
  };
  const returned = await at.budtender.call('POST', `/staff/v1/orders/${orderId}/returns`, {
    ...{ refundType: 'payment-method', paymentTypeId: bank, lineItems: [{ ...line, reason: 'Dented' }] },
  });
  expect(returned.status).toBe(201);
  await at.later(1);
  expect((await at.read(intentId)).status).toBe('refund-pending');
  const voided = await at.manager.call('POST', `/staff/v1/order-returns/${returned.data.id}/void`, {
    reason: 'Oops',
  });
  expect(voided.error).toMatchObject({ code: 'RETURN_REFUNDED' });
  for (let day = 0; day < 3; day++) await at.later(25 * 3_600);
  expect(await at.read(intentId)).toMatchObject({ status: 'refunded', refunded: 3500 });
  expect(await at.booked()).toBe(at.taken());
});

test('a refund goes back to the payments it came from, newest first, and never above what is left of them', async () => {
  const { id } = await at.placed(bank);
  const intents: number[] = [];
  for (const amount of [2000, 1500]) {
    const { id: intentId } = await at.ask(id, bank, amount);
    server.bank.confirm(await referenceOf(intentId));
    await at.later(6);
    intents.push(intentId);
  }
  const { data: sold } = await at.fulfill(id, [{ paymentTypeId: bank, remaining: true }]);
  const [line] = sold.lineItems;
  const back = (paymentTypeId: number) =>
    at.budtender.call('POST', `/staff/v1/orders/${id}/returns`, {
      ...{
        refundType: 'payment-method',
        paymentTypeId,
        adjustmentAmount: 1000,
        adjustmentDescription: 'Worn',
      },
      lineItems: [
        { orderLineItemId: line.id, quantity: 1, type: 'return', inventoryAction: 'waste', reason: 'Dented' },
      ],
    });
  expect((await back(bank)).data).toMatchObject({ refundTotal: -2500 });
  for (let look = 0; look < 3; look++) await at.later(1);
  expect([await at.read(intents[1]!), await at.read(intents[0]!)]).toMatchObject([
    { status: 'refunded', refunded: 1500, applied: 0 },
    { status: 'captured', refunded: 1000, applied: 1000 },
  ]);
  expect(await at.booked()).toBe(at.taken());
});

test('an order of several tenders gives back by the one that staff choose first, with a reason, and by the others then; never more than they took', async () => {
  const sold = async (other: number) => {
    const { id } = await at.placed();
    const byTerminal = await at.ask(id, at.debit, 2000);
    const rest = other === bank ? await at.ask(id, bank, 1500) : null;
    if (rest !== null) server.bank.confirm(await referenceOf(rest.id));
    await at.later(6);
    const { data } = await at.fulfill(id, [
      { paymentTypeId: at.debit, amount: 2000 },
      { paymentTypeId: other, amount: 1500 },
    ]);
    const goesBack = (paymentTypeId: number) =>
      at.budtender.call('POST', `/staff/v1/orders/${id}/returns`, {
        ...{ refundType: 'payment-method', paymentTypeId },
        lineItems: [
          ...[
            { orderLineItemId: data.lineItems[0].id, quantity: 1, type: 'return', reason: 'Asks for cash' },
          ],
        ],
      });
    return { id, goesBack, byTerminal: byTerminal.id, byBank: rest?.id };
  };
  const toRefund = async (orderId: string) =>
    (await at.tasks()).filter((it) => it.orderId === orderId).map(({ kind, amount }) => [kind, amount]);

  const both = await sold(bank);
  expect((await both.goesBack(bank)).data).toMatchObject({ refundTotal: -3500 });
  await at.later(1);
  expect([await toRefund(both.id), (await at.read(both.byBank)).refunded]).toEqual([
    [['refund', 2000]],
    1500,
  ]);

  const cash = at.shop.paymentTypeId('Cash');
  const mixed = await sold(cash);
  expect((await mixed.goesBack(at.debit)).error).toMatchObject({
    ...{ code: 'REFUND_EXCEEDS_PAYMENT', message: expect.stringContaining('At most 2000 cents') },
  });
  const { data: made } = await mixed.goesBack(cash);
  expect(made).toMatchObject({ refundTotal: -3500, lineItems: [{ reason: 'Asks for cash' }] });
  expect(await toRefund(mixed.id)).toEqual([]);
  const { data: audited } = await at.manager.call(
    'GET',
    `/staff/v1/audit-log?subjectType=order&subjectId=${mixed.id}`,
  );
  expect(audited.find(({ action }: { action: string }) => action === 'order.returned')).toMatchObject({
    details: { orderReturnId: made.id, paymentTypeId: cash },
  });
});

test('what the bank takes back days later opens the balance again and tells staff; collected after all, it closes', async () => {
  const { orderId, intentId, reference } = await paid();
  await at.fulfill(orderId, [{ paymentTypeId: bank, remaining: true }]);
  await at.later(2 * 24 * 3_600);
  server.bank.returns(reference, 'R01');
  await at.later(24 * 3_600 + 1);
  expect(await at.read(intentId)).toMatchObject({
    status: 'returned',
    returned: 3500,
    applied: 0,
    code: 'R01',
  });
  const ofOrder = async () => (await at.tasks()).filter((it) => it.orderId === orderId);
  expect(await ofOrder()).toMatchObject([{ kind: 'collect', amount: 3500 }]);
  expect(await at.booked()).toBe(at.taken());
  server.bank.recovers(reference);
  await at.later(24 * 3_600 + 1);
  expect(await at.read(intentId)).toMatchObject({ status: 'captured', returned: 0, applied: 3500 });
  expect(await ofOrder()).toEqual([]);
  expect(await at.booked()).toBe(at.taken());

  // An order that waits to be handed over was paid in time: staff decide about it.
  const waiting = await paid();
  server.bank.returns(waiting.reference, 'R01');
  await at.later(24 * 3_600 + 1);
  expect((await at.read(waiting.intentId)).status).toBe('returned');
  expect((await at.manager.call('GET', `/staff/v1/orders/${waiting.orderId}`)).data.status).toBe('new');
});

test('webhooks only lead to a read: twice, late, out of order, forged', async () => {
  const { data: connections } = await at.manager.call('GET', '/staff/v1/payment-connections');
  const { eventsUrl, id } = connections.find((it: { provider: string }) => it.provider === 'bank');
  expect(JSON.stringify(connections)).not.toContain('bank-api-secret');
  const path = new URL(eventsUrl).pathname;
  expect(path).toMatch(new RegExp(`/${at.shop.organizationId}/${id}$`));
  const { paymentId } = await at.placed(bank);
  const { data } = await asks(paymentId);
  const reference = await referenceOf(data.id);
  await at.later(1_000);
  server.bank.confirm(reference);
  const hook = server.bank.signed(eventsUrl, {
    topic: 'preauthorized_transaction_created',
    data: { referenceId: reference },
  });
  const signature = hook.headers['ap-signature']!;
  const send = (body: string, signed: string) =>
    service.call('POST', path, {
      body: Buffer.from(body),
      headers: { 'ap-signature': signed, 'content-type': 'application/json' },
    });
  const reads = () => server.calls.length;
  const before = reads();
  expect((await send(hook.body, 'f'.repeat(64))).status).toBe(200);
  expect((await send(hook.body.replace(reference, 'another'), signature)).status).toBe(200);
  await at.later(0);
  expect(reads()).toBe(before);
  expect((await send(hook.body, signature)).status).toBe(200);
  expect((await send(hook.body, signature)).status).toBe(200);
  await at.later(0);
  expect((await at.read(data.id)).status).toBe('captured');
  expect(await at.booked()).toBe(at.taken());
});

test('two who ask at once get one payment', async () => {
  const { id, paymentId } = await at.placed(bank);
  const both = await Promise.all([
    asks(paymentId),
    at.budtender.call('POST', '/staff/v1/payment-intents', {
      orderId: id,
      paymentTypeId: bank,
      amount: 3500,
    }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});

test('what a bank paid out is held against what was captured, fee by fee; each difference is a task, once', async () => {
  const dayOf = () => new Date(service.clock.now()).toISOString().slice(0, 10);
  const untilMidnight = () => 86_400 - (Math.floor(service.clock.now() / 1_000) % 86_400) + 60;
  // A day of its own, of which nothing is reported yet.
  await at.later(untilMidnight());
  const known = (await at.tasks()).length;
  const [whole, lowered, left] = [await paid(), await paid(), await paid()];
  const day = dayOf();
  const line = (reference: string) => server.bank.settlement.find((it) => it.reference === reference)!;
  const { feeCents } = line(whole.reference);
  Object.assign(line(lowered.reference), { cents: 3400 });
  server.bank.settlement.splice(server.bank.settlement.indexOf(line(left.reference)), 1);
  server.bank.settlement.push({ day, reference: 'stranger', kind: 'payment', cents: 999, feeCents: 10 });
  await at.later(untilMidnight());
  // The worker has read it by itself.
  expect(await at.read(whole.intentId)).toMatchObject({ status: 'settled', captured: 3500 });
  expect(await at.read(lowered.intentId)).toMatchObject({ status: 'captured' });
  await at.later(untilMidnight());
  const tasks = (await at.tasks()).filter(({ kind }) => kind === 'settlement');
  const row = (it: (typeof tasks)[number]) => [it.reason, it.reference, it.amount, it.paymentIntentId];
  expect(new Set(tasks.map((it) => row(it).join()))).toEqual(
    new Set([
      ['not-ours', 'stranger', 999, null].join(),
      ['amount-differs', lowered.reference, -100, lowered.intentId].join(),
      ['not-paid-out', left.reference, 3500, left.intentId].join(),
    ]),
  );
  const { data: connections } = await at.manager.call('GET', '/staff/v1/payment-connections');
  const idOf = (provider: string) =>
    connections.find((it: { provider: string }) => it.provider === provider).id;
  const settle = (provider: string) =>
    at.manager.call('POST', `/staff/v1/payment-connections/${idOf(provider)}/settlements`, { day });
  const again = await settle('bank');
  expect(again.data).toMatchObject({
    ...{ day, payments: 3500 + 3400 + 999, refunds: 0, returned: 0, differences: 2, agreedFees: null },
  });
  // The bank keeps about a percent: as agreed it is no difference, and beyond that it is one, once.
  const agree = (change: object) => at.manager.call('PATCH', `/staff/v1/payment-types/${at.bank}`, change);
  await agree({ agreedFeePercent: '1' });
  expect((await settle('bank')).data).toMatchObject({ agreedFees: 35 + 34 + 10, differences: 2 });
  await agree({ agreedFeePercent: '0.5', agreedFee: 2 });
  for (const _ of ['first', 'again']) {
    const agreedFees = 18 + 17 + 5 + 3 * 2;
    expect((await settle('bank')).data).toMatchObject({ agreedFees, differences: 3 });
  }
  const [ofFees, ...none] = (await at.tasks()).filter(({ reason }) => reason === 'fee-differs');
  expect([ofFees!.reference, ofFees!.amount, none]).toEqual([day, again.data.fees - 46, []]);
  await at.manager.call('POST', `/staff/v1/payment-tasks/${ofFees!.id}/done`, { note: 'It pays it back' });
  expect(again.data.net).toBe(again.data.payments - again.data.fees);
  expect(again.data.fees).toBeGreaterThanOrEqual(feeCents + 10);
  expect(await at.tasks()).toHaveLength(known + 3);
  for (const { id } of tasks) {
    const done = await at.manager.call('POST', `/staff/v1/payment-tasks/${id}/done`, {
      note: 'The bank corrects it',
    });
    expect(done.status).toBe(204);
  }
  server.faults.plan({ kind: 'html', at: 'GET /v2/reports/transactions/CSV' });
  expect((await settle('bank')).error?.code).toBe('PAYMENT_NOT_REPORTED');
  expect(await at.tasks()).toHaveLength(known);
});
