import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  pickupBody,
  type ShopSettings,
  type TestShop,
  type TestTax,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { readCart } from '../carts/cart-request.ts';
import { placeOrder } from '../orders/place-order.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/organization';

async function newShop(settings: ShopSettings = {}) {
  const shop = await createTestShop(service.context, { state: 'CA', ...settings });
  return { shop, owner: await service.staff(shop) };
}

async function place(shop: TestShop) {
  const { data, error } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop),
  });
  return error?.code ?? data.status;
}

test('can be read as created, by every staff member', async () => {
  const { shop, owner } = await newShop();
  const everywhere = [shop.locationId('Storefront'), shop.locationId('Vault')];
  const { status, data } = await owner.call('GET', path);
  expect(status).toBe(200);
  const now = new Date(service.clock.now()).toISOString();
  expect(data).toEqual({
    id: shop.organizationId,
    businessDayStartsAt: '00:00',
    owedPointCents: null,
    name: 'Test Shop',
    customerEmail: 'hello@shop.example.com',
    customerPhone: '+15105550100',
    hasDelivery: true,
    hasPickup: true,
    hasInStore: true,
    state: 'CA',
    licenseNumber: 'C10-0000001-LIC',
    taxesIncluded: false,
    tz: 'America/Los_Angeles',
    statusOnCreation: { delivery: 'draft', pickup: 'new' },
    orderMinimums: { delivery: 0, pickup: 0 },
    discountLimits: { budtenderPercent: null, managerPercent: null, maximumPercent: null },
    medicalTaxExempt: false,
    autoApplyCredits: true,
    taxPassThroughFees: false,
    leftTaxesDismissed: [],
    leftTaxes: [],
    freeProductFloorCents: null,
    integratorsSetStock: false,
    customersCancel: 'until-packed',
    showsDriverPosition: false,
    needsTimeSlot: { delivery: false, pickup: false },
    firstStepsHidden: false,
    placeholderContacts: [],
    documentRetentionDays: 1095,
    explanationRetentionDays: 365,
    customerRetentionDays: null,
    customerMails: { receipts: false, ready: false, outForDelivery: false, canceled: false },
    locationsByOrderType: { delivery: everywhere, pickup: everywhere, 'in-store': everywhere },
    storedFiles: {
      photos: expect.objectContaining({ files: expect.any(Number), filesMax: 50_000 }),
      documents: { files: 0, filesMax: 100_000, bytes: 0, bytesMax: 50_000_000_000 },
    },
    warnings: [
      expect.stringMatching(/^No purchase limit counts edibles in California for medical customers/),
      expect.stringMatching(/^The law of California will change\. Tax "California cannabis excise tax"/),
    ],
    createdAt: now,
    updatedAt: now,
  });
  for (const role of ['manager', 'budtender', 'inventory'] as const) {
    const staff = await service.staff(shop, role);
    expect((await staff.call('GET', path)).data).toEqual(data);
    expect((await staff.call('PATCH', path, { name: 'Mine' })).status).toBe(403);
  }
});

test('change the given fields only, objects by key, and the API shows it', async () => {
  const { shop, owner } = await newShop();
  const { data: before } = await owner.call('GET', path);
  service.clock.advance(1000);
  const changes = {
    name: 'Renamed',
    customerEmail: '',
    state: 'MI',
    tz: 'US/Eastern',
    freeProductFloorCents: 5,
    documentRetentionDays: 30,
    explanationRetentionDays: 90,
    customerRetentionDays: 730,
    autoApplyCredits: false,
    statusOnCreation: { pickup: 'draft' },
    orderMinimums: { delivery: 2500 },
    discountLimits: { budtenderPercent: 10, managerPercent: '12.50' },
    locationsByOrderType: { pickup: [shop.locationId('Vault')] },
  };
  const { status, data } = await owner.call('PATCH', path, changes);
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    ...changes,
    statusOnCreation: { delivery: 'draft', pickup: 'draft' },
    orderMinimums: { delivery: 2500, pickup: 0 },
    discountLimits: { budtenderPercent: '10', managerPercent: '12.5', maximumPercent: null },
    locationsByOrderType: { ...before.locationsByOrderType, pickup: [shop.locationId('Vault')] },
    warnings: data.warnings,
    updatedAt: new Date(service.clock.now()).toISOString(),
  });
  expect((await owner.call('GET', path)).data).toEqual(data);
  const open = await service.call('GET', '/api/v1/organization', { keys: shop.keys });
  expect(open.data).toMatchObject({ name: 'Renamed', state: 'MI', tz: 'US/Eastern', customerEmail: '' });
  service.clock.advance(1000);
  expect((await owner.call('PATCH', path, changes)).data).toEqual(data);
  const { data: without } = await owner.call('PATCH', path, {
    freeProductFloorCents: null,
    discountLimits: { managerPercent: null },
  });
  expect(without).toMatchObject({
    freeProductFloorCents: null,
    discountLimits: { budtenderPercent: '10', managerPercent: null },
  });
});

describe('the next order follows', () => {
  test('its status on creation, minimum and whether the type is offered', async () => {
    const { shop, owner } = await newShop();
    expect(await place(shop)).toBe('new');
    await owner.call('PATCH', path, { statusOnCreation: { pickup: 'draft' } });
    expect(await place(shop)).toBe('draft');
    await owner.call('PATCH', path, { orderMinimums: { pickup: 7001 } });
    expect(await place(shop)).toBe('ORDER_MINIMUM_NOT_MET');
    await owner.call('PATCH', path, { hasPickup: false });
    expect(await place(shop)).toBe('INVALID_ORDER_TYPE');
  });

  test('whether it can be placed in the store', async () => {
    const { shop, owner } = await newShop({ state: 'MI' });
    const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 1 }];
    const placeAtCounter = () =>
      placeOrder(
        service.context,
        testOrigin,
        {
          organizationId: shop.organizationId,
          source: 'in-store',
          integrator: null,
          placedBy: null,
          customerName: null,
        },
        {
          ...readCart({ type: 'pickup', lineItems }, null),
          type: 'in-store',
          address: null,
          deliveryNotes: null,
          expectedCustomerGrandTotalCents: null,
        },
      );
    expect((await placeAtCounter()).order.head.type).toBe('in-store');
    await owner.call('PATCH', path, { hasInStore: false });
    await expect(placeAtCounter()).rejects.toMatchObject({ code: 'INVALID_ORDER_TYPE' });
  });

  test('the price floor of discounts', async () => {
    const { shop, owner } = await newShop({ taxes: [], state: 'MI' });
    const discount = {
      name: 'All of it',
      kind: 'order',
      type: 'percent',
      amount: '100',
      trigger: 'automatic',
    };
    expect((await owner.call('POST', '/staff/v1/discounts', discount)).status).toBe(201);
    const total = async () => {
      const { type, lineItems } = pickupBody(shop);
      const body = { type, lineItems };
      const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
      return data.customerGrandTotal;
    };
    expect(await total()).toBe(0);
    await owner.call('PATCH', path, { freeProductFloorCents: 150 });
    expect(await total()).toBe(300);
    await owner.call('PATCH', path, {
      freeProductFloorCents: null,
      discountLimits: { maximumPercent: '40' },
    });
    expect(await total()).toBe(4200);
    // Washington prohibits giveaways: a cent of each unit remains.
    await owner.call('PATCH', path, { state: 'WA', discountLimits: { maximumPercent: null } });
    expect(await total()).toBe(2);
  });

  test('its locations, and the menu with it', async () => {
    const { shop, owner } = await newShop();
    const maxQuantity = async () => {
      const { data } = await service.call('GET', '/api/v1/menu', {
        keys: shop.keys,
        query: { type: 'pickup' },
      });
      const product = data.find(({ name }: { name: string }) => name === 'Moonlit Grove');
      return product.options.find(({ id }: { id: number }) => id === shop.optionId('eighth')).maxQuantity;
    };
    expect(await maxQuantity()).toBeGreaterThan(0);
    await owner.call('PATCH', path, { locationsByOrderType: { pickup: [shop.locationId('Vault')] } });
    // The eighths are in the storefront.
    expect(await maxQuantity()).toBe(0);
    expect(await place(shop)).toBe('OUT_OF_STOCK');
  });
});

test('old contradicting limits do not block other changes', async () => {
  const { shop, owner } = await newShop();
  await tenantSql(
    service.context.database,
    shop.organizationId,
    'update organizations set budtender_discount_percent = null, manager_discount_percent = 60, maximum_discount_percent = 5',
  );
  const limits = { budtenderPercent: null, managerPercent: '60', maximumPercent: '5' };
  const change = (body: object) => owner.call('PATCH', path, body);
  expect((await change({ licenseNumber: 'X', discountLimits: limits })).status).toBe(200);
  expect((await change({ discountLimits: { maximumPercent: '6' } })).status).toBe(400);
  const mended = { budtenderPercent: '5', managerPercent: '6', maximumPercent: '6' };
  expect((await change({ discountLimits: mended })).data.discountLimits).toEqual(mended);
});

describe('is refused', () => {
  const nowhere = 9_007_199_254_740_000;
  test.each([
    ['an unknown zone', { tz: 'Europe/Berlin' }, /^tz must be one of America\/Los_Angeles, US\/Mountain/],
    ['a state that does not exist', { state: 'ZZ' }, /^state must be one of AK, AL/],
    [
      'a limit above 100 %',
      { discountLimits: { managerPercent: '100.1' } },
      /^discountLimits.managerPercent must/,
    ],
    ['a limit with binary fractions', { discountLimits: { managerPercent: 12.5 } }, /such as "12.5" or 20/],
    ['a whole limit above 100', { discountLimits: { managerPercent: 101 } }, /from 0 to 100/],
    [
      'a budtender limit above the manager limit',
      { discountLimits: { budtenderPercent: '9.5', managerPercent: '9' } },
      /^discountLimits.budtenderPercent must be at most managerPercent \(9\)/,
    ],
    [
      'no budtender limit next to a manager limit',
      { discountLimits: { budtenderPercent: null, managerPercent: '10' } },
      /^discountLimits.budtenderPercent must not be null while managerPercent is set \(10\)/,
    ],
    [
      'a budtender limit above the maximum of all discounts',
      { discountLimits: { budtenderPercent: '5.5', managerPercent: null, maximumPercent: '5' } },
      /^discountLimits.budtenderPercent must be at most maximumPercent \(5\)/,
    ],
    [
      'a manager limit above the maximum of all discounts',
      { discountLimits: { budtenderPercent: '5', managerPercent: '60', maximumPercent: '5' } },
      /^discountLimits.managerPercent must be at most maximumPercent \(5\)/,
    ],
    [
      'offering nothing',
      { hasDelivery: false, hasPickup: false, hasInStore: false },
      /^hasDelivery, hasPickup, hasInStore: at least one must be true/,
    ],
    [
      'an offered type without locations',
      { locationsByOrderType: { pickup: [] } },
      /^locationsByOrderType.pickup must name at least one location while hasPickup is true/,
    ],
    [
      'an unknown location',
      { locationsByOrderType: { 'in-store': [nowhere] } },
      /^locationsByOrderType.in-store must be ids of inventory locations/,
    ],
    ['an invalid email address', { customerEmail: 'hello' }, /^customerEmail must be an email address/],
    ['a blank name', { name: ' ' }, /^name must be text/],
    ['a negative minimum', { orderMinimums: { pickup: -1 } }, /^orderMinimums.pickup must be a whole number/],
    ['a document retention of zero days', { documentRetentionDays: 0 }, /^documentRetentionDays must/],
  ])('%s', async (_, changes, message) => {
    const { owner } = await newShop();
    const { data: before } = await owner.call('GET', path);
    const { status, error } = await owner.call('PATCH', path, { licenseNumber: 'X', ...changes });
    expect([status, error?.code, error?.message]).toEqual([
      400,
      'INVALID_PARAMS',
      expect.stringMatching(message),
    ]);
    expect((await owner.call('GET', path)).data).toEqual(before);
  });

  test('a location twice, and one of another organization', async () => {
    const { shop, owner } = await newShop();
    const other = await newShop();
    const vault = shop.locationId('Vault');
    const set = (pickup: readonly number[]) =>
      owner.call('PATCH', path, { locationsByOrderType: { pickup } });
    expect((await set([vault, vault])).error?.message).toMatch(/must name each location once/);
    expect((await set([other.shop.locationId('Vault')])).error?.message).toMatch(/is none\.$/);
  });

  test('one of two concurrent changes that contradict each other', async () => {
    const { owner } = await newShop();
    const replies = await Promise.all([
      owner.call('PATCH', path, { hasDelivery: false, hasInStore: false }),
      owner.call('PATCH', path, { hasPickup: false }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('warnings', () => {
  test('report an unknown state, and taxes that contradict taxesIncluded', async () => {
    const { owner } = await newShop({ state: 'TX' });
    const { data } = await owner.call('PATCH', path, { taxesIncluded: true });
    expect(data.warnings).toEqual([
      expect.stringMatching(/^No fact about the law of TX is known here/),
      expect.stringMatching(/^taxesIncluded says .* "City tax" is added to prices\.$/),
    ]);
  });

  test('report an order type without locations, which can be corrected step by step', async () => {
    const { shop, owner } = await newShop({ taxes: [], state: 'MT' });
    await tenantSql(
      service.context.database,
      shop.organizationId,
      `delete from order_type_locations where order_type <> 'pickup'`,
    );
    const { status, data } = await owner.call('PATCH', path, { name: 'New here', hasInStore: false });
    expect(status).toBe(200);
    expect(data.warnings).toEqual([
      expect.stringMatching(/^No tax is in force/),
      expect.stringMatching(/^Orders of the type delivery are offered, but have no location/),
    ]);
  });

  test('name a webhook endpoint that was switched off, without its path', async () => {
    const { shop, owner } = await newShop({});
    const url = 'https://hooks.example.com/secret-path';
    const made = await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body: { url } });
    expect((await warningsOf(owner)).join()).not.toMatch(/webhook/);
    await tenantSql(
      service.context.database,
      shop.organizationId,
      `update webhook_endpoints set enabled = false, switched_off_at = '2026-03-09T20:00:00Z' where id = ${made.data.id}`,
    );
    const named = (await warningsOf(owner)).filter((it) => it.includes('webhook'));
    expect(named).toEqual([
      expect.stringMatching(/^The webhook endpoint at hooks\.example\.com was switched off on 2026-03-09/),
    ]);
    await owner.call('PATCH', `/staff/v1/webhook-endpoints/${made.data.id}`, { enabled: true });
    expect((await warningsOf(owner)).join()).not.toMatch(/webhook/);
  });

  const warningsOf = async (owner: TestStaff): Promise<string[]> =>
    (await owner.call('GET', path)).data.warnings;

  test('report included taxes when prices have none, but not a mix of included and added ones', async () => {
    const included = { description: 'Excise', rate: '37', included: true };
    const added = { description: 'Sales', rate: '6.5' };
    const misplaced = async (taxesIncluded: boolean, ...taxes: TestTax[]) => {
      const { owner } = await newShop({ taxesIncluded, taxes });
      return (await warningsOf(owner)).filter((it) => it.startsWith('taxesIncluded'));
    };
    expect(await misplaced(true, included)).toEqual([]);
    expect(await misplaced(false, included)).toEqual([expect.stringMatching(/"Excise" is included in them/)]);
    expect(await misplaced(true, added)).toEqual([expect.stringMatching(/"Sales" is added to prices/)]);
    for (const taxesIncluded of [true, false]) {
      expect(await misplaced(taxesIncluded, included, added)).toEqual([]);
      const { owner } = await newShop({ state: 'WA', taxesIncluded, taxes: [] });
      await owner.call('POST', '/staff/v1/taxes/apply-preset', {});
      expect((await warningsOf(owner)).join()).not.toMatch(/taxesIncluded/);
    }
  });

  test('report cannabis types without a limit, until the organization sets its own limit or sells none', async () => {
    const { shop, owner } = await newShop({ state: 'AZ', taxes: [], products: [] });
    const ofForms = async () => (await warningsOf(owner)).filter((it) => it.startsWith('No purchase limit'));
    const edibles = /^No purchase limit counts edibles in Arizona for adult-use and medical customers/;
    expect(await ofForms()).toEqual([expect.stringMatching(edibles)]);
    const { meta } = await owner.call('GET', '/staff/v1/purchase-limit-rules');
    expect(meta.warnings).toEqual(await ofForms());
    const rule = { name: 'Edibles', cannabisType: 'edibles', limit: '5600', unit: 'mg', window: 'local-day' };
    const own = await owner.call('POST', '/staff/v1/purchase-limit-rules', {
      ...rule,
      customerType: 'adult-use',
    });
    expect(await ofForms()).toEqual([expect.stringMatching(/in Arizona for medical customers/)]);
    await owner.call('PUT', `/staff/v1/purchase-limit-rules/${own.data.id}`, {
      ...rule,
      customerType: 'all',
    });
    expect(await ofForms()).toEqual([]);
    await owner.call('DELETE', `/staff/v1/purchase-limit-rules/${own.data.id}`);
    expect(await ofForms()).toHaveLength(1);
    const category = `/staff/v1/product-categories/${shop.categoryId('Edibles')}`;
    expect((await owner.call('DELETE', category)).status).toBe(200);
    expect(await ofForms()).toEqual([]);
  });

  test('report discounts on the sale of another item where the law prohibits them, until they end', async () => {
    // Set up before the shop moves: where the law bars it, it cannot be.
    const { owner } = await newShop({ state: 'MT', taxes: [] });
    const tied = async () => (await warningsOf(owner)).filter((it) => it.includes('bars a discount'));
    const create = async (discount: object) =>
      (await owner.call('POST', '/staff/v1/discounts', discount)).data;
    const common = { type: 'percent', amount: 100, trigger: 'automatic' };
    await create({ ...common, name: 'Everything', kind: 'order', amount: 10 });
    expect(await tied()).toEqual([]);
    const { id } = await create({
      ...common,
      name: 'Two for one',
      kind: 'buy-x-get-y',
      buyQuantity: 1,
      getQuantity: 1,
    });
    await owner.call('PATCH', path, { state: 'OR' });
    expect(await tied()).toEqual([
      expect.stringMatching(/^Oregon bars .*475C\.674\(6\)\(a\).*"Two for one" depends on one/),
    ]);
    await owner.call('PATCH', path, { state: 'MT' });
    expect(await tied()).toEqual([]);
    const group = { type: 'flat', amount: 6000, kind: 'bundle', bundleQuantity: 3 };
    const three = await create({ ...common, name: 'Three for $60', ...group });
    await owner.call('PATCH', path, { state: 'OR' });
    expect(await tied()).toEqual([expect.stringMatching(/"Two for one" and others depend/)]);
    expect((await owner.call('DELETE', `/staff/v1/discounts/${three.id}`)).status).toBe(200);
    await owner.call('PATCH', path, { state: 'OR' });
    expect((await owner.call('DELETE', `/staff/v1/discounts/${id}`)).status).toBe(200);
    expect(await tied()).toEqual([]);
  });
});
