import { afterAll, expect, test } from 'vitest';
import { type SeededRandom, seededRandom } from '../../../seed/seeded-random.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import type { TripContent } from '../../engines/state-reports/trip-report.ts';
import type { Fault } from '../../hosting/state-server/fault-plan.ts';
import { sendAgain } from '../traceability/settle-report.ts';
import { type DeliveringShop, openDeliveringShop } from './delivering-shop.test-support.ts';

/*
 * Random trips with faults of the state and deaths of the worker, over HTTP: some are unloaded again, some take on more orders, and a manager lets some leave without the
 * state. Once all is quiet, each trip is at the state once and says what happened on it, and the stock there is that of the shop.
 * TRIP_SCHEDULES=100 runs more of them, SCHEDULE_SEED=text others.
 */

const service = await startTestService();
afterAll(() => service.close());

const count = Number(process.env.TRIP_SCHEDULES ?? 4);
const baseSeed = process.env.SCHEDULE_SEED ?? 'kept';
const minuteMs = 60_000;

const faultKinds: readonly Fault['kind'][] = [
  ...(['commit-then-hang', 'commit-then-500', 'commit-then-close', 'hang', 'close', 'html'] as const),
  ...(['internal-400', 'status'] as const),
];
/** Only what a trip is made by: the state has no way to take back a sale that it wrote twice into a ledger. */
const doubled = ['POST /sales/v2/deliveries', 'POST /sales/v2/deliveries/retailer'];
const paths = ['POST *', 'PUT *', 'DELETE *', 'GET *', '* /sales/v2/deliveries*', '*'];

test.each(['CA', 'OR'])(
  'once quiet, the trips of the state are the trips of the shop, each once: %s',
  { timeout: 600_000 },
  async (state) => {
    service.clock.set(testNowMs);
    const draws = seededRandom(`${baseSeed} ${state}`);
    const shop = await openDeliveringShop(service, { seed: state, state, answerMsMax: 250 });
    // On a busy machine the first question may go unanswered.
    while ((await shop.sql("select from state_connections where flags <> '{}'")).length === 0)
      await shop.pass();
    await shop.sql("update state_connections set return_reason = 'Spoilage'");
    const crew = await shop.crew('8ABC123');
    try {
      for (let run = 0; run < count / 2; run += 1) {
        const log: string[] = [];
        try {
          await drive(shop, crew, draws.fork(`run ${run}`), log);
          await becomeQuiet(shop);
          await expectSameTrips(shop);
        } catch (error) {
          throw new Error(`${state} ${run} of ${baseSeed}: ${log.join('; ')}\n${(error as Error).stack}`);
        }
      }
    } finally {
      await shop.close();
    }
  },
);

async function drive(
  shop: DeliveringShop,
  crew: Awaited<ReturnType<DeliveringShop['crew']>>,
  draws: SeededRandom,
  log: string[],
): Promise<void> {
  /** What may happen between any two acts. */
  const meanwhile = async () => {
    const what = draws.pick(['fault', 'double', 'die', 'pass', 'pass', 'later', 'nothing']);
    log.push(what);
    if (what === 'fault' || what === 'double') {
      const isDouble = what === 'double';
      shop.state.faults.plan({
        kind: isDouble ? 'double-write' : draws.pick(faultKinds),
        at: draws.pick(isDouble ? doubled : paths),
        ...{ after: 0, times: draws.integer(1, 2), status: draws.pick([401, 429, 500, 503]) },
      });
    }
    if (what === 'die') shop.die(draws.integer(1, 6));
    if (what === 'pass') await shop.pass();
    if (what === 'later') service.clock.advance(draws.integer(1, 20) * minuteMs);
  };
  const someOrders = async (countMax: number) => {
    const orders: string[] = [];
    for (let at = 0, size = draws.integer(1, countMax); at < size; at += 1) {
      orders.push(await shop.delivery([[draws.pick(['roll', 'gram']), draws.integer(2, 4)]]));
    }
    return orders;
  };
  const orders = await someOrders(3);
  const trip = await shop.load(crew, orders);
  await meanwhile();
  if (draws.chance(0.3)) {
    log.push('unload');
    await trip.on('unload', { toInventoryLocationId: shop.shop.locationId('Storefront') });
    await meanwhile();
    await trip.on('load');
    await meanwhile();
  }
  await leave(shop, trip, log);
  const restockedAt = draws.chance(0.5) ? draws.integer(1, orders.length) : 0;
  for (let index = 0; index < orders.length; index += 1) {
    await meanwhile();
    if (index + 1 === restockedAt) {
      log.push('restock');
      const more = await someOrders(2);
      await trip.restock(more);
      orders.push(...more);
      await meanwhile();
      await leave(shop, trip, log);
    }
    service.clock.advance(minuteMs);
    const act = draws.pick(['deliver', 'partly', 'refuse', 'home']);
    log.push(act);
    const inPart = { lines: [{ lineItemId: trip.lineAt(index), quantity: 1 }] };
    if (act === 'deliver') await trip.at(index, 'deliver');
    if (act === 'partly') await trip.at(index, 'deliver', inPart);
    if (act === 'refuse') await trip.at(index, 'refuse', { reason: 'Not wanted' });
  }
  await meanwhile();
  expect((await trip.on('return')).error).toBeUndefined();
  await trip.close();
}

/** The vehicle leaves the shop, with the state or without it. */
async function leave(
  shop: DeliveringShop,
  trip: Awaited<ReturnType<DeliveringShop['load']>>,
  log: string[],
): Promise<void> {
  const left = await trip.on('depart');
  log.push(`depart ${left.error?.code ?? ''}`);
  if (left.error === undefined) return;
  expect(left.error.code).toBe('TRIP_NOT_REPORTED');
  const withoutState = { withoutState: 'The state is down' };
  expect((await trip.on('depart', withoutState, shop.owner)).error).toBeUndefined();
}

/** Faults end, time goes by, and people send again what was refused. */
async function becomeQuiet(shop: DeliveringShop): Promise<void> {
  shop.state.faults.clear();
  shop.die(Number.POSITIVE_INFINITY);
  for (let round = 0; round < 20; round += 1) {
    service.clock.advance(31 * minuteMs);
    await shop.pass();
    const open = await shop.sql(
      "select id, state from state_reports where state in ('waiting', 'sending', 'unknown', 'refused') order by occurred_at, id",
    );
    if (open.length === 0) return;
    const refused = open.find(({ state }) => state === 'refused');
    if (refused !== undefined)
      await sendAgain(service.context, testOrigin, shop.shop.organizationId, Number(refused.id));
  }
  throw new Error(`never quiet: ${JSON.stringify(await shop.reports())}`);
}

/** Each trip that was not unloaded is at the state once, with what was handed over on it; nothing else is live there. */
async function expectSameTrips(shop: DeliveringShop): Promise<void> {
  const told = await shop.sql(
    "select kind, payload from state_reports where kind in ('delivery', 'trip-end') and state = 'accepted' order by id",
  );
  const contents = told.map(({ kind, payload }) => ({
    kind,
    ...(JSON.parse(String(payload)) as TripContent),
  }));
  const sold = contents
    .filter(({ kind }) => kind === 'delivery')
    .map(({ lines }) => lines.map(({ label, quantity }) => `${label} ${Number(quantity)}`).toSorted());
  const sort = (sales: string[][]) => sales.map((it) => it.join()).toSorted();
  const shown = (lines: readonly { readonly sent: Record<string, unknown>; readonly quantity: number }[]) =>
    lines
      .filter(({ quantity }) => quantity > 0)
      .map(({ sent, quantity }) => `${String(sent.PackageLabel)} ${quantity}`)
      .toSorted();
  const ledgers = shop.ledgers().filter(({ state }) => state !== 'Voided');
  const deliveries = shop.deliveries().filter(({ state }) => state !== 'Voided');
  const there = [...ledgers.flatMap(({ stops }) => stops), ...deliveries].map(({ lines }) => shown(lines));
  expect(sort(there)).toEqual(sort(sold));
  expect([...ledgers, ...deliveries].map(({ state }) => state)).not.toContain('Departed');
  expect([...ledgers, ...deliveries].map(({ state }) => state)).not.toContain('InProgress');
  expect(ledgers).toHaveLength(contents.filter(({ kind }) => kind === 'trip-end').length);
  expect(shop.live()).toEqual([]);
  await shop.expectSameStock();
}
