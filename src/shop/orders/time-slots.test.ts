import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
// A Sunday, 08:00 in California.
beforeEach(() => service.clock.set(Date.parse('2026-03-01T16:00:00.000Z')));
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const everyDay = [1, 2, 3, 4, 5, 6, 7];

async function slotShop(settings: Parameters<typeof createTestShop>[1] = {}) {
  const shop = await createTestShop(service.context, settings);
  return { shop, owner: await service.staff(shop) };
}

async function addSlot(owner: TestStaff, changes: object = {}) {
  const reply = await owner.call('POST', '/staff/v1/time-slots', {
    ...{
      name: 'Evening',
      orderType: 'pickup',
      days: everyDay,
      startsAt: '17:00',
      endsAt: '19:00',
      capacity: 1,
    },
    ...changes,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.data;
}

async function offered(shop: TestShop) {
  return (await service.call('GET', '/api/v1/shop', { keys: shop.keys })).data.timeSlots;
}

function place(shop: TestShop, body: object) {
  return service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: { ...pickupBody(shop), idempotencyKey: randomUUID(), ...body },
  });
}

const sundayEvening = '2026-03-02T01:00:00.000Z';
const mondayEvening = '2026-03-03T01:00:00.000Z';

describe('without time slots', () => {
  test('a shop offers none, an order has none, and a time is refused', async () => {
    const { shop } = await slotShop();
    expect(await offered(shop)).toBeUndefined();
    const order = await place(shop, {});
    expect(order.status).toBe(201);
    expect(order.data).not.toHaveProperty('slot');
    expect((await place(shop, { pickupAt: sundayEvening })).error).toMatchObject({
      code: 'TIME_SLOT_NOT_AVAILABLE',
      meta: { field: 'pickupAt', reason: 'unknown' },
    });
  });
});

describe('a time slot', () => {
  test('is offered for the next days with what is left, chosen, and shown with the order', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner, { capacity: 2, leadMinutes: 90 });
    const first = {
      orderType: 'pickup',
      deliveryZoneIds: [],
      from: sundayEvening,
      to: '2026-03-02T03:00:00.000Z',
      orderUntil: '2026-03-01T23:30:00.000Z',
      left: 2,
    };
    const all = await offered(shop);
    expect(all).toHaveLength(14);
    expect(all[0]).toEqual(first);
    // The clocks go forward on March 8: the slot stays at five.
    expect(all[7].from).toBe('2026-03-09T00:00:00.000Z');
    const order = await place(shop, { pickupAt: sundayEvening });
    expect(order.data.slot).toEqual({ from: first.from, to: first.to });
    expect((await offered(shop))[0].left).toBe(1);
    const detail = await owner.call('GET', `/staff/v1/orders/${order.data.id}`);
    expect(detail.data.slot).toEqual(order.data.slot);
    const edited = await owner.call('PATCH', `/staff/v1/orders/${order.data.id}`, { internalNotes: 'Bag' });
    expect(edited.data.slot).toEqual(order.data.slot);
  });

  test.each([
    ['full', {}, { before: 1 }],
    ['too-soon', { leadMinutes: 601 }, {}],
    ['closed', {}, { closes: { day: '2026-03-01', orderType: null, name: 'Inventory' } }],
    ['closed', {}, { closes: { day: '2026-03-01', orderType: 'pickup', name: 'Inventory' } }],
    ['outside-hours', { endsAt: '22:30' }, { state: 'CA' }],
    ['unknown', { days: [1] }, {}],
    ['unknown', { startsAt: '17:30' }, {}],
    ['unknown', { orderType: 'delivery' }, {}],
  ] as const)(
    'that is %s is refused with that reason: %o',
    async (reason, changes, given: { before?: number; closes?: object; state?: string }) => {
      const { shop, owner } = await slotShop(given.state ? { state: given.state } : {});
      await addSlot(owner, changes);
      if (given.before) expect((await place(shop, { pickupAt: sundayEvening })).status).toBe(201);
      if (given.closes) await owner.call('POST', '/staff/v1/closed-days', given.closes);
      const refused = await place(shop, { pickupAt: sundayEvening });
      expect(refused.error, refused.text).toMatchObject({
        code: 'TIME_SLOT_NOT_AVAILABLE',
        meta: { field: 'pickupAt', reason },
      });
      const { type, lineItems } = pickupBody(shop);
      const priced = await service.call('POST', '/api/v1/orders/pricing', {
        keys: shop.keys,
        body: { type, lineItems, pickupAt: sundayEvening },
      });
      expect(priced.data.warnings).toContainEqual({
        code: 'TIME_SLOT_NOT_AVAILABLE',
        message: refused.error!.message,
      });
      const left = (await offered(shop)).filter(
        (slot: { from: string; left: number; orderType: string }) =>
          slot.from === sundayEvening && slot.left > 0 && slot.orderType === 'pickup',
      );
      expect(left).toEqual([]);
    },
  );

  test('belongs to the order type, and to its delivery zones', async () => {
    const shop = await createTestShop(service.context, { deliveryZones: [] });
    const owner = await service.staff(shop);
    const zone = async (name: string, postalCode: string) =>
      (await owner.call('POST', '/staff/v1/delivery-zones', { name, postalCodes: [postalCode] })).data.id;
    const [near, far] = [await zone('Near', '94607'), await zone('Far', '94702')];
    await addSlot(owner, { orderType: 'delivery', deliveryZoneIds: [near], capacity: 3 });
    const deliver = (postalCode: string, changes: object = {}) =>
      place(shop, {
        ...deliveryBody(shop, {
          address: { street1: '4 Alder St', city: 'Oakland', state: 'CA', postalCode },
        }),
        ...{ idempotencyKey: randomUUID(), deliverAt: sundayEvening },
        ...changes,
      });
    expect((await deliver('94607')).data.slot.from).toBe(sundayEvening);
    expect((await deliver('94702')).error?.meta).toMatchObject({ reason: 'unknown' });
    await addSlot(owner, { orderType: 'delivery', deliveryZoneIds: [far] });
    expect((await deliver('94702')).status).toBe(201);
    expect((await deliver('94607', { pickupAt: sundayEvening })).error?.code).toBe('INVALID_PARAMS');
    expect((await place(shop, { deliverAt: sundayEvening })).error?.code).toBe('INVALID_PARAMS');
  });

  test('must be chosen by customers where the owner says so, for each order type; staff can leave it out and choose later', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner);
    await owner.call('PATCH', '/staff/v1/organization', { needsTimeSlot: { pickup: true } });
    const { data: shown } = await service.call('GET', '/api/v1/shop', { keys: shop.keys });
    expect(shown.needsTimeSlot).toEqual({ delivery: false, pickup: true });
    const { idempotencyKey: _, ...cart } = pickupBody(shop);
    const { data: priced } = await service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body: cart,
    });
    expect(priced.warnings).toMatchObject([{ code: 'TIME_SLOT_NOT_AVAILABLE' }]);
    expect((await place(shop, {})).error).toMatchObject({
      code: 'TIME_SLOT_NOT_AVAILABLE',
      message: expect.stringContaining('the shop hands such orders over in time slots only'),
      meta: { field: 'pickupAt', reason: 'missing' },
    });
    expect((await place(shop, deliveryBody(shop))).status).toBe(201);
    expect((await place(shop, { pickupAt: sundayEvening })).status).toBe(201);
    const body = { ...cart, idempotencyKey: randomUUID() };
    const { data: byStaff, error } = await owner.call('POST', '/staff/v1/orders', body);
    expect(error).toBeUndefined();
    const path = `/staff/v1/orders/${byStaff.id}/slot`;
    const given = await owner.call('PUT', path, { from: mondayEvening });
    expect(given.data.slot.from).toBe(mondayEvening);
  });

  test('gives its last place to one of ten orders that come at once', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        place(shop, {
          pickupAt: sundayEvening,
          customer: {
            firstName: 'Ana',
            lastName: 'Ruiz',
            email: `ana${index}@example.com`,
            birthday: '1990-01-01',
          },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await offered(shop))[0].left).toBe(0);
  });

  test('is not taken twice by a repeated request, and comes back when its order is canceled', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner);
    const idempotencyKey = randomUUID();
    const order = await place(shop, { pickupAt: sundayEvening, idempotencyKey });
    const again = await place(shop, { pickupAt: sundayEvening, idempotencyKey });
    expect([again.status, again.data.id, again.data.slot]).toEqual([201, order.data.id, order.data.slot]);
    expect((await offered(shop))[0].left).toBe(0);
    await owner.call('POST', `/staff/v1/orders/${order.data.id}/cancel`, { reason: 'Called' });
    expect((await offered(shop))[0].left).toBe(1);
    expect((await place(shop, { pickupAt: sundayEvening })).status).toBe(201);
  });

  test('changes in part, and is offered no more once it is archived', async () => {
    const { shop, owner } = await slotShop();
    const slot = await addSlot(owner, { days: [7, 1, 7] });
    expect(slot.days).toEqual([1, 7]);
    const own = `/staff/v1/time-slots/${slot.id}`;
    expect((await owner.call('PATCH', own, { capacity: 4 })).data).toMatchObject({
      days: [1, 7],
      capacity: 4,
    });
    expect((await offered(shop)).map(({ left }: { left: number }) => left)).toEqual([4, 4, 4, 4]);
    await owner.call('PATCH', own, { archived: true });
    expect(await offered(shop)).toBeUndefined();
  });

  test('refuses times that are none, and zones that are not there', async () => {
    const { owner } = await slotShop();
    const create = async (changes: object) =>
      (
        await owner.call('POST', '/staff/v1/time-slots', {
          ...{ name: 'A', orderType: 'pickup', days: [1], startsAt: '10:00', endsAt: '12:00', capacity: 1 },
          ...changes,
        })
      ).error?.message;
    expect(await create({ endsAt: '10:00' })).toBe('endsAt must be after startsAt.');
    expect(await create({ deliveryZoneIds: [4] })).toBe('deliveryZoneIds must be empty for pickup.');
    expect(await create({ orderType: 'delivery', deliveryZoneIds: [4] })).toBe(
      'deliveryZoneIds must be ids of delivery zones; 4 is none.',
    );
  });
});

describe('staff', () => {
  test('move an order to another slot: the customer gets a mail, the event says so, the place changes hands', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner);
    const order = (await place(shop, { pickupAt: sundayEvening })).data;
    const own = `/staff/v1/orders/${order.id}`;
    const { slots } = (await owner.call('GET', `${own}/slots`)).data;
    expect(slots.slice(0, 2)).toMatchObject([
      { from: sundayEvening, left: 1 },
      { from: mondayEvening, left: 1 },
    ]);
    const moved = await owner.call('PUT', `${own}/slot`, { from: mondayEvening });
    expect(moved.data.slot).toEqual({ from: mondayEvening, to: '2026-03-03T03:00:00.000Z' });
    expect((await offered(shop)).slice(0, 2).map(({ left }: { left: number }) => left)).toEqual([1, 0]);
    await owner.call('PUT', `${own}/slot`, { from: mondayEvening });
    const mails = await mailsOf(service.context, shop.organizationId, 'marisol@customers.example.com');
    expect(mails.map(({ kind }) => kind)).toEqual(['order-slot-changed']);
    expect(mails[0]!.text).toMatch(/is now for Monday, March 2, 5:00\sPM to 7:00\sPM\./);
    expect((await owner.call('PUT', `${own}/slot`, { from: null })).data).toEqual({ slot: null });
    expect((await owner.call('GET', own)).data).not.toHaveProperty('slot');
    expect((await offered(shop))[1].left).toBe(1);
  });

  test('move no order to a slot that is full, and none that is done', async () => {
    const { shop, owner } = await slotShop();
    await addSlot(owner);
    await place(shop, { pickupAt: mondayEvening });
    const order = (await place(shop, { pickupAt: sundayEvening })).data;
    const own = `/staff/v1/orders/${order.id}`;
    expect((await owner.call('PUT', `${own}/slot`, { from: mondayEvening })).error).toMatchObject({
      code: 'TIME_SLOT_NOT_AVAILABLE',
      meta: { field: 'from', reason: 'full' },
    });
    await owner.call('POST', `${own}/cancel`, { reason: 'Called' });
    expect((await owner.call('PUT', `${own}/slot`, { from: null })).error?.code).toBe(
      'INVALID_ORDER_TRANSITION',
    );
    expect((await owner.call('GET', `${own}/slots`)).error?.code).toBe('INVALID_ORDER_TRANSITION');
  });
});
