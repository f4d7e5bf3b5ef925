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
    const browser = await launchBrowser(browserPath!, 'never');
    try {
      const shop = await createTestShop(service.context, { name: 'Juniper Quay' });
      const owner = await service.staff(shop);
      const { data: long, error } = await owner.call('POST', '/staff/v1/products', {
        name: 'Sunset Boulevard Reserve Collection Live Resin Infused Triple Chocolate Chunk Brownie',
        ...{
          description: '',
          unit: 'item',
          strainType: 'hybrid',
          category: 'Flower',
          subCategories: [],
          photos: [],
        },
        brandName: 'Mount Tamalpais Sungrown Cultivation Collective',
        options: [1, 3.5, 7, 14, 28].map((amount) => ({
          ...{ amount, price: amount * 1300, name: `${amount} grams, in a child-resistant pouch` },
          content: String(amount),
        })),
      });
      expect(error).toBeUndefined();
      await owner.call('PATCH', `/staff/v1/products/${long.id}`, { isActive: true });
      await owner.call('PUT', `/staff/v1/products/${long.id}`, { inventoryType: 'none' });
      // The long product's options cost $13, $45.50, $91, $182 and $364: two of them reach the order that this needs.
      const deal = await owner.call('POST', '/staff/v1/discounts', {
        ...{ name: 'Three off', kind: 'product', type: 'flat', amount: '300', trigger: 'automatic' },
        ...{
          targets: { productIds: [long.id] },
          conditions: { minimumSubtotal: 9000, countsWholeCart: true },
        },
      });
      expect(deal.error).toBeUndefined();
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
      // A price that needs an order stands beside the price, with what it needs.
      const prices = page.locator('#products li', { hasText: 'Sunset Boulevard' }).locator('.prices p');
      expect(await prices.locator('b').allTextContents()).toEqual(['$13', '$45.50', '$91', '$182']);
      expect(await prices.locator('small').allTextContents()).toEqual(['$88 from $90', '$179 from $90']);
      // A sold-out size is not shown.
      expect(await page.getByText('$200').count()).toBe(0);
      expect(await barriersOn(page)).toEqual([]);
      // On a television, on its side, on a tablet: nothing stands beyond an edge.
      for (const [width, height] of [
        [1080, 1920],
        [720, 1280],
        [768, 1024],
        [2160, 3840],
        [1280, 720],
        [3840, 2160],
        [1920, 1080],
      ] as const) {
        await page.setViewportSize({ width, height });
        const beyond = await page.evaluate<string[]>(`
          [...document.querySelectorAll('h1, h2, p, b, footer span, li')]
            .filter((it) => {
              const { left, right, top, bottom } = it.getBoundingClientRect();
              return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
            })
            .map((it) => it.textContent)`);
        expect(beyond, `${width} x ${height}`).toEqual([]);
      }
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
