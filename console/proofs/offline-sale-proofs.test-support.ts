import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { offlineSaleBody } from '../../test/contract/offline-preparations.ts';
import { CutConnection } from './cut-connection.test-support.ts';
import { KilledBrowser } from './killed-browser.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan } from './scan.test-support.ts';

/** The last thing that a browser keeps for an outage is who is signed in. */
export const isReady = `(async () => {
  const cache = await caches.open('console-files');
  return (await cache.match('/staff/v1/me')) !== undefined;
})()`;

/** The notice of so many offline sales that wait on this device. */
export const waitingOf = (page: Page, count: number) =>
  page.getByRole('status').filter({ hasText: `Offline, ${count} waiting` });

/** Sales of a register while its browser cannot reach the service (D75). */
export function offlineSaleProofs(shop: () => ProofShop): void {
  test('a sale without the service survives a killed browser, and is sent once to the cent with its time', async () => {
    const { service, owner, demo, baseUrl } = shop();
    const setLimits = (isOn: boolean) =>
      owner.call('PUT', '/staff/v1/offline-sale-settings', {
        shop: { isOn, hoursMax: 4, saleMax: 100_000, outageMax: 500_000 },
        locations: [],
      });
    const { data: locations } = await owner.call('GET', '/staff/v1/inventory-locations');
    const name = `Side counter ${randomInt(1000)}`;
    const place = { name, inventoryLocationId: locations[0].id };
    const { data: register } = await owner.call('POST', '/staff/v1/registers', place);
    expect((await setLimits(true)).status).toBe(200);
    const staff = await service.staff({ organizationId: organizationId(demo.id) }, 'budtender');
    const opened = await staff.call('POST', `/staff/v1/registers/${register.id}/drawer-sessions`, {
      float: 10_000,
    });
    expect(opened.status).toBe(201);
    const way = await CutConnection.before(baseUrl);
    const address = `${way.baseUrl}/console/point-of-sale`;
    const killed = new KilledBrowser();
    try {
      const page = await killed.open(address, staff.token);
      await page.getByRole('button', { name: 'No register' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('button', { name, exact: true }).waitFor();
      await expect.poll(() => page.evaluate(isReady), { timeout: 30_000 }).toBe(true);

      await way.cut();
      await waitingOf(page, 0).waitFor();
      const products = page.getByRole('list', { name: 'Products' }).getByRole('button');
      const search = page.getByRole('searchbox', { name: 'Search the kept catalog' });
      await search.fill('enamel');
      await products.first().click();
      await search.fill('');
      await products.first().click();
      const cart = page.getByRole('region', { name: 'Cart' });
      const total = await cart.locator('[data-total]').textContent();
      const soldCart = await page.evaluate<string>(
        `localStorage.getItem('offline-cart-${demo.id}-${staff.staffId}')`,
      );
      const soldFrom = Date.now();
      await cart.getByRole('textbox', { name: 'Cash given' }).fill('900');
      await cart.getByRole('button', { name: 'Take payment and hand over' }).click();
      const receipt = page.getByRole('dialog', { name: /is sold$/ });
      await receipt.getByText(total!, { exact: true }).first().waitFor();
      await receipt.getByRole('img', { name: /^Barcode of offline sale R/ }).waitFor();
      const soldUntil = Date.now();
      await waitingOf(page, 1).waitFor();
      const saved = `offline-cart-${demo.id}-${staff.staffId}`;
      // What a browser that is killed can bring back: its storage is seconds behind.
      await page.evaluate(`localStorage.setItem('${saved}', ${JSON.stringify(soldCart)})`);
      await killed.kill();

      const reopened = await killed.open(address, staff.token);
      await waitingOf(reopened, 1).waitFor();
      await way.mend();
      await waitingOf(reopened, 1).waitFor({ state: 'detached' });
      await reopened.getByRole('button', { name, exact: true }).waitFor();

      const { data: sales } = await owner.call('GET', `/staff/v1/offline-sales?registerId=${register.id}`);
      expect(sales).toHaveLength(1);
      expect(sales[0].doubts).toEqual([]);
      const { data: order } = await owner.call('GET', `/staff/v1/orders/${sales[0].orderId}`);
      expect(order.lineItems).toHaveLength(2);
      expect(`$${(order.customerGrandTotal / 100).toFixed(2)}`).toBe(total);
      const soldAt = Date.parse(order.createdAt);
      expect(soldAt >= soldFrom && soldAt <= soldUntil).toBe(true);

      // The barcode of its receipt finds the order.
      await scan(reopened, sales[0].number);
      await reopened.waitForURL(`**/orders/${order.id}`);
    } finally {
      await killed.kill();
      await way.cut();
      // Other proofs have counters that only sell with the service.
      await setLimits(false);
    }
  });
  test('the owner sets the limits of offline sales, and settles a flagged one with a note', async () => {
    const { service, owner, demo } = shop();
    const seller = await service.staff({ organizationId: organizationId(demo.id) }, 'owner');
    const settings = async () => (await owner.call('GET', '/staff/v1/offline-sale-settings')).data;
    const { data: locations } = await owner.call('GET', '/staff/v1/inventory-locations');
    const place = { name: `Back counter ${randomInt(1000)}`, inventoryLocationId: locations[0].id };
    const { data: register } = await owner.call('POST', '/staff/v1/registers', place);
    try {
      const body = await offlineSaleBody(service, seller, register.id);
      const { data: sale } = await seller.call(
        'POST',
        `/staff/v1/registers/${register.id}/offline-sales`,
        body,
      );
      expect(sale.needsReview).toBe(true);
      const opened = await shop().open('owner');
      const page = await opened.goto('/settings/offline-sales');
      const limits = page.getByRole('region', { name: 'All registers' });
      await limits.getByRole('checkbox', { name: 'Sell while the service cannot be reached' }).uncheck();
      await limits.getByRole('textbox', { name: 'For one sale, up to' }).fill('123.45');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The limits of offline sales are saved.').waitFor();
      expect((await settings()).shop).toMatchObject({ isOn: false, saleMax: 12_345 });
      expect(await opened.barriers()).toEqual([]);

      await page.getByRole('button', { name: `Settle ${sale.number}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'What was done' }).fill('The clock is set');
      await dialog.getByRole('button', { name: 'Settle' }).click();
      await page.getByText('No sale waits for a review.').waitFor();
      const { data } = await owner.call('GET', `/staff/v1/offline-sales?registerId=${register.id}`);
      expect(data).toMatchObject([{ needsReview: false, note: 'The clock is set' }]);
    } finally {
      const { shop: limits } = await settings();
      const off = { shop: { ...limits, isOn: false }, locations: [] };
      await owner.call('PUT', '/staff/v1/offline-sale-settings', off);
    }
  });
}
