import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { registerId } = at;
const cash = at.shop.paymentTypeId('Cash');
const staff = (method: string, path: string, body?: object) =>
  at.manager.call(method as 'POST', `/staff/v1/${path}`, body);

const openDrawer = async (float = 20_000): Promise<number> =>
  (await staff('POST', `registers/${registerId}/drawer-sessions`, { float })).data.id;
const drawer = async (id: number) => (await staff('GET', `drawer-sessions/${id}`)).data;
const closeDrawer = async (id: number): Promise<number> => {
  const { payments } = await drawer(id);
  const counts = payments.map((it: { paymentTypeId: number | null; expected: number }) => ({
    ...{ paymentTypeId: it.paymentTypeId, counted: it.expected },
  }));
  return (await staff('POST', `drawer-sessions/${id}/close`, { counts })).status;
};

/** A hand-over of an order of $35. */
const handOver = async (payments: object[], orderId?: string) => {
  const id = orderId ?? (await at.placed(cash)).id;
  return at.fulfill(id, payments, { registerId });
};
const cashOf = async (session: number) =>
  (await drawer(session)).payments.find((it: { paymentTypeId: number | null }) => it.paymentTypeId === null);

test('cash is rounded to five cents on a line of its own; prices stay; the drawer and its report hold what was paid', async () => {
  const session = await openDrawer();
  await staff('PATCH', `payment-types/${cash}`, { cashRounding: 'symmetric' });
  const other = (await staff('POST', 'payment-types', { name: 'Check', method: 'other' })).data.id;
  const split = (cents: number, tendered?: number) => [
    { paymentTypeId: cash, amount: cents, ...(tendered !== undefined && { tendered }) },
    { paymentTypeId: other, amount: 3500 - cents },
  ];
  const short = await handOver(split(1003, 1003));
  expect([short.status, short.error?.message]).toEqual([422, expect.stringContaining('at least 1005 cents')]);
  const { data: down } = await handOver(split(1002, 1100));
  expect(down).toMatchObject({ customerGrandTotal: 3500, change: 100 });
  expect(down.payments).toMatchObject([
    { finalAmount: 1002, cashRounding: -2, tendered: 1100, change: 100 },
    { finalAmount: 2498, cashRounding: 0 },
  ]);
  const { data: up } = await handOver(split(1003));
  expect(up.payments[0]).toMatchObject({ finalAmount: 1003, cashRounding: 2 });
  // Goods for $10.02 come back in cash: what was paid for them, $10.00.
  const back = await staff('POST', `orders/${down.id}/returns`, {
    ...{
      refundType: 'payment-method',
      paymentTypeId: cash,
      registerId,
      adjustmentAmount: 2498,
      adjustmentDescription: 'Worn',
    },
    idempotencyKey: crypto.randomUUID(),
    lineItems: [
      {
        ...{ orderLineItemId: down.lineItems[0].id, quantity: 1, type: 'return' },
        ...{ inventoryAction: 'waste', reason: 'Dented' },
      },
    ],
  });
  expect(back.error).toBeUndefined();
  expect(back.data).toMatchObject({ refundTotal: -1002, cashRounding: 2 });
  expect(await cashOf(session)).toMatchObject({ sales: 2005, refunds: -1000, expected: 21_005 });
  expect((await drawer(session)).sales).toMatchObject({ total: 7000, cashRounding: 0, refunds: 1000 });
  expect(await closeDrawer(session)).toBe(200);
  await staff('PATCH', `payment-types/${cash}`, { cashRounding: 'off' });
  const { data: exact } = await handOver(split(1003));
  expect(exact.payments[0]).toMatchObject({ finalAmount: 1003, cashRounding: 0 });
});
