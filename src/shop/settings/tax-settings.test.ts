import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;
beforeAll(async () => {
  shop = await createTestShop(service.context, { taxes: [] });
  owner = await service.staff(shop);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const now = () => new Date(service.clock.now()).toISOString();

async function newShop(settings: Parameters<typeof createTestShop>[1] = { taxes: [] }) {
  const at = await createTestShop(service.context, settings);
  return { at, staff: await service.staff(at, 'manager') };
}

/** What each tax charges on a pickup of 70.00, by description. */
async function charged(at: TestShop): Promise<Record<string, number>> {
  const { type, lineItems } = pickupBody(at);
  const priced = await service.call('POST', '/api/v1/orders/pricing', {
    keys: at.keys,
    body: { type, lineItems },
  });
  expect(priced.status).toBe(200);
  return Object.fromEntries(
    priced.data.taxes.map((tax: { description: string; amount: number }) => [tax.description, tax.amount]),
  );
}

async function create(staff: TestStaff, body: object) {
  const reply = await staff.call('POST', '/staff/v1/taxes', body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.data;
}

async function list(staff: TestStaff) {
  return (await staff.call('GET', '/staff/v1/taxes')).data;
}

async function refusal(
  reply: Promise<{ status: number; error?: { code: string; message: string } | undefined }>,
) {
  const { status, error } = await reply;
  return [status, error?.code, error?.message];
}

describe('a tax', () => {
  test('is charged from the next cart on, with the defaults of absent fields', async () => {
    const tax = await create(owner, { description: 'City tax', rate: '5.250' });
    expect(tax).toEqual({
      id: expect.any(Number),
      description: 'City tax',
      rate: '5.25',
      basis: null,
      tier: '1',
      type: 'standard',
      included: false,
      encompass: false,
      exemptable: false,
      appliesToFees: false,
      rounding: 'half-up',
      onlyInDeliveryZones: false,
      customerType: 'all',
      patients: null,
      locality: null,
      ownSource: null,
      excludedProductCategoryIds: [],
      nonExemptableProductCategoryIds: [],
      startsAt: now(),
      endsAt: null,
      createdAt: now(),
      updatedAt: now(),
    });
    expect(await list(owner)).toEqual([tax]);
    expect(await charged(shop)).toEqual({ 'City tax': 368 });
  });

  test('begins and ends to the millisecond, in previews and orders alike', async () => {
    const { at, staff } = await newShop();
    const startsAtMs = service.clock.now() + 60_000;
    await create(staff, {
      description: 'Dated',
      rate: '10',
      startsAt: new Date(startsAtMs).toISOString(),
      endsAt: new Date(startsAtMs + 1000).toISOString(),
    });
    const taxedAt = async (ms: number) => {
      service.clock.set(ms);
      const order = await service.call('POST', '/api/v1/orders', { keys: at.keys, body: pickupBody(at) });
      return [await charged(at), order.data.taxes.length];
    };
    expect(await taxedAt(startsAtMs - 1)).toEqual([{}, 0]);
    expect(await taxedAt(startsAtMs)).toEqual([{ Dated: 700 }, 1]);
    expect(await taxedAt(startsAtMs + 999)).toEqual([{ Dated: 700 }, 1]);
    expect(await taxedAt(startsAtMs + 1000)).toEqual([{}, 0]);
  });

  test('skips its excluded categories', async () => {
    const { at, staff } = await newShop();
    await create(staff, {
      description: 'Not on flower',
      rate: '10',
      excludedProductCategoryIds: [
        at.categoryId('Flower'),
        at.categoryId('Edibles'),
        at.categoryId('Flower'),
      ],
    });
    expect(await charged(at)).toEqual({ 'Not on flower': 0 });
    const [tax] = await list(staff);
    expect(tax.excludedProductCategoryIds).toHaveLength(2);
  });
});

describe('a change of a rate', () => {
  test('ends the tax and begins another at the same instant; orders keep their charges', async () => {
    const { at, staff } = await newShop();
    const former = await create(staff, { description: 'Sales', rate: '10', exemptable: true });
    const { data: order } = await service.call('POST', '/api/v1/orders', {
      keys: at.keys,
      body: pickupBody(at),
    });
    service.clock.advance(5);
    const changed = await staff.call('PATCH', `/staff/v1/taxes/${former.id}`, { rate: '20' });
    expect(changed.data).toMatchObject({ rate: '20', exemptable: true, startsAt: now(), endsAt: null });
    expect(changed.data.id).not.toBe(former.id);
    expect(await list(staff)).toEqual([{ ...former, endsAt: now(), updatedAt: now() }, changed.data]);
    expect(await charged(at)).toEqual({ Sales: 1400 });
    const detail = await service.call('GET', `/api/v1/orders/${order.id}/detail`, { keys: at.keys });
    expect(detail.data.taxes).toMatchObject([{ amount: 700 }]);
  });

  test('can be set up ahead', async () => {
    const { at, staff } = await newShop();
    const former = await create(staff, { description: 'Sales', rate: '10' });
    const startsAt = new Date(service.clock.now() + 1000).toISOString();
    const { data: coming } = await staff.call('PATCH', `/staff/v1/taxes/${former.id}`, {
      rate: '20',
      startsAt,
    });
    expect(coming).toMatchObject({ rate: '20', startsAt });
    expect(await charged(at)).toEqual({ Sales: 700 });
    service.clock.advance(1000);
    expect(await charged(at)).toEqual({ Sales: 1400 });
  });

  test('of a future tax replaces it before it begins', async () => {
    const { at, staff } = await newShop();
    const startsAt = new Date(service.clock.now() + 1000).toISOString();
    const former = await create(staff, { description: 'Sales', rate: '10', startsAt });
    const { data } = await staff.call('PATCH', `/staff/v1/taxes/${former.id}`, { rate: '20' });
    expect(data).toMatchObject({ rate: '20', startsAt });
    expect(await charged(at)).toEqual({});
    service.clock.advance(1000);
    expect(await charged(at)).toEqual({ Sales: 1400 });
  });

  test('follows the tax into the delivery zones that name it', async () => {
    const { at, staff } = await newShop();
    const former = await create(staff, { description: 'Zone tax', rate: '10' });
    await create(staff, { description: 'Elsewhere', rate: '1' });
    const [zone] = (await staff.call('GET', '/staff/v1/delivery-zones')).data;
    const patched = await staff.call('PATCH', `/staff/v1/delivery-zones/${zone.id}`, { taxIds: [former.id] });
    expect(patched.status).toBe(200);
    await staff.call('PATCH', `/staff/v1/taxes/${former.id}`, { rate: '20' });
    const { type, lineItems } = deliveryBody(at);
    const priced = await service.call('POST', '/api/v1/orders/pricing', {
      keys: at.keys,
      body: { type, lineItems, postalCode: '94607' },
    });
    expect(priced.data.taxes).toMatchObject([{ description: 'Zone tax', amount: 1400 }]);
  });

  test('concurrent with another leaves one tax in force', async () => {
    const { at, staff } = await newShop();
    const former = await create(staff, { description: 'Sales', rate: '10' });
    const replies = await Promise.all(
      ['20', '30', '40', '50'].map((rate) => staff.call('PATCH', `/staff/v1/taxes/${former.id}`, { rate })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.error?.code).toBe('TAX_ENDED');
    expect(await list(staff)).toHaveLength(2);
    const won = replies.find(({ status }) => status === 200)!.data;
    expect(await charged(at)).toEqual({ Sales: 70 * Number(won.rate) });
  });
});

test('description and end change in place, and an unchanged tax writes nothing', async () => {
  const { at, staff } = await newShop();
  const tax = await create(staff, { description: 'Sales', rate: '10' });
  service.clock.advance(1000);
  const path = `/staff/v1/taxes/${tax.id}`;
  expect((await staff.call('PATCH', path, { rate: '10.0', tier: '1' })).data).toEqual(tax);
  const { data: same } = await staff.call('PUT', path, { description: 'Sales', rate: '10' });
  expect(same).toEqual(tax);
  const endsAt = new Date(service.clock.now() + 1000).toISOString();
  const { data } = await staff.call('PATCH', path, { description: 'Sales tax', endsAt });
  expect(data).toEqual({ ...tax, description: 'Sales tax', endsAt, updatedAt: now() });
  expect(await charged(at)).toEqual({ 'Sales tax': 700 });
  const { data: open } = await staff.call('PATCH', path, { endsAt: null });
  expect(open).toMatchObject({ id: tax.id, endsAt: null });
});

test('an ended tax stays listed and unchanged', async () => {
  const { at, staff } = await newShop();
  const tax = await create(staff, { description: 'Sales', rate: '10' });
  const path = `/staff/v1/taxes/${tax.id}`;
  service.clock.advance(1000);
  const { status, data: ended } = await staff.call('DELETE', path);
  expect([status, ended]).toEqual([200, { ...tax, endsAt: now(), updatedAt: now() }]);
  expect(await charged(at)).toEqual({});
  service.clock.advance(1000);
  expect((await staff.call('DELETE', path)).data).toEqual(ended);
  expect(await list(staff)).toEqual([ended]);
  const [code] = [(await staff.call('PATCH', path, { description: 'Again' })).error?.code];
  expect(code).toBe('TAX_ENDED');
});

describe('is refused', () => {
  const sales = { description: 'Sales', rate: '10' };
  test.each([
    ['a rate that is a number', { ...sales, rate: 9.25 }, /^rate must be .* as text, such as "9.25"/],
    ['a rate above 100', { ...sales, rate: '100.01' }, /^rate must be a percentage from 0 to 100/],
    ['a negative rate', { ...sales, rate: '-1' }, /^rate must be/],
    ['a rate of seven decimals', { ...sales, rate: '1.0000001' }, /^rate .* at most 6 decimals/],
    ['a name of spaces', { ...sales, description: ' ' }, /^description must be text/],
    ['a sixth tier', { ...sales, tier: '6' }, /^tier must be one of 1, 2, 3, 4, 5/],
    [
      'an end before the start',
      { ...sales, startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00.000999Z' },
      /^endsAt must be after startsAt \(2027-01-01T00:00:00.000Z\)/,
    ],
    ['an end in the past', { ...sales, endsAt: '2026-01-01T00:00:00Z' }, /^endsAt must be after startsAt/],
    [
      'an unknown category',
      { ...sales, nonExemptableProductCategoryIds: [9_007_199_254_740_000] },
      /^nonExemptableProductCategoryIds must be ids of product categories/,
    ],
    [
      'an included tax on fees',
      { ...sales, included: true, appliesToFees: true },
      /^appliesToFees must be false/,
    ],
  ])('%s', async (_, body, message) => {
    const { staff } = await newShop();
    expect(await refusal(staff.call('POST', '/staff/v1/taxes', body))).toEqual([
      400,
      'INVALID_PARAMS',
      expect.stringMatching(message),
    ]);
    expect(await list(staff)).toEqual([]);
  });

  test('a body without rate', async () => {
    expect(await refusal(owner.call('POST', '/staff/v1/taxes', { description: 'Sales' }))).toEqual([
      400,
      'MISSING_PARAMS',
      'Required but absent: rate.',
    ]);
  });

  test('an included tax on top of an added one, from either side, while both are in force', async () => {
    const { staff } = await newShop();
    const lower = await create(staff, { ...sales, description: 'Added' });
    const included = { description: 'Included', rate: '5', tier: '2', included: true, encompass: true };
    const contradiction = [
      400,
      'INVALID_PARAMS',
      'encompass: "Included" is included in prices and encompasses "Added", which is not.',
    ];
    expect(await refusal(staff.call('POST', '/staff/v1/taxes', included))).toEqual(contradiction);
    const startsAt = new Date(service.clock.now() + 5000).toISOString();
    await staff.call('PATCH', `/staff/v1/taxes/${lower.id}`, { endsAt: startsAt });
    await create(staff, { ...included, startsAt });
    expect(await refusal(staff.call('PATCH', `/staff/v1/taxes/${lower.id}`, { endsAt: null }))).toEqual(
      contradiction,
    );
    expect(
      await refusal(staff.call('PATCH', `/staff/v1/taxes/${lower.id}`, { rate: '11', endsAt: null })),
    ).toEqual(contradiction);
  });

  test('a change of the past', async () => {
    const { staff } = await newShop();
    const tax = await create(staff, sales);
    const patch = (body: object) => refusal(staff.call('PATCH', `/staff/v1/taxes/${tax.id}`, body));
    const past = '2026-01-01T00:00:00.000Z';
    expect((await patch({ rate: '11', startsAt: past }))[2]).toMatch(/^startsAt must not be in the past/);
    expect((await patch({ startsAt: '2027-01-01T00:00:00Z' }))[2]).toMatch(/^startsAt cannot be moved/);
    service.clock.advance(1000);
    expect((await patch({ endsAt: now() }))[2]).toMatch(/^endsAt must be in the future/);
    expect(await list(staff)).toEqual([tax]);
  });
});

test('every change leaves an audit entry and an event, and an unchanged tax leaves none', async () => {
  const { at, staff } = await newShop();
  const tax = await create(staff, { description: 'Sales', rate: '10' });
  await staff.call('PATCH', `/staff/v1/taxes/${tax.id}`, { description: 'Sales tax' });
  const { data: next } = await staff.call('PATCH', `/staff/v1/taxes/${tax.id}`, { rate: '11' });
  await staff.call('PATCH', `/staff/v1/taxes/${next.id}`, { rate: '11' });
  await staff.call('DELETE', `/staff/v1/taxes/${next.id}`);
  await staff.call('DELETE', `/staff/v1/taxes/${next.id}`);
  for (const table of ['audit_entries', 'outbox_events']) {
    const column = table === 'audit_entries' ? 'action' : 'type';
    const rows = await tenantSql(
      service.context.database,
      at.organizationId,
      `select ${column} as name, subject_id from ${table} where ${column} like 'tax.%' order by id`,
    );
    expect(rows).toEqual([
      { name: 'tax.created', subject_id: String(tax.id) },
      { name: 'tax.updated', subject_id: String(tax.id) },
      { name: 'tax.ended', subject_id: String(tax.id) },
      { name: 'tax.created', subject_id: String(next.id) },
      { name: 'tax.ended', subject_id: String(next.id) },
    ]);
  }
});
