import { afterAll, describe, expect, test } from 'vitest';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;
const staff = await service.staff(shop, 'manager');

const create = (changes: object = {}) =>
  service.call('POST', '/api/v1/products', { keys, body: productBody({ ...changes }) });
const update = (id: number, body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys, body });
const replace = (id: number, options: readonly object[]) =>
  service.call('PUT', `/api/v1/products/${id}/options`, { keys, body: { options } });
const made = async (changes: object = {}) => (await create(changes)).data;
const onMenu = async (id: number) => {
  const { data } = await service.call('GET', '/api/v1/menu', { keys });
  return data.find((product: { id: number }) => product.id === id);
};
const codeOf = ({ error }: TestReply) => error?.code;
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

describe('a product that is created (D43)', () => {
  test('is answered as it was sent, with 201, and is inactive', async () => {
    const reply = await create({
      thcAmountRangeLow: '20.5',
      thcAmountRangeHigh: '24',
      thcUnit: '%',
      photos: ['https://pictures.example.com/2.jpg', 'http://pictures.example.com/1.jpg'],
      options: [
        { amount: 3.5, price: 3500, salesPrice: 3000, content: '3.5', upc: '850012345678' },
        { amount: 28, price: 20_000, content: '28', name: 'Ounce' },
      ],
    });
    expect(reply.status).toBe(201);
    expect(reply.data).toMatchObject({
      organizationId,
      name: 'Harbor Fog',
      description: 'Salt, *pine*, a slow morning.',
      unit: 'gram',
      strainType: 'hybrid',
      brand: { name: 'Fernweh Farms' },
      primaryCategory: { id: shop.categoryId('Flower'), cannabisType: 'non-concentrated' },
      inventoryType: 'option',
      isActive: false,
      isFeatured: false,
      isCompliant: true,
      thcAmount: null,
      thcAmountRangeLow: '20.5',
      thcAmountRangeHigh: '24',
      thcUnit: '%',
      cbdUnit: null,
      deletedAt: null,
      photos: ['https://pictures.example.com/2.jpg', 'http://pictures.example.com/1.jpg'],
      options: [
        {
          name: '3.5 grams',
          amount: 3.5,
          price: 3500,
          salesPrice: 3000,
          content: '3.5',
          upc: '850012345678',
        },
        { name: 'Ounce', amount: 28, price: 20_000, salesPrice: null, content: '28', upc: null },
      ],
    });
    expect(await onMenu(reply.data.id)).toBeUndefined();
    const order = pickupBody(shop, {
      lineItems: [{ productOptionId: reply.data.options[0].id, quantity: 1 }],
    });
    expect(codeOf(await service.call('POST', '/api/v1/orders/pricing', { keys, body: order }))).toBe(
      'PRODUCT_IS_INACTIVE',
    );
  });

  test('accepts photos with a scheme in capitals', async () => {
    const photos = ['HTTPS://EXAMPLE.com/a.jpg', 'Http://example.com/b.jpg'];
    expect((await made({ photos })).photos).toEqual(photos);
  });

  test("needs content unless its category's type is none", async () => {
    const options = [{ amount: 1, price: 100 }];
    const missing = await create({ options });
    expect([missing.status, missing.error]).toEqual([
      400,
      expect.objectContaining({ code: 'MISSING_PARAMS', meta: { missing: ['options[0].content'] } }),
    ]);
    expect(codeOf(await create({ options: [{ ...options[0], content: null }] }))).toBe('INVALID_PARAMS');
    expect((await create({ options, category: 'Accessories' })).status).toBe(201);
  });

  test.each<[string, object, RegExp]>([
    ['a blank name', { name: ' ' }, /^name must be/],
    [
      'an amount of 0',
      { options: [{ amount: 0, price: 1, content: '1' }] },
      /^options\[0\]\.amount must be a/,
    ],
    [
      'seven decimals',
      { options: [{ amount: 1.0000001, price: 1, content: '1' }] },
      /^options\[0\]\.amount must be a number with at most 6 decimals/,
    ],
    [
      'a negative price',
      { options: [{ amount: 1, price: -1, content: '1' }] },
      /^options\[0\]\.price must be/,
    ],
    ['half a cent', { options: [{ amount: 1, price: 1.5, content: '1' }] }, /^options\[0\]\.price must be/],
    [
      'a sale price above the price',
      { options: [{ amount: 1, price: 1, salesPrice: 2, content: '1' }] },
      /^options\[0\]\.salesPrice must be at most options\[0\]\.price/,
    ],
    [
      'content of zero',
      { options: [{ amount: 1, price: 1, content: '0.0' }] },
      /^options\[0\]\.content must be a number above 0/,
    ],
    [
      'content as a number',
      { options: [{ amount: 1, price: 1, content: 1 }] },
      /^options\[0\]\.content must be/,
    ],
    ['no options', { options: [] }, /^options must be a list of 1 to 100/],
    ['101 options', { options: Array(101).fill({ amount: 1, price: 1, content: '1' }) }, /^options must be/],
    [
      'a photo with another protocol',
      { photos: ['ftp://x.example.com/a.jpg'] },
      /^photos\[0\] must be an http/,
    ],
    ['a photo that is not an address', { photos: ['http://[/a.jpg'] }, /^photos\[0\] must be an http/],
    ['21 photos', { photos: Array(21).fill('https://x.example.com/a.jpg') }, /^photos must be a list/],
    ['a blank sub-category', { subCategories: ['  '] }, /^subCategories\[0\] must be/],
    ['an unknown unit', { unit: 'ounce' }, /^unit must be one of gram, item/],
    [
      'a range that ends before it begins',
      { thcUnit: '%', thcAmountRangeLow: '10', thcAmountRangeHigh: '9.9' },
      /^thcAmountRangeLow must be at most thcAmountRangeHigh/,
    ],
    ['THC as a number', { thcUnit: '%', thcAmount: 20 }, /^thcAmount must be/],
  ])('is refused for %s, and nothing is written', async (_, changes, message) => {
    const before = await witness.contents();
    const reply = await create(changes);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'INVALID_PARAMS']);
    expect(reply.error!.message).toMatch(message);
    expect(await witness.contents()).toEqual(before);
  });

  test('lists all missing required fields at once', async () => {
    const { error } = await service.call('POST', '/api/v1/products', {
      keys,
      body: { thcAmount: '1', options: [{}] },
    });
    expect(error!.code).toBe('MISSING_PARAMS');
    expect((error!.meta as { missing: string[] }).missing.sort()).toEqual(
      [
        ...['name', 'unit', 'strainType', 'category', 'subCategories', 'photos'],
        ...['options[0].amount', 'options[0].price', 'thcUnit'],
      ].sort(),
    );
  });
});

describe('an update (D44)', () => {
  test('changes the given fields only, with 201; null clears', async () => {
    const product = await made({ thcAmount: '20', thcUnit: '%', subCategories: ['Indoor'] });
    service.clock.advance(1000);
    const reply = await update(product.id, { name: 'Harbor Mist', thcAmountEach: '2.50', subCategories: [] });
    expect(reply.status).toBe(201);
    expect(reply.data).toEqual({
      ...product,
      name: 'Harbor Mist',
      thcAmountEach: '2.5',
      subCategories: [],
      updatedAt: isoTimestamp(service.clock.now()),
    });
    const cleared = await update(product.id, { thcAmount: null, thcAmountEach: null, thcUnit: null });
    expect(cleared.data).toMatchObject({ thcAmount: null, thcAmountEach: null, thcUnit: null });
    service.clock.advance(1000);
    const before = await witness.contents();
    expect((await update(product.id, {})).data).toEqual(cleared.data);
    expect(await witness.contents()).toEqual(before);
  });

  test.each([
    ['options', [{ amount: 1, price: 1, content: '1' }]],
    ['isActive', true],
    ['isFeatured', false],
    ['isActive', null],
  ])('is refused when it has %s', async (name, value) => {
    const { id } = await made();
    const reply = await update(id, { name: 'Another', [name]: value });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'INVALID_PARAMS']);
    expect(reply.error!.message).toMatch(new RegExp(`^${name} must be left out`));
    expect((await staff.call('GET', `/staff/v1/products/${id}`)).data.name).toBe('Harbor Fog');
  });

  test('is refused if it contradicts stored values', async () => {
    const { id } = await made({ thcAmountRangeLow: '10', thcAmountRangeHigh: '20', thcUnit: '%' });
    const missing = await update(id, { cbdAmount: '1' });
    expect(missing.error).toMatchObject({ code: 'MISSING_PARAMS', meta: { missing: ['cbdUnit'] } });
    expect((await update(id, { thcUnit: null })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^thcUnit must be one of/),
    });
    expect(codeOf(await update(id, { thcAmountRangeHigh: '9' }))).toBe('INVALID_PARAMS');
    expect((await update(id, { thcAmountRangeHigh: '9', thcAmountRangeLow: '8' })).status).toBe(201);
    const tray = await made({ category: 'Accessories', options: [{ amount: 1, price: 100 }] });
    const contradiction = await update(tray.id, { category: 'Edibles' });
    expect(contradiction.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^category must fit the options: .* option \d+ has no content\.$/),
    });
    await replace(tray.id, [{ id: tray.options[0].id, content: '5' }]);
    expect((await update(tray.id, { category: 'edibles' })).data.primaryCategory.name).toBe('Edibles');
    expect(codeOf(await update(tray.id, { category: 'Nothing' }))).toBe('PRODUCT_CATEGORY_NOT_FOUND');
  });

  test('keeps photos that are sent back unchanged, and adds the new ones in order', async () => {
    const { id } = await made({ photos: ['https://x.example.com/a', 'https://x.example.com/b'] });
    const rows = () =>
      witness.query(
        'select id, location from product_photos where product_id = $1 order by position',
        [id],
        organizationId,
      );
    const [a, b] = await rows();
    const { data } = await update(id, {
      photos: ['https://x.example.com/c', 'https://x.example.com/b', 'https://x.example.com/a'],
    });
    expect(data.photos).toEqual([
      'https://x.example.com/c',
      'https://x.example.com/b',
      'https://x.example.com/a',
    ]);
    expect((await rows()).slice(1)).toEqual([b, a]);
    expect((await update(id, { photos: [] })).data.photos).toEqual([]);
  });

  test.each([
    ['Z', ''],
    ['+00:00', '123'],
    ['+23:59', '1234'],
    ['-08:00', '123456'],
  ])("deletes at a time in any client's format, and shows it in UTC: %s", async (offset, moreDigits) => {
    const { id } = await made();
    const nowMs = service.clock.now();
    const [hours, minutes] = offset === 'Z' ? [0, 0] : offset.split(':').map(Number);
    const local = isoTimestamp(nowMs + hours! * 3_600_000 + minutes! * 60_000).replace('Z', moreDigits);
    const { status, data } = await update(id, { deletedAt: `${local}${offset}` });
    expect([status, data.deletedAt]).toEqual([201, isoTimestamp(nowMs)]);
  });

  test('deletes at the current time only, and a deleted product is gone everywhere', async () => {
    const product = await made();
    await staff.call('PATCH', `/staff/v1/products/${product.id}`, { isActive: true });
    expect(await onMenu(product.id)).toBeDefined();
    const nowMs = service.clock.now();
    const dayMs = 86_400_000;
    for (const wrong of [nowMs - dayMs - 1, nowMs + dayMs + 1, 0]) {
      const reply = await update(product.id, { deletedAt: isoTimestamp(wrong) });
      expect(reply.error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(/^deletedAt must be the current time/),
      });
    }
    expect((await update(product.id, { deletedAt: null })).data.deletedAt).toBeNull();
    const at = isoTimestamp(nowMs + dayMs);
    const deleted = await update(product.id, { deletedAt: at });
    expect([deleted.status, deleted.data.deletedAt]).toEqual([201, at]);
    expect(await onMenu(product.id)).toBeUndefined();
    const cart = pickupBody(shop, { lineItems: [{ productOptionId: product.options[0].id, quantity: 1 }] });
    const option = { options: [{ id: product.options[0].id, upc: '1' }] };
    for (const reply of [
      await update(product.id, { name: 'Again' }),
      await update(product.id, { deletedAt: at }),
      await replace(product.id, [{ amount: 1, price: 1, content: '1' }]),
      await service.call('PUT', `/api/v1/products/${product.id}/options/upc`, { keys, body: option }),
      await staff.call('GET', `/staff/v1/products/${product.id}`),
      await staff.call('PATCH', `/staff/v1/products/${product.id}`, { isActive: false }),
    ]) {
      expect([reply.status, codeOf(reply)]).toEqual([404, 'PRODUCT_NOT_FOUND']);
    }
    expect(codeOf(await service.call('POST', '/api/v1/orders/pricing', { keys, body: cart }))).toBe(
      'PRODUCT_IS_INACTIVE',
    );
  });

  test('cannot be deleted or change its stock tracking while it has stock', async () => {
    const own = await createTestShop(service.context);
    const id = own.productId('Counter Jar');
    const change = (body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys: own.keys, body });
    const at = isoTimestamp(service.clock.now());
    for (const body of [{ deletedAt: at }, { inventoryType: 'option' }, { inventoryType: 'none' }]) {
      const reply = await change(body);
      expect([reply.status, codeOf(reply)]).toEqual([409, 'NON_ZERO_INVENTORY']);
    }
    // The same tracking again changes nothing.
    expect((await change({ inventoryType: 'product' })).status).toBe(201);
    const manager = await service.staff(own, 'manager');
    const emptied = await manager.call('POST', '/staff/v1/inventory-adjustments', {
      productId: id,
      inventoryLocationId: own.locationId('Storefront'),
      packageId: await packageId(own.organizationId, id),
      delta: '-100000',
      reason: 'Sold out',
    });
    expect([emptied.status, emptied.error]).toEqual([201, undefined]);
    expect((await change({ inventoryType: 'option' })).data.inventoryType).toBe('option');
    expect((await change({ deletedAt: at })).status).toBe(201);
  });

  async function packageId(organization: typeof organizationId, productId: number): Promise<number> {
    const [row] = await witness.query(
      'select id from packages where product_id = $1',
      [productId],
      organization,
    );
    return Number(row.id);
  }
});

describe('the full new set of options (D45)', () => {
  test('updates by id, creates without id, deletes absent ones, in order; absent fields keep their values', async () => {
    const product = await made({
      options: [
        { amount: 1, price: 1200, content: '1', upc: '1', name: 'Gram', salesPrice: 1000 },
        { amount: 3.5, price: 3500, content: '3.5' },
      ],
    });
    const [gram, eighth] = product.options;
    const reply = await replace(product.id, [
      { amount: 7, price: 6500, content: '7' },
      { id: gram.id, price: 1300 },
    ]);
    expect(reply.status).toBe(201);
    const [quarter, changed] = reply.data.options;
    expect(quarter).toMatchObject({ name: '7 grams', price: 6500, salesPrice: null, upc: null });
    expect(changed).toEqual({ ...gram, price: 1300, updatedAt: isoTimestamp(service.clock.now()) });
    expect(reply.data.options).toHaveLength(2);
    expect(ids(reply.data.options)).not.toContain(eighth.id);
    service.clock.advance(1000);
    const swapped = await replace(product.id, [{ id: changed.id }, { id: quarter.id, upc: '7' }]);
    expect(swapped.data.options).toEqual([
      changed,
      { ...quarter, upc: '7', updatedAt: isoTimestamp(service.clock.now()) },
    ]);
    const back = await replace(product.id, [{ id: eighth.id }]);
    expect([back.status, codeOf(back)]).toEqual([404, 'PRODUCT_OPTION_NOT_FOUND']);
  });

  test('shows on the menu and in the next price at once, and placed orders are unchanged', async () => {
    const own = await createTestShop(service.context);
    const id = own.productId('Counter Jar');
    const [gram, half] = [own.optionId('gram'), own.optionId('half gram')];
    const body = pickupBody(own, { lineItems: [{ productOptionId: gram, quantity: 2 }] });
    const price = async () => {
      const { idempotencyKey: _, ...cart } = body;
      return (await service.call('POST', '/api/v1/orders/pricing', { keys: own.keys, body: cart })).data
        .totalPrice;
    };
    expect(await price()).toBe(2400);
    const { data: order } = await service.call('POST', '/api/v1/orders', { keys: own.keys, body });
    const detail = () => service.call('GET', `/api/v1/orders/${order.id}/detail`, { keys: own.keys });
    const { data: before } = await detail();
    await service.call('PUT', `/api/v1/products/${id}/options`, {
      keys: own.keys,
      body: { options: [{ id: gram, price: 1500, name: 'One gram' }, { id: half }] },
    });
    expect(await price()).toBe(3000);
    const menu = await service.call('GET', '/api/v1/menu', { keys: own.keys });
    const shown = menu.data.find((product: { id: number }) => product.id === id).options;
    expect(shown[0]).toMatchObject({ id: gram, price: 1500, name: 'One gram' });
    await service.call('PUT', `/api/v1/products/${id}`, { keys: own.keys, body: { name: 'Other Jar' } });
    expect((await detail()).data.lineItems).toEqual(before.lineItems);
  });

  test('is refused for remaining stock, unknown ids, and the same id twice', async () => {
    const id = shop.productId('Moonlit Grove');
    const [eighth, quarter, soldOut] = ['eighth', 'quarter', 'sold out'].map((key) => shop.optionId(key));
    const keep = (...kept: unknown[]) =>
      replace(
        id,
        kept.map((option) => ({ id: option })),
      );
    const stranger = await createTestShop(service.context);
    const before = await witness.contents();
    const left = await keep(eighth, soldOut);
    expect(left.error).toMatchObject({
      code: 'NON_ZERO_INVENTORY',
      message: expect.stringContaining(`option ${quarter}`),
    });
    const other = await keep(eighth, quarter, shop.optionId('gram'));
    expect([other.status, codeOf(other)]).toEqual([422, 'INVALID_CHILD_RESOURCE']);
    const foreign = await keep(eighth, quarter, stranger.optionId('eighth'));
    const unknown = await keep(eighth, quarter, 9_007_199_254_740_000);
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect(codeOf(await keep(eighth, quarter, eighth))).toBe('INVALID_PARAMS');
    expect(await witness.contents()).toEqual(before);
    // The sold-out option can be deleted.
    expect((await keep(eighth, quarter)).data.options).toHaveLength(2);
  });

  test('needs amount and price for new ones only, and content by category', async () => {
    const product = await made();
    const missing = await replace(product.id, [{ id: product.options[0].id }, { content: '1' }]);
    expect(missing.error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['options[1].amount', 'options[1].price'] },
    });
    const content = await replace(product.id, [{ amount: 1, price: 1 }]);
    expect(content.error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['options[0].content'] },
    });
  });
});

test('UPCs change alone, with 200, and the response has all options (D17)', async () => {
  const product = await made({
    options: [
      { amount: 1, price: 1200, content: '1', upc: '111' },
      { amount: 2, price: 2200, content: '2', upc: '222' },
    ],
  });
  const [one, two] = product.options;
  const set = (options: readonly object[]) =>
    service.call('PUT', `/api/v1/products/${product.id}/options/upc`, { keys, body: { options } });
  const reply = await set([{ id: two.id, upc: '333' }]);
  expect(reply.status).toBe(200);
  expect(reply.data.options).toEqual([
    one,
    { ...two, upc: '333', updatedAt: reply.data.options[1].updatedAt },
  ]);
  expect(
    (await set([{ id: one.id, upc: null }])).data.options.map(({ upc }: { upc: string }) => upc),
  ).toEqual([null, '333']);
  expect(codeOf(await set([{ id: shop.optionId('gram'), upc: '1' }]))).toBe('INVALID_CHILD_RESOURCE');
  expect(codeOf(await set([{ id: product.id, upc: '1' }]))).toBe('PRODUCT_OPTION_NOT_FOUND');
  expect(codeOf(await set([one, one]))).toBe('INVALID_PARAMS');
  expect(codeOf(await set([{ id: one.id }]))).toBe('MISSING_PARAMS');
});
