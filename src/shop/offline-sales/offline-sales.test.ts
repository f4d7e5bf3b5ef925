import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { chargedOf, type OfflineSale, signedText } from '../../engines/offline-pricing/offline-sale.ts';
import type { OfflineTerms } from '../../engines/offline-pricing/offline-terms.ts';
import { priceOffline } from '../../engines/offline-pricing/price-offline.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
const budtender = await service.staff(shop, 'budtender');
const cash = shop.paymentTypeId('Cash');
const { data: register } = await owner.call('POST', '/staff/v1/registers', {
  name: 'Counter',
  inventoryLocationId: shop.locationId('Storefront'),
});
const termsPath = `/staff/v1/registers/${register.id}/offline-terms`;
const salesPath = `/staff/v1/registers/${register.id}/offline-sales`;
const limits = { isOn: true, hoursMax: 4, saleMax: 50_000, outageMax: 60_000 };
const switchOn = (changes: object = {}) =>
  owner.call('PUT', '/staff/v1/offline-sale-settings', { shop: { ...limits, ...changes }, locations: [] });
const outageKey = randomUUID();
let count = 0;

/** A sale as the console makes it, on the present terms. */
async function sold(
  lines: readonly (readonly [string, number, string?])[],
  changes: Partial<OfflineSale> = {},
  {
    by = budtender,
    discountIds = [] as number[],
    on = undefined as object | undefined,
    packed = {} as Pick<OfflineSale['lines'][number], 'packages'>,
  } = {},
) {
  const data = on ?? (await by.call('GET', termsPath)).data;
  const terms = JSON.parse(data.terms) as OfflineTerms;
  const { priced } = priceOffline(
    terms,
    {
      lines: lines.map(([option, quantity, weight]) => ({
        productOptionId: shop.optionId(option),
        ...{ quantity, weight },
      })),
      ...{ discountIds, audience: 'adult-use', birthday: null },
      payments: [{ paymentTypeId: cash, amountCents: 'remaining' }],
    },
    service.clock.now(),
  );
  count += 1;
  const sale: OfflineSale = {
    ...{ saleKey: randomUUID(), number: `R${register.id}-${count}`, outageKey },
    soldAt: new Date(service.clock.now()).toISOString(),
    staffId: by.staffId,
    terms: {
      ...{ version: data.version, issuedAt: data.issuedAt },
      ...{ validUntil: data.validUntil, keyName: data.keyName },
    },
    buyer: { customerId: null, birthday: '1980-05-05', name: null },
    discountIds,
    ...chargedOf(
      priced,
      [priced.customerGrandTotalCents + 500],
      [],
      new Map(
        lines.flatMap(([option, , weight]) =>
          weight ? [[shop.optionId(option), { weight, ...packed }]] : [],
        ),
      ),
    ),
    ...changes,
  };
  return { sale, key: data.signingKey as string, terms: data };
}

const signed = ({ sale, key }: { sale: object; key: string }) => ({
  ...sale,
  signature: createHmac('sha256', Buffer.from(key, 'base64')).update(signedText(sale)).digest('base64'),
});
const send = (body: object, by: TestStaff = budtender) => by.call('POST', salesPath, body);
const reasons = ({ data }: TestReply) => data.doubts.map(({ reason }: { reason: string }) => reason);
const orderOf = async ({ data }: TestReply) =>
  (await owner.call('GET', `/staff/v1/orders/${data.orderId}`)).data;

test('offline sales are off until the owner switches them on, for the shop or for a location', async () => {
  expect((await budtender.call('GET', termsPath)).data).toBeNull();
  expect((await switchOn()).data).toMatchObject({ shop: limits, locations: [] });
  expect((await budtender.call('GET', termsPath)).status).toBe(200);
  const location = { inventoryLocationId: shop.locationId('Storefront'), ...limits, isOn: false };
  await owner.call('PUT', '/staff/v1/offline-sale-settings', { shop: limits, locations: [location] });
  expect((await budtender.call('GET', termsPath)).data).toBeNull();
  await switchOn();
});

test('a sale is placed once, fulfilled, with its time, at its amounts, in the drawer of that time', async () => {
  const { data: session } = await budtender.call(
    'POST',
    `/staff/v1/registers/${register.id}/drawer-sessions`,
    {
      float: 10_000,
    },
  );
  const made = await sold([['eighth', 2]]);
  service.clock.advance(40 * 60_000);
  const body = signed(made);
  const [first, second] = await Promise.all([send(body), send(body)]);
  const again = await send(body);
  expect([first.status, reasons(first)]).toEqual([201, []]);
  expect(new Set([first, second, again].map(({ data }) => data.id)).size).toBe(1);
  const order = await orderOf(first);
  expect(order).toMatchObject({
    ...{ status: 'fulfilled', type: 'in-store', source: 'in-store' },
    ...{ customerGrandTotal: made.sale.total, createdAt: made.sale.soldAt },
    placedBy: { id: budtender.staffId },
    payments: [{ tendered: made.sale.total + 500, change: 500 }],
  });
  const { data: report } = await owner.call('GET', `/staff/v1/drawer-sessions/${session.id}`);
  expect(report.payments[0]).toMatchObject({ orders: 1, sales: made.sale.total });
  const other = signed({ ...made, sale: { ...made.sale, number: 'R-other' } });
  expect((await send(other)).error?.code).toBe('OFFLINE_SALE_DIFFERS');
});

test('a weight is placed exactly, also when the product is sold by the piece by then', async () => {
  const loose = (weightTolerance: string | null) =>
    owner.call('PATCH', `/staff/v1/products/${shop.productId('Counter Jar')}`, { weightTolerance });
  await loose('0.05');
  const made = await sold([['gram', 1, '2.75']], { idCheck: 'eye' });
  const [placed, later] = [await send(signed(made)), await sold([['gram', 1, '1.2']])];
  expect([placed.status, reasons(placed)]).toEqual([201, []]);
  const order = await orderOf(placed);
  expect(order).toMatchObject({
    ...{ customerGrandTotal: made.sale.total, idCheck: { how: 'eye' } },
    lineItems: [{ optionAmount: 2.75, optionName: '2.75 grams', unitPrice: 3300 }],
  });
  expect(order.lineItems[0].fulfillAs).toMatchObject([{ optionSum: -2.75 }]);
  // The package that it was weighed out of, as long as that has it.
  const [jar] = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select id from packages where label = '1A4FF0000000000000000003'`,
  );
  const out = async (weight: string) => {
    const packed = { packages: [{ packageId: Number(jar!.id), weight }] };
    return send(signed(await sold([['gram', 1, weight]], {}, { packed })));
  };
  expect(reasons(await out('3.1'))).toEqual([]);
  // What became of the package meanwhile is doubted with why, and others are booked.
  const change = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  const [held] = await change(
    `select trim_scale(sum(on_hand)) as amount from stock_balances where package_id = ${jar!.id}`,
  );
  const whole = `Package 1A4FF0000000000000000003 with ${held!.amount} g of Counter Jar cannot be sold:`;
  for (const [changed, back, words] of [
    [
      "packages set on_hold = true, hold_reason = 'Mold'",
      'packages set on_hold = false, hold_reason = null',
      'it is on hold in the shop (Mold).',
    ],
    [
      "packages set state_block = 'recalled'",
      'packages set state_block = null',
      'the state has recalled it.',
    ],
    ["packages set status = 'finished'", "packages set status = 'received'", 'it is finished.'],
  ] as const) {
    await change(`update ${changed} where id = ${jar!.id}`);
    expect((await out('0.9')).data.doubts).toContainEqual({
      ...{ reason: 'stock-short', words: `${whole} ${words} Other packages are booked.` },
    });
    await change(`update ${back} where id = ${jar!.id}`);
  }
  // It was put into quarantine, by the way staff move stock: what was sold out of it before is kept as well.
  const { data: aside } = await owner.call('POST', '/staff/v1/inventory-locations', { name: 'Aside' });
  await change(`update inventory_locations set is_quarantine = true where id = ${aside.id}`);
  const move = (fromInventoryLocationId: number, toInventoryLocationId: number) =>
    owner.call('POST', '/staff/v1/inventory-transfers', {
      ...{ fromInventoryLocationId, toInventoryLocationId, amount: held!.amount },
      ...{ productId: shop.productId('Counter Jar'), packageId: Number(jar!.id) },
    });
  expect((await move(shop.locationId('Storefront'), aside.id)).error).toBeUndefined();
  const quarantined = await out('0.9');
  expect([quarantined.status, quarantined.data.needsReview]).toEqual([201, true]);
  expect(quarantined.data.doubts).toContainEqual({
    ...{ reason: 'stock-short', words: `${whole} it is in quarantine. Other packages are booked.` },
  });
  expect(await orderOf(quarantined)).toMatchObject({
    status: 'fulfilled',
    lineItems: [{ optionAmount: 0.9 }],
  });
  const [apart] = await change(`select trim_scale(on_hand) as amount from stock_balances
    where package_id = ${jar!.id} and inventory_location_id = ${aside.id}`);
  expect(apart!.amount).toBe(held!.amount);
  expect((await move(aside.id, shop.locationId('Storefront'))).error).toBeUndefined();
  await loose(null);
  const flagged = await send(signed(later));
  expect([flagged.status, reasons(flagged)]).toEqual([201, ['refused']]);
  expect((await orderOf(flagged)).lineItems).toMatchObject([{ optionAmount: 1.2, unitPrice: 1440 }]);
});

test('what the service would have done otherwise is placed all the same, and flagged', async () => {
  const made = await sold([['eighth', 1]]);
  const dearer = 'update product_options set price_cents = price_cents + 100 where id = $1';
  await tenantSql(service.context.database, shop.organizationId, dearer, shop.optionId('eighth'));
  const flagged = await send(signed(made));
  expect([flagged.status, reasons(flagged)]).toEqual([201, ['price-differs']]);
  expect((await orderOf(flagged)).customerGrandTotal).toBe(made.sale.total);
  const short = await send(signed(await sold([['eighth', 900]], { number: made.sale.number })));
  expect(reasons(short)).toEqual(expect.arrayContaining(['number-used', 'sale-limit', 'outage-limit']));
  expect(reasons(await send(signed(await sold([['sold out', 1]]))))).toContain('stock-short');
  const unknown = { customerId: 99_999, birthday: '2020-01-01', name: null };
  const young = await send(signed(await sold([['eighth', 1]], { buyer: unknown })));
  expect(reasons(young)).toEqual(expect.arrayContaining(['customer-unknown', 'customer-underage']));
  const late = await sold([['eighth', 1]], {
    soldAt: new Date(service.clock.now() + 5 * 3_600_000).toISOString(),
  });
  service.clock.advance(6 * 3_600_000);
  expect(reasons(await send(signed(late)))).toContain('terms-expired');
});

test('a wrong signature is refused, but for who opened the drawer of that time', async () => {
  const forged = { ...signed(await sold([['eighth', 1]])), signature: 'AAAA' };
  expect((await send(forged, owner)).error?.code).toBe('OFFLINE_SALE_NOT_SIGNED');
  const placed = await send(forged);
  expect([placed.status, reasons(placed)]).toEqual([201, expect.arrayContaining(['not-signed'])]);
  const made = await sold([['eighth', 1]]);
  const cheaper = { ...made.sale, total: made.sale.total - 1 };
  expect((await send(signed({ ...made, sale: cheaper }))).error?.code).toBe('INVALID_PARAMS');
});

test('flagged sales are listed and settled once, with a note', async () => {
  const list = async (query: string) =>
    (await owner.call('GET', `/staff/v1/offline-sales?needsReview=${query}`)).data as { id: number }[];
  const [sale] = await list('true');
  const settle = () =>
    owner.call('POST', `/staff/v1/offline-sales/${sale!.id}/settle`, { note: 'Counted again' });
  expect((await settle()).data).toMatchObject({ needsReview: false, note: 'Counted again' });
  expect((await settle()).error?.code).toBe('OFFLINE_SALE_SETTLED');
  expect((await list('true')).map(({ id }) => id)).not.toContain(sale!.id);
  expect((await list('false')).map(({ id }) => id)).toContain(sale!.id);
});

/** A person who opened no drawer, and the discounts that only an owner may give in full. */
const thief = await service.staff(shop, 'budtender');
const manager = await service.staff(shop, 'manager');
const { data: big } = await owner.call('POST', '/staff/v1/discounts', {
  ...{ name: 'Sixty', kind: 'order', type: 'percent', amount: '60', trigger: 'manual' },
});
await owner.call('PATCH', '/staff/v1/organization', {
  discountLimits: { budtenderPercent: 10, managerPercent: 20 },
});
const sixty = { discountIds: [big.id as number] };

test('a member of staff cannot sign in the name of another', async () => {
  const forged = await sold([['eighth', 1]], { staffId: owner.staffId }, { by: thief, ...sixty });
  expect((await send(signed(forged), thief)).error?.code).toBe('OFFLINE_SALE_NOT_SIGNED');
  // The key of the owner signs for the owner only, and that of the thief for the thief.
  const { data: terms } = await thief.call('GET', termsPath);
  const own = await owner.call('GET', termsPath);
  expect(terms.signingKey).not.toBe(own.data.signingKey);
  // The copy of a browser that another person used before is not taken for the own one.
  const etagOf = ({ headers }: TestReply) => String(headers.etag);
  expect(etagOf(await thief.call('GET', termsPath))).not.toBe(etagOf(own));
});

test('a sale that another person sends is doubted, and judged by the lower role of the two', async () => {
  const byOwner = () => sold([['eighth', 1]], {}, { by: owner, ...sixty });
  expect(reasons(await send(signed(await byOwner()), owner))).not.toContain('reduction-limit');
  const sent = await send(signed(await byOwner()), thief);
  expect([sent.status, reasons(sent)]).toEqual([
    201,
    expect.arrayContaining(['seller-is-not-sender', 'reduction-limit']),
  ]);
  // The other way round, too.
  const reply = await send(signed(await sold([['eighth', 1]], {}, { by: thief, ...sixty })), owner);
  expect(reasons(reply)).toEqual(expect.arrayContaining(['seller-is-not-sender', 'reduction-limit']));
  expect(reasons(await send(signed(await sold([['eighth', 1]], {}, { by: thief })), thief))).not.toContain(
    'seller-is-not-sender',
  );
});

test('an unsigned sale is taken only of the member who opened the drawer, and it is flagged', async () => {
  service.clock.advance(16 * 60_000);
  const drawers = (await budtender.call('GET', '/staff/v1/drawer-sessions')).data as { closedAt: unknown }[];
  expect(drawers[0]).toMatchObject({ closedAt: null });
  const unsigned = await sold([['eighth', 1]], { outageKey: randomUUID() });
  expect((await send(unsigned.sale, thief)).error?.code).toBe('OFFLINE_SALE_NOT_SIGNED');
  const taken = await send({ ...unsigned.sale, signature: null });
  expect([taken.status, reasons(taken)]).toEqual([201, ['not-signed']]);
});

test('the maximum of an outage counts all sales on the terms of a register, whatever outages they name', async () => {
  service.clock.advance(16 * 60_000);
  const terms = (await thief.call('GET', termsPath)).data;
  const sale = (changes: Partial<OfflineSale> = {}) =>
    sold([['eighth', 4]], { outageKey: randomUUID(), ...changes }, { by: thief, on: terms });
  const one = await sale();
  const fitting = Math.floor(limits.outageMax / one.sale.total);
  const bodies = await Promise.all(Array.from({ length: fitting + 2 }, () => sale()));
  // All at once: each counts those before it.
  const replies = await Promise.all(bodies.map((made) => send(signed(made), thief)));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect(replies.filter((reply) => reasons(reply).includes('outage-limit'))).toHaveLength(2);
});

test('where the clock is doubted, the order is booked at its arrival, with the taxes of that day, and the claim is kept', async () => {
  const nowMs = service.clock.now();
  service.clock.advance(60_000);
  for (const soldAt of ['2020-01-15T20:00:00.000Z', '2031-06-01T20:00:00.000Z', '2026-01-05T20:00:00.000Z']) {
    const reply = await send(signed(await sold([['eighth', 1]], { soldAt }, { by: thief })), thief);
    expect([reply.status, reasons(reply)]).toEqual([201, expect.arrayContaining(['clock'])]);
    expect(reply.data).toMatchObject({ soldAt });
    const order = await orderOf(reply);
    expect([order.createdAt, order.fulfilledAt ?? order.createdAt]).toEqual([
      reply.data.receivedAt,
      reply.data.receivedAt,
    ]);
    expect(Date.parse(order.createdAt)).toBeGreaterThan(nowMs);
  }
  // A clock that is a little ahead books nothing in the future.
  const soldAt = new Date(service.clock.now() + 120_000).toISOString();
  const ahead = await send(signed(await sold([['eighth', 1]], { soldAt }, { by: thief })), thief);
  expect(reasons(ahead)).not.toContain('clock');
  expect((await orderOf(ahead)).createdAt).toBe(ahead.data.receivedAt);
});

test('the person who sold a flagged sale, or sent it, does not settle it', async () => {
  const soldAt = '2020-01-15T20:00:00.000Z';
  const flagged = await send(signed(await sold([['eighth', 1]], { soldAt }, { by: manager })), owner);
  const settle = (by: TestStaff) =>
    by.call('POST', `/staff/v1/offline-sales/${flagged.data.id}/settle`, { note: 'It is fine' });
  expect((await settle(manager)).error?.code).toBe('OFFLINE_SALE_IS_OWN');
  expect((await settle(owner)).error?.code).toBe('OFFLINE_SALE_IS_OWN');
  const other = await service.staff(shop, 'manager');
  expect((await settle(other)).data).toMatchObject({ needsReview: false });
});

test('the money of a drawer that was counted meanwhile is outside its count', async () => {
  const { data: session } = await budtender.call('GET', '/staff/v1/drawer-sessions');
  const made = await sold([['eighth', 1]]);
  service.clock.advance(1_000);
  const counted = { counts: [{ paymentTypeId: null, counted: 0 }] };
  await budtender.call('POST', `/staff/v1/drawer-sessions/${session[0].id}/close`, counted);
  expect(reasons(await send(signed(made)))).toContain('drawer-closed');
});

test("a patient's card counts until the end of its day at the shop", async () => {
  const [boss, seller] = [await service.staff(shop), await service.staff(shop, 'budtender')];
  const { data: patient } = await boss.call('POST', '/staff/v1/customers', {
    ...{ firstName: 'Ilse', lastName: 'Marrow', email: 'ilse@customers.example.com' },
    ...{ birthday: '1980-05-05', medicalId: 'M-1', medicalExpiration: '2026-03-10' },
  });
  const buyer = { customerId: patient.id, birthday: '1980-05-05', name: null };
  const terms = (await seller.call('GET', termsPath)).data;
  const isMedicalAt = async (soldAt: string) => {
    service.clock.advance(Math.max(0, Date.parse(soldAt) - service.clock.now()));
    const reply = await send(
      signed(await sold([['eighth', 1]], { buyer, soldAt }, { by: seller, on: terms })),
      seller,
    );
    const [order] = await tenantSql(
      service.context.database,
      shop.organizationId,
      'select is_medical from orders where id = $1',
      reply.data.orderId,
    );
    return order!.is_medical;
  };
  // In Los Angeles that is the evening of the 10th, and the first minute of the 11th.
  expect(await isMedicalAt('2026-03-11T03:00:00.000Z')).toBe(true);
  expect(await isMedicalAt('2026-03-11T07:01:00.000Z')).toBe(false);
});

test('terms and a key that were kept date no sale into a month whose taxes were filed since', async () => {
  const seller = await service.staff(shop, 'budtender');
  const made = await sold([['eighth', 1]], {}, { by: seller });
  service.clock.advance(8 * 86_400_000);
  const sender = await service.staff(shop, 'manager');
  const late = await send(signed(made), sender);
  expect(reasons(late)).toContain('clock');
  const { data: order } = await sender.call('GET', `/staff/v1/orders/${late.data.orderId}`);
  expect(order.createdAt).toBe(late.data.receivedAt);
});

test('a register that is alone holds adults to the limits of people from elsewhere, as the service does', async () => {
  const illinois = await createTestShop(service.context, { state: 'IL' });
  const chief = await service.staff(illinois);
  const { data: till } = await chief.call('POST', '/staff/v1/registers', {
    name: 'Counter',
    inventoryLocationId: illinois.locationId('Storefront'),
  });
  await chief.call('PUT', '/staff/v1/offline-sale-settings', { shop: limits, locations: [] });
  const { data } = await chief.call('GET', `/staff/v1/registers/${till.id}/offline-terms`);
  const { audiences } = JSON.parse(data.terms) as OfflineTerms;
  const online = await chief.call('POST', '/staff/v1/orders/pricing', {
    type: 'in-store',
    lineItems: [{ productOptionId: illinois.optionId('eighth'), quantity: 1 }],
  });
  const amounts = (rules: readonly { name: string; limit: unknown }[]) =>
    rules.map(({ name, limit }) => [name, limit]);
  expect(amounts(audiences['adult-use'].purchaseLimits)).toEqual(
    amounts(online.data.purchaseLimits).map(([name, amount]) => [name, { amount, unit: expect.anything() }]),
  );
});

test('terms carry no discount that the law bars on cannabis, such as one from before', async () => {
  const oregon = await createTestShop(service.context, { state: 'OK' });
  const chief = await service.staff(oregon);
  const three = { kind: 'bundle', type: 'flat', amount: 9000, bundleQuantity: 3 };
  const plain = { kind: 'line', type: 'percent', amount: 10 };
  const trays = { targets: { productIds: [oregon.productId('Rolling Tray')] } };
  for (const discount of [
    { ...three, name: 'Three for $90' },
    { ...three, ...trays, name: 'Three trays' },
    { ...plain, name: 'Spring' },
  ]) {
    const made = await chief.call('POST', '/staff/v1/discounts', { ...discount, trigger: 'automatic' });
    expect(made.status, made.text).toBe(201);
  }
  await tenantSql(service.context.database, oregon.organizationId, `update organizations set state = 'OR'`);
  const { data: till } = await chief.call('POST', '/staff/v1/registers', {
    name: 'Counter',
    inventoryLocationId: oregon.locationId('Storefront'),
  });
  await chief.call('PUT', '/staff/v1/offline-sale-settings', { shop: limits, locations: [] });
  const { data } = await chief.call('GET', `/staff/v1/registers/${till.id}/offline-terms`);
  const { discounts } = JSON.parse(data.terms) as OfflineTerms;
  const automatic = discounts.filter(({ trigger }) => trigger === 'automatic');
  expect(automatic.map(({ description }) => description)).toEqual(['Three trays', 'Spring']);
});
