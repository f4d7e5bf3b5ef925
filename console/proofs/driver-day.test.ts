import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/kernel/clock.ts';
import { openDeliveringShop } from '../../src/shop/deliveries/delivering-shop.test-support.ts';
import { casesOf } from '../../test/harness/long-suite.ts';
import { startOwnTestService } from '../../test/harness/test-service.ts';
import { brokenRules } from '../../test/simulation/trading-invariants.ts';
import { builtConsole } from '../built-console.test-support.ts';
import { CutConnection } from './cut-connection.test-support.ts';
import { KilledBrowser } from './killed-browser.test-support.ts';
import { isReady } from './offline-sale-proofs.test-support.ts';
import { findBrowser } from './proof-browser.ts';
import { tapTwice } from './rough-proofs.test-support.ts';
import { scanLicense } from './scan.test-support.ts';

const minuteMs = 60_000;
const phone = { width: 390, height: 844 };
const born = '1988-02-29';
/** In the long suite the day has forty stops. */
const furtherEach = casesOf({ everyRun: 0, long: 17 });
const floatCents = 10_000;

/** Buyers with names that no other begins with. */
const further = (name: string) =>
  Array.from({ length: furtherEach }, (_, at) => `${name}${String.fromCharCode(97 + at)}`);
/** Each driver has the three stops that are told one by one, and the further ones. */
const buyers = {
  left: ['Ada', 'Bea', ...further('Hal'), 'Cleo'],
  right: ['Dora', 'Edna', ...further('Lou'), 'Fay'],
} as const;

const card = (first: string, year = 1988) => [
  ...['@', 'ANSI 636014080102DL00410288ZA03290015DLDAQY7654321', 'DCSOKAFOR', `DAC${first.toUpperCase()}`],
  ...[`DBB0229${year}`, 'DBA11232099', 'DBC2', 'DAG789 E OAK ST', 'DAIOAKLAND', 'DAJCA', 'DAK946070000'],
];

/** The controls of the page that are too small for a thumb, and whether it scrolls sideways. */
const thumbFaults = `(() => {
  const main = document.querySelector('main');
  const small = [...main.querySelectorAll('button, a[role=button], input:not([type=checkbox])')].filter((it) => {
    const { width, height } = it.getBoundingClientRect();
    return width > 1 && (width < 44 || height < 44);
  });
  return [...small.map((it) => it.ariaLabel ?? it.textContent), ...(main.scrollWidth > main.clientWidth ? ['sideways'] : [])];
})()`;

async function sign(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: 'Signature' });
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox())!;
  await page.mouse.move(x + 20, y + 90);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 40, { steps: 4 });
  await page.mouse.up();
}

const form = (page: Page) => page.getByRole('region', { name: 'Hand over' });

/** Opens the hand-over of a stop, and scans the ID of its buyer. */
async function scanAtDoor(page: Page, name: string, year?: number): Promise<void> {
  await page.getByRole('button', { name: `Hand over to ${name}` }).click();
  await scanLicense(page, card(name, year));
  const seen = year === undefined ? new RegExp(`^${name} Okafor, age`, 'i') : /^Underage: hand nothing over/;
  await form(page).getByText(seen).waitFor();
}

/** Someone too young opens: nothing is handed over, and the driver says why. */
async function refuseUnderage(page: Page, name: string): Promise<void> {
  await scanAtDoor(page, name, 2016);
  expect(await form(page).getByRole('button', { name: 'Hand over' }).isDisabled()).toBe(true);
  await form(page).getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: `Refuse the delivery of ${name} Okafor` }).click();
  await page.getByRole('button', { name: 'Underage' }).click();
  await page.getByRole('button', { name: 'Refuse the delivery', exact: true }).click();
}

/** One of two pre-rolls is taken, with the whole fee. */
async function handOverPart(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Only a part is taken' }).click();
  await form(page)
    .getByRole('button', { name: /^One less/ })
    .click();
  await form(page).getByText('$17.99').waitFor();
  await form(page).getByRole('button', { name: 'Hand over a part' }).click();
}

/** What becomes of the further stops, in turn: the status, and the pre-rolls that are handed over. */
const outcomes = [
  { status: 'delivered', units: 2 },
  { status: 'partly', units: 1 },
  { status: 'refused', units: 0 },
  { status: 'notHome', units: 0 },
] as const;
const furtherOutcomes = Array.from({ length: furtherEach }, (_, at) => outcomes[at % outcomes.length]!);

/** The further stops, each kept on the phone as the next act. */
async function goOn(page: Page, names: readonly string[], keptBefore: number): Promise<void> {
  for (const [at, { status }] of furtherOutcomes.entries()) {
    const name = names[at + 2]!;
    if (status === 'refused') await refuseUnderage(page, name);
    else if (status === 'notHome')
      await page.getByRole('button', { name: `Not home: ${name} Okafor` }).click();
    else {
      await scanAtDoor(page, name);
      if (status === 'partly') await handOverPart(page);
      else await form(page).getByRole('button', { name: 'Hand over' }).click();
    }
    await waiting(page, keptBefore + at + 1).waitFor();
  }
}

const waiting = (page: Page, count: number) =>
  page.getByRole('status').filter({ hasText: `${count} waiting` });

test.runIf(findBrowser().path !== undefined)(
  'two drivers deliver for an hour without a line, one phone is killed: each act is there once, at its time, and stock, drawers and the ledgers of the state are whole',
  async () => {
    const clock = new ManualClock(Date.now());
    const service = await startOwnTestService({
      ...{ clock, consoleFolder: await builtConsole(), signInHostsAllowed: ['127.0.0.1'] },
    });
    const reporting = await openDeliveringShop(service);
    const { shop, ask } = reporting;
    await reporting.pass();
    await ask('PUT', 'duties', { saleHours: null, overrides: [], idCheck: true });
    const order = (firstName: string) =>
      reporting.delivery([['roll', 2]], {
        ...{ firstName, lastName: 'Okafor', email: `${firstName}@customers.example.com` },
        ...{ birthday: born, phone: '+15105550123' },
      });
    const { baseUrl } = await service.listen();
    const way = await CutConnection.before(baseUrl);
    const address = `${way.baseUrl}/console/my-trip`;

    const sendOut = async (name: string, names: readonly string[]) => {
      const isLeft = name === 'Blue van';
      const licensePlate = isLeft ? '8ABC123' : '8ABC124';
      const crew = await reporting.crew(name, { licensePlate, hasDrawer: true, sharesPosition: isLeft });
      const orderIds: string[] = [];
      for (const firstName of names) orderIds.push(await order(firstName));
      const trip = await reporting.load(crew, orderIds, floatCents);
      // The vehicle leaves once the state has its ledger.
      await reporting.pass();
      const browser = new KilledBrowser();
      const page = await browser.open(address, crew.staff.token);
      await page.setViewportSize(phone);
      await page.getByRole('button', { name: 'Depart' }).click();
      await page.getByRole('button', { name: `Hand over to ${names[0]}` }).waitFor();
      await waiting(page, 1).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(isReady), { timeout: 30_000 }).toBe(true);
      return { trip, tripId: trip.id, orderIds, token: crew.staff.token, browser, page };
    };
    const drivers: Awaited<ReturnType<typeof sendOut>>[] = [];
    try {
      const left = await sendOut('Blue van', buyers.left);
      drivers.push(left);
      const right = await sendOut('Red van', buyers.right);
      drivers.push(right);

      // Where the driver is, is known while they say so.
      const positions = async () => (await ask('GET', 'dispatch-board')).positions;
      await left.page.context().grantPermissions(['geolocation']);
      await left.page.context().setGeolocation({ latitude: 37.83, longitude: -122.28 });
      const showing = left.page.getByRole('switch', { name: 'Show where I am' });
      await showing.check();
      await expect
        .poll(positions, { timeout: 30_000 })
        .toMatchObject([{ tripId: left.tripId, latitude: 37.83 }]);
      await showing.uncheck();
      await expect.poll(positions, { timeout: 30_000 }).toEqual([]);
      expect(await right.page.getByRole('switch').count()).toBe(0);

      const linkOf = (name: string) => left.page.getByRole('button', { name }).first().getAttribute('href');
      expect(await linkOf('Navigate')).toContain(encodeURIComponent('418 Alder Street'));
      expect(await linkOf('Call')).toBe('tel:+15105550123');

      await way.cut();
      // The dispatcher cancels an order that a driver without a line does not know of.
      await ask('POST', `orders/${right.orderIds[1]}/cancel`, { reason: 'The customer called' });

      // A scanned ID, cash with change and a tip, a signature.
      await left.page.getByRole('button', { name: 'Arrived at Ada Okafor' }).click();
      await waiting(left.page, 1).waitFor();
      await scanAtDoor(left.page, 'Ada');
      await form(left.page).getByRole('textbox', { name: 'Cash received' }).fill('100');
      const tip = form(left.page).getByRole('textbox', { name: 'Tip in cash' });
      await tip.fill('3,5');
      const done = form(left.page).getByRole('button', { name: 'Hand over' });
      await done.click();
      await form(left.page).getByText('Enter an amount such as 12.50').waitFor();
      await tip.fill('3');
      await form(left.page).getByText('$66.02').waitFor();
      await sign(left.page);
      expect(await left.page.evaluate(thumbFaults)).toEqual([]);
      await done.evaluate(tapTwice);
      await waiting(left.page, 2).waitFor();

      await refuseUnderage(left.page, 'Bea');
      await waiting(left.page, 3).waitFor();
      await goOn(left.page, buyers.left, 3);

      // A part, with a typed ID.
      await right.page.getByRole('button', { name: 'Hand over to Dora' }).click();
      await form(right.page).getByRole('button', { name: 'Type what the ID says' }).click();
      await form(right.page).getByRole('textbox', { name: 'First name on the ID' }).fill('Dora');
      await form(right.page).getByRole('textbox', { name: 'Last name on the ID' }).fill('Okafor');
      await form(right.page).getByLabel('Birthday').fill(born);
      await form(right.page).getByLabel('Valid until').fill('2099-11-23');
      await handOverPart(right.page);
      await waiting(right.page, 1).waitFor();

      await right.browser.kill();
      right.page = await right.browser.open(address, right.token);
      await right.page.setViewportSize(phone);
      await waiting(right.page, 1).waitFor();
      await scanAtDoor(right.page, 'Edna');
      await form(right.page).getByRole('button', { name: 'Hand over' }).click();
      await waiting(right.page, 2).waitFor();
      await goOn(right.page, buyers.right, 2);
      await right.page.getByRole('button', { name: 'Not home: Fay Okafor' }).click();
      await waiting(right.page, furtherEach + 3).waitFor();

      // The phones have the time of the acts; the service is an hour further.
      const backMs = Date.now();
      clock.set(backMs + 60 * minuteMs);
      await way.mend();
      for (const { page } of drivers)
        await page.getByRole('status').filter({ hasText: 'waiting' }).waitFor({ state: 'detached' });
      // What the service did not take is a task, and says why.
      const refused = right.page.getByRole('alert').filter({ hasText: 'did not take everything' });
      await refused.getByText(/Hand over, stop 2, .*canceled/).waitFor();
      await right.page.getByText(/^The order is not open any more\. Hand nothing over/).waitFor();
      expect(await right.page.getByRole('button', { name: 'Hand over to Edna' }).count()).toBe(0);

      await left.page.getByRole('button', { name: 'I am back at the shop' }).click();
      await left.page.getByRole('button', { name: 'I am back', exact: true }).click();
      await right.page.getByRole('button', { name: 'I am back at the shop' }).click();
      await right.page.getByRole('button', { name: 'I am back', exact: true }).click();
      for (const { page } of drivers) await page.getByText('You are back.').waitFor();
      const trips = [];
      for (const { tripId } of drivers) {
        const read = () => ask('GET', `trips/${tripId}`);
        await expect.poll(async () => (await read()).status).toBe('back');
        trips.push(await read());
      }
      const [byLeft, byRight] = trips.map(({ stops }) => stops);
      expect(byLeft).toMatchObject([
        { status: 'delivered', idCheckHow: 'scan', tip: 300, hasSignature: true },
        { status: 'refused', reason: 'Underage', orderStatus: 'canceled' },
        ...furtherOutcomes.map(({ status }) => ({ status })),
        { status: 'notHome', orderStatus: 'packed' },
      ]);
      expect(byRight).toMatchObject([
        { status: 'partly', idCheckHow: 'eye', hasSignature: false },
        { orderStatus: 'canceled' },
        ...furtherOutcomes.map(({ status }) => ({ status })),
        { status: 'notHome' },
      ]);
      expect(trips[1].unsentActs).toMatchObject([{ kind: 'deliver', settledAt: null }]);
      const moments = [
        byLeft[0].arrivedAt,
        ...[...byLeft.slice(0, 2), byRight[0]].map((it) => it.completedAt),
      ];
      for (const moment of moments) expect(Date.parse(moment)).toBeLessThan(backMs);

      // Each drawer has its float, its sales and its tips; the goods that came back are the ones that were not handed over.
      for (const [at, { totals }] of trips.entries()) {
        const closed = await drivers[at]!.trip.close(floatCents + totals.sales + totals.tips);
        const drawer = await ask('GET', `drawer-sessions/${closed.drawer.drawerSessionId}`);
        expect(drawer.payments).toMatchObject([{ name: 'Cash', overShort: 0 }]);
      }
      expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
      // The state has a ledger of each vehicle with what was sold from it, and of each package what the shop has.
      for (let turn = 0; turn < 4; turn += 1) {
        clock.advance(2 * minuteMs);
        await reporting.pass();
      }
      const sold = reporting.ledgers().map(({ state, stops }) => ({
        state,
        units: stops.map(({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0)),
      }));
      const furtherUnits = furtherOutcomes.flatMap(({ units }) => (units === 0 ? [] : [units]));
      expect(sold).toEqual([
        { state: 'Completed', units: [2, ...furtherUnits] },
        { state: 'Completed', units: [1, ...furtherUnits] },
      ]);
      await reporting.expectSameStock();
      expect(service.faults).toEqual([]);
    } finally {
      for (const { browser } of drivers) await browser.kill();
      await way.cut();
      await reporting.close();
      await service.close();
    }
  },
  furtherEach === 0 ? 240_000 : 900_000,
);
