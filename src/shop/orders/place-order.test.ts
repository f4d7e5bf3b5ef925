import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

function place(body: object, at: TestShop = shop): Promise<TestReply> {
  return service.call('POST', '/api/v1/orders', { keys: at.keys, body });
}

function price(body: object, query = {}, at: TestShop = shop): Promise<TestReply> {
  return service.call('POST', '/api/v1/orders/pricing', { keys: at.keys, body, query });
}

async function detail(id: string, at: TestShop = shop) {
  return (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: at.keys })).data;
}

const sql = (text: string, at: TestShop = shop) =>
  tenantSql(service.context.database, at.organizationId, text);

const lines = (...wanted: readonly (readonly [string, number])[]) =>
  wanted.map(([option, quantity]) => ({ productOptionId: shop.optionId(option), quantity }));

function addressAt(postalCode: string) {
  return { street1: '418 Alder Street', street2: 'Apt 5', city: 'Oakland', state: 'CA', postalCode };
}

describe('an order', () => {
  test('returns the whole order, and a later read shows the same', async () => {
    const body = pickupBody(shop, { deliveryNotes: 'Ring twice', lineItems: lines(['eighth', 2]) });
    const { status, data } = await place(body);
    expect(status).toBe(201);
    // 2 × 35.00; 5 %; 15 % on 73.50; 9.25 % on 84.53.
    expect(data).toMatchObject({
      organizationId: shop.organizationId,
      type: 'pickup',
      status: 'new',
      source: 'open-api',
      apiConsumerName: shop.integrator.name,
      idempotencyKey: body.idempotencyKey,
      totalPrice: 7000,
      netPrice: 9235,
      customerGrandTotal: 9235,
      deliveryFee: null,
      deliveryNotes: 'Ring twice',
      address: null,
      taxExempt: false,
      isMedical: false,
      createdAt: '2026-03-10T18:00:00.000Z',
      customer: { fullName: 'Marisol Okafor' },
      payments: [],
      discounts: [],
      credits: [],
      adjustments: [],
    });
    expect(data.taxes.map(({ description, amount }: TestReply['data']) => [description, amount])).toEqual([
      ['City tax', 350],
      ['Excise tax', 1103],
      ['Sales tax', 782],
    ]);
    expect(data.lineItems).toMatchObject([
      {
        orderId: data.id,
        productOptionId: shop.optionId('eighth'),
        productId: shop.productId('Moonlit Grove'),
        quantity: 2,
        optionName: '3.5 grams',
        optionAmount: 3.5,
        productUnitPlural: 'grams',
        unitPrice: 3500,
        subtotalPrice: 7000,
        finalPrice: 7000,
      },
    ]);
    const order = await detail(data.id);
    expect(order).toMatchObject({
      id: data.id,
      userId: data.customer.id,
      totalPrice: 7000,
      netPrice: 9235,
      customerGrandTotal: 9235,
      refundTotal: 0,
      placedBy: {},
      fulfilledBy: {},
      packedAt: null,
      fulfilledAt: null,
      returns: [],
      shift: null,
      dispatchTask: null,
    });
    const list = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
    expect(list.data.find(({ id }: { id: string }) => id === data.id)).toEqual(order);
  });

  test("gets the organization's status for its type, and takes stock only when new", async () => {
    const pickup = await place(pickupBody(shop));
    const delivery = await place(deliveryBody(shop));
    expect([pickup.data.status, delivery.data.status]).toEqual(['new', 'draft']);
    expect((await detail(pickup.data.id)).lineItems[0].fulfillAs).toHaveLength(1);
    expect((await detail(delivery.data.id)).lineItems[0].fulfillAs).toEqual([]);
    await sql(
      `update organizations set delivery_status_on_creation = 'new', pickup_status_on_creation = 'draft'`,
    );
    const turned = [await place(pickupBody(shop)), await place(deliveryBody(shop))];
    expect(turned.map(({ data }) => data.status)).toEqual(['draft', 'new']);
    await sql(
      `update organizations set delivery_status_on_creation = 'draft', pickup_status_on_creation = 'new'`,
    );
  });

  test('merges lines of the same option before pricing and checks', async () => {
    const split = lines(['eighth', 1], ['gummies', 3], ['eighth', 2], ['gummies', 1]);
    const merged = lines(['eighth', 3], ['gummies', 4]);
    const one = await place(pickupBody(shop, { lineItems: split }));
    const other = await place(pickupBody(shop, { lineItems: merged }));
    const shape = ({ data }: TestReply) =>
      data.lineItems.map((line: TestReply['data']) => [line.productOptionId, line.quantity, line.finalPrice]);
    expect(shape(one)).toEqual(shape(other));
    expect(one.data.customerGrandTotal).toBe(other.data.customerGrandTotal);
    const tooMany = await place(pickupBody(shop, { lineItems: lines(['gummies', 9_999], ['gummies', 2]) }));
    expect(tooMany).toMatchObject({ status: 400, error: { code: 'INVALID_ORDER_QUANTITY' } });
  });

  test('keeps its amounts, names and prices, whatever changes later', async () => {
    const changing = await createTestShop(service.context);
    const { data } = await place(deliveryBody(changing), changing);
    const before = await detail(data.id, changing);
    for (const change of [
      `update product_options set price_cents = price_cents * 3, sales_price_cents = null, name = 'renamed'`,
      `update products set name = 'renamed', is_active = false`,
      `update product_categories set name = id::text`,
      'update taxes set rate = rate * 2',
      'update delivery_zones set delivery_fee_cents = 1',
    ]) {
      await sql(change, changing);
    }
    expect(await detail(data.id, changing)).toEqual(before);
    const replay = await place(deliveryBody(changing, { idempotencyKey: data.idempotencyKey }), changing);
    expect(replay.data).toEqual(data);
  });

  test('shows its current customer', async () => {
    const { data } = await place(pickupBody(shop));
    const before = await detail(data.id);
    await sql(
      `update customers set first_name = 'Mari', zip = '94607', license_expiry = '2030-01-31' where id = ${data.customer.id}`,
    );
    const { customer, ...order } = await detail(data.id);
    const { customer: formerly, ...unchanged } = before;
    expect(order).toEqual(unchanged);
    expect(customer).toEqual({ ...formerly, firstName: 'Mari', zip: '94607', licenseExpiry: '2030-01-31' });
    await sql(`update customers set first_name = 'Marisol' where id = ${data.customer.id}`);
  });

  test('that is refused leaves nothing: no order, customer, event or entry', async () => {
    const counts = `select (select count(*) from orders) as orders, (select count(*) from customers) as customers,
      (select count(*) from audit_entries) as audit, (select count(*) from outbox_events) as events,
      (select count(*) from order_idempotency_keys) as keys`;
    const before = await sql(counts);
    const stranger = { firstName: 'New', lastName: 'Person', email: 'new.person@customers.example.com' };
    const refusals: [object, string][] = [
      [{ lineItems: lines(['sold out', 1]) }, 'OUT_OF_STOCK'],
      [{ lineItems: lines(['retired', 1]) }, 'PRODUCT_IS_INACTIVE'],
      [{ lineItems: [{ productOptionId: 999_999_999, quantity: 1 }] }, 'PRODUCT_OPTION_NOT_FOUND'],
      [{ expectedCustomerGrandTotal: 1 }, 'PRICE_CHANGED'],
      [{ discountCodes: ['NOPE'] }, 'DISCOUNT_CODE_INVALID'],
      [{ payments: [{ paymentTypeId: 999_999_999, remaining: true }] }, 'PAYMENT_TYPE_NOT_FOUND'],
      [{ payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 1 }] }, 'INVALID_ORDER'],
    ];
    for (const [changes, code] of refusals) {
      const reply = await place(pickupBody(shop, { customer: stranger, ...changes }));
      expect(reply.error?.code).toBe(code);
    }
    expect(await sql(counts)).toEqual(before);
  });
});

describe('delivery', () => {
  test('uses the zone with the longest matching pattern, an exact code before a prefix, ZIP+4 by its five digits', async () => {
    const zone = (name: string, feeCents: number, ...patterns: string[]) => ({
      name,
      patterns,
      minimumCents: 0,
      feeCents,
      feeDescription: name,
    });
    const zoned = await createTestShop(service.context, {
      deliveryZones: [
        zone('state', 900, '9*'),
        zone('bay', 800, '946*'),
        zone('town', 700, '9460*'),
        zone('block', 600, '94607', '94612'),
        // As long as an exact code, but less exact.
        zone('whole area', 500, '94607*'),
      ],
    });
    const expected: [string, string][] = [
      ['94607', 'block'],
      ['94607-1234', 'block'],
      [' 94607-1234 ', 'block'],
      ['94607 1234', 'block'],
      ['946071234', 'block'],
      ['94607 - 1234', 'block'],
      [' 94612 ', 'block'],
      ['94608', 'town'],
      ['94618', 'bay'],
      ['90001', 'state'],
    ];
    for (const [postalCode, name] of expected) {
      const preview = await price({ ...deliveryBody(zoned, { address: null }), postalCode }, {}, zoned);
      const placed = await place(deliveryBody(zoned, { address: addressAt(postalCode) }), zoned);
      expect([preview.data?.deliveryFeeDescription, placed.data?.deliveryFeeDescription]).toEqual([
        name,
        name,
      ]);
      expect(placed.data.address).toEqual(addressAt(postalCode));
    }
    for (const postalCode of ['10001', '8', 'K1A 0B6', '9460712']) {
      const placed = await place(deliveryBody(zoned, { address: addressAt(postalCode) }), zoned);
      if (postalCode.startsWith('9')) expect(placed.data.deliveryFeeDescription).toBe('whole area');
      else expect(placed.error).toMatchObject({ code: 'DELIVERY_AREA_NOT_SERVED', meta: { postalCode } });
    }
  });

  test('goes anywhere without a fee if the organization has no zones', async () => {
    const open = await createTestShop(service.context, { deliveryZones: [] });
    const placed = await place(deliveryBody(open, { address: addressAt('10001') }), open);
    expect(placed).toMatchObject({ status: 201, data: { deliveryFee: null, deliveryFeeDescription: null } });
  });

  test('costs the fee of the request, also 0, otherwise that of the zone', async () => {
    const fees = [
      [{}, 500, 'Delivery'],
      [{ deliveryFee: 1234, deliveryFeeDescription: 'Courier' }, 1234, 'Courier'],
      [{ deliveryFee: 0 }, 0, null],
    ] as const;
    for (const [changes, fee, description] of fees) {
      const { data } = await place(deliveryBody(shop, changes));
      expect([data.deliveryFee, data.deliveryFeeDescription]).toEqual([fee, description]);
      expect(data.customerGrandTotal).toBe(data.netPrice + fee);
    }
    const pickup = await place(pickupBody(shop, { deliveryFee: 300 }));
    expect(pickup.data).toMatchObject({ deliveryFee: 300, customerGrandTotal: pickup.data.netPrice + 300 });
  });

  test.each(['street1', 'city', 'state', 'postalCode'])(
    'to an address with a blank %s is refused with the name of the field',
    async (name) => {
      const { status, error } = await place(
        deliveryBody(shop, { address: { ...addressAt('94607'), [name]: ' \t' } }),
      );
      expect([status, error?.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(
        new RegExp(`^address\\.${name} must be text of 1 to \\d+ characters that are not all spaces\\.$`),
      );
    },
  );

  test('needs an address; a pickup ignores one', async () => {
    for (const address of [undefined, null]) {
      const without = await place(deliveryBody(shop, { address }));
      expect(without.error).toMatchObject({ code: 'MISSING_PARAMS', meta: { missing: ['address'] } });
    }
    const pickup = await place(pickupBody(shop, { address: addressAt('10001') }));
    expect(pickup).toMatchObject({ status: 201, data: { address: null, deliveryFee: null } });
  });

  test('and pickup are refused where the organization does not offer them', async () => {
    await sql('update organizations set has_delivery = false');
    expect((await place(deliveryBody(shop))).error?.code).toBe('INVALID_ORDER_TYPE');
    await sql('update organizations set has_delivery = true, has_pickup = false');
    expect((await place(pickupBody(shop))).error?.code).toBe('INVALID_ORDER_TYPE');
    await sql('update organizations set has_pickup = true');
  });
});

describe('null is the same as absent', () => {
  const newCustomer = { firstName: 'Nula', lastName: 'Void' };
  const nothing = { deliveryFee: null, deliveryFeeDescription: null };

  test('in an order, for the fields that replies show as null', async () => {
    for (const [email, phone] of [
      [`${randomUUID()}@customers.example.com`, null],
      [null, '(510) 555-0164'],
    ]) {
      const customer = { ...newCustomer, email, phone, birthday: null };
      const body = { ...nothing, deliveryNotes: null, address: null, customer };
      const { status, data, error } = await place(pickupBody(shop, body));
      expect([status, error]).toEqual([201, undefined]);
      const same = await place(
        pickupBody(shop, { customer: { ...newCustomer, ...(email ? { email } : { phone }) } }),
      );
      const { deliveryNotes, deliveryFee, deliveryFeeDescription, address } = data;
      expect({ deliveryNotes, deliveryFee, deliveryFeeDescription, address }).toEqual({
        deliveryNotes: null,
        deliveryFee: null,
        deliveryFeeDescription: null,
        address: null,
      });
      expect(same.data.customer).toEqual(data.customer);
      const shown = await detail(data.id);
      expect(shown.customer).toMatchObject({
        email,
        phone: phone === null ? null : '+15105550164',
        birthday: null,
      });
    }
    // The zone's fee, not none.
    expect((await place(deliveryBody(shop, nothing))).data.deliveryFee).toBe(500);
  });

  test('in a preview, with or without a customer', async () => {
    const plain = await price(pickupBody(shop, { customer: undefined }));
    const email = 'nula@customers.example.com';
    for (const customer of [null, { ...newCustomer, email, phone: null, birthday: null }]) {
      const { data, error } = await price(pickupBody(shop, { ...nothing, customer }));
      expect(error).toBeUndefined();
      expect({ ...data, idempotencyKey: '' }).toEqual({ ...plain.data, idempotencyKey: '' });
    }
  });

  test('so an order needs its customer, with an email or a phone', async () => {
    expect((await place(pickupBody(shop, { customer: null }))).status).toBe(400);
    for (const ask of [place, price]) {
      const { error } = await ask(
        pickupBody(shop, { customer: { ...newCustomer, email: null, phone: null } }),
      );
      expect(error).toMatchObject({
        code: 'MISSING_PARAMS',
        meta: { missing: ['customer.email', 'customer.phone'] },
      });
    }
  });
});

describe('the order minimum', () => {
  const one = { lineItems: lines(['eighth', 1]) };

  test("is the zone's, otherwise the organization's for the type, and refuses only orders, not previews", async () => {
    await sql('update organizations set pickup_minimum_cents = 3501, delivery_minimum_cents = 99900');
    const pickup = await place(pickupBody(shop, one));
    expect(pickup.error).toMatchObject({ code: 'ORDER_MINIMUM_NOT_MET', meta: { minimum: '$35.01' } });
    expect((await price(pickupBody(shop, one))).data).toMatchObject({
      orderMinimum: 3501,
      metOrderMinimum: false,
    });
    await sql('update organizations set pickup_minimum_cents = 3500');
    expect((await place(pickupBody(shop, one))).status).toBe(201);
    const near = await place(deliveryBody(shop, one));
    expect(near).toMatchObject({ status: 422, error: { meta: { minimum: '$50' } } });
    const far = await place(deliveryBody(shop, { address: addressAt('94699') }));
    expect(far.error).toMatchObject({ meta: { minimum: '$75' } });
    expect((await place(deliveryBody(shop))).status).toBe(201);
    await sql('update organizations set pickup_minimum_cents = 0, delivery_minimum_cents = 0');
  });

  test('counts merchandise, without taxes and fees', async () => {
    await sql('update organizations set pickup_minimum_cents = 3501');
    const { data, error } = await place(pickupBody(shop, { ...one, deliveryFee: 5000 }));
    expect([data, error?.code]).toEqual([undefined, 'ORDER_MINIMUM_NOT_MET']);
    await sql('update organizations set pickup_minimum_cents = 0');
  });
});

describe('payments', () => {
  const pay = (...payments: readonly [string, number | null][]) => ({
    payments: payments.map(([name, amount]) => ({
      paymentTypeId: shop.paymentTypeId(name),
      ...(amount === null ? { remaining: true } : { amount }),
    })),
  });

  test('carry the fee of their type, flat and percent, which the customer pays on top', async () => {
    const body = pickupBody(shop, pay(['Cash', 1000], ['Debit', 2000], ['Bank', null]));
    const { data } = await place(body);
    const rest = 9235 - 3000;
    const shares = data.payments.map((payment: TestReply['data']) => [payment.amount, payment.feeAmount]);
    expect(shares).toEqual([
      [1000, 0],
      [2000, 350],
      [rest, Math.round(rest * 0.0125)],
    ]);
    const fees = 350 + Math.round(rest * 0.0125);
    expect(data.customerGrandTotal).toBe(9235 + fees);
    expect((await detail(data.id)).payments).toEqual(data.payments);
    expect((await price(body)).data).toMatchObject({ paymentFees: fees, customerGrandTotal: 9235 + fees });
  });

  test('must add up to the amount due, with the delivery fee and before their own fees', async () => {
    expect((await place(pickupBody(shop, pay(['Debit', 9235])))).status).toBe(201);
    expect((await place(deliveryBody(shop, pay(['Debit', 9735])))).status).toBe(201);
    for (const amount of [9234, 9236]) {
      expect((await place(pickupBody(shop, pay(['Debit', amount])))).error?.code).toBe('INVALID_ORDER');
    }
    expect((await place(pickupBody(shop, pay(['Cash', 9236], ['Bank', null])))).error?.code).toBe(
      'INVALID_ORDER',
    );
  });

  test('are refused when their type or their form is wrong', async () => {
    expect((await place(deliveryBody(shop, pay(['Gift card', null])))).error?.code).toBe('INVALID_ORDER');
    expect((await place(pickupBody(shop, pay(['Gift card', null])))).status).toBe(201);
    const { payments: unfit } = pay(['Gift card', 100]);
    for (const ask of [place, price]) {
      const payments = [...unfit, { paymentTypeId: 999_999_999, remaining: true }];
      // Unknown types are reported before types that do not fit (D13).
      expect(await ask(deliveryBody(shop, { payments }))).toMatchObject({
        status: 404,
        error: { code: 'PAYMENT_TYPE_NOT_FOUND', message: expect.stringMatching(/^payments\[1\]/) },
      });
    }
    const twice = await place(pickupBody(shop, pay(['Cash', null], ['Bank', null])));
    expect(twice.error?.code).toBe('INVALID_PARAMS');
    const cash = { paymentTypeId: shop.paymentTypeId('Cash') };
    for (const payment of [cash, { ...cash, amount: 5, remaining: true }, { ...cash, remaining: false }]) {
      expect((await place(pickupBody(shop, { payments: [payment] }))).error?.code).toBe('INVALID_PARAMS');
    }
  });
});

describe('the honoured preview', () => {
  test('refuses an order that would cost another amount, and shows this amount', async () => {
    const wrong = await place(pickupBody(shop, { expectedCustomerGrandTotal: 9234 }));
    expect(wrong).toMatchObject({
      status: 409,
      error: { code: 'PRICE_CHANGED', meta: { expected: 9234, actual: 9235 } },
    });
    expect((await place(pickupBody(shop, { expectedCustomerGrandTotal: 9235 }))).status).toBe(201);
  });

  test('accepts the expected total of an order, also from a strict key, and never refuses because of it', async () => {
    const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
      strict: true,
    });
    const { idempotencyKey: _, ...body } = pickupBody(shop);
    const ask = (expectedCustomerGrandTotal: unknown) =>
      service.call('POST', '/api/v1/orders/pricing', {
        keys,
        body: { ...body, expectedCustomerGrandTotal },
      });
    for (const expected of [9234, 9235]) {
      expect(await ask(expected)).toMatchObject({ status: 200, data: { customerGrandTotal: 9235 } });
    }
    expect((await ask('92.35')).error?.code).toBe('INVALID_PARAMS');
  });

  test('has the explanation only on request, and the same amounts', async () => {
    const body = deliveryBody(shop);
    const plain = await price(body);
    const explained = await price(body, { explain: true });
    expect(plain.data).not.toHaveProperty('explanation');
    const { explanation, lawEdition: ___, idempotencyKey: _, ...amounts } = explained.data;
    const { idempotencyKey: __, ...same } = plain.data;
    expect(amounts).toEqual(same);
    const steps = explanation as { step: string; rule: string; roundedCents: number | null }[];
    expect(steps.length).toBeGreaterThan(4);
    const taxes = plain.data.taxes as { amount: number }[];
    for (const { amount } of taxes) expect(steps.map(({ roundedCents }) => roundedCents)).toContain(amount);
  });

  test('stores nothing and creates no customer', async () => {
    const [before] = await sql('select count(*) as customers from customers');
    const customer = {
      firstName: 'Only',
      lastName: 'Looking',
      email: `${randomUUID()}@customers.example.com`,
    };
    expect((await price(pickupBody(shop, { customer }))).status).toBe(200);
    expect(await sql('select count(*) as customers from customers')).toEqual([before]);
  });
});
