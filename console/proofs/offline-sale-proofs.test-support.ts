import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { offlineSaleBody } from '../../test/contract/offline-preparations.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

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
