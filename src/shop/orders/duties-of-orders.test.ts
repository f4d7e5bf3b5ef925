import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  type ShopSettings,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
beforeEach(() => service.clock.set(testNowMs));
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const ada = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
const night = '2026-03-11T05:30:00Z'; // 22:30 in California.

interface Open {
  readonly shop: TestShop;
  readonly owner: TestStaff;
  /** Prices and places a cart over the counter, with changes: the codes of the warnings, and that of the refusal. */
  sell(changes?: object): Promise<{ warned: string[]; code: string | null; meta: unknown; message: string }>;
  /** Lets the profile be a patient's. */
  makePatient(): Promise<unknown>;
  sql(text: string): Promise<unknown>;
}

async function open(state: string, settings: ShopSettings = {}): Promise<Open> {
  const shop = await createTestShop(service.context, { state, taxes: [], ...settings });
  const owner = await service.staff(shop, 'owner');
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  return {
    ...{ shop, owner, sql },
    makePatient: () => sql(`update customers set medical_expiration = '2030-01-01'`),
    sell: async (changes = {}) => {
      const body = {
        type: 'in-store',
        lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
        customer: ada,
        ...changes,
      };
      const priced = await owner.call('POST', '/staff/v1/orders/pricing', body);
      expect(priced.status, priced.text).toBe(200);
      const placed = await owner.call('POST', '/staff/v1/orders', { ...body, idempotencyKey: randomUUID() });
      return {
        warned: priced.data.warnings.map(({ code }: { code: string }) => code),
        code: placed.error?.code ?? null,
        meta: placed.error?.meta,
        message: placed.error?.message ?? '',
      };
    },
  };
}

const sold = { warned: [], code: null };

test('cannabis is not sold at night, a lighter is, and the law is named', async () => {
  const { sell, shop } = await open('CA');
  expect(await sell()).toMatchObject(sold);
  service.clock.set(Date.parse(night));
  expect(await sell()).toMatchObject({
    warned: ['OUTSIDE_SALE_HOURS'],
    code: 'OUTSIDE_SALE_HOURS',
    meta: { duty: 'saleHours', citation: '4 CCR 15403' },
    message: expect.stringMatching(
      /^Cannabis is sold and handed over from 06:00 to 22:00, as the law of California/,
    ),
  });
  const tray = { lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }] };
  expect(await sell(tray)).toMatchObject(sold);
});

test('an order for pickup is placed at night, and handed over in the morning', async () => {
  const { owner, shop } = await open('CA');
  service.clock.set(Date.parse(night));
  const body = {
    ...{ type: 'pickup', customer: ada, idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  };
  const { data, status, text } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(status, text).toBe(201);
  const fulfill = () => owner.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
  expect((await fulfill()).error?.code).toBe('OUTSIDE_SALE_HOURS');
  service.clock.set(Date.parse('2026-03-11T13:00:00Z')); // 6:00 in California.
  expect((await fulfill()).status).toBe(200);
});

test('who buys is asked where a limit counts the day', async () => {
  const { sell, owner } = await open('CA');
  const stranger = { customer: undefined, customerName: 'Walk-in' };
  expect(await sell(stranger)).toMatchObject({ warned: ['BUYER_REQUIRED'], code: 'BUYER_REQUIRED' });
  const reason = 'Walk-ins are held to the limit by a log at the door.';
  const set = await owner.call('PUT', '/staff/v1/duties', {
    saleHours: null,
    overrides: [{ duty: 'buyer', reason }],
  });
  expect(set.status, set.text).toBe(200);
  expect(await sell(stranger)).toMatchObject(sold);
  const michigan = await open('MI');
  expect(await michigan.sell(stranger)).toMatchObject(sold);
  // Of these gummies only the THC is stated, and the limit counts it.
  const ohio = await open('OH');
  const gummies = ohio.shop.optionId('gummies');
  await ohio.sql(`update product_options set content = null, thc_mg = 100 where id = ${gummies}`);
  const lineItems = [{ productOptionId: gummies, quantity: 1 }];
  expect(await ohio.sell({ ...stranger, lineItems })).toMatchObject({ code: 'BUYER_REQUIRED' });
  expect(await ohio.sell({ lineItems })).toMatchObject(sold);
});

test("the shop's own hours are narrower, and an owner cannot go beyond the law", async () => {
  const { sell, owner } = await open('CA');
  const set = (body: object) =>
    owner.call('PUT', '/staff/v1/duties', { saleHours: null, overrides: [], ...body });
  expect((await set({ saleHours: { from: '12:00', to: '23:00' } })).status).toBe(200);
  expect(await sell()).toMatchObject({ code: 'OUTSIDE_SALE_HOURS', meta: { citation: null } });
  const beyond = await set({ overrides: [{ duty: 'saleHours', reason: 'We like the night.' }] });
  expect([beyond.status, beyond.error?.message]).toEqual([
    400,
    expect.stringMatching(/^overrides\[0\]\.duty: the law of California lets no owner answer for saleHours/),
  ]);
  expect((await set({ saleHours: { from: '11:00', to: '11:00' } })).status).toBe(400);
  const [entry] = (await owner.call('GET', '/staff/v1/audit-log')).data;
  expect(entry).toMatchObject({
    action: 'organization.updated',
    details: { saleHours: { to: { from: '12:00' } } },
  });
});

test('every duty is listed with what becomes of it here, and what is not known is not called allowed', async () => {
  const { owner } = await open('IL');
  const { data } = await owner.call('GET', '/staff/v1/duties');
  const standing = Object.fromEntries(
    data.duties.map(({ duty, standing: it }: { duty: string; standing: string }) => [duty, it]),
  );
  expect(standing).toMatchObject({
    ...{ saleHours: 'enforced', residence: 'recorded', receipts: 'shown', reporting: 'by-hand' },
    ...{ discounts: 'not-looked-up' },
  });
  expect(data).toMatchObject({ state: 'IL', saleHours: null, overrides: [], isPractice: false });
  const nowhere = await open('OK');
  const { data: unknown } = await nowhere.owner.call('GET', '/staff/v1/duties');
  expect(new Set(unknown.duties.map((it: { standing: string }) => it.standing))).toEqual(
    new Set(['not-looked-up']),
  );
});

test('a product for patients is not sold to adults', async () => {
  const { sell, shop, makePatient } = await open('MD');
  const cart = { lineItems: [{ productOptionId: shop.optionId('gummies'), quantity: 1 }] };
  expect(await sell(cart)).toMatchObject(sold);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update product_options set content = 101 where id = ${shop.optionId('gummies')}`,
  );
  expect(await sell(cart)).toMatchObject({
    ...{ warned: ['PATIENTS_ONLY_PRODUCT'], code: 'PATIENTS_ONLY_PRODUCT' },
    meta: { citation: 'COMAR 14.17.13.03' },
  });
  await makePatient();
  expect(await sell(cart)).toMatchObject(sold);
});

test('cannabis is delivered only where and to whom the law allows, and for no more than a vehicle carries', async () => {
  const place = (shop: TestShop, changes: object = {}) =>
    service.call('POST', '/api/v1/orders', { keys: shop.keys, body: { ...deliveryBody(shop), ...changes } });
  const [alaska, california] = [(await open('AK')).shop, await open('CA')];
  expect((await place(alaska)).error).toMatchObject({
    code: 'DELIVERY_NOT_ALLOWED',
    meta: { duty: 'delivery', citation: '3 AAC 306.310' },
  });
  expect((await place(california.shop)).status).toBe(201);
  await california.sql(
    `update product_options set price_cents = 600000 where id = ${california.shop.optionId('eighth')}`,
  );
  const lines = { lineItems: [{ productOptionId: california.shop.optionId('eighth'), quantity: 2 }] };
  expect((await place(california.shop, { ...lines, idempotencyKey: randomUUID() })).error).toMatchObject({
    code: 'VEHICLE_VALUE_EXCEEDED',
    message: expect.stringMatching(/at most \$10,000, .*this would be \$12,000/),
  });
});

test('a discount that the law bars cannot be set up, and one from before is not given on cannabis', async () => {
  const { owner, sell, shop, makePatient, sql } = await open('OK');
  const discount = {
    name: 'Spring sale',
    kind: 'order',
    type: 'percent',
    amount: '10',
    trigger: 'automatic',
  };
  const made = await owner.call('POST', '/staff/v1/discounts', discount);
  expect(made.status, made.text).toBe(201);
  await sql(`update organizations set state = 'MA'`);
  const refused = await owner.call('POST', '/staff/v1/discounts', { ...discount, name: 'Again' });
  expect([refused.status, refused.error?.code, refused.error?.meta]).toEqual([
    ...[422, 'DISCOUNT_NOT_ALLOWED_BY_LAW'],
    { citation: '935 CMR 500.105(4)(b)20; bulletin of 2024-05-21' },
  ]);
  const onTrays = { targets: { productIds: [shop.productId('Rolling Tray')] } };
  expect((await owner.call('POST', '/staff/v1/discounts', { ...discount, ...onTrays })).status).toBe(201);
  // An end makes way for no other discount than the one that ends.
  const trays = await owner.call('POST', '/staff/v1/discounts', { ...discount, ...onTrays, name: 'Trays' });
  const endsAt = new Date(service.clock.now() + 365 * 86_400_000).toISOString();
  const change = (id: number, body: object) => owner.call('PATCH', `/staff/v1/discounts/${id}`, body);
  expect((await change(trays.data.id, { targets: { productIds: [] }, endsAt })).error?.code).toBe(
    'DISCOUNT_NOT_ALLOWED_BY_LAW',
  );
  expect((await change(made.data.id, { endsAt })).status).toBe(200);
  const forPatients = { conditions: { customerType: 'medical' } };
  expect((await owner.call('POST', '/staff/v1/discounts', { ...discount, ...forPatients })).status).toBe(201);
  expect(await sell()).toMatchObject({ warned: ['DISCOUNT_NOT_ALLOWED_BY_LAW'], code: null });
  await makePatient();
  expect((await sell()).warned).toEqual([]);
});

test('a discount on the order for goods beside cannabis takes nothing off cannabis where the law bars it', async () => {
  const { owner, shop, makePatient, sell } = await open('MA');
  const discount = { name: 'Tray day', kind: 'order', type: 'percent', amount: '10', trigger: 'automatic' };
  const onTrays = { targets: { productIds: [shop.productId('Rolling Tray')] } };
  expect((await owner.call('POST', '/staff/v1/discounts', { ...discount, ...onTrays })).status).toBe(201);
  const priced = async (...keys: string[]) => {
    const lineItems = keys.map((key) => ({ productOptionId: shop.optionId(key), quantity: 1 }));
    const body = { type: 'in-store', customer: ada, lineItems };
    const { data } = await owner.call('POST', '/staff/v1/orders/pricing', body);
    const warned = data.warnings.map(({ code }: { code: string }) => code);
    return {
      warned,
      discounts: data.discounts.map(({ description }: { description: string }) => description),
    };
  };
  expect(await priced('tray')).toEqual({ warned: [], discounts: ['Tray day'] });
  const barred = { warned: ['DISCOUNT_NOT_ALLOWED_BY_LAW'], discounts: [] };
  expect(await priced('tray', 'eighth')).toEqual(barred);
  expect(await priced('eighth')).toEqual({ warned: [], discounts: [] });
  expect(await sell()).toMatchObject(sold);
  await makePatient();
  expect(await priced('tray', 'eighth')).toMatchObject({ discounts: ['Tray day'] });
});

test('an adult earns no points where the law bars them, a patient does', async () => {
  const { owner, shop, sell, makePatient, sql } = await open('MA');
  const program = await owner.call('PUT', '/staff/v1/loyalty-program', { pointsPerDollar: '1' });
  expect(program.status, program.text).toBe(200);
  const fulfillAll = async () => {
    const { data } = await owner.call('GET', '/staff/v1/orders?status=new');
    for (const { id } of data) {
      const done = await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, {});
      expect(done.status, done.text).toBe(200);
    }
  };
  const points = () => sql('select points from loyalty_balances where points > 0');
  expect(await sell()).toMatchObject(sold);
  await fulfillAll();
  expect(await points()).toEqual([]);
  await makePatient();
  expect(await sell()).toMatchObject(sold);
  await fulfillAll();
  expect(await points()).toHaveLength(1);
  expect(shop.organizationId).toBeGreaterThan(0);
});

test('cannabis is not taken back where the law bars it, a tray is', async () => {
  const { owner, shop, sell } = await open('MI');
  const lineItems = ['eighth', 'tray'].map((key) => ({ productOptionId: shop.optionId(key), quantity: 1 }));
  expect(await sell({ lineItems })).toMatchObject(sold);
  const [{ id }] = (await owner.call('GET', '/staff/v1/orders?status=new')).data;
  const { data: order } = await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, {});
  const { edition, origin, notices } = service.context.law.current;
  const [known] = edition.jurisdictions.find(({ state }) => state === 'CA')!.duties!.returns!;
  const barred = {
    ...known!,
    kind: 'enforced' as const,
    value: { accepted: 'barred' as const, words: 'Never.' },
  };
  const jurisdictions = edition.jurisdictions.map((it) =>
    it.state === 'MI' ? { ...it, duties: { ...it.duties, returns: [barred] } } : it,
  );
  service.context.law.takeUp({ ...edition, jurisdictions }, origin, notices);
  try {
    const back = (at: number, path = '') =>
      owner.call('POST', `/staff/v1/orders/${id}/returns${path}`, {
        lineItems: [
          {
            orderLineItemId: order.lineItems[at].id,
            quantity: 1,
            ...(path === '' && { type: 'return', reason: 'Opened' }),
          },
        ],
        refundType: 'none',
      });
    for (const path of ['', '/preview']) {
      const { status, error } = await back(0, path);
      expect([status, error?.code, error?.meta]).toEqual([
        422,
        'RETURN_NOT_ALLOWED',
        { citation: '4 CCR 15410' },
      ]);
    }
    expect((await back(1)).status).toBe(201);
  } finally {
    service.context.law.takeUp(edition, origin, notices);
  }
});

test('a delivery leaves in the hours of deliveries, and with no more than a driver may carry', async () => {
  const { owner, shop, sql } = await open('CA');
  await sql(`update product_options set price_cents = 600000 where id = ${shop.optionId('eighth')}`);
  const placed = async () => {
    const body = {
      ...{ ...deliveryBody(shop), idempotencyKey: randomUUID() },
      lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    };
    const { data, text } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(data, text).toBeDefined();
    await owner.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
    return data.id as string;
  };
  const [first, second] = [await placed(), await placed()];
  const leave = (id: string, driverName: string) =>
    owner.call('POST', `/staff/v1/orders/${id}/dispatch`, { status: 'active', driverName });
  expect((await leave(first, 'Tomas Reyes')).status).toBe(200);
  // With the first one it would be $12,000, and a vehicle carries $10,000.
  expect((await leave(second, 'Tomas Reyes')).error).toMatchObject({
    code: 'VEHICLE_VALUE_EXCEEDED',
    message: expect.stringMatching(/at most \$10,000, .*this would be \$12,000/),
  });
  service.clock.set(Date.parse(night));
  expect((await leave(second, 'Ana Brook')).error).toMatchObject({
    code: 'OUTSIDE_SALE_HOURS',
    meta: { duty: 'delivery', citation: expect.any(String) },
  });
  service.clock.set(testNowMs);
  expect((await leave(second, 'Ana Brook')).status).toBe(200);
});

test('a shop tells its customers when cannabis is sold, by law and by its own hours', async () => {
  const { owner, shop } = await open('CA');
  const hours = async () => (await service.call('GET', '/api/v1/shop', { keys: shop.keys })).data.saleHours;
  const law = { from: '06:00', to: '22:00', citation: '4 CCR 15403' };
  expect((await hours()).sale).toEqual([law]);
  await owner.call('PUT', '/staff/v1/duties', { saleHours: { from: '09:00', to: '21:00' }, overrides: [] });
  expect(await hours()).toEqual({
    sale: [law, { from: '09:00', to: '21:00', citation: null }],
    delivery: [
      expect.objectContaining({ from: '06:00', to: '22:00' }),
      { from: '09:00', to: '21:00', citation: null },
    ],
  });
  const unknown = await open('OK');
  const { data } = await service.call('GET', '/api/v1/shop', { keys: unknown.shop.keys });
  expect(data.saleHours).toEqual({ sale: [], delivery: [] });
});

test('a change of the law holds from its local midnight on, in carts under way too, and each order keeps its edition', async () => {
  const { owner, sell, shop } = await open('CA');
  const { edition, origin, notices } = service.context.law.current;
  const [row] = edition.jurisdictions.find(({ state }) => state === 'CA')!.duties!.saleHours!;
  const saleHours = [
    { ...row!, effectiveTo: '2026-03-10' },
    {
      ...row!,
      ...{
        value: { from: '07:00', to: '20:00' },
        citation: '4 CCR 15403 (2026)',
        effectiveFrom: '2026-03-11',
      },
    },
  ];
  const jurisdictions = edition.jurisdictions.map((it) =>
    it.state === 'CA' ? { ...it, duties: { ...it.duties, saleHours } } : it,
  );
  const pickup = {
    ...{ type: 'pickup', customer: ada, idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  };
  const { data: before } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickup });
  const shown = async () => (await owner.call('GET', `/staff/v1/orders/${before.id}?explain=true`)).data;
  expect(await shown()).toMatchObject({ lawEdition: edition.edition, explanation: expect.anything() });
  service.context.law.takeUp({ ...edition, edition: '2026-12-01.7', jurisdictions }, origin, notices);
  try {
    // 21:30 in California, the day before and the day on which it changes.
    service.clock.set(Date.parse('2026-03-11T04:30:00Z'));
    expect(await sell()).toMatchObject(sold);
    service.clock.set(Date.parse('2026-03-12T04:30:00Z'));
    const tomorrow = await service.staff(shop, 'owner');
    const late = await tomorrow.call('POST', `/staff/v1/orders/${before.id}/fulfill`, {});
    expect(late.error).toMatchObject({
      code: 'OUTSIDE_SALE_HOURS',
      meta: { citation: '4 CCR 15403 (2026)' },
      message: expect.stringContaining('from 07:00 to 20:00'),
    });
    const cart = { type: 'in-store', customer: ada, lineItems: pickup.lineItems };
    const { data: priced } = await tomorrow.call('POST', '/staff/v1/orders/pricing', cart);
    expect(priced.warnings).toMatchObject([{ code: 'OUTSIDE_SALE_HOURS' }]);
    service.clock.set(Date.parse('2026-03-12T15:00:00Z'));
    const day = await service.staff(shop, 'owner');
    const done = await day.call('POST', `/staff/v1/orders/${before.id}/fulfill`, {});
    expect(done.data, done.text).toMatchObject({ status: 'fulfilled', lawEdition: '2026-12-01.7' });
  } finally {
    service.context.law.takeUp(edition, origin, notices);
  }
});
