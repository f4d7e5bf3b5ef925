import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { PlayedState } from '../../../seed/played-state.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { listDifferences } from '../traceability/list-differences.ts';
import { labels } from '../traceability/reporting-shop.test-support.ts';
import { StateClients } from '../traceability/state-clients.ts';
import { StateReporter } from '../traceability/state-reporter.ts';
import { type DeliveringShop, openDeliveringShop } from './delivering-shop.test-support.ts';
import { tripPeople } from './trip-people.ts';

const service = await startTestService();
const shops: DeliveringShop[] = [];
const open = async (wishes: Parameters<typeof openDeliveringShop>[1] = {}) => {
  const shop = await openDeliveringShop(service, wishes);
  await shop.pass();
  shops.push(shop);
  return shop;
};
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
});
afterAll(() => service.close());

const minuteMs = 60_000;
/** The worker goes on until nothing is left to send. */
const tell = async (shop: DeliveringShop) => {
  for (let turn = 0; turn < 3; turn += 1) {
    service.clock.advance(2 * minuteMs);
    await shop.pass();
  }
};
const kindsOf = async (shop: DeliveringShop) =>
  (await shop.reports()).map(({ kind, state }) => `${kind} ${state}`);

describe('where the state keeps a ledger of what vehicles carry', () => {
  test('a trip leaves once the ledger is there; sales, end and stock at the state are those of the trip', async () => {
    const shop = await open();
    const orders = [
      await shop.delivery([['roll', 2]]),
      await shop.delivery([
        ['roll', 2],
        ['gram', 1],
      ]),
      await shop.delivery([['gram', 2]]),
      await shop.delivery([['roll', 1]]),
    ];
    const trip = await shop.load(await shop.crew('8ABC123'), orders);
    const early = await trip.on('depart');
    expect(early.error).toMatchObject({
      code: 'TRIP_NOT_REPORTED',
      message: expect.stringMatching(/under way/),
    });
    await shop.pass();
    const [ledger] = shop.ledgers();
    expect(ledger).toMatchObject({
      state: 'Recorded',
      sent: {
        DriverName: expect.any(String),
        DriversLicenseNumber: 'D1234417',
        VehicleLicensePlateNumber: '8ABC123',
      },
    });
    expect((await trip.read()).stateReport).toEqual({ isKnown: true, words: null });
    expect((await trip.on('depart')).error).toBeUndefined();
    expect((await trip.at(0, 'deliver')).error).toBeUndefined();
    const inPart = { lines: [{ lineItemId: trip.lineAt(1), quantity: 1 }] };
    expect((await trip.at(1, 'deliver', inPart)).error).toBeUndefined();
    expect((await trip.at(2, 'refuse', { reason: 'Changed their mind' })).error).toBeUndefined();
    await tell(shop);
    expect(shop.ledgers()).toMatchObject([{ state: 'Departed' }]);
    expect((await trip.on('return')).error).toBeUndefined();
    await tell(shop);
    const [done] = shop.ledgers();
    expect(done!.state).toBe('Completed');
    expect(done!.stops.map(({ lines }) => lines.map(({ quantity, amount }) => [quantity, amount]))).toEqual([
      [[2, 23.62]],
      [[1, 11.81]],
    ]);
    expect(done!.stops[0]!.sent).toMatchObject({
      RecipientName: 'Marisol Okafor',
      RecipientAddressCity: 'Oakland',
    });
    expect(shop.live()).toEqual([]);
    await shop.expectSameStock();
    await trip.close();
    expect(await kindsOf(shop)).toEqual([
      ...[
        'trip accepted',
        'departure accepted',
        'delivery accepted',
        'delivery accepted',
        'trip-end accepted',
      ],
    ]);
  });

  test('a manager lets a trip leave while the state is down, with a reason; the reports follow in their order', async () => {
    const shop = await open();
    const crew = await shop.crew('8ABC123');
    const trip = await shop.load(crew, [await shop.delivery([['roll', 1]])]);
    shop.state.faults.plan({ kind: 'status', at: '*', times: 50, after: 0, status: 503 });
    await shop.pass();
    const waits = await trip.on('depart');
    expect(waits.error?.code).toBe('TRIP_NOT_REPORTED');
    const withoutState = 'The system of the state is down';
    expect((await trip.on('depart', { withoutState })).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await trip.on('depart', { withoutState }, shop.owner)).error).toBeUndefined();
    const [audit] = await shop.sql("select details from audit_entries where action = 'trip.departed'");
    expect(audit!.details).toMatchObject({ withoutState });
    await trip.at(0, 'deliver');
    await trip.on('return');
    shop.state.faults.clear();
    service.clock.advance(60 * minuteMs);
    await tell(shop);
    expect(shop.ledgers()).toMatchObject([{ state: 'Completed', stops: [{ lines: [{ quantity: 1 }] }] }]);
    await shop.expectSameStock();
  });

  test('what the state refuses is said in words, and is told again once it is put right', async () => {
    const shop = await open();
    const crew = await shop.crew('8ABC123');
    await shop.owner.call('PUT', `/staff/v1/drivers/${crew.driverId}/license-number`, {
      licenseNumber: null,
    });
    const trip = await shop.load(crew, [await shop.delivery([['roll', 1]])]);
    await tell(shop);
    const refused = await trip.on('depart');
    expect(refused.error?.message).toMatch(
      /^The state refuses the report T\d+-1-. of the trip: .*driver's license/,
    );
    const [report] = await shop.reports();
    await shop.owner.call('PUT', `/staff/v1/drivers/${crew.driverId}/license-number`, {
      licenseNumber: 'D1',
    });
    await shop.ask('POST', `state-reports/${report!.id}/send-again`);
    await shop.pass();
    expect((await trip.on('depart')).error).toBeUndefined();
  });

  test('a trip that is unloaded is gone at the state, also when it only said so at first, and can be loaded again', async () => {
    const shop = await open();
    const crew = await shop.crew('8ABC123');
    const trip = await shop.load(crew, [await shop.delivery([['roll', 1]])]);
    await shop.pass();
    shop.state.faults.plan({ kind: 'status', at: 'DELETE *', status: 200 });
    await trip.on('unload', { toInventoryLocationId: shop.shop.locationId('Storefront') });
    await tell(shop);
    expect(shop.ledgers()).toMatchObject([{ state: 'Voided' }]);
    expect((await trip.on('load')).data.stateReport.isKnown).toBe(false);
    await shop.pass();
    expect(shop.ledgers().map(({ state }) => state)).toEqual(['Voided', 'Recorded']);
    expect((await trip.on('depart')).error).toBeUndefined();
  });

  test('more orders that a trip takes on at the shop restock its ledger before it leaves again, and what comes back is told of all', async () => {
    const shop = await open();
    const [home, away] = [await shop.delivery([['gram', 2]]), await shop.delivery([['roll', 2]])];
    const trip = await shop.load(await shop.crew('8ABC123'), [home, away]);
    await shop.pass();
    await trip.on('depart');
    await trip.at(0, 'deliver');
    await tell(shop);
    await trip.restock([await shop.delivery([['gram', 3]]), await shop.delivery([['roll', 1]])]);
    expect((await trip.on('depart')).error).toMatchObject({
      ...{ code: 'TRIP_NOT_REPORTED', message: expect.stringMatching(/under way/) },
    });
    await shop.pass();
    const [ledger] = shop.ledgers();
    const amounts = (stock: readonly { readonly quantity: number }[]) => stock.map((it) => it.quantity);
    expect([ledger!.state, ledger!.leg, amounts(ledger!.stock)]).toEqual([
      ...['Departed', 2, [2, 0, 1, 3.702]],
    ]);
    expect((await trip.on('depart')).error).toBeUndefined();
    await trip.at(1, 'refuse', { reason: 'Changed their mind' });
    const inPart = { lines: [{ lineItemId: trip.lineAt(2), quantity: 1 }] };
    expect((await trip.at(2, 'deliver', inPart)).error).toBeUndefined();
    expect((await trip.at(3, 'deliver')).error).toBeUndefined();
    await trip.on('return');
    await tell(shop);
    const [done] = shop.ledgers();
    expect([done!.state, done!.stops.map(({ lines }) => amounts(lines))]).toEqual([
      ...['Completed', [[2.468], [1.234], [1]]],
    ]);
    await shop.expectSameStock();
    await trip.close();
    expect(await kindsOf(shop)).toEqual(
      ['trip', 'departure', 'delivery', 'restock', 'delivery', 'delivery', 'trip-end'].map(
        (kind) => `${kind} accepted`,
      ),
    );
    expect(
      (await shop.ask('GET', 'state-differences')).map(({ kind }: { kind: string }) => kind),
    ).not.toContain('trip-changed-at-state');
  });

  test('two vehicles with one plate that are loaded at one moment have a ledger each', async () => {
    const shop = await open();
    const trips = [];
    for (const option of ['roll', 'gram']) {
      const orderId = await shop.delivery([[option, 1]]);
      const trip = await shop.load(await shop.crew('8ABC123'), [orderId]);
      await shop.pass();
      expect((await trip.on('depart')).error).toBeUndefined();
      await shop.pass();
      trips.push(trip);
    }
    service.clock.advance(60 * minuteMs);
    for (const trip of trips) {
      await trip.at(0, 'deliver');
      await trip.on('return');
    }
    await tell(shop);
    expect(shop.ledgers().map(({ state }) => state)).toEqual(['Completed', 'Completed']);
    await shop.expectSameStock();
  });

  test.each(['400', 'accept'])(
    'a sale at the counter from a package that is on a ledger gets through at the latest when that is over: %s',
    async (value) => {
      const shop = await open({ switches: { 'ledger-sale': value } });
      const trip = await shop.load(await shop.crew('8ABC123'), [await shop.delivery([['gram', 1]])]);
      await shop.pass();
      await trip.on('depart');
      await shop.sell([['gram', 2]]);
      await tell(shop);
      expect(shop.live()).toHaveLength(value === 'accept' ? 1 : 0);
      await trip.at(0, 'deliver');
      await trip.on('return');
      for (let turn = 0; turn < 4; turn += 1) {
        service.clock.advance(31 * minuteMs);
        await shop.pass();
      }
      expect(shop.live()).toHaveLength(1);
      expect((await shop.reports()).map(({ state }) => state)).toEqual(Array(5).fill('accepted'));
      await shop.expectSameStock();
    },
  );

  test('what comes back after a delivery is an adjustment of its package', async () => {
    const shop = await open();
    await shop.sql("update state_connections set adjustment_reason = 'Entry Error'");
    const [orderId, voided] = [await shop.delivery([['gram', 3]]), await shop.delivery([['roll', 2]])];
    const trip = await shop.load(await shop.crew('8ABC123'), [orderId, voided]);
    await shop.pass();
    await trip.on('depart');
    await trip.at(0, 'deliver');
    await trip.at(1, 'deliver');
    await tell(shop);
    await shop.ask('POST', `orders/${voided}/void`, { reason: 'Rung up twice' });
    await trip.on('return');
    await tell(shop);
    await shop.expectSameStock();
    const before = shop.atState(labels.jar).quantity;
    const returnId = await shop.takeBack(orderId, trip.lineAt(0), 2);
    await tell(shop);
    expect(shop.atState(labels.jar).quantity - before).toBeCloseTo(2 * 1.234, 3);
    await shop.expectSameStock();
    await shop.undoReturn(returnId);
    await tell(shop);
    expect(shop.atState(labels.jar).quantity).toBeCloseTo(before, 3);
    await shop.expectSameStock();
  });
});

describe('where each delivery is told for itself', () => {
  test.each(['OR', 'NY'])(
    '%s: before it leaves, also once more from the shop, and what became of it',
    async (state) => {
      const shop = await open({ state });
      await shop.sql(
        `update state_connections set return_reason = '${state === 'NY' ? 'Unable to Deliver' : 'Spoilage'}'`,
      );
      const orders = [
        await shop.delivery([['roll', 2]]),
        await shop.delivery([['gram', 3]]),
        await shop.delivery([
          ['roll', 1],
          ['gram', 1],
        ]),
      ];
      const trip = await shop.load(await shop.crew('8ABC123'), orders);
      await shop.pass();
      expect(shop.deliveries().map((it) => [it.state, it.lines.length])).toEqual([
        ...[
          ['InProgress', 1],
          ['InProgress', 1],
          ['InProgress', 2],
        ],
      ]);
      expect((await trip.on('depart')).error).toBeUndefined();
      await trip.at(0, 'deliver');
      await trip.at(1, 'deliver', { lines: [{ lineItemId: trip.lineAt(1), quantity: 1 }] });
      await trip.at(2, 'refuse', { reason: 'The ID had expired' });
      await tell(shop);
      expect(shop.deliveries().map((it) => [it.state, it.lines.map(({ quantity }) => quantity)])).toEqual([
        ...[
          ['Completed', [2]],
          ['Completed', [1.234]],
          ['Completed', [0, 0]],
        ],
      ]);
      await trip.restock([await shop.delivery([['roll', 1]])]);
      expect((await trip.on('depart')).error?.code).toBe('TRIP_NOT_REPORTED');
      await shop.pass();
      expect((await trip.on('depart')).error).toBeUndefined();
      await trip.at(3, 'deliver');
      await tell(shop);
      expect(shop.deliveries().map((it) => it.state)).toEqual(Array(4).fill('Completed'));
      await trip.on('return');
      await shop.expectSameStock();
      expect(shop.live()).toEqual([]);
    },
  );
});

test.each(['CA', 'OR'])(
  'what a person does with a trip on the website of the state is a difference of its class, with what was told of it: %s',
  async (state) => {
    const shop = await open({ state });
    await shop.sql("update state_connections set return_reason = 'Spoilage'");
    const [kept, changed, voided] = [
      await shop.delivery([['gram', 1]]),
      await shop.delivery([['gram', 3]]),
      await shop.delivery([['roll', 2]]),
    ];
    const trips: { readonly id: number }[] = [];
    for (const [at, orderId] of [kept, changed, voided].entries()) {
      const trip = await shop.load(await shop.crew(`8ABC12${at}`), [orderId]);
      await shop.pass();
      expect((await trip.on('depart')).error).toBeUndefined();
      await trip.at(0, 'deliver');
      await trip.on('return');
      service.clock.advance(minuteMs);
      trips.push(trip);
    }
    await tell(shop);
    // The license has packages besides, of which the shop knows nothing.
    const differences = async (): Promise<Record<string, never>[]> =>
      (await shop.ask('GET', 'state-differences')).filter(
        ({ kind }: { kind: string }) => kind !== 'not-here',
      );
    expect(await differences()).toEqual([]);

    const recordIds = (await shop.sql(
      "select state_record_id::int as id from state_reports where kind = 'trip' order by trip_id",
    )) as { id: number }[];
    shop.state.people('edit-trip-line', { id: recordIds[1]!.id, label: labels.jar, quantity: 5 });
    shop.state.people('void-trip', { id: recordIds[2]!.id });
    await tell(shop);
    const ofTrip = (at: number, kind: string) => ({
      ...{ kind, tripId: trips[at]!.id, stateRecordId: recordIds[at]!.id, answers: ['state-is-right'] },
      history: expect.arrayContaining([
        expect.objectContaining({ what: 'reported', words: expect.stringContaining(': delivery, accepted') }),
        expect.objectContaining({ words: expect.stringContaining(': trip, accepted') }),
      ]),
    });
    const found = await differences();
    expect(found.filter(({ label }) => label === null)).toMatchObject([
      ofTrip(2, 'trip-voided-at-state'),
      ofTrip(1, 'trip-changed-at-state'),
    ]);
    // The goods of the voided one are in their packages at the state again: that is why these differ.
    expect(new Set(found.filter(({ label }) => label !== null).map(({ kind }) => kind))).toEqual(
      new Set(['receipt-differs']),
    );
    const answered = await shop.owner.call('POST', '/staff/v1/state-differences/answers', {
      ...{ stateConnectionId: shop.connectionId, kind: 'trip-voided-at-state', note: 'It was a test drive' },
      ...{ subject: String(recordIds[2]!.id), theirs: found[0]!.theirs, answer: 'state-is-right' },
    });
    expect(answered.error).toBeUndefined();
    expect((await differences()).map(({ kind }) => kind)).not.toContain('trip-voided-at-state');
  },
);

test('a vehicle that is on its way when the stand-in of a state restarts ends its trip there, and nothing differs', async () => {
  const shop = await open();
  const played = [await PlayedState.start(service.context), await PlayedState.start(service.context)];
  const passOn = async (standIn: PlayedState) => {
    standIn.playsFor(shop.shop.organizationId);
    const clients = new StateClients({
      ...{ context: service.context, tokens: null, standIn },
      access: { vendorKey: undefined, url: undefined },
    });
    const reporter = new StateReporter({
      ...{ context: service.context, clients, horizonDays: 1, withWork: async () => [] },
      ...{ tripPeople: tripPeople(service.context), logger: { error: () => {} } },
    });
    for (let turn = 0; turn < 3; turn += 1) {
      service.clock.advance(6 * minuteMs);
      await reporter.pass(shop.shop.organizationId);
    }
    clients.close();
  };
  const orders = [
    await shop.delivery([['roll', 2]]),
    await shop.delivery([['gram', 1]]),
    await shop.delivery([['roll', 1]]),
  ];
  const trip = await shop.load(await shop.crew('8ABC123'), orders);
  await passOn(played[0]!);
  expect((await trip.on('depart')).error).toBeUndefined();
  expect((await trip.at(0, 'deliver')).error).toBeUndefined();
  await trip.restock([await shop.delivery([['gram', 2]])]);
  await passOn(played[0]!);
  expect((await trip.on('depart')).error).toBeUndefined();
  expect((await trip.at(1, 'deliver')).error).toBeUndefined();
  await passOn(played[1]!);
  expect((await trip.at(2, 'refuse', { reason: 'Changed their mind' })).error).toBeUndefined();
  expect((await trip.at(3, 'deliver')).error).toBeUndefined();
  expect((await trip.on('return')).error).toBeUndefined();
  await passOn(played[1]!);
  await trip.close();
  service.clock.advance(24 * 60 * minuteMs);
  await passOn(played[1]!);
  expect(await kindsOf(shop)).toEqual(
    ['trip', 'departure', 'delivery', 'restock', 'delivery', 'delivery', 'trip-end'].map(
      (kind) => `${kind} accepted`,
    ),
  );
  expect(await listDifferences(service.context, shop.shop.organizationId)).toEqual([]);
  for (const state of played) await state.close();
});
