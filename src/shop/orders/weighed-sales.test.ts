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

test('grams come from the jar that staff chose, and go back into it', async () => {
  const [older, jar, held, expired, far, other, recalled, used, aside] = [...'ABCDEF123'].map(
    (letter) => `1A4FF000000000000000000${letter}`,
  );
  const sizes = [
    { key: 'deli gram', amount: '1', content: '1', priceCents: 800 },
    { key: 'deli quarter', amount: '7', content: '7', priceCents: 4500 },
  ];
  const loose = { inventoryType: 'product', unit: 'gram' } as const;
  const deli = await createTestShop(service.context, {
    state: 'OR',
    drawnFrom: { 'in-store': ['Counter'], pickup: ['Counter', 'Vault', 'Aside'], delivery: ['Counter'] },
    products: [
      {
        ...{ key: 'Deep Shelf', ...loose, options: sizes },
        stock: [
          { amount: '50', label: older!, receivedDaysAgo: 9 },
          { amount: '9.5', label: jar! },
          { amount: '5', label: held!, onHold: true },
          { amount: '5', label: expired!, expirationDate: '2020-01-31' },
          { amount: '6', label: far!, location: 'Vault' },
          { amount: '5', label: recalled! },
          { amount: '4', label: used! },
          { amount: '3', label: aside!, location: 'Aside' },
        ],
      },
      {
        ...{ key: 'Midnight Haze', ...loose, stock: [{ amount: '5', label: other! }] },
        options: [{ key: 'haze', amount: '1', content: '1', priceCents: 900 }],
      },
    ],
  });
  const deliManager = await service.staff(deli, 'manager');
  const call = (...request: Parameters<typeof deliManager.call>) => deliManager.call(...request);
  await call('PATCH', `/staff/v1/products/${deli.productId('Deep Shelf')}`, { weightTolerance: '0' });
  const rows = await sql(deli, 'select id, label from packages');
  const idOf = (label: string) => Number(rows.find((row) => row.label === label)!.id);
  const option = deli.optionId('deli gram');
  const from = (label: string, weight: string) => ({ ...line(weight, option), packageId: idOf(label) });
  const cart = (...lineItems: object[]) => ({ type: 'in-store', customer, lineItems });
  const preview = (...lineItems: object[]) => call('POST', '/staff/v1/orders/pricing', cart(...lineItems));
  const order = (...lineItems: object[]) =>
    call('POST', '/staff/v1/orders', { ...cart(...lineItems), idempotencyKey: randomUUID() });
  const left = async (label: string) => {
    const [row] = await sql(
      deli,
      `select trim_scale(sum(on_hand)) as amount from stock_balances where package_id = ${idOf(label)}`,
    );
    return row!.amount;
  };
  const takenOf = ({
    lineItems,
  }: {
    lineItems: { fulfillAs: { optionSum: number; pkg: { label: string } }[] }[];
  }) => lineItems.flatMap(({ fulfillAs }) => fulfillAs.map(({ optionSum, pkg }) => [pkg.label, optionSum]));

  // What the counter chooses from: what is sold there, the oldest first.
  const shelf = await call('GET', '/staff/v1/inventory/sellable', undefined, {
    query: { products: String(deli.productId('Deep Shelf')), withPackages: 'true' },
  });
  expect(shelf.data.packages).toMatchObject([
    { packageId: idOf(older!), label: older, sellable: '50', productOptionId: null },
    { packageId: idOf(jar!), label: jar, sellable: '9.5' },
    { packageId: idOf(recalled!), sellable: '5' },
    { packageId: idOf(used!), sellable: '4' },
  ]);

  // Two jars in one sale are one weight at one price; the rest comes from the oldest.
  const { data: priced } = await preview(from(jar!, '3.25'), from(older!, '3.75'));
  expect(priced).toMatchObject({ warnings: [], lineItems: [{ quantity: 1, unitPrice: 4500 }] });
  const { data: sold } = await order(from(jar!, '3.25'), from(older!, '2'), line('1.75', option));
  expect(sold.customerGrandTotal).toBe(priced.customerGrandTotal);
  expect(takenOf(sold)).toEqual([
    [jar, -3.25],
    [older, -3.75],
  ]);

  // An edit keeps the jar; named anew it is another one.
  const { data: kept } = await order(from(jar!, '2'));
  const path = `/staff/v1/orders/${kept.id}`;
  const edit = (...lineItems: object[]) => call('PATCH', path, { lineItems });
  expect(takenOf((await edit(line('3', option))).data)).toEqual([[jar, -3]]);
  expect(takenOf((await edit(from(older!, '3'))).data)).toEqual([[older, -3]]);
  const { data: edited } = await edit(from(jar!, '2'), from(older!, '1'));
  expect(takenOf(edited)).toEqual([
    [older, -1],
    [jar, -2],
  ]);

  // What a jar cannot give is refused with what it has or why, in the preview as at the charge and in an edit.
  const { data: bagged } = await order(from(recalled!, '2'));
  const { data: plain } = await order(from(older!, '1'));
  const editPlain = (asked: object) => call('PATCH', `/staff/v1/orders/${plain.id}`, { lineItems: [asked] });
  await order(from(used!, '4'));
  expect((await call('POST', `/staff/v1/packages/${idOf(used!)}/finish`)).status).toBe(200);
  await sql(deli, `update packages set state_block = 'recalled' where id = ${idOf(recalled!)}`);
  await sql(deli, `update inventory_locations set is_quarantine = true where name = 'Aside'`);
  for (const [asked, words] of [
    [from(jar!, '4.26'), `Package ${jar} has 4.25 g of Deep Shelf left, and 4.26 g are asked.`],
    [from(held!, '1'), `Package ${held} with 5 g of Deep Shelf cannot be sold: it is on hold in the shop.`],
    [
      from(expired!, '1'),
      `Package ${expired} with 5 g of Deep Shelf cannot be sold: it expired on 2020-01-31.`,
    ],
    [
      from(far!, '1'),
      `Package ${far} with 6 g of Deep Shelf is at Vault, where this sale takes nothing from.`,
    ],
    [
      from(recalled!, '1'),
      `Package ${recalled} with 3 g of Deep Shelf cannot be sold: the state has recalled it.`,
    ],
    [from(used!, '1'), `Package ${used} cannot be sold: it is finished.`],
    [from(aside!, '1'), `Package ${aside} with 3 g of Deep Shelf cannot be sold: it is in quarantine.`],
    [from(other!, '1'), `Package ${other} holds Midnight Haze, not Deep Shelf.`],
  ] as const) {
    const seen = (await preview(asked)).data.warnings;
    expect(seen).toEqual([{ code: 'OUT_OF_STOCK', message: words, productOptionId: option, maxQuantity: 0 }]);
    const lineItem = { productOptionId: option, quantity: 1, specifiedPackageId: asked.packageId };
    const refusal = { code: 'OUT_OF_STOCK', message: words, meta: { lineItem } };
    for (const refused of [await order(asked), await editPlain(asked)])
      expect(refused.error).toMatchObject(refusal);
  }
  // Nor is what was taken before it was recalled packed or handed over, until the line comes out of another jar.
  const bag = `/staff/v1/orders/${bagged.id}`;
  const paid = { payments: [{ paymentTypeId: deli.paymentTypeId('Cash'), remaining: true }], idCheck: 'eye' };
  for (const refused of [await call('POST', `${bag}/pack`, {}), await call('POST', `${bag}/fulfill`, paid)]) {
    expect(refused.error).toMatchObject({
      code: 'PACKAGE_BLOCKED',
      message: `Package ${recalled} cannot be sold, the state has recalled it. Take the line out of the order and add it again.`,
    });
  }
  await call('PATCH', bag, { lineItems: [from(older!, '2')] });
  expect((await call('POST', `${bag}/pack`, {})).data).toMatchObject({ status: 'packed' });
  for (const { id } of [bagged, plain]) {
    await call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Changed their mind' });
  }
  expect((await edit(from(jar!, '9'))).error).toMatchObject({ code: 'OUT_OF_STOCK' });
  const unknown = { ...line('1', option), packageId: 999_999_999 };
  for (const refused of [await preview(unknown), await order(unknown), await edit(unknown)]) {
    expect([refused.status, refused.error?.code]).toEqual([404, 'PACKAGE_NOT_FOUND']);
  }

  // Two registers take the last grams at once: one has them.
  const both = await Promise.all([order(from(jar!, '4.25')), order(from(jar!, '4.25'))]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)?.error?.message).toContain('has 0 g of Deep Shelf left');

  // What comes back lies in its jar again.
  const [won] = both.filter(({ status }) => status === 201);
  await call('POST', `/staff/v1/orders/${won!.data.id}/cancel`, { reason: 'Changed their mind' });
  expect(await left(jar!)).toBe('4.25');
  const cash = { paymentTypeId: deli.paymentTypeId('Cash') };
  const pay = (amount: number) => ({ payments: [{ ...cash, amount }], idCheck: 'eye' });
  const out = await call('POST', `/staff/v1/orders/${kept.id}/fulfill`, pay(edited.netPrice));
  expect(out.error).toBeUndefined();
  await call('POST', `/staff/v1/orders/${kept.id}/returns`, {
    ...{ refundType: 'none', idempotencyKey: randomUUID() },
    lineItems: [
      {
        ...{ orderLineItemId: out.data.lineItems[0].id, quantity: 1, type: 'return' },
        ...{ inventoryAction: 'inventory', reason: 'Sealed' },
      },
    ],
  });
  expect([await left(jar!), await left(older!)]).toEqual(['6.25', '46.25']);
  await call('POST', `/staff/v1/orders/${sold.id}/fulfill`, pay(sold.netPrice));
  const voided = await call('POST', `/staff/v1/orders/${sold.id}/void`, { reason: 'Wrong customer' });
  expect(voided.error).toBeUndefined();
  expect([await left(jar!), await left(older!)]).toEqual(['9.5', '50']);
});
