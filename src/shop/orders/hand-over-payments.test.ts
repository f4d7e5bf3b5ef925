import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let clerk: TestStaff;
beforeAll(async () => {
  shop = await createTestShop(service.context);
  clerk = await service.staff(shop, 'budtender');
});
afterAll(() => service.close());

/** An accepted order without payments. */
async function unpaid(): Promise<{ id: string; total: number }> {
  const { data } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop),
  });
  await clerk.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
  return { id: data.id, total: data.customerGrandTotal };
}

const fulfill = (id: string, body: object) => clerk.call('POST', `/staff/v1/orders/${id}/fulfill`, body);

describe('payments at the hand-over', () => {
  const cashId = () => shop.paymentTypeId('Cash');

  test('have the fields of those at placing: the same body pays an order that has none', async () => {
    const { id, total } = await unpaid();
    const reply = await fulfill(id, { payments: [{ paymentTypeId: cashId(), remaining: true }] });
    expect([reply.status, reply.data.payments]).toEqual([
      200,
      [expect.objectContaining({ name: 'Cash', finalAmount: total })],
    ]);
  });

  test('one takes what the others leave, and cash received for it has its change', async () => {
    const { id, total } = await unpaid();
    const reply = await fulfill(id, {
      payments: [
        { paymentTypeId: cashId(), amount: 1_000 },
        { paymentTypeId: cashId(), remaining: true, tendered: total + 500 },
      ],
    });
    expect([reply.status, reply.data.change]).toEqual([200, 1_500]);
    expect(reply.data.payments.map(({ amount }: { amount: number }) => amount)).toEqual([
      1_000,
      total - 1_000,
    ]);
  });

  test('need either an amount or the rest, and the rest once', async () => {
    const { id } = await unpaid();
    for (const [payments, words] of [
      [[{ paymentTypeId: cashId() }], 'payments[0] must have either amount or remaining: true'],
      [[{ paymentTypeId: cashId(), amount: 5, remaining: true }], 'payments[0] must have either amount or'],
      [Array(2).fill({ paymentTypeId: cashId(), remaining: true }), 'at most one with remaining: true'],
    ] as const) {
      const reply = await fulfill(id, { payments });
      expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(reply.error?.message).toContain(words);
    }
    expect((await clerk.call('GET', `/staff/v1/orders/${id}`)).data.status).toBe('new');
  });
});
