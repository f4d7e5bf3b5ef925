import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { addDays, localInstantMs } from '../../kernel/local-time.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Days of 24 hours, of 23 and of 25: with and without a change of the clock in these zones. */
test.each([
  ['America/Anchorage', '2026-03-07'],
  ['America/Anchorage', '2026-11-01'],
  ['America/Adak', '2026-10-31'],
  ['America/Phoenix', '2026-07-15'],
  ['Pacific/Honolulu', '2026-03-08'],
  ['America/Boise', '2026-11-01'],
  ['US/Eastern', '2026-03-08'],
] as const)(
  'in %s the clock, the limit of a day, and the day of reports are those of the shop, around %s',
  async (tz, day) => {
    const shop = await createTestShop(service.context, { state: 'CA', tz, taxes: [] });
    const customer = { firstName: 'Ada', lastName: 'Quill', email: `${randomUUID()}@customers.example.com` };
    const at = async (on: string, time: string) => {
      service.clock.set(localInstantMs(on, minutes(time), tz));
      return service.staff(shop, 'owner');
    };
    /** 8 eighths are 28 g of the 28.5 g of a day. */
    const sell = async (on: string, time: string) => {
      const owner = await at(on, time);
      const placed = await owner.call('POST', '/staff/v1/orders', {
        ...{ type: 'in-store', customer, idempotencyKey: randomUUID() },
        lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 8 }],
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
      });
      if (placed.error !== undefined) return placed.error.code;
      const done = await owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
      return done.error?.code ?? 'sold';
    };
    const next = addDays(day, 1);
    expect(await sell(day, '21:59')).toBe('sold');
    expect(await sell(day, '22:00')).toBe('OUTSIDE_SALE_HOURS');
    expect(await sell(next, '05:59')).toBe('OUTSIDE_SALE_HOURS');
    expect(await sell(next, '06:00')).toBe('sold');
    expect(await sell(next, '21:59')).toBe('PURCHASE_LIMIT_EXCEEDED');
    const owner = await at(addDays(day, 2), '12:00');
    for (const on of [day, next, addDays(day, 2)]) {
      const query = { from: on, to: on };
      const { data } = await owner.call('GET', '/staff/v1/reports/sales', undefined, { query });
      expect([on, data.total.orders]).toEqual([on, on === addDays(day, 2) ? 0 : 1]);
      const listed = await owner.call('GET', '/staff/v1/orders', undefined, { query });
      expect(listed.data).toHaveLength(on === addDays(day, 2) ? 0 : 1);
    }
  },
);

/** The first instant of a business day, in words of UTC. */
test.each([
  ['America/Anchorage', 'clocks skip its hour', '02:00', '2026-03-08', '2026-03-08T11:00:00Z'],
  ['America/Anchorage', 'clocks show its hour twice', '01:30', '2026-11-01', '2026-11-01T10:30:00Z'],
  ['America/Adak', 'a day of 25 hours', '04:00', '2026-11-01', '2026-11-01T14:00:00Z'],
  ['America/Phoenix', 'clocks stay as they are', '04:00', '2026-03-08', '2026-03-08T11:00:00Z'],
  ['Pacific/Honolulu', 'clocks stay as they are', '04:00', '2026-11-01', '2026-11-01T14:00:00Z'],
] as const)(
  'in %s, where %s, drawers and sales are of the business day that began at %s',
  async (tz, _, dayStartsAt, day, startsAt) => {
    const shop = await createTestShop(service.context, { state: 'OK', tz, taxes: [] });
    const at = async (ms: number) => {
      service.clock.set(ms);
      const owner = await service.staff(shop, 'owner');
      return async (method: string, path: string, body?: object, query?: Record<string, string>) => {
        const { data, error } = await owner.call(method, `/staff/v1/${path}`, body, query && { query });
        expect(error).toBeUndefined();
        return data;
      };
    };
    const startMs = Date.parse(startsAt);
    const before = addDays(day, -1);
    const set = await at(startMs - 3_600_000);
    await set('PATCH', 'organization', { businessDayStartsAt: dayStartsAt });
    const location = { inventoryLocationId: shop.locationId('Storefront') };
    const { id: register } = await set('POST', 'registers', { name: 'Counter', ...location });
    /** A drawer that is opened, sells, and is closed. */
    const shift = async (ms: number) => {
      const call = await at(ms);
      const { id, businessDay } = await call('POST', `registers/${register}/drawer-sessions`, { float: 0 });
      const placed = await call('POST', 'orders', {
        ...{ type: 'in-store', idempotencyKey: randomUUID() },
        lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
      });
      await call('POST', `orders/${placed.id}/fulfill`, { registerId: register });
      await call('POST', `drawer-sessions/${id}/close`, { counts: [{ paymentTypeId: null, counted: 3500 }] });
      return { id, businessDay };
    };
    const night = await shift(startMs - 60_000);
    const morning = await shift(startMs);
    expect([night.businessDay, morning.businessDay]).toEqual([before, day]);
    const owner = await at(startMs + 3_600_000);
    for (const [on, { id }] of [
      [before, night],
      [day, morning],
    ] as const) {
      const query = { from: on, to: on };
      const drawers = await owner('GET', 'drawer-sessions', undefined, query);
      const sales = await owner('GET', 'reports/sales', undefined, { ...query, by: 'payment' });
      expect([on, drawers.map((it: { id: number }) => it.id), sales.total.paid]).toEqual([on, [id], 3500]);
    }
  },
);
