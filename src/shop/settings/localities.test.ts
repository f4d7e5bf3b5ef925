import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;
beforeEach(async () => {
  service.clock.set(Date.parse('2026-05-20T19:00:00Z'));
  shop = await createTestShop(service.context, { deliveryZones: [], taxes: [] });
  owner = await service.staff(shop);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const source = { citation: 'Oakland M.C. 5.04', link: null, readOn: '2026-05-01', note: null };
const city = { name: 'Oakland', kind: 'city', postalCodes: ['94607', '9461*'], shopIsHere: false };
const county = { name: 'Alameda', kind: 'county', postalCodes: ['946*'], shopIsHere: true };

async function made(path: string, body: object) {
  const reply = await owner.call('POST', `/staff/v1/${path}`, body);
  expect(reply.status, JSON.stringify(reply)).toBe(201);
  return reply.data;
}
const tax = (description: string, locality: object | null, more: object = {}) =>
  made('taxes', { description, rate: '5', locality, ownSource: source, ...more });
const limit = (name: string, more: object) =>
  made('purchase-limit-rules', {
    ...{
      name,
      customerType: 'all',
      cannabisType: 'non-concentrated',
      limit: '3',
      unit: 'g',
      window: 'transaction',
    },
    ...more,
  });

/** Names of the taxes and own limits that a preview shows, for a delivery or a pickup. */
async function priced(postalCode: string | null) {
  const { type, lineItems } = postalCode === null ? pickupBody(shop) : deliveryBody(shop);
  const body = { type, lineItems, ...(postalCode !== null && { postalCode }) };
  const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
  return namesOf(data.taxes, data.purchaseLimits);
}

/** The same from the staff operation. */
async function told(address: string | null) {
  const query = address === null ? '' : `?postalCode=${encodeURIComponent(address)}`;
  const { data } = await owner.call('GET', `/staff/v1/localities/applying${query}`);
  return namesOf(data.taxes, data.limits);
}

function namesOf(taxes: { description: string }[], limits: { name: string }[]) {
  const own = limits.map(({ name }) => name).filter((name) => name.startsWith('Own'));
  return [...taxes.map(({ description }) => description), ...own];
}

test('a tax and a limit of a city apply to deliveries into it, and at the shop only if it is in the city', async () => {
  await tax('City tax', city);
  await tax('County tax', county);
  await tax('State tax', null);
  await limit('Own, city', { locality: city });
  await limit('Own, county', { locality: county });
  for (const [address, expected] of [
    ['94607', ['City tax', 'County tax', 'State tax', 'Own, city', 'Own, county']],
    ['94610-1234', ['City tax', 'County tax', 'State tax', 'Own, city', 'Own, county']],
    ...([' 94610-1234 ', '94610 1234', '946101234', '94610–1234'] as const).map(
      (spelled) => [spelled, ['City tax', 'County tax', 'State tax', 'Own, city', 'Own, county']] as const,
    ),
    ['94620', ['County tax', 'State tax', 'Own, county']],
    ['95001', ['State tax']],
    [null, ['County tax', 'State tax', 'Own, county']],
  ] as const) {
    expect([address, await priced(address)]).toEqual([address, expected]);
    expect([address, await told(address)]).toEqual([address, expected]);
  }
  for (const zip of ['94620', '94620 1234', '946201234', '94620-1234']) {
    expect(await told(`418 Alder Street, Oakland, CA ${zip}`)).toEqual(await told('94620'));
  }
});

test("orders, edits and fulfillment use the limit of the delivery's locality", async () => {
  await limit('Own, city', { locality: city, limit: '7' });
  const place = async (postalCode: string) =>
    service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: deliveryBody(shop, {
        lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 3 }],
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
        address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode },
      }),
    });
  expect((await place('94607')).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  const { data: order } = await place('95001');
  await limit('Own, elsewhere', { locality: { ...city, postalCodes: ['950*'] }, limit: '7' });
  const edited = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, {
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 4 }],
  });
  expect(edited.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  await owner.call('POST', `/staff/v1/orders/${order.id}/accept`);
  const fulfilled = await owner.call('POST', `/staff/v1/orders/${order.id}/fulfill`);
  expect(fulfilled.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
});

test('a limit applies from its first to its last day, both included', async () => {
  await limit('Own', { startsOn: '2026-05-21', endsOn: '2026-05-22' });
  const held: boolean[] = [];
  for (const day of ['20', '21', '22', '23']) {
    service.clock.set(Date.parse(`2026-05-${day}T19:00:00Z`));
    owner = await service.staff(shop);
    held.push((await priced(null)).includes('Own') && (await told(null)).includes('Own'));
  }
  expect(held).toEqual([false, true, true, false]);
});

test('a zone that names its taxes decides on them', async () => {
  const { id } = await tax('City tax', city);
  await tax('County tax', county);
  await made('delivery-zones', { name: 'Far', postalCodes: ['95001'], taxIds: [id] });
  expect([await priced('95001'), await told('95001')]).toEqual([['City tax'], ['City tax']]);
});

test('where a tax is written changes in place; where it holds begins another tax', async () => {
  const { id, ...city5 } = await tax('City tax', city);
  const change = (taxId: number, body: object) => owner.call('PATCH', `/staff/v1/taxes/${taxId}`, body);
  const note = { ...source, note: 'Asked the clerk', readOn: '2026-05-19' };
  expect((await change(id, { ownSource: note })).data).toMatchObject({
    id,
    ownSource: note,
    locality: city5.locality,
  });
  expect((await change(id, { locality: { ...city, postalCodes: ['9461*', '94607'] } })).data.id).toBe(id);
  expect((await change(id, { locality: county })).data.id).not.toBe(id);
  const rule = await limit('Own', { locality: city });
  const changed = await owner.call('PATCH', `/staff/v1/purchase-limit-rules/${rule.id}`, {
    ownSource: source,
    limit: '2',
  });
  expect(changed.data).toMatchObject({ ownSource: source, limit: '2', locality: city });
});

test('a source that was read more than a year ago gives a warning', async () => {
  await tax('City tax', city);
  await limit('Own, old', { ownSource: { ...source, readOn: '2025-05-19' } });
  await limit('Own, ended', { ownSource: { ...source, readOn: '2025-05-19' }, endsOn: '2026-05-19' });
  const { data } = await owner.call('GET', '/staff/v1/organization');
  expect(data.warnings.filter((line: string) => line.includes('own taxes'))).toEqual([
    'The sources of own taxes and limits were read more than a year ago: "Own, old". Compare them with the current law.',
  ]);
});

test.each([
  [
    { locality: { ...city, postalCodes: ['9460'] } },
    'locality.postalCodes[0] must be a ZIP code of 5 digits',
  ],
  [{ locality: { ...city, postalCodes: [] } }, 'locality.postalCodes must name a ZIP code'],
  [{ ownSource: { ...source, link: 'javascript:alert(1)' } }, 'ownSource.link must be a web address'],
])('%j is refused', async (body, message) => {
  const taxReply = await owner.call('POST', '/staff/v1/taxes', { description: 'T', rate: '1', ...body });
  const limitReply = await owner.call('POST', '/staff/v1/purchase-limit-rules', {
    ...{
      name: 'L',
      customerType: 'all',
      cannabisType: 'edibles',
      limit: '1',
      unit: 'mg',
      window: 'transaction',
    },
    ...body,
  });
  for (const { error } of [taxReply, limitReply]) {
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining(message) });
  }
});

test('a last day before the first, and an address without a ZIP code, are refused', async () => {
  const { error } = await owner.call('POST', '/staff/v1/purchase-limit-rules', {
    ...{
      name: 'L',
      customerType: 'all',
      cannabisType: 'edibles',
      limit: '1',
      unit: 'mg',
      window: 'transaction',
    },
    ...{ startsOn: '2026-05-02', endsOn: '2026-05-01' },
  });
  expect(error?.message).toBe('endsOn must not be before startsOn (2026-05-02).');
  const asked = await owner.call('GET', '/staff/v1/localities/applying?postalCode=Oakland');
  expect(asked.error?.code).toBe('INVALID_PARAMS');
});
