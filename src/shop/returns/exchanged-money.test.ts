import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from '../payments/paying-shop.test-support.ts';
import type { Data } from './returned-goods.test-support.ts';

/* Money that a provider took for goods that came back, and that pays for others now. */

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { debit, bank } = at;
const cash = at.shop.paymentTypeId('Cash');
const order = async (id: string): Promise<Data> =>
  (await at.manager.call('GET', `/staff/v1/orders/${id}`)).data;

/** An order of eighths at $35, paid at the terminal. */
async function sold(): Promise<Data> {
  const { id } = await at.placed();
  const { id: intentId } = await at.ask(id, debit);
  expect((await at.fulfill(id, [{ paymentTypeId: debit, remaining: true }])).error).toBeUndefined();
  return { ...(await order(id)), intentId };
}
async function placed(quantity: number): Promise<string> {
  const { data, error } = await at.budtender.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: at.shop.optionId('eighth'), quantity }],
  });
  expect(error).toBeUndefined();
  return data.id;
}
const back = ({ lineItems }: Data) => [
  {
    orderLineItemId: lineItems[0].id,
    quantity: lineItems[0].quantity,
    inventoryAction: 'waste',
    reason: 'Dented',
  },
];
async function exchanged(former: Data, id: string, more: object = {}): Promise<number> {
  const { data, error } = await at.budtender.call('POST', `/staff/v1/orders/${id}/exchange`, {
    ...{ returned: { orderId: former.id, lineItems: back(former) }, ...more },
  });
  expect(error).toBeUndefined();
  return data.orderReturnId;
}
const voids = async (id: string) =>
  expect(
    (await at.manager.call('POST', `/staff/v1/orders/${id}/void`, { reason: 'Wrong' })).error,
  ).toBeUndefined();
const voidsReturn = async (id: number) =>
  (await at.manager.call('POST', `/staff/v1/order-returns/${id}/void`, { reason: 'Wrong' })).error;
const refunds = async () =>
  (await at.tasks())
    .filter(({ kind }) => kind === 'refund')
    .map(({ orderId, amount }) => [orderId, amount])
    .toSorted();
const appliedOf = async ({ intentId }: Data) => (await at.read(intentId)).applied;
const done = async () => {
  for (const { id } of await at.tasks()) {
    expect(
      (await at.manager.call('POST', `/staff/v1/payment-tasks/${id}/done`, { note: 'Given' })).error,
    ).toBeUndefined();
  }
};

test('a voided exchange gives back what the goods that came back were paid by, too, until their return is voided', async () => {
  const former = await sold();
  const id = await placed(2);
  await at.ask(id, debit);
  const orderReturnId = await exchanged(former, id, {
    payments: [{ paymentTypeId: debit, remaining: true }],
  });
  expect([await refunds(), await appliedOf(former)]).toEqual([[], 3500]);
  await voids(id);
  expect(await refunds()).toEqual(
    [
      [former.id, 3500],
      [id, 3500],
    ].toSorted(),
  );
  expect(await appliedOf(former)).toBe(0);
  // The customer keeps the former goods: their money stays.
  expect(await voidsReturn(orderReturnId)).toBeUndefined();
  expect([await refunds(), await appliedOf(former)]).toEqual([[[id, 3500]], 3500]);
  await done();
});

test('money of an exchange of an exchange is found, whether the last goods are returned or their sale is voided', async () => {
  for (const ends of ['void', 'return'] as const) {
    const former = await sold();
    const [second, third] = [await placed(1), await placed(1)];
    await exchanged(former, second);
    await exchanged(await order(second), third);
    if (ends === 'void') {
      await voids(third);
      expect(await refunds()).toEqual([[former.id, 3500]]);
    } else {
      const lineItems = back(await order(third)).map((line) => ({ ...line, type: 'return' }));
      const made = await at.budtender.call('POST', `/staff/v1/orders/${third}/returns`, {
        ...{ refundType: 'payment-method', paymentTypeId: debit, lineItems },
      });
      expect([made.error, await refunds()]).toEqual([undefined, [[former.id, 3500]]]);
      expect(await voidsReturn(made.data.id)).toBeUndefined();
      expect([await refunds(), await appliedOf(former)]).toEqual([[], 3500]);
    }
    await done();
  }
});

test('what stands under cash is given by hand, and what the bank took goes back by itself', async () => {
  const former = await sold();
  const id = await placed(2);
  await exchanged(former, id, { payments: [{ paymentTypeId: cash, remaining: true }] });
  await voids(id);
  expect([await refunds(), await appliedOf(former)]).toEqual([[], 3500]);

  const { id: paid, paymentId } = await at.placed(bank);
  const { data: link } = await service.call('POST', '/api/v1/payment-intents', {
    keys: at.shop.keys,
    body: { orderPaymentId: paymentId, source: 'e-commerce' },
  });
  await fetch(link.link, { method: 'POST' });
  await at.later(6);
  expect((await at.fulfill(paid, [{ paymentTypeId: bank, remaining: true }])).error).toBeUndefined();
  const next = await placed(1);
  const orderReturnId = await exchanged(await order(paid), next);
  await voids(next);
  await at.later(1);
  await at.later(6);
  expect(await at.read(link.id)).toMatchObject({ refunded: 3500, applied: 0 });
  expect((await voidsReturn(orderReturnId))?.code).toBe('RETURN_REFUNDED');
  expect(await at.booked()).toBe(at.taken());
  expect(service.faults).toEqual([]);
});
