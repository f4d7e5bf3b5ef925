import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/payment-types';

async function newShop() {
  const shop = await createTestShop(service.context, { paymentTypes: [], taxes: [] });
  return { shop, staff: await service.staff(shop, 'manager') };
}

/** The payment fees of a pickup of 70.00, or the error if it is refused. */
async function fees(shop: TestShop, paymentTypeId: number) {
  const { type, lineItems } = pickupBody(shop);
  const { data, error } = await service.call('POST', '/api/v1/orders/pricing', {
    keys: shop.keys,
    body: { type, lineItems, payments: [{ paymentTypeId, remaining: true }] },
  });
  return error?.code ?? data.paymentFees;
}

test('a payment type can be used from the next cart on; orders keep their fee', async () => {
  const { shop, staff } = await newShop();
  const { status, data: type } = await staff.call('POST', path, {
    name: 'Debit',
    method: 'debit',
    fee: 350,
    feePercent: '1.50',
  });
  const now = new Date(service.clock.now()).toISOString();
  expect([status, type]).toEqual([
    201,
    {
      id: expect.any(Number),
      name: 'Debit',
      method: 'debit',
      fee: 350,
      feePercent: '1.5',
      feeDescription: null,
      availableDelivery: true,
      cashRounding: null,
      takesGiftCards: false,
      agreedFee: 0,
      agreedFeePercent: '0',
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
    },
  ]);
  expect((await staff.call('GET', path)).data).toEqual([type]);
  expect(await fees(shop, type.id)).toBe(455);
  const payments = [{ paymentTypeId: type.id, remaining: true }];
  const { data: order } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { payments }),
  });
  service.clock.advance(1000);
  const changed = await staff.call('PATCH', `${path}/${type.id}`, { fee: 100, feePercent: '0' });
  const updatedAt = new Date(service.clock.now()).toISOString();
  expect(changed.data).toEqual({ ...type, fee: 100, feePercent: '0', updatedAt });
  expect(await fees(shop, type.id)).toBe(100);
  const detail = await service.call('GET', `/api/v1/orders/${order.id}/detail`, { keys: shop.keys });
  expect(detail.data.customerGrandTotal).toBe(7455);
  const whole = await staff.call('PUT', `${path}/${type.id}`, { name: 'Card', method: 'debit' });
  expect(whole.data).toMatchObject({ name: 'Card', fee: 0, feePercent: '0' });
});

test('an archived payment type cannot be used by carts until it is restored', async () => {
  const { shop, staff } = await newShop();
  const { data: type } = await staff.call('POST', path, { name: 'Cash', method: 'cash' });
  await staff.call('DELETE', `${path}/${type.id}`);
  expect(await fees(shop, type.id)).toBe('PAYMENT_TYPE_NOT_FOUND');
  const open = await service.call('GET', '/api/v1/payment-types', { keys: shop.keys });
  expect(open.data).toEqual([]);
  await staff.call('PATCH', `${path}/${type.id}`, { archived: false });
  expect(await fees(shop, type.id)).toBe(0);
});

test.each([
  [{ name: 'Cash', method: 'check' }, /^method must be one of cash, debit, other, processor/],
  [{ name: 'Cash', method: 'cash', feePercent: 2 }, /^feePercent must be .* as text/],
  [{ name: 'Cash', method: 'cash', feePercent: '100.5' }, /^feePercent must be a percentage from 0 to 100/],
  [{ name: 'Cash', method: 'cash', fee: -1 }, /^fee must be a whole number/],
  [{ name: '', method: 'cash' }, /^name must be text/],
])('%j is refused', async (body, message) => {
  const { staff } = await newShop();
  const { status, error } = await staff.call('POST', path, body);
  expect([status, error?.code, error?.message]).toEqual([
    400,
    'INVALID_PARAMS',
    expect.stringMatching(message),
  ]);
  expect((await staff.call('GET', path)).data).toEqual([]);
});
