import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { addCredit } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { importPeople } from './people.test-support.ts';

/* A phone number says less than it seems: placeholders are no contacts (D84), and several people may have one phone (D85). */

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const ann = { firstName: 'Ann', lastName: 'O’Brien' };
const ben = { firstName: 'Ben', lastName: 'Marsh' };
const phone = '+14155550123';

async function placeFor(shop: TestShop, customer: object) {
  const body = pickupBody(shop, { customer });
  const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data;
}

async function priceFor(shop: TestShop, customer: object) {
  const { idempotencyKey: _, ...body } = pickupBody(shop, { customer });
  const { data, error } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data;
}

async function customersOf(shop: TestShop) {
  const { data } = await service.call('GET', '/api/v1/customers', { keys: shop.keys });
  return data as { id: number; firstName: string; phone: string | null; email: string | null }[];
}

const placeholderPhones = [
  ...['5555555555', '(555) 555-5555', '+1 555 555 5555', '1-555-555-5555', '0000000000', '000-000-0000'],
  ...['1111111111', '9999999999', '1234567890', '123.456.7890', '+11234567890', '５５５５５５５５５５'],
];
const placeholderEmails = [
  'none@none.com',
  'NoEmail@shop.example.com',
  'na@na.com',
  'no-email@x.example',
  'N.A@x.example',
];

describe('a placeholder', () => {
  test('of a phone or email makes and finds no customer in orders, which keep it as it was typed', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    for (const contact of [
      ...placeholderPhones.map((typed) => ({ phone: typed })),
      ...placeholderEmails.map((typed) => ({ email: typed })),
    ]) {
      const order = await placeFor(shop, { ...ann, ...contact });
      expect([contact, order.customer]).toEqual([contact, null]);
      const shown = await owner.call('GET', `/staff/v1/orders/${order.id}`);
      expect(shown.data).toMatchObject({
        customer: {},
        customerName: 'Ann O’Brien',
        typedContact: { email: null, phone: null, ...contact },
      });
    }
    expect(await customersOf(shop)).toEqual([]);
  });

  test('beside an email leaves the customer without a phone, also after an edit of the order', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const email = 'ann@customers.example.com';
    const order = await placeFor(shop, { ...ann, email, phone: '5555555555' });
    const other = await placeFor(shop, { ...ben, email: 'ben@customers.example.com', phone: '5555555555' });
    expect(other.customer.id).not.toBe(order.customer.id);
    expect((await customersOf(shop)).map((customer) => customer.phone)).toEqual([null, null]);
    const edited = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, { internalNotes: 'Called' });
    expect(edited.data.typedContact).toEqual({ email, phone: '5555555555' });
    const lines = [{ productOptionId: shop.optionId('eighth'), quantity: 2 }];
    const again = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, { lineItems: lines });
    expect(again.data.typedContact).toEqual({ email, phone: '5555555555' });
  });

  test('gives no credit of a customer who was once stored with it', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const order = await placeFor(shop, { ...ann, phone });
    await addCredit(context, shop.organizationId, order.customer.id, { cents: 300 });
    expect((await priceFor(shop, { ...ann, phone })).credits).toHaveLength(1);
    const { error } = await owner.call('PATCH', '/staff/v1/organization', {
      placeholderContacts: ['(415) 555-0123'],
    });
    expect(error).toBeUndefined();
    expect((await priceFor(shop, { ...ann, phone })).credits).toEqual([]);
    expect((await placeFor(shop, { ...ann, phone })).customer).toBeNull();
  });

  test('of the shop’s own list is one in every format, in staff’s orders, the queue, loyalty events and groups', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const known = await placeFor(shop, { ...ann, phone, email: 'walkin@a.example.com' });
    const list = ['415-555-0123', 'Walkin@', '@till.example'];
    const set = await owner.call('PATCH', '/staff/v1/organization', { placeholderContacts: list });
    expect(set.data.placeholderContacts).toEqual([phone, 'walkin@', '@till.example']);
    for (const contact of [{ phone }, { email: 'WALKIN@a.example.com' }, { email: 'x@till.example' }]) {
      const cart = pickupBody(shop, { customer: { ...ann, ...contact } });
      const staffs = await owner.call('POST', '/staff/v1/orders', cart);
      expect(staffs.error).toBeUndefined();
      expect([contact, staffs.data.customer, staffs.data.customerName]).toEqual([contact, {}, 'Ann O’Brien']);
      const visit = await owner.call('POST', '/staff/v1/instore-queues/intake', {
        person: { ...ann, ...contact },
      });
      expect(visit.error).toBeUndefined();
      expect(visit.data.id).not.toBe(known.customer.id);
      expect(visit.data).toMatchObject({ phone: null, email: null });
    }
    const event = { pointsAmount: 5, reason: 'Welcome' };
    for (const who of [{ customerPhone: phone }, { customerEmail: 'walkin@a.example.com' }]) {
      const { error } = await service.call('POST', '/api/v1/loyalty-events', {
        keys: shop.keys,
        body: { ...event, ...who },
      });
      expect(error?.code).toBe('USER_NOT_FOUND');
    }
    const group = await owner.call('POST', '/staff/v1/customer-groups', { name: 'Regulars' });
    for (const emailOrPhone of [phone, 'walkin@a.example.com', '5555555555', 'none@x.example']) {
      const path = `/api/v1/customer-groups/${group.data.id}/add-customer`;
      const { error } = await service.call('PUT', path, { keys: shop.keys, body: { emailOrPhone } });
      expect([emailOrPhone, error?.code]).toEqual([emailOrPhone, 'USER_NOT_FOUND']);
    }
  });

  test('is refused on the list when it is neither a phone number nor an email', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    for (const entry of ['none', '12', 'a@b@c', '@', ' ', '@nodot']) {
      const { error } = await owner.call('PATCH', '/staff/v1/organization', { placeholderContacts: [entry] });
      expect([entry, error?.code, error?.message]).toEqual([
        entry,
        'INVALID_PARAMS',
        expect.stringContaining('placeholderContacts'),
      ]);
    }
  });
});

describe('two people with one phone', () => {
  test('have a profile each: the second gets no credit, exemption, group price or history of the first', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const first = await placeFor(shop, { ...ann, phone });
    await addCredit(context, shop.organizationId, first.customer.id, { cents: 300 });
    await owner.call('PATCH', `/staff/v1/customers/${first.customer.id}`, { taxExempt: true });
    expect((await priceFor(shop, { ...ann, phone })).credits).toHaveLength(1);
    const stranger = await priceFor(shop, { ...ben, phone });
    expect(stranger.credits).toEqual([]);
    const second = await placeFor(shop, { ...ben, phone });
    expect(second.customer.fullName).toBe('Ben Marsh');
    expect(second.customer.id).not.toBe(first.customer.id);
    expect(second.taxExempt).toBe(false);
    expect((await customersOf(shop)).map((customer) => [customer.firstName, customer.phone])).toEqual([
      ['Ben', phone],
      ['Ann', phone],
    ]);
  });

  test('or with one placeholder have a purchase limit each', async () => {
    const jar = { key: 'jar', priceCents: 3500, content: '14' };
    const products = [{ key: 'Jar', inventoryType: 'none' as const, options: [jar] }];
    const shop = await createTestShop(context, { state: 'CA', products });
    const buy = (customer: object) => {
      const lineItems = [{ productOptionId: shop.optionId('jar'), quantity: 2 }];
      const body = { type: 'pickup', idempotencyKey: randomUUID(), customer, lineItems };
      return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    };
    expect((await buy({ ...ann, phone: '5555555555' })).error?.code).toBe('BUYER_REQUIRED');
    const overrides = [{ duty: 'buyer', reason: 'A log at the door holds walk-ins to the limit.' }];
    const owner = await service.staff(shop);
    await owner.call('PUT', '/staff/v1/duties', { saleHours: null, overrides });
    for (const contact of [{ phone }, { phone: '5555555555' }]) {
      for (const person of [ann, ben]) expect((await buy({ ...person, ...contact })).error).toBeUndefined();
    }
    const again = await buy({ firstName: 'ANN', lastName: 'OBRIEN', phone });
    expect(again.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  });

  test('are found again by their names, however these are written', async () => {
    const shop = await createTestShop(context);
    const first = await placeFor(shop, { ...ann, phone });
    const second = await placeFor(shop, { firstName: 'Łukasz Jan', lastName: 'Søren-Groß', phone });
    const third = await placeFor(shop, { ...ann, phone, birthday: '1990-01-01' });
    // The first had no birthday.
    expect(third.customer.id).toBe(first.customer.id);
    for (const [firstName, lastName, id] of [
      ['ANN', "O'BRIEN", first.customer.id],
      ['Ann Marie', 'OBrien Jr.', first.customer.id],
      ['ann', 'o brien', first.customer.id],
      ['LUKASZ', 'SOREN GROSS', second.customer.id],
      ['Lukasz', 'SorenGroß III', second.customer.id],
    ] as const) {
      const { customer } = await placeFor(shop, { firstName, lastName, phone });
      expect([firstName, lastName, customer.id]).toEqual([firstName, lastName, id]);
    }
    // A parent and a child of one name.
    const child = await placeFor(shop, { ...ann, phone, birthday: '2001-02-03' });
    expect(child.customer.id).not.toBe(first.customer.id);
  });

  test('who order at once are two customers, and one person who orders twice at once is one', async () => {
    const shop = await createTestShop(context);
    const orders = await Promise.all(
      [ann, ben, ann, ben, ann].map((customer) => placeFor(shop, { ...customer, phone })),
    );
    const ids = orders.map(({ customer }) => customer.id);
    expect([new Set(ids).size, ids[2], ids[4], ids[3]]).toEqual([2, ids[0], ids[0], ids[1]]);
  });

  test('are named by more than the phone in loyalty events and groups', async () => {
    const shop = await createTestShop(context);
    const { keys, organizationId } = shop;
    const owner = await service.staff(shop);
    const [first] = await importPeople(context, organizationId, [
      { ...ann, phone, email: 'ann@customers.example.com' },
      { ...ben, phone },
    ]);
    const add = async (who: object) =>
      service.call('POST', '/api/v1/loyalty-events', {
        keys,
        body: { pointsAmount: 5, reason: 'Welcome', ...who },
      });
    expect((await add({ customerPhone: phone })).error?.code).toBe('USER_NOT_FOUND');
    expect((await add({ customerPhone: phone, customerId: first })).data.userId).toBe(first);
    const group = await owner.call('POST', '/staff/v1/customer-groups', { name: 'Regulars' });
    const path = `/api/v1/customer-groups/${group.data.id}/add-customer`;
    const { error } = await service.call('PUT', path, { keys, body: { emailOrPhone: phone } });
    expect([error?.code, error?.message]).toEqual(['USER_NOT_FOUND', expect.stringContaining('Several')]);
  });

  test('may be made by staff, but not the same person twice', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    expect((await owner.call('POST', '/staff/v1/customers', { ...ann, phone })).status).toBe(201);
    expect((await owner.call('POST', '/staff/v1/customers', { ...ben, phone })).status).toBe(201);
    const again = { firstName: 'ANN', lastName: 'OBRIEN', phone };
    const { error } = await owner.call('POST', '/staff/v1/customers', again);
    expect([error?.code, error?.message]).toEqual(['INVALID_PARAMS', expect.stringContaining('phone')]);
  });
});
