import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { openDeliveringShop } from './delivering-shop.test-support.ts';
import { unitsAt } from './trip-hands.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());

/** A day of forty stops in the long suite. */
const stopsEach = casesOf({ everyRun: 4, long: 20 });
const minuteMs = 60_000;
const feeCents = 500;
const rollCents = 1_299;
const floatCents = 5_000;
const tipCents = 200;

/** What becomes of a stop of two pre-rolls: cents in the drawer, and units that the customer has, or an open order still holds. */
const outcomes = [
  { status: 'delivered', cents: 2 * rollCents + feeCents, tip: tipCents, units: 2 },
  { status: 'partly', cents: rollCents + feeCents, tip: 0, units: 1 },
  { status: 'refused', cents: 0, tip: 0, units: 0 },
  { status: 'notHome', cents: 0, tip: 0, units: 2 },
] as const;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('a day of two drivers without a line, whose acts come late and twice: each counts once, drawers and stock are those of a count by hand, and the ledgers of the state say the same', async () => {
  service.clock.set(testNowMs);
  const reporting = await openDeliveringShop(service);
  const { shop } = reporting;
  await reporting.pass();
  const { ask } = reporting;
  const storefront = shop.locationId('Storefront');
  const customer = {
    firstName: 'Ada',
    lastName: 'Okafor',
    email: 'ada@customers.example.com',
    birthday: '1988-02-29',
  };
  const cash = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];

  const sendOut = async (name: string) => {
    const crew = await reporting.crew(name, { licensePlate: '8ABC123', hasDrawer: true });
    const orderIds: string[] = [];
    for (let count = 0; count < stopsEach; count += 1) {
      orderIds.push(await reporting.delivery([['roll', 2]], customer));
    }
    const trip = await reporting.load(crew, orderIds, floatCents);
    return { driver: crew.staff, tripId: trip.id, inventoryLocationId: crew.inventoryLocationId, trip };
  };
  const before = await unitsAt(service, shop, storefront);
  const trips = [await sendOut('Blue van'), await sendOut('Red van')];

  // The vehicles leave once the state has both ledgers.
  await reporting.pass();

  // The acts of an hour, as the phones keep them.
  const startMs = service.clock.now();
  service.clock.advance(60 * minuteMs);
  const seen = {
    how: 'scan',
    firstName: 'ADA',
    lastName: 'OKAFOR',
    birthday: '1988-02-29',
    expiry: '2099-01-01',
  };
  for (const { driver, tripId, trip } of trips) {
    const act = async (path: string, minute: number, body: object = {}, refusal?: string) => {
      const headers = { 'idempotency-key': randomUUID() };
      const occurredAt = new Date(startMs + minute * minuteMs).toISOString();
      const send = () =>
        driver.call('POST', `/staff/v1/trips/${tripId}/${path}`, { occurredAt, ...body }, { headers });
      const first = await send();
      expect(first.error?.code).toBe(refusal);
      // The answer was lost on the way.
      expect((await send()).text).toBe(first.text);
    };
    await act('depart', 0);
    for (const [index, stop] of trip.stops().entries()) {
      const { status, tip } = outcomes[index % outcomes.length]!;
      const at = `stops/${stop.id}`;
      const minute = index + 1;
      const [{ lineItemId }] = stop.lines;
      await act(`${at}/arrive`, minute);
      if (status === 'delivered') await act(`${at}/deliver`, minute, { idCheck: seen, payments: cash, tip });
      if (status === 'partly') {
        const lines = [{ lineItemId, quantity: 1 }];
        await act(`${at}/deliver`, minute, { idCheck: seen, payments: cash, lines });
      }
      if (status === 'refused') {
        const child = { ...seen, birthday: '2015-02-28' };
        await act(`${at}/deliver`, minute, { idCheck: child, payments: cash }, 'ID_NOT_ACCEPTED');
        await act(`${at}/refuse`, minute, { reason: 'Too young' });
      }
    }
    // Stops that were not done count as not home.
    await act('return', 59);
  }

  const expected = Array.from({ length: stopsEach }, (_, index) => outcomes[index % outcomes.length]!);
  for (const { tripId, inventoryLocationId, trip } of trips) {
    const back = await ask('GET', `trips/${tripId}`);
    expect(back.stops.map(({ status }: { status: string }) => status)).toEqual(
      expected.map(({ status }) => status),
    );
    const [sales, tips] = [sum(expected.map(({ cents }) => cents)), sum(expected.map(({ tip }) => tip))];
    expect(back.totals).toMatchObject({ sales, tips });
    const closed = await trip.close(floatCents + sales + tips);
    const { payments } = await ask('GET', `drawer-sessions/${closed.drawer.drawerSessionId}`);
    expect(payments).toMatchObject([{ sales, paidIn: tips, overShort: 0 }]);
    expect(await unitsAt(service, shop, inventoryLocationId)).toBe(0);
  }
  expect(await unitsAt(service, shop, storefront)).toBe(before - 2 * sum(expected.map(({ units }) => units)));
  for (let turn = 0; turn < 4; turn += 1) {
    service.clock.advance(2 * minuteMs);
    await reporting.pass();
  }
  const sales = expected.filter(({ cents }) => cents > 0);
  const ledgers = reporting.ledgers();
  expect(ledgers.map(({ state }) => state)).toEqual(['Completed', 'Completed']);
  for (const { stops } of ledgers) {
    const goods = stops.map(({ lines }) => ({
      units: sum(lines.map(({ quantity }) => quantity)),
      cents: Math.round(100 * sum(lines.map(({ amount }) => amount))),
    }));
    expect(goods.map(({ units }) => units)).toEqual(sales.map(({ units }) => units));
    // What the state is told is without taxes, which the price contains here.
    expect(goods.map(({ cents }) => cents)).toEqual(
      sales.map(({ cents }) => Math.round((cents - feeCents) / 1.1)),
    );
  }
  await reporting.expectSameStock();
  await reporting.close();
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
