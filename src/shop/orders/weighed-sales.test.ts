import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { tradeInShops } from '../../../test/harness/test-trade.ts';

const service = await startTestService();
afterAll(() => service.close());
const { sql } = tradeInShops(service);

const label = '1A4FF0000000000000000009';
const shop = await createTestShop(service.context, {
  state: 'OR',
  taxes: [{ description: 'Tax', rate: '17', rounding: 'up' }],
  products: [
    {
      key: 'Velvet Tide',
      ...{ inventoryType: 'product', unit: 'gram' },
      options: [
        { key: 'gram', amount: '1', content: '1', priceCents: 800 },
        { key: 'eighth', amount: '3.5', content: '3.5', priceCents: 2500 },
        { key: 'quarter', amount: '7', content: '7', priceCents: 4500 },
      ],
      stock: [{ amount: '20', label }],
    },
    { key: 'Pre-roll', inventoryType: 'product', unit: 'item', options: [{ key: 'roll', priceCents: 900 }] },
  ],
});
const manager = await service.staff(shop, 'manager');
const gram = shop.optionId('gram');
const productPath = `/staff/v1/products/${shop.productId('Velvet Tide')}`;
const customer = {
  firstName: 'Wren',
  lastName: 'Castellan',
  email: 'wren@example.com',
  birthday: '1990-04-02',
};

const line = (weight: string, productOptionId = gram, quantity = 1) => ({
  productOptionId,
  quantity,
  weight,
});
const price = (...lineItems: object[]) =>
  manager.call(
    'POST',
    '/staff/v1/orders/pricing',
    { type: 'in-store', customer, lineItems },
    { query: { explain: 'true' } },
  );
const place = (...lineItems: object[]) =>
  manager.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', customer, lineItems, idempotencyKey: randomUUID() },
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  });
const onHand = async () => {
  const rows = await sql(
    shop,
    `select trim_scale(on_hand) as amount from stock_balances where product_id = ${shop.productId('Velvet Tide')}`,
  );
  return rows[0]!.amount;
};

test('only products in grams that share one stock are sold by weight', async () => {
  expect((await price(line('3.5'))).error).toMatchObject({
    code: 'INVALID_ORDER',
    message: expect.stringMatching(/^lineItems\[0\]\.weight: Velvet Tide is not sold by weight/),
  });
  const ofPieces = await manager.call('PATCH', `/staff/v1/products/${shop.productId('Pre-roll')}`, {
    weightTolerance: '0',
  });
  expect(ofPieces.error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringMatching(/^weightTolerance is for /),
  });
  const { status, data } = await manager.call('PATCH', productPath, { weightTolerance: '0.05' });
  expect([status, data.weightTolerance]).toEqual([200, '0.05']);
});

test('the sizes of a product set the price of a weight, and the steps of the arithmetic say which', async () => {
  const lineOf = async (...lineItems: object[]) => (await price(...lineItems)).data.lineItems[0];
  const { data } = await price(line('7'));
  // Seven times a gram would be $56.
  expect(data.lineItems).toMatchObject([{ quantity: 1, unitPrice: 4500, subtotalPrice: 4500 }]);
  expect(data.explanation[0]).toMatchObject({ rule: '7 g at the price of 7 g' });
  expect(await lineOf(line('2.25'))).toMatchObject({ unitPrice: 1800 });
  // Within the tolerance, and beyond it.
  expect(await lineOf(line('3.55'))).toMatchObject({ unitPrice: 2500 });
  expect(await lineOf(line('3.56'))).toMatchObject({ unitPrice: 2543 });
  // Two bags are one weight.
  expect((await price(line('3.5'), line('3.5'))).data.lineItems).toMatchObject([{ unitPrice: 4500 }]);
  for (const [lines, message] of [
    [[line('3.5', gram, 2)], /^lineItems\[0\]\.quantity must be 1/],
    [[line('3.5'), { productOptionId: gram, quantity: 1 }], /^lineItems\[1\]\.weight is required/],
    [[line('3.555')], /weight/],
  ] as const) {
    expect((await price(...lines)).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(message),
    });
  }
});

test('stock, limits, taxes, receipt and return have the exact weight', async () => {
  // In ounces.
  const { data: preview } = await price(line('3.52'));
  expect(
    preview.purchaseLimits.find(
      ({ cannabisType }: { cannabisType: string }) => cannabisType === 'non-concentrated',
    ).used,
  ).toBe('0.124165');
  const { data: placed, error } = await place(line('3.52'));
  expect(error).toBeUndefined();
  expect(placed).toMatchObject({
    netPrice: 2925,
    lineItems: [{ optionName: '3.52 grams', optionAmount: 3.52 }],
  });
  expect(placed.lineItems[0].fulfillAs).toMatchObject([
    { quantityFulfilled: '1', optionSum: -3.52, pkg: { label } },
  ]);
  expect(await onHand()).toBe('16.48');

  const path = `/staff/v1/orders/${placed.id}`;
  // An edit of something else keeps weight and price, though the sizes cost something else now.
  const eighth = { id: shop.optionId('eighth'), amount: 3.5, content: '3.5', price: 2600 };
  const sizes = [
    { id: gram, amount: 1, content: '1', price: 800 },
    eighth,
    { id: shop.optionId('quarter'), amount: 7, content: '7', price: 4500 },
  ];
  const changed = await manager.call('PUT', `${productPath}/options`, { options: sizes });
  expect(changed.error).toBeUndefined();
  const kept = await manager.call('PATCH', path, {
    lineItems: [{ productOptionId: gram, quantity: 1 }],
    internalNotes: 'Jar 3',
  });
  expect(kept.data).toMatchObject({ netPrice: 2925, lineItems: [{ optionAmount: 3.52, unitPrice: 2500 }] });
  // Another weight has the price of today.
  const edited = await manager.call('PATCH', path, { lineItems: [line('3.6')] });
  expect(edited.data).toMatchObject({ lineItems: [{ optionAmount: 3.6, unitPrice: 2674 }] });
  expect(await onHand()).toBe('16.4');

  expect((await manager.call('POST', `${path}/fulfill`, {})).status).toBe(200);
  const returned = await manager.call('POST', `${path}/returns`, {
    ...{ refundType: 'none', idempotencyKey: randomUUID() },
    lineItems: [
      {
        orderLineItemId: placed.lineItems[0].id,
        quantity: 1,
        type: 'return',
        inventoryAction: 'inventory',
        reason: 'Sealed',
      },
    ],
  });
  expect(returned.error).toBeUndefined();
  expect(await onHand()).toBe('20');
  expect((await place(line('20.01'))).error).toMatchObject({ code: 'OUT_OF_STOCK' });
});
