import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

/* Money that a bank gives back, refuses to give back, or takes back from the shop. */

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { server, bank } = at;

const sql = (text: string, ...values: number[]) =>
  tenantSql(service.context.database, at.shop.organizationId, text, ...values);

/** An order that is paid by its link. */
async function paid() {
  const { id: orderId } = await at.placed(bank);
  const { id: intentId } = await at.ask(orderId, bank);
  const [row] = await sql('select reference from payment_intents where id = $1', intentId);
  const reference = String(row!.reference);
  expect(server.bank.confirm(reference)).toBe(true);
  await at.later(6);
  expect(await at.read(intentId)).toMatchObject({ status: 'captured', captured: 3500 });
  return { orderId, intentId, reference };
}

/** A paid order that was handed over, and how goods of it come back. */
async function sold() {
  const it = await paid();
  const { data } = await at.fulfill(it.orderId, [{ paymentTypeId: bank, remaining: true }]);
  const line = { orderLineItemId: data.lineItems[0].id, quantity: 1, type: 'return', reason: 'Dented' };
  const goesBack = async (more: object = {}) => {
    const { error, data: made } = await at.budtender.call('POST', `/staff/v1/orders/${it.orderId}/returns`, {
      ...{ refundType: 'payment-method', paymentTypeId: bank },
      ...{ lineItems: [{ ...line, inventoryAction: 'waste' }], ...more },
    });
    expect(error).toBeUndefined();
    return made.id as number;
  };
  const ofOrder = async () => (await at.tasks()).filter(({ orderId }) => orderId === it.orderId);
  return { ...it, goesBack, ofOrder };
}
const kept = { adjustmentAmount: 2500, adjustmentDescription: 'Worn' };

test('a return whose refund the bank refused is voided with its task, and not once people have given the money back', async () => {
  for (const end of ['open', 'done']) {
    const { intentId, reference, goesBack, ofOrder } = await sold();
    server.bank.marks(reference, 'void');
    const returnId = await goesBack();
    await at.later(1);
    const [task, ...none] = await ofOrder();
    expect([task?.kind, task?.reason, task?.amount, none]).toEqual(['refund', 'refund-refused', 3500, []]);
    if (end === 'done') {
      await at.manager.call('POST', `/staff/v1/payment-tasks/${task!.id}/done`, { note: 'Given in cash' });
    }
    const voided = await at.manager.call('POST', `/staff/v1/order-returns/${returnId}/void`, {
      reason: 'Wrong order',
    });
    expect(voided.error?.code).toBe(end === 'done' ? 'RETURN_REFUNDED' : undefined);
    expect([(await at.read(intentId)).applied, await ofOrder()]).toEqual([end === 'done' ? 0 : 3500, []]);
  }
});

test('a refund that the bank refuses because it took the payment back meanwhile is no task to give it again', async () => {
  const { intentId, orderId, reference } = await paid();
  await at.later(2 * 24 * 3_600);
  server.faults.plan({ kind: 'html', at: 'POST /v2/reverseTransaction', times: 1 });
  await at.manager.call('POST', `/staff/v1/orders/${orderId}/cancel`, { reason: 'Changed their mind' });
  await at.later(0);
  server.bank.returns(reference, 'R01');
  await sql(`update payment_intents set next_look_at = '2026-01-01' where id = $1 returning id`, intentId);
  server.faults.plan({ kind: 'html', at: 'POST /v2/reverseTransaction', times: 1 });
  await at.later(3);
  await at.later(60);
  expect(await at.read(intentId)).toMatchObject({ status: 'returned', returned: 3500, refunded: 0 });
  expect((await at.tasks()).filter((it) => it.orderId === orderId)).toEqual([]);
  expect(await at.booked()).toBe(at.taken());
});

test('a refund that the bank gives up, or never got, becomes a task: none waits for ever', async () => {
  const givenUp = await sold();
  await at.later(2 * 24 * 3_600);
  await givenUp.goesBack(kept);
  await at.later(1);
  expect((await at.read(givenUp.intentId)).status).toBe('refund-pending');
  server.bank.abandons(givenUp.reference);
  await at.later(3_601);
  expect(await at.read(givenUp.intentId)).toMatchObject({ status: 'captured', refunded: 0, applied: 2500 });
  expect(await givenUp.ofOrder()).toMatchObject([{ kind: 'refund', amount: 1000, reason: 'refund-refused' }]);

  const lost = await sold();
  server.faults.plan({ kind: 'html', at: 'POST /v2/reverseTransaction', times: 1_000 });
  await lost.goesBack(kept);
  for (let hour = 0; hour < 19; hour++) await at.later(3_601);
  expect((await at.read(lost.intentId)).status).toBe('refund-pending');
  // The key is no longer good: what the bank lists tells.
  for (let hour = 0; hour < 2; hour++) await at.later(3_601);
  server.faults.clear();
  expect(await lost.ofOrder()).toMatchObject([{ kind: 'refund', amount: 1000, reason: 'refund-refused' }]);
  expect(await at.booked()).toBe(at.taken());
});

test('what is collected after all, on an order that was paid otherwise meanwhile, is a task to give it back', async () => {
  const taken = async ({ intentId, reference }: { intentId: number; reference: string }) => {
    server.bank.returns(reference, 'R01');
    await at.later(24 * 3_600 + 1);
    expect((await at.read(intentId)).status).toBe('returned');
  };
  const ofOrder = async (id: string) => (await at.tasks()).filter(({ orderId }) => orderId === id);
  const inCash = await paid();
  await taken(inCash);
  const cash = at.shop.paymentTypeId('Cash');
  expect(
    (await at.fulfill(inCash.orderId, [{ paymentTypeId: cash, remaining: true }])).error,
  ).toBeUndefined();
  const collected = await sold();
  await taken(collected);
  const [task] = await ofOrder(collected.orderId);
  await at.manager.call('POST', `/staff/v1/payment-tasks/${task!.id}/done`, { note: 'Paid in cash' });
  for (const { intentId, orderId, reference } of [inCash, collected]) {
    server.bank.recovers(reference);
    await at.later(24 * 3_600 + 1);
    expect(await at.read(intentId)).toMatchObject({ status: 'captured', returned: 0, applied: 0 });
    expect(await ofOrder(orderId)).toMatchObject([{ kind: 'refund', amount: 3500, reason: 'late' }]);
  }
  expect(await at.booked()).toBe(at.taken());
});

test('a payment that was given back in part is looked at on: what the bank takes back weeks later is told', async () => {
  const { intentId, reference, goesBack, ofOrder } = await sold();
  await at.later(20 * 3_600);
  // Over midnight of the bank: the refund is queued, and under way when the daily look comes.
  await goesBack(kept);
  for (let day = 0; day < 4; day++) await at.later(25 * 3_600);
  expect(await at.read(intentId)).toMatchObject({ status: 'captured', refunded: 1000, applied: 2500 });
  server.bank.returns(reference, 'R10');
  await at.later(25 * 3_600);
  expect(await at.read(intentId)).toMatchObject({ status: 'returned', returned: 2500, applied: 0 });
  expect(await ofOrder()).toContainEqual(expect.objectContaining({ kind: 'collect', amount: 2500 }));
});
