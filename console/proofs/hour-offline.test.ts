import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { loadShop } from '../../seed/load-shop.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { adjustStock } from '../../src/shop/inventory/stock.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../test/harness/test-service.ts';
import { testOrigin } from '../../test/harness/test-shop.ts';
import { builtConsole } from '../built-console.test-support.ts';
import { CutConnection } from './cut-connection.test-support.ts';
import { KilledBrowser } from './killed-browser.test-support.ts';
import { isReady, waitingOf } from './offline-sale-proofs.test-support.ts';
import { findBrowser } from './proof-browser.ts';
import { desktop, phone, tablet } from './proof-page.test-support.ts';
import { smallTargets } from './small-targets.test-support.ts';

const minuteMs = 60_000;
const scarce = 'Enamel Pin';

const searchOf = (page: Page) => page.getByRole('combobox', { name: 'Search by name, or scan a UPC' });
const cartOf = (page: Page) => page.getByRole('region', { name: 'Cart' });

interface Goods {
  readonly name: string;
  /** An ID is seen before it is handed over. */
  readonly isCannabis?: boolean;
  /** Sold loose. */
  readonly grams?: string;
}

/** Sells one of some goods, offline. Resolves to the total that was shown. */
async function sell(
  page: Page,
  { name, isCannabis = false, grams }: Goods,
  waitingAfter: number,
): Promise<string> {
  await searchOf(page).fill(name);
  await page.getByRole('option').filter({ hasText: name }).first().click();
  if (grams !== undefined) {
    const weigh = page.getByRole('dialog', { name: /^Weigh / });
    await weigh.getByLabel('Grams').fill(grams);
    await weigh.getByRole('button', { name: `Add ${grams} g` }).click();
    await cartOf(page)
      .getByRole('button', { name: `${grams} g`, exact: true })
      .waitFor();
  }
  const pay = cartOf(page).getByRole('button', { name: /^Pay \$/ });
  const total = (await pay.textContent())!.replace('Pay ', '');
  await pay.click();
  const payment = page.getByRole('dialog', { name: 'Take payment' });
  const handOver = payment.getByRole('button', { name: 'Take payment and hand over' });
  if (isCannabis) {
    await expect.poll(() => handOver.isDisabled()).toBe(true);
    await payment.getByRole('checkbox', { name: /^I checked the ID/ }).check();
    await expect.poll(() => smallTargets(page)).toEqual([]);
  }
  await handOver.click();
  const receipt = page.getByRole('dialog', { name: /is sold$/ });
  await receipt.getByText(/^License C/).waitFor();
  if (grams !== undefined) await receipt.getByText(`${grams} g ${name}`).waitFor();
  await page.getByRole('button', { name: 'Next sale' }).click();
  await waitingOf(page, waitingAfter).waitFor();
  return total;
}

test.runIf(findBrowser().path !== undefined)(
  'after an hour without the service, every sale of two registers is there once, to the cent, at its time, and the last item that both sold is flagged',
  async () => {
    const startMs = Math.floor(Date.now() / 1000) * 1000;
    const clock = new ManualClock(startMs);
    const service = await startOwnTestService({
      ...{ clock, consoleFolder: await builtConsole(), signInHostsAllowed: ['127.0.0.1'] },
    });
    const { context } = service;
    const files = { photos: service.photoBlobs, documents: service.documentFiles };
    const size = { customers: 20, days: 5, orders: 20 };
    const demo = await loadShop(context, 'production', files, californiaShop, size);
    const organization = organizationId(demo.id);
    const shop = { organizationId: organization };
    const owner = await service.staff(shop);
    const limits = { isOn: true, hoursMax: 4, saleMax: 100_000, outageMax: 500_000 };
    await owner.call('PUT', '/staff/v1/offline-sale-settings', { shop: limits, locations: [] });
    const { data: locations } = await owner.call('GET', '/staff/v1/inventory-locations');
    const inventoryLocationId = Number(locations[0].id);
    // One is left of the scarce product, where both registers sell.
    const balances = await tenantSql(
      context.database,
      organization,
      `select b.product_id, b.product_option_id, b.on_hand from stock_balances b
         join products p on p.organization_id = b.organization_id and p.id = b.product_id
        where p.name = '${scarce}' and b.inventory_location_id = ${inventoryLocationId}`,
    );
    expect(balances).toHaveLength(1);
    const { product_id: productId, product_option_id: productOptionId, on_hand: onHand } = balances[0]!;
    const surplus = 1 - Number(onHand);
    if (surplus !== 0)
      await adjustStock(context, testOrigin, organization, {
        ...{ productId: Number(productId), productOptionId: Number(productOptionId), packageId: null },
        ...{ inventoryLocationId, delta: String(surplus), reason: 'Counted' },
        idempotencyKey: crypto.randomUUID(),
      });

    // Flower that is weighed out, and a shop that sees IDs.
    const [jar] = await tenantSql(
      context.database,
      organization,
      `select id, name from products where unit = 'gram' and inventory_type = 'product' and is_active
          and deleted_at is null order by id limit 1`,
    );
    await owner.call('PATCH', `/staff/v1/products/${jar!.id}`, { weightTolerance: '0.05' });
    const { data: duties } = await owner.call('GET', '/staff/v1/duties');
    const asked = { saleHours: duties.saleHours, overrides: duties.overrides, idCheck: true };
    expect((await owner.call('PUT', '/staff/v1/duties', asked)).error).toBeUndefined();
    const flower = { name: String(jar!.name), isCannabis: true, grams: '1.25' };
    const gummies = { name: 'gummies', isCannabis: true };
    const { baseUrl } = await service.listen();
    const way = await CutConnection.before(baseUrl);
    const address = `${way.baseUrl}/console/point-of-sale`;
    const openCounter = async (name: string) => {
      const { data: register } = await owner.call('POST', '/staff/v1/registers', {
        name,
        inventoryLocationId,
      });
      const staff = await service.staff(shop, 'budtender');
      await staff.call('POST', `/staff/v1/registers/${register.id}/drawer-sessions`, { float: 10_000 });
      const browser = new KilledBrowser();
      const page = await browser.open(address, staff.token);
      await page.getByRole('button', { name: 'Choose register' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('button', { name, exact: true }).waitFor();
      await expect.poll(() => page.evaluate(isReady), { timeout: 60_000 }).toBe(true);
      return { id: register.id as number, token: staff.token, browser, page };
    };
    const [left, right] = [await openCounter('Left counter'), await openCounter('Right counter')];
    const sold: { readonly register: number; readonly soldAt: string; readonly total: string }[] = [];
    const sellAt = async (counter: typeof left, minute: number, goods: Goods, waitingAfter: number) => {
      const soldAtMs = startMs + minute * minuteMs;
      await counter.page.clock.setFixedTime(soldAtMs);
      const total = await sell(counter.page, goods, waitingAfter);
      sold.push({ register: counter.id, soldAt: new Date(soldAtMs).toISOString(), total });
    };
    try {
      await way.cut();
      for (const { page } of [left, right]) await waitingOf(page, 0).waitFor();
      await sellAt(left, 3, flower, 1);
      await sellAt(right, 8, { name: scarce }, 1);
      await sellAt(left, 21, { name: scarce }, 2);
      await sellAt(right, 30, { name: 'grinder' }, 2);
      // The choice of the register may not be on the disk yet when a browser is killed.
      await right.page.evaluate(`localStorage.removeItem('register-of-${demo.id}')`);
      await right.browser.kill();
      right.page = await right.browser.open(address, right.token);
      await waitingOf(right.page, 2).waitFor();
      await sellAt(right, 44, gummies, 3);
      await sellAt(left, 59, { name: 'grinder' }, 3);

      // A cart that is begun when the service answers again: Enter adds, as a scan does, and a reload keeps it.
      const items = left.page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
      await searchOf(left.page).fill('grinder');
      await left.page.getByRole('option').filter({ hasText: 'grinder' }).first().waitFor();
      await searchOf(left.page).press('Enter');
      await items.waitFor();
      for (const size of [phone, tablet, desktop]) {
        await left.page.setViewportSize(size);
        await expect.poll(() => smallTargets(left.page)).toEqual([]);
      }
      await left.page.reload();
      await waitingOf(left.page, 3).waitFor();
      await items.waitFor();

      clock.set(startMs + 61 * minuteMs);
      for (const { page } of [left, right]) await page.clock.setFixedTime(clock.now());
      await way.mend();
      for (const { page } of [left, right]) await waitingOf(page, 3).waitFor({ state: 'detached' });
      for (const { id } of [left, right]) {
        const read = () => owner.call('GET', `/staff/v1/offline-sales?registerId=${id}`);
        await expect.poll(async () => (await read()).data.length, { timeout: 30_000 }).toBe(3);
      }

      // It goes on at the usual counter, and is there after a reload.
      await items.waitFor();
      await left.page.reload();
      await items.waitFor();

      const { data: sales } = await owner.call('GET', '/staff/v1/offline-sales');
      const shown = sales.map((sale: { registerId: number; soldAt: string; total: number }) => ({
        ...{ register: sale.registerId, soldAt: sale.soldAt, total: `$${(sale.total / 100).toFixed(2)}` },
      }));
      const byTime = (one: { soldAt: string }, other: { soldAt: string }) =>
        one.soldAt.localeCompare(other.soldAt);
      expect(shown.toSorted(byTime)).toEqual(sold.toSorted(byTime));
      for (const sale of sales) {
        const { data: order } = await owner.call('GET', `/staff/v1/orders/${sale.orderId}`);
        expect([order.status, order.createdAt, order.customerGrandTotal]).toEqual([
          ...['fulfilled', sale.soldAt, sale.total],
        ]);
      }
      const weighed = sales.find(({ soldAt }: { soldAt: string }) => soldAt === sold[0]!.soldAt);
      const { data: ofJar } = await owner.call('GET', `/staff/v1/orders/${weighed.orderId}`);
      expect(ofJar).toMatchObject({ lineItems: [{ optionAmount: 1.25 }], idCheck: { how: 'eye' } });
      const flagged = sales.filter(({ needsReview }: { needsReview: boolean }) => needsReview);
      expect(flagged).toHaveLength(1);
      expect(flagged[0].doubts).toEqual([
        { reason: 'stock-short', words: expect.stringContaining(`${scarce}: 1 more was sold`) },
      ]);
      expect(service.faults).toEqual([]);
    } finally {
      for (const { browser } of [left, right]) await browser.kill();
      await way.cut();
      await service.close();
    }
  },
  240_000,
);
