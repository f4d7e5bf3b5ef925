import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/delivery-zones';
const nowhere = 9_007_199_254_740_000;

async function newShop() {
  const shop = await createTestShop(service.context, { deliveryZones: [] });
  return { shop, staff: await service.staff(shop, 'manager') };
}

async function create(staff: TestStaff, body: object) {
  const reply = await staff.call('POST', path, body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.data;
}

async function list(staff: TestStaff) {
  return (await staff.call('GET', path)).data;
}

async function price(shop: TestShop, postalCode: string) {
  const { type, lineItems } = deliveryBody(shop);
  const reply = await service.call('POST', '/api/v1/orders/pricing', {
    keys: shop.keys,
    body: { type, lineItems, postalCode },
  });
  return reply.error?.code ?? [reply.data.deliveryFee, reply.data.orderMinimum];
}

function deliverTo(shop: TestShop, postalCode: string, changes: object = {}) {
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode };
  return service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, { address, ...changes }),
  });
}

describe('a zone', () => {
  test('sets fee and minimum from the next cart on, and refuses addresses outside', async () => {
    const { shop, staff } = await newShop();
    expect(await price(shop, '94607')).toEqual([null, 0]);
    const zone = await create(staff, {
      name: 'East Bay',
      postalCodes: [' 946 * ', '94702', '94702-1234', '94703*', '947 02'],
      orderMinimum: 5000,
      deliveryFee: 500,
    });
    const now = new Date(service.clock.now()).toISOString();
    expect(zone).toEqual({
      id: expect.any(Number),
      name: 'East Bay',
      postalCodes: ['946*', '94702', '94703'],
      orderMinimum: 5000,
      deliveryFee: 500,
      deliveryFeeDescription: null,
      taxIds: null,
      inventoryLocationIds: [],
      createdAt: now,
      updatedAt: now,
    });
    expect(await list(staff)).toEqual([zone]);
    expect(await price(shop, '94607')).toEqual([500, 5000]);
    expect(await price(shop, '94702')).toEqual([500, 5000]);
    expect(await price(shop, '94710')).toBe('DELIVERY_AREA_NOT_SERVED');
  });

  test('changes in part or whole; orders keep their fee', async () => {
    const { shop, staff } = await newShop();
    const zone = await create(staff, { name: 'Oakland', postalCodes: ['94607', '94608'], deliveryFee: 500 });
    const { data: order } = await deliverTo(shop, '94607');
    service.clock.advance(1000);
    const patched = await staff.call('PATCH', `${path}/${zone.id}`, {
      deliveryFee: 900,
      postalCodes: ['94607'],
    });
    const updatedAt = new Date(service.clock.now()).toISOString();
    expect(patched.data).toEqual({ ...zone, deliveryFee: 900, postalCodes: ['94607'], updatedAt });
    expect(await price(shop, '94607')).toEqual([900, 0]);
    expect(await price(shop, '94608')).toBe('DELIVERY_AREA_NOT_SERVED');
    const put = await staff.call('PUT', `${path}/${zone.id}`, {
      name: 'Port',
      postalCodes: ['94608', '94607'],
    });
    expect(put.data).toMatchObject({ name: 'Port', deliveryFee: 0, postalCodes: ['94607', '94608'] });
    expect(await list(staff)).toEqual([put.data]);
    service.clock.advance(1000);
    expect((await staff.call('PUT', `${path}/${zone.id}`, put.data)).data).toEqual(put.data);
    const detail = await service.call('GET', `/api/v1/orders/${order.id}/detail`, { keys: shop.keys });
    expect(detail.data.deliveryFee).toBe(500);
  });

  test('that is removed serves no address; without zones, every address is served', async () => {
    const { shop, staff } = await newShop();
    const one = await create(staff, { name: 'One', postalCodes: ['94607'], deliveryFee: 100 });
    const two = await create(staff, { name: 'Two', postalCodes: ['94608'] });
    await deliverTo(shop, '94607');
    expect(await staff.call('DELETE', `${path}/${one.id}`)).toMatchObject({ status: 200, data: one });
    expect(await price(shop, '94607')).toBe('DELIVERY_AREA_NOT_SERVED');
    expect((await staff.call('DELETE', `${path}/${one.id}`)).error?.code).toBe('DELIVERY_ZONE_NOT_FOUND');
    await staff.call('DELETE', `${path}/${two.id}`);
    expect(await price(shop, '94607')).toEqual([null, 0]);
  });

  test('has its own taxes and locations', async () => {
    const { shop, staff } = await newShop();
    const taxes = (await staff.call('GET', '/staff/v1/taxes')).data;
    const sales = taxes.find(({ description }: { description: string }) => description === 'Sales tax');
    await create(staff, {
      name: 'Own',
      postalCodes: ['94607'],
      taxIds: [sales.id, sales.id],
      inventoryLocationIds: [shop.locationId('Vault')],
    });
    const [zone] = await list(staff);
    expect(zone).toMatchObject({ taxIds: [sales.id], inventoryLocationIds: [shop.locationId('Vault')] });
    const quarters = [{ productOptionId: shop.optionId('quarter'), quantity: 1 }];
    const order = await deliverTo(shop, '94607', { lineItems: quarters });
    expect(order.data.taxes).toMatchObject([{ taxId: sales.id, amount: 555 }]);
    // The eighths are in the storefront.
    expect((await deliverTo(shop, '94607')).error?.code).toBe('OUT_OF_STOCK');
    const elsewhere = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop),
    });
    expect(elsewhere.data.taxes).toHaveLength(3);
  });

  test('has the tax of its own town, which is charged nowhere else', async () => {
    const shop = await createTestShop(service.context, { deliveryZones: [], taxes: [] });
    const staff = await service.staff(shop, 'manager');
    const tax = async (description: string, onlyInDeliveryZones: boolean) =>
      (await staff.call('POST', '/staff/v1/taxes', { description, rate: '5', onlyInDeliveryZones })).data.id;
    const [oakland, berkeley] = [await tax('Oakland', false), await tax('Berkeley', true)];
    await create(staff, { name: 'Oakland', postalCodes: ['94607'] });
    const away = await create(staff, { name: 'Berkeley', postalCodes: ['94702'], taxIds: [berkeley] });
    const charged = async ({ data }: TestReply) => data.taxes.map(({ taxId }: { taxId: number }) => taxId);
    const pickup = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    expect(await charged(pickup)).toEqual([oakland]);
    expect(await charged(await deliverTo(shop, '94607'))).toEqual([oakland]);
    expect(await charged(await deliverTo(shop, '94702'))).toEqual([berkeley]);
    await staff.call('PATCH', `${path}/${away.id}`, { taxIds: null });
    expect(await charged(await deliverTo(shop, '94702'))).toEqual([oakland]);
  });

  test('with a prefix can have exceptions in another zone', async () => {
    const { shop, staff } = await newShop();
    await create(staff, { name: 'East Bay', postalCodes: ['946*'], deliveryFee: 900 });
    await create(staff, { name: 'Oakland', postalCodes: ['94607'], deliveryFee: 500 });
    expect(await price(shop, '94607')).toEqual([500, 0]);
    expect(await price(shop, '94608')).toEqual([900, 0]);
  });
});

describe('is refused', () => {
  const zone = { name: 'Zone', postalCodes: ['94607'] };
  test.each([
    ['no code', { ...zone, postalCodes: [] }, /^postalCodes must be a list of 1 to 2,000 items/],
    [
      'a star alone',
      { ...zone, postalCodes: ['94607', '*'] },
      /^postalCodes\[1\] must be a ZIP code of 5 digits such as/,
    ],
    ['a star inside', { ...zone, postalCodes: ['9*7'] }, /^postalCodes\[0\]/],
    ['a negative fee', { ...zone, deliveryFee: -1 }, /^deliveryFee must be a whole number from 0/],
    ['a fee in fractions of a cent', { ...zone, deliveryFee: 1.5 }, /^deliveryFee must be a whole number/],
    ['an unknown tax', { ...zone, taxIds: [nowhere] }, /^taxIds must be ids of taxes/],
    [
      'an unknown location',
      { ...zone, inventoryLocationIds: [nowhere] },
      /^inventoryLocationIds must be ids/,
    ],
    ['a blank name', { ...zone, name: '\t ' }, /^name must be text/],
  ])('%s', async (_, body, message) => {
    const { staff } = await newShop();
    const { status, error } = await staff.call('POST', path, body);
    expect([status, error?.code, error?.message]).toEqual([
      400,
      'INVALID_PARAMS',
      expect.stringMatching(message),
    ]);
    expect(await list(staff)).toEqual([]);
  });

  test('an entry that is neither a ZIP code of 5 digits nor its prefix', async () => {
    const { staff } = await newShop();
    for (const code of ['9460', 'ABCDE', '946073', '*', '94-07', '9A*', '94607-12']) {
      const { status, error } = await staff.call('POST', path, { name: 'Bay', postalCodes: ['94607', code] });
      expect([code, status, error?.code]).toEqual([code, 400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(/^postalCodes\[1\] must be a ZIP code of 5 digits/);
    }
  });

  test('a tax that has ended, unless the zone already had it', async () => {
    const { staff } = await newShop();
    const taxes = '/staff/v1/taxes';
    const { data: tax } = await staff.call('POST', taxes, { description: 'Old town', rate: '5' });
    const zone = await create(staff, { name: 'Old town', postalCodes: ['94607'], taxIds: [tax.id] });
    expect((await staff.call('DELETE', `${taxes}/${tax.id}`)).status).toBe(200);
    service.clock.advance(1000);
    const later = await staff.call('POST', path, { name: 'New', postalCodes: ['94608'], taxIds: [tax.id] });
    expect([later.status, later.error?.message]).toEqual([
      400,
      expect.stringMatching(/^taxIds must be ids of taxes that have not ended/),
    ]);
    const renamed = { name: 'Older town', postalCodes: ['94607'], taxIds: [tax.id] };
    expect((await staff.call('PUT', `${path}/${zone.id}`, renamed)).data?.name ?? 'refused').toBe(
      'Older town',
    );
  });

  test('a code of another zone, which the message names', async () => {
    const { staff } = await newShop();
    const first = await create(staff, { name: 'Oakland', postalCodes: ['94607', '946*'] });
    const expected = {
      status: 400,
      error: {
        code: 'INVALID_PARAMS',
        message: 'postalCodes must not be those of another zone: 94607 (Oakland).',
      },
    };
    expect(await staff.call('POST', path, { name: 'Again', postalCodes: ['94607 ', '94608'] })).toMatchObject(
      expected,
    );
    const second = await create(staff, { name: 'Second', postalCodes: ['94608'] });
    const patch = { postalCodes: ['94608', '94607'] };
    expect(await staff.call('PATCH', `${path}/${second.id}`, patch)).toMatchObject(expected);
    expect(await list(staff)).toEqual([first, second]);
  });

  test('one of two zones that claim a code at once', async () => {
    const { staff } = await newShop();
    for (let round = 0; round < 5; round++) {
      const body = { name: `Round ${round}`, postalCodes: [`9470${round}`] };
      const replies = await Promise.all([1, 2, 3].map(() => staff.call('POST', path, body)));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    }
    expect(await list(staff)).toHaveLength(5);
  });
});
