import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { errorCatalog } from '../../kernel/error-catalog.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** A tax of 20 % on goods and fees. */
const taxes = [{ description: 'Sales tax', rate: '20', tier: '1', appliesToFees: true } as const];
const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
const unknownZone = { code: 'DELIVERY_ZONE_UNKNOWN', message: expect.stringContaining('postalCode') };

async function price(shop: TestShop, changes: object, keys = shop.keys) {
  const { type, lineItems } = deliveryBody(shop);
  const body = { type, lineItems, ...changes };
  return service.call('POST', '/api/v1/orders/pricing', { keys, body });
}

async function place(shop: TestShop, changes: object = {}) {
  const body = deliveryBody(shop, { address, ...changes });
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

const amountsOf = (cart: Record<string, unknown>) =>
  ['totalPrice', 'netPrice', 'customerGrandTotal', 'deliveryFee', 'deliveryFeeDescription'].map(
    (name) => cart[name],
  );

describe('the price of a delivery', () => {
  test('with the address of the order is what the order costs', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const { data: order } = await place(shop);
    for (const where of [
      { address },
      { postalCode: '94607' },
      { address, postalCode: '94612' },
      { address: { postalCode: '94607' } },
      { address: { street1: '418 Alder Street' }, postalCode: '94607' },
      { address: { ...address, postalCode: null }, postalCode: '94607' },
    ]) {
      const { data } = await price(shop, where);
      expect(amountsOf(data), JSON.stringify(where)).toEqual(amountsOf(order));
      expect(data).toMatchObject({ orderMinimum: 5000, warnings: [] });
    }
    expect(amountsOf(order)[3]).toBe(500);
  });

  test('without a ZIP code says that the zone is unknown, in every form of nothing', async () => {
    const shop = await createTestShop(service.context);
    for (const where of [
      {},
      { address: null },
      { address: {} },
      { postalCode: null },
      { address: { city: 'Oakland' } },
    ]) {
      const { data } = await price(shop, where);
      expect(data.warnings, JSON.stringify(where)).toEqual([unknownZone]);
      expect(data.deliveryFee).toBeNull();
    }
    // A fee of the integrator does not say which minimum and taxes hold.
    expect((await price(shop, { deliveryFee: 700 })).data.warnings).toEqual([unknownZone]);
    expect((await price(shop, { type: 'pickup' })).data.warnings).toEqual([]);
  });

  test('of a shop without zones is final without a ZIP code; the first zone changes that at once', async () => {
    const shop = await createTestShop(service.context, { deliveryZones: [] });
    expect((await price(shop, {})).data.warnings).toEqual([]);
    const manager = await service.staff(shop, 'manager');
    const zone = { name: 'Oakland', postalCodes: ['94607'], deliveryFee: 500 };
    await manager.call('POST', '/staff/v1/delivery-zones', zone);
    expect((await price(shop, {})).data.warnings).toEqual([unknownZone]);
  });

  test('outside every zone is refused in the same words, whichever field names the ZIP code', async () => {
    const shop = await createTestShop(service.context);
    const refused = await price(shop, { postalCode: '10001' });
    expect(refused).toMatchObject({
      status: 422,
      error: { code: 'DELIVERY_AREA_NOT_SERVED', meta: { postalCode: '10001' } },
    });
    const far = { ...address, postalCode: '10001' };
    for (const where of [
      { address: far },
      { address: far, postalCode: '94607' },
      { address: { postalCode: '10001' } },
    ]) {
      const { status, error } = await price(shop, where);
      expect({ status, error }).toEqual({ status: 422, error: refused.error });
    }
  });

  test('by a page and by staff takes the address too', async () => {
    const shop = await createTestShop(service.context);
    const origin = 'https://shop.example.com';
    const pageKey = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
      permissions: ['create-orders'],
      origins: [origin],
      vouches: false,
    });
    const { type, lineItems } = deliveryBody(shop);
    const page = (where: object) =>
      service.call('POST', '/api/v1/orders/pricing', {
        keys: { clientKey: pageKey.keys.clientKey },
        headers: { origin },
        body: { type, lineItems, ...where },
      });
    expect((await page({ address })).data).toMatchObject({ deliveryFee: 500, warnings: [] });
    expect((await page({})).data.warnings).toEqual([unknownZone]);
    const budtender = await service.staff(shop, 'budtender');
    const staff = (where: object) =>
      budtender.call('POST', '/staff/v1/orders/pricing', { type, lineItems, ...where });
    expect((await staff({ address })).data).toMatchObject({ deliveryFee: 500, warnings: [] });
    expect((await staff({})).data.warnings).toEqual([unknownZone]);
    expect((await staff({ address: { postalCode: '10001' } })).error?.code).toBe('DELIVERY_AREA_NOT_SERVED');
  });
});

describe('a delivery fee that an integrator passes through', () => {
  const fee = { deliveryFee: 700, deliveryFeeDescription: 'Courier' };

  test('raises the total by itself, changes no tax, and takes the place of the fee of the zone', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const { data: without } = await price(shop, { address, deliveryFee: 0 });
    const { data: preview } = await price(shop, { address, ...fee });
    expect(preview.netPrice).toBe(without.netPrice);
    expect(preview.customerGrandTotal).toBe(without.customerGrandTotal + 700);
    expect(preview.taxes).toEqual(without.taxes);
    const { data: order } = await place(shop, {
      ...fee,
      expectedCustomerGrandTotal: preview.customerGrandTotal,
    });
    expect(amountsOf(order)).toEqual(amountsOf(preview));
    expect(amountsOf(order).slice(3)).toEqual([700, 'Courier']);
  });

  test('bears taxes on fees where the organization charges such fees itself', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const owner = await service.staff(shop);
    const settings = await owner.call('PATCH', '/staff/v1/organization', { taxPassThroughFees: true });
    expect(settings.data.taxPassThroughFees).toBe(true);
    const { data: without } = await price(shop, { address, deliveryFee: 0 });
    const { data: preview } = await price(shop, { address, ...fee });
    expect(preview.netPrice).toBe(without.netPrice + 140);
    expect(preview.customerGrandTotal).toBe(without.customerGrandTotal + 840);
    expect(amountsOf((await place(shop, fee)).data)).toEqual(amountsOf(preview));
  });

  test('keeps its taxes through edits, whatever the setting became; the fee of a zone stays taxed', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const owner = await service.staff(shop);
    const { data: passed } = await place(shop, fee);
    const { data: ofZone } = await place(shop);
    await owner.call('PATCH', '/staff/v1/organization', { taxPassThroughFees: true });
    const { data: taxed } = await place(shop, fee);
    await owner.call('PATCH', '/staff/v1/organization', { taxPassThroughFees: false });
    for (const [order, feeTax] of [
      [passed, 0],
      [ofZone, 100],
      [taxed, 140],
    ] as const) {
      const lineItems = [{ productOptionId: shop.optionId('tray'), quantity: 2 }];
      const edited = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, { lineItems });
      expect(edited.status).toBe(200);
      const { netPrice, totalPrice, customerGrandTotal, deliveryFee } = edited.data;
      expect(netPrice).toBe(Math.round(totalPrice * 1.2) + feeTax);
      expect(customerGrandTotal).toBe(netPrice + deliveryFee);
    }
  });

  test('of staff is the fee of the shop, and taxed as the fee of a zone', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const manager = await service.staff(shop, 'manager');
    const { type, lineItems } = deliveryBody(shop);
    const cart = { type, lineItems, deliveryFee: 700, customerName: 'Ada' };
    const { data: preview } = await manager.call('POST', '/staff/v1/orders/pricing', { ...cart, address });
    const { data: order } = await manager.call('POST', '/staff/v1/orders', {
      ...cart,
      address,
      idempotencyKey: randomUUID(),
    });
    expect(preview.netPrice).toBe(Math.round(preview.totalPrice * 1.2) + 140);
    expect(amountsOf(order)).toEqual(amountsOf(preview));
  });

  test('is paid and refunded to the cent', async () => {
    const shop = await createTestShop(service.context, { taxes });
    const manager = await service.staff(shop, 'manager');
    const { data: order } = await place(shop, fee);
    await manager.call('POST', `/staff/v1/orders/${order.id}/accept`, {});
    const fulfilled = await manager.call('POST', `/staff/v1/orders/${order.id}/fulfill`, {
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: order.customerGrandTotal }],
    });
    expect(fulfilled).toMatchObject({ status: 200, data: { customerGrandTotal: order.customerGrandTotal } });
    const returned = await manager.call('POST', `/staff/v1/orders/${order.id}/returns`, {
      refundType: 'payment-method',
      paymentTypeId: shop.paymentTypeId('Cash'),
      lineItems: fulfilled.data.lineItems.map(({ id, quantity }: { id: number; quantity: number }) => ({
        ...{ orderLineItemId: id, quantity },
        ...{ type: 'return', inventoryAction: 'waste', reason: 'Wrong item' },
      })),
    });
    // The goods with their taxes; the fee stays with the courier.
    expect(returned, returned.error?.message).toMatchObject({
      status: 201,
      data: { refundTotal: -order.netPrice },
    });
  });
});

test('money in dollars stands beside the same money in cents, in the facts of every error', () => {
  for (const [code, { meta }] of Object.entries(errorCatalog)) {
    for (const [name, value] of Object.entries(meta?.example ?? {})) {
      if (typeof value !== 'string' || !value.startsWith('$')) continue;
      expect(meta?.example, code).toHaveProperty(`${name}Cents`, Math.round(Number(value.slice(1)) * 100));
    }
  }
});
