import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/kernel/clock.ts';
import { openDeliveringShop } from '../../src/shop/deliveries/delivering-shop.test-support.ts';
import { startOwnTestService } from '../../test/harness/test-service.ts';
import { placeTrade } from '../../test/harness/test-trade.ts';
import { brokenRules } from '../../test/simulation/trading-invariants.ts';
import { builtConsole } from '../built-console.test-support.ts';
import { CutConnection } from './cut-connection.test-support.ts';
import { KilledBrowser } from './killed-browser.test-support.ts';
import { isReady } from './offline-sale-proofs.test-support.ts';
import { findBrowser } from './proof-browser.ts';
import { scanLicense } from './scan.test-support.ts';

const minuteMs = 60_000;
const phone = { width: 390, height: 844 };
const born = '1988-02-29';
const buyers = ['Ada', 'Bea', 'Cleo', 'Dora', 'Edna', 'Fay'] as const;

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
    const { shop, owner, ask } = reporting;
    await reporting.pass();
    await ask('PUT', 'duties', { saleHours: null, overrides: [], idCheck: true });
    const cash = shop.paymentTypeId('Cash');

    const order = async (firstName: string): Promise<string> => {
      const customer = {
        firstName,
        lastName: 'Okafor',
        email: `${firstName}@customers.example.com`,
        ...{ birthday: born, phone: '+15105550123' },
      };
      const { data, error } = await placeTrade(service, shop, [['roll', 2]], {
        ...{ type: 'delivery', customer, payments: [{ paymentTypeId: cash, remaining: true }] },
      });
      expect(error).toBeUndefined();
      if (data.status === 'draft') await ask('POST', `orders/${data.id}/accept`, {});
      await ask('POST', `orders/${data.id}/pack`, {});
      return data.id;
    };
    const { baseUrl } = await service.listen();
    const way = await CutConnection.before(baseUrl);
    const address = `${way.baseUrl}/console/my-trip`;

    const sendOut = async (name: string, names: readonly string[]) => {
      const staff = await service.staff(shop, 'budtender');
      const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', { name, type: 'vehicle' });
      const { id: registerId } = await ask('POST', 'registers', { name, inventoryLocationId });
      const driver = await ask('POST', 'drivers', {
        staffId: staff.staffId,
        registerId,
        sharesPosition: name === 'Blue van',
      });
      await owner.call('PUT', `/staff/v1/drivers/${driver.id}/license-number`, { licenseNumber: 'D1234417' });
      const licensePlate = name === 'Blue van' ? '8ABC123' : '8ABC124';
      const van = { name, licensePlate, make: 'Ford', model: 'Transit', inventoryLocationId };
      const vehicle = await ask('POST', 'vehicles', van);
      const trip = await ask('POST', 'trips', { driverId: driver.id, vehicleId: vehicle.id });
      const orderIds: string[] = [];
      for (const firstName of names) orderIds.push(await order(firstName));
      await ask('PUT', `trips/${trip.id}/stops`, { orderIds });
      await ask('POST', `trips/${trip.id}/load`, { float: 10_000 });
      // The vehicle leaves once the state has its ledger.
      await reporting.pass();
      const browser = new KilledBrowser();
      const page = await browser.open(address, staff.token);
      await page.setViewportSize(phone);
      await page.getByRole('button', { name: 'Depart' }).click();
      await page.getByRole('button', { name: `Hand over to ${names[0]}` }).waitFor();
      await waiting(page, 1).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(isReady), { timeout: 30_000 }).toBe(true);
      return { tripId: trip.id as number, orderIds, token: staff.token, browser, page };
    };
    const handOver = (page: Page, name: string) =>
      page.getByRole('button', { name: `Hand over to ${name}` }).click();
    const form = (page: Page) => page.getByRole('region', { name: 'Hand over' });
    const drivers: Awaited<ReturnType<typeof sendOut>>[] = [];
    try {
      const left = await sendOut('Blue van', buyers.slice(0, 3));
      drivers.push(left);
      const right = await sendOut('Red van', buyers.slice(3));
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
      await handOver(left.page, 'Ada');
      await scanLicense(left.page, card('Ada'));
      await form(left.page)
        .getByText(/^Ada Okafor, age/i)
        .waitFor();
      await form(left.page).getByRole('textbox', { name: 'Cash received' }).fill('100');
      await form(left.page).getByRole('textbox', { name: 'Tip in cash' }).fill('3');
      await form(left.page).getByText('$66.02').waitFor();
      await sign(left.page);
      expect(await left.page.evaluate(thumbFaults)).toEqual([]);
      await form(left.page).getByRole('button', { name: 'Hand over' }).click();
      await waiting(left.page, 2).waitFor();

      // Another person, too young: nothing is handed over, and the driver says why.
      await handOver(left.page, 'Bea');
      await scanLicense(left.page, card('Bea', 2016));
      await form(left.page).getByText('Underage: hand nothing over.').waitFor();
      expect(await form(left.page).getByRole('button', { name: 'Hand over' }).isDisabled()).toBe(true);
      await form(left.page).getByRole('button', { name: 'Back' }).click();
      await left.page.getByRole('button', { name: 'Refuse the delivery of Bea Okafor' }).click();
      await left.page.getByRole('button', { name: 'Underage' }).click();
      await left.page.getByRole('button', { name: 'Refuse the delivery', exact: true }).click();
      await waiting(left.page, 3).waitFor();

      // A part, with a typed ID.
      await handOver(right.page, 'Dora');
      await form(right.page).getByRole('button', { name: 'Type what the ID says' }).click();
      await form(right.page).getByRole('textbox', { name: 'First name on the ID' }).fill('Dora');
      await form(right.page).getByRole('textbox', { name: 'Last name on the ID' }).fill('Okafor');
      await form(right.page).getByLabel('Birthday').fill(born);
      await form(right.page).getByLabel('Valid until').fill('2099-11-23');
      await form(right.page).getByRole('button', { name: 'Only a part is taken' }).click();
      await form(right.page)
        .getByRole('button', { name: /^One less/ })
        .click();
      // One of two pre-rolls, and the whole fee.
      await form(right.page).getByText('$17.99').waitFor();
      await form(right.page).getByRole('button', { name: 'Hand over a part' }).click();
      await waiting(right.page, 1).waitFor();

      await right.browser.kill();
      right.page = await right.browser.open(address, right.token);
      await right.page.setViewportSize(phone);
      await waiting(right.page, 1).waitFor();
      await handOver(right.page, 'Edna');
      await scanLicense(right.page, card('Edna'));
      await form(right.page)
        .getByText(/^Edna Okafor, age/i)
        .waitFor();
      await form(right.page).getByRole('button', { name: 'Hand over' }).click();
      await waiting(right.page, 2).waitFor();
      await right.page.getByRole('button', { name: 'Not home: Fay Okafor' }).click();
      await waiting(right.page, 3).waitFor();

      // The phones have the time of the acts; the service is an hour further.
      const backMs = Date.now();
      clock.set(backMs + 60 * minuteMs);
      await way.mend();
      for (const { page } of drivers) await waiting(page, 3).waitFor({ state: 'detached' });
      // What the service did not take is a task, and says why.
      const refused = right.page.getByRole('alert').filter({ hasText: 'did not take everything' });
      await refused.getByText(/Hand over, stop 2, .*canceled/).waitFor();

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
        { status: 'notHome', orderStatus: 'packed' },
      ]);
      expect(byRight).toMatchObject([
        { status: 'partly', idCheckHow: 'eye', hasSignature: false },
        { orderStatus: 'canceled' },
        { status: 'notHome' },
      ]);
      expect(trips[1].unsentActs).toMatchObject([{ kind: 'deliver', settledAt: null }]);
      const moments = [
        byLeft[0].arrivedAt,
        ...[...byLeft.slice(0, 2), byRight[0]].map((it) => it.completedAt),
      ];
      for (const moment of moments) expect(Date.parse(moment)).toBeLessThan(backMs);

      // Each drawer has its float, its sales and its tips; the goods that came back are the ones that were not handed over.
      for (const trip of trips) {
        const goods = trip.goods.map((item: Record<string, unknown>) => ({
          ...{ productId: item.productId, productOptionId: item.productOptionId, packageId: item.packageId },
          ...{ amount: item.amount, to: 'stock' },
        }));
        const closed = await ask('POST', `trips/${trip.id}/close`, {
          ...{ toInventoryLocationId: shop.locationId('Storefront'), goods },
          counts: [{ paymentTypeId: null, counted: 10_000 + trip.totals.sales + trip.totals.tips }],
        });
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
      expect(sold).toEqual([
        { state: 'Completed', units: [2] },
        { state: 'Completed', units: [1] },
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
  240_000,
);
