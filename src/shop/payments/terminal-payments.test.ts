import { afterAll, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { server, tpn, debit } = at;
const cash = at.shop.paymentTypeId('Cash');

test('a sale by the terminal is captured, and only what was captured pays the order', async () => {
  const { id } = await at.placed();
  const typed = await at.fulfill(id, [{ paymentTypeId: debit, remaining: true }]);
  expect(typed.error).toMatchObject({ code: 'INVALID_ORDER' });
  const intent = await at.ask(id, debit);
  expect(intent).toMatchObject({ status: 'captured', captured: 3500, applied: 3500, lastFour: '0017' });
  expect((await at.fulfill(id, [{ paymentTypeId: debit, remaining: true }])).status).toBe(200);
  expect(await at.booked()).toBe(at.taken());
});

test('staff print the slip of a card payment again, at its terminal; what is not printed says why', async () => {
  const { id } = await at.placed();
  const intent = await at.ask(id, debit);
  expect(intent.authCode).toMatch(/^\d{6}$/);
  const print = async (of = intent.id) =>
    (await at.budtender.call('POST', `/staff/v1/payment-intents/${of}/slip`)).data;
  expect(await print()).toEqual({ state: 'printed', code: null, advice: null });
  expect(server.terminals.printed(tpn)).toHaveLength(1);
  server.terminals.power(tpn, 'Offline');
  const unplugged = { state: 'refused', code: '2001', advice: expect.stringContaining('not connected') };
  expect(await print()).toEqual(unplugged);
  server.terminals.power(tpn, 'Online');
  server.faults.plan({ kind: 'close', at: 'POST /v2/Payment/Status' });
  expect((await print()).state).toBe('silent');
  expect((await at.fulfill(id, [{ paymentTypeId: debit, remaining: true }])).status).toBe(200);
  const { id: canceled } = await at.placed();
  server.terminals.customer(tpn, { does: 'cancel' });
  expect((await print((await at.ask(canceled, debit)).id)).state).toBe('none');
  expect([await at.booked(), server.terminals.printed(tpn).length]).toEqual([at.taken(), 1]);
});

test('what the terminal refuses, the customer cancels and the bank declines charges nothing, and may be asked for again', async () => {
  const { id } = await at.placed();
  server.terminals.power(tpn, 'Offline');
  expect(await at.ask(id, debit)).toMatchObject({
    status: 'failed',
    code: '2001',
    advice: expect.any(String),
  });
  server.terminals.power(tpn, 'Online');
  server.terminals.customer(tpn, { does: 'cancel' });
  expect(await at.ask(id, debit)).toMatchObject({ status: 'canceled', code: '1012' });
  server.terminals.customer(tpn, { does: 'decline', hostCode: '51' });
  expect(await at.ask(id, debit)).toMatchObject({ status: 'failed', code: '51' });
  expect(await at.ask(id, debit)).toMatchObject({ status: 'captured', captured: 3500 });
  expect(await at.booked()).toBe(at.taken());
});

test('an approval in part leaves the rest due; tip and cash back are apart', async () => {
  const { id } = await at.placed();
  server.terminals.customer(tpn, { does: 'tap', approvedCents: 2000, tipCents: 300, cashBackCents: 1000 });
  const intent = await at.ask(id, debit);
  expect(intent).toMatchObject({
    status: 'captured',
    captured: 2000,
    tip: 300,
    cashBack: 1000,
    applied: 2000,
  });
  expect(await at.tasks()).toMatchObject([{ kind: 'cash-back', amount: 1000 }]);
  const paid = await at.fulfill(id, [
    { paymentTypeId: debit, amount: 2000 },
    { paymentTypeId: cash, amount: 1500 },
  ]);
  expect(paid.status).toBe(200);
  // A receipt says what the card was charged, and that a tip is no part of the total; sent again, it says the same.
  const { data: sent } = await at.budtender.call('POST', `/staff/v1/orders/${id}/send-receipt`);
  const [mail] = await mailsOf(service.context, at.shop.organizationId, sent.recipient);
  const rows = [
    'Total: $35.00',
    'Paid: Terminal: $20.00',
    'Paid: Cash: $15.00',
    'Tip: $3.00',
    'Cash from the terminal: $10.00',
    `Charged to the card ending in 0017, approval ${intent.authCode}: $33.00`,
  ];
  expect(
    String(mail!.text)
      .split('\n')
      .filter((row) => rows.includes(row)),
  ).toEqual(rows);
  expect(await at.booked()).toBe(at.taken());
});

test.each([
  ['commit-then-hang', 'captured'],
  ['commit-then-500', 'captured'],
  ['commit-then-close', 'captured'],
] as const)('after %s the terminal is asked, and not pushed again: %s', async (kind, status) => {
  const { id } = await at.placed();
  server.faults.plan({ kind, at: 'POST /v2/Payment/Sale' });
  const asking = at.ask(id, debit);
  if (kind === 'commit-then-hang') {
    await server.whenHeld();
    server.letGo();
  }
  const intent = await asking;
  expect(intent.status).toBe('unknown');
  const again = await at.budtender.call('POST', '/staff/v1/payment-intents', {
    ...{ orderId: id, paymentTypeId: debit, amount: 3500, registerId: at.registerId },
  });
  expect(again.error).toMatchObject({ code: 'PAYMENT_IN_PROGRESS', meta: { status: 'unknown' } });
  await at.later(3);
  expect((await at.read(intent.id)).status).toBe(status);
  expect(await at.booked()).toBe(at.taken());
});

test('silence without a sale is proven in two reads of the same batch, and never guessed once a batch has closed', async () => {
  const { id } = await at.placed();
  server.faults.plan({ kind: 'close', at: 'POST /v2/Payment/Sale' });
  const intent = await at.ask(id, debit);
  expect(intent.status).toBe('unknown');
  await at.later(3);
  expect((await at.read(intent.id)).status).toBe('unknown');
  await at.later(5);
  expect((await at.read(intent.id)).status).toBe('failed');

  server.faults.plan({ kind: 'close', at: 'POST /v2/Payment/Sale' });
  const doubtful = await at.ask(id, debit);
  server.terminals.closeBatch(tpn);
  for (let look = 0; look < 8; look++) await at.later(1_000);
  expect((await at.read(doubtful.id)).status).toBe('unknown');
  // A wish to end it looks anew, and people are not told twice.
  await at.budtender.call('POST', `/staff/v1/payment-intents/${doubtful.id}/cancel`, {});
  for (let look = 0; look < 6; look++) await at.later(1_000);
  expect((await at.tasks()).filter(({ kind }) => kind === 'unknown')).toHaveLength(1);
  // A payment of the next batch proves nothing about the one before.
  await at.ask((await at.placed()).id, debit);
  for (let look = 0; look < 3; look++) await at.later(1_000);
  expect((await at.read(doubtful.id)).status).toBe('unknown');
  expect(await at.tasks()).toContainEqual(expect.objectContaining({ kind: 'unknown', amount: 3500 }));

  const other = [{ paymentTypeId: cash, remaining: true }];
  expect((await at.fulfill(id, other)).error).toMatchObject({ code: 'PAYMENT_IN_PROGRESS' });
  const word = { leavesUnknownPayment: true };
  expect((await at.fulfill(id, other, word)).error).toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
  expect((await at.fulfill(id, other, word, at.manager)).status).toBe(200);
});

test('a customer who taps late, on an order that was paid otherwise, is named by a task to give the money back', async () => {
  const { id } = await at.placed();
  await at.ask((await at.placed()).id, debit);
  server.terminals.customer(tpn, { does: 'tap', visibleAfterSeconds: 4_000 });
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Sale' });
  const intent = await at.ask(id, debit);
  await at.later(3);
  await at.later(5);
  expect((await at.read(intent.id)).status).toBe('failed');
  expect((await at.fulfill(id, [{ paymentTypeId: cash, remaining: true }])).status).toBe(200);
  for (const seconds of [61, 301, 1_801, 7_201]) await at.later(seconds);
  expect(await at.read(intent.id)).toMatchObject({ status: 'captured', captured: 3500, applied: 0 });
  const [task] = (await at.tasks()).filter(({ orderId }) => orderId === id);
  expect(task).toMatchObject({ kind: 'refund', amount: 3500, reason: 'late' });

  const refused = await at.budtender.call('POST', `/staff/v1/payment-tasks/${task.id}/refund`, {
    hasCard: true,
  });
  expect(refused.status).toBe(403);
  const given = await at.manager.call('POST', `/staff/v1/payment-tasks/${task.id}/refund`, { hasCard: true });
  expect(given.status).toBe(204);
  await at.idle();
  expect(await at.read(intent.id)).toMatchObject({ status: 'refunded', refunded: 3500 });
  const again = await at.manager.call('POST', `/staff/v1/payment-tasks/${task.id}/refund`, { hasCard: true });
  expect(again.error).toMatchObject({ code: 'PAYMENT_TASK_DONE' });
  expect(await at.booked()).toBe(at.taken());
});

test('a cashier who aborts before the card is read cancels; after it, the money is taken', async () => {
  server.turn({ customer: 'waits' });
  const { id } = await at.placed();
  const body = { orderId: id, paymentTypeId: debit, amount: 3500, registerId: at.registerId };
  const { data: first } = await at.budtender.call('POST', '/staff/v1/payment-intents', body);
  await server.whenHeld();
  expect((await at.budtender.call('POST', `/staff/v1/payment-intents/${first.id}/cancel`, {})).status).toBe(
    200,
  );
  await at.idle();
  expect((await at.read(first.id)).status).toBe('canceled');

  const { data: second } = await at.budtender.call('POST', '/staff/v1/payment-intents', body);
  await server.whenHeld();
  server.terminals.customer(tpn, { does: 'tap' });
  await at.budtender.call('POST', `/staff/v1/payment-intents/${second.id}/cancel`, {});
  await at.idle();
  expect((await at.read(second.id)).status).toBe('captured');
  server.turn({ customer: 'taps' });
  expect(await at.booked()).toBe(at.taken());
});

test('a process that ends while the terminal asks leaves a payment that the next one reads', async () => {
  const { id } = await at.placed();
  server.turn({ customer: 'waits' });
  const body = { orderId: id, paymentTypeId: debit, amount: 3500, registerId: at.registerId };
  const { data } = await at.budtender.call('POST', '/staff/v1/payment-intents', body);
  await server.whenHeld();
  await at.look(10);
  expect((await at.read(data.id)).status).toBe('sending');
  server.terminals.customer(tpn, { does: 'tap' });
  server.turn({ customer: 'taps' });
  await at.idle();
  expect((await at.read(data.id)).status).toBe('captured');
});

test('a canceled order leaves its card payment to people, and a voided return takes the task back', async () => {
  const { id } = await at.placed();
  const intent = await at.ask(id, debit);
  await at.manager.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Changed their mind' });
  expect(await at.read(intent.id)).toMatchObject({ status: 'captured', applied: 0 });
  expect((await at.tasks()).filter((it) => it.orderId === id)).toMatchObject([
    { kind: 'refund', amount: 3500, reason: 'order-canceled' },
  ]);

  const sold = await at.placed();
  const paid = await at.ask(sold.id, debit);
  const { data } = await at.fulfill(sold.id, [{ paymentTypeId: debit, remaining: true }]);
  const line = {
    orderLineItemId: data.lineItems[0].id,
    quantity: 1,
    type: 'return',
    inventoryAction: 'waste',
  };
  const { data: returned } = await at.budtender.call('POST', `/staff/v1/orders/${sold.id}/returns`, {
    ...{ refundType: 'payment-method', paymentTypeId: debit, lineItems: [{ ...line, reason: 'Dented' }] },
  });
  expect((await at.read(paid.id)).applied).toBe(0);
  const voided = await at.manager.call('POST', `/staff/v1/order-returns/${returned.id}/void`, {
    reason: 'Wrong order',
  });
  expect(voided.status).toBe(200);
  expect((await at.read(paid.id)).applied).toBe(3500);
  expect((await at.tasks()).filter((it) => it.orderId === sold.id)).toEqual([]);
});

test('a refund at the terminal whose card comes after it was given up is not made twice', async () => {
  const { id } = await at.placed();
  const intent = await at.ask(id, debit);
  await at.manager.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Changed their mind' });
  const ofOrder = async () => (await at.tasks()).filter((it) => it.orderId === id);
  const [task] = await ofOrder();
  server.terminals.customer(tpn, { does: 'tap', visibleAfterSeconds: 60 });
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Return' });
  await at.manager.call('POST', `/staff/v1/payment-tasks/${task.id}/refund`, { hasCard: true });
  await at.idle();
  for (const seconds of [3, 5, 9, 16]) {
    await at.later(seconds);
    expect([(await at.read(intent.id)).status, await ofOrder()]).toEqual(['refund-pending', []]);
  }
  await at.later(31);
  expect([(await at.read(intent.id)).status, await ofOrder()]).toEqual(['refunded', []]);
  expect(await at.booked()).toBe(at.taken());
});

test('an abort that comes after the card and reverses it opens the balance again, and tells staff', async () => {
  server.turn({ customer: 'waits', 'late-abort': 'reversed' });
  const { id } = await at.placed();
  const body = { orderId: id, paymentTypeId: debit, amount: 3500, registerId: at.registerId };
  const { data } = await at.budtender.call('POST', '/staff/v1/payment-intents', body);
  await server.whenHeld();
  // The abort is on its way while the customer taps, and arrives after the answer to the sale.
  const abort = 'POST /v2/Payment/AbortTransaction';
  server.faults.plan({ kind: 'hang', at: abort });
  const aborting = at.budtender.call('POST', `/staff/v1/payment-intents/${data.id}/cancel`, {});
  await expect.poll(() => server.calls.includes(abort) && server.calls.at(-1) === abort).toBe(true);
  server.terminals.customer(tpn, { does: 'tap', tipCents: 200 });
  await at.idle();
  expect(await at.read(data.id)).toMatchObject({ status: 'captured', captured: 3500, tip: 200 });
  server.letGo();
  await aborting;
  const reversed = await fetch(`${server.url}/v2/Payment/AbortTransaction`, {
    method: 'POST',
    body: JSON.stringify({
      ...at.terminalKeys,
      ReferenceId: server.terminals.ledger.entries.at(-1)!.reference,
    }),
  });
  expect(reversed.status).toBe(200);
  await at.later(3);
  expect(await at.read(data.id)).toMatchObject({ status: 'returned', returned: 3500, applied: 0, tip: 0 });
  expect((await at.tasks()).filter(({ orderId }) => orderId === id)).toMatchObject([
    { kind: 'collect', amount: 3500, reason: 'voided-at-terminal' },
  ]);
  server.turn({ customer: 'taps', 'late-abort': 'accepted' });
  expect(await at.booked()).toBe(at.taken());
});
