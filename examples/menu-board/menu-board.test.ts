import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { barriersOn } from '../../console/proofs/barriers.test-support.ts';
import { findBrowser, launchBrowser } from '../../console/proofs/proof-browser.ts';
import { startOwnTestService } from '../../test/harness/test-service.ts';
import { createTestKeys, createTestShop } from '../../test/harness/test-shop.ts';
import { serveMenuBoard } from './menu-board.mjs';

const { path: browserPath } = findBrowser();

test.runIf(browserPath !== undefined)(
  'the board turns through the categories, shows a new price, and keeps what it has when the service is away',
  { timeout: 180_000 },
  async () => {
    const service = await startOwnTestService();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await launchBrowser(browserPath!);
    try {
      const shop = await createTestShop(service.context, { name: 'Juniper Quay' });
      const owner = await service.staff(shop);
      const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
        permissions: ['menu'],
        origins: [address],
      });
      const urls = await service.listen();
      server.on('request', serveMenuBoard({ ...urls, publishableKey: keys.clientKey }));

      const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
      page.setDefaultTimeout(60_000);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error.stack)));
      await page.route('**/photos/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
      );
      await page.clock.install();
      await page.goto(address);
      await page.getByRole('heading', { name: 'Moonlit Grove' }).waitFor();
      // The name of the shop comes from a read of its own.
      await page.locator('footer').getByText('Juniper Quay').waitFor();
      // A sold-out size is not shown.
      expect(await page.getByText('$200').count()).toBe(0);
      expect(await barriersOn(page)).toEqual([]);
      await page.clock.runFor(12_000);
      await page.getByRole('heading', { name: 'Citrus Gummies' }).waitFor();

      const path = `/staff/v1/products/${shop.productId('Citrus Gummies')}/options`;
      const options = [{ id: shop.optionId('gummies'), price: 1750 }];
      expect((await owner.call('PUT', path, { options })).error).toBeUndefined();
      await page.clock.runFor(30_000);
      // Turned on meanwhile: until the gummies are there again.
      await expect
        .poll(async () => {
          await page.clock.runFor(12_000);
          return page.locator('main').textContent();
        })
        .toContain('$17.50');

      await page.route('**/api/v1/**', (route) => route.abort());
      await page.clock.runFor(30_000);
      await page.getByText("Ask us for today's prices.").waitFor();
      expect(await page.locator('#products li').count()).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
      expect(service.faults).toEqual([]);
    } finally {
      await browser.close();
      server.close();
      await service.close();
    }
  },
);
