import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { barriersOn } from '../../console/proofs/barriers.test-support.ts';
import { findBrowser, launchBrowser } from '../../console/proofs/proof-browser.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { signedHeaders } from '../../src/shop/webhooks/webhook-secrets.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestKeys, createTestShop } from '../../test/harness/test-shop.ts';

/** The client as one script for web pages, which sets the global `sdk`. */
async function bundle(): Promise<string> {
  const entry = join(projectFolder(), 'sdk', 'integrator', 'src', 'commerce-sdk.ts');
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, minify: true },
    ...{ format: 'iife', globalName: 'sdk', platform: 'browser', target: 'es2022' },
  });
  return outputFiles[0]!.text;
}

test('the client for web pages is small, and uses nothing of Node', async () => {
  const script = await bundle();
  expect(script.length).toBeLessThan(20_000);
  expect(script).not.toMatch(/\brequire\(|node:|\bprocess\.|\bBuffer\b/);
});

const { path } = findBrowser();
const service = await startTestService();
const { baseUrl } = await service.listen();
const script = await bundle();
let menuElement = '';
const pages = createServer((request, response) => {
  const isScript = request.url === '/sdk.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  const content = request.url === '/menu' ? menuElement : '<script src="/sdk.js"></script>';
  response.end(
    isScript
      ? script
      : `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${content}</main>`,
  );
}).listen(0, '127.0.0.1');
await once(pages, 'listening');
const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
afterAll(async () => {
  pages.closeAllConnections();
  pages.close();
  await service.close();
});

test.runIf(path !== undefined)(
  'a page of another origin shops in a browser, reads its order and the id of a refusal, and verifies a webhook',
  { timeout: 120_000 },
  async () => {
    const shop = await createTestShop(service.context);
    const settings = { permissions: ['menu', 'create-orders'], origins: [origin] } as const;
    const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
    const forOthers = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
      ...settings,
      origins: ['https://elsewhere.example.com'],
    });
    const otherKey = forOthers.keys.clientKey;
    const secret = Buffer.from('a secret of twenty-four!');
    const body = JSON.stringify({ type: 'order.placed', data: {} });
    const headers = signedHeaders([secret], 'msg_1', Date.now(), body);
    const webhook = { body, headers, secrets: `whsec_${secret.toString('base64')}` };
    const browser = await launchBrowser(path!);
    try {
      const page = await browser.newPage();
      await page.goto(`${origin}/`);
      const seen = await page.evaluate(
        `(async ({ baseUrl, publishableKey, otherKey, webhook }) => {
          const client = sdk.createClient({ baseUrl, publishableKey });
          const { data: menu } = await client.call('getMenu', { query: { type: 'pickup', inStock: true } });
          const option = menu.flatMap(({ options }) => options).find(({ maxQuantity }) => maxQuantity > 1);
          const { order, preview } = await client.orders.place({
            type: 'pickup',
            lineItems: [{ productOptionId: option.id, quantity: 1 }],
            customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
          });
          const params = { orderId: order.id };
          const own = await client.call('getPageOrder', { params, orderToken: order.orderToken });
          const refusal = await client.call('listOrders').catch((error) => error);
          const elsewhere = sdk.createClient({ baseUrl, publishableKey: otherKey });
          const notHere = await elsewhere.call('getMenu', { query: { type: 'pickup' } }).catch((error) => error);
          const { id } = await sdk.verifyWebhook(webhook);
          return {
            isAtPreview: order.customerGrandTotal === preview.customerGrandTotal,
            isOwn: own.data.id === order.id,
            code: refusal instanceof sdk.CommerceError && refusal.code,
            notHere: notHere.code,
            hasRequestId: typeof notHere.requestId === 'string',
            id,
          };
        })(${JSON.stringify({ baseUrl, publishableKey: keys.clientKey, otherKey, webhook })})`,
      );
      expect(seen).toEqual({
        ...{
          isAtPreview: true,
          isOwn: true,
          code: 'INSUFFICIENT_PERMISSIONS',
          notHere: 'ORIGIN_NOT_ALLOWED',
          hasRequestId: true,
          id: 'msg_1',
        },
      });
    } finally {
      await browser.close();
    }
  },
);

test.runIf(path !== undefined)(
  "a shop's menu stands on a page of another origin by two lines, behind the question for the age, and is searched",
  { timeout: 120_000 },
  async () => {
    const shop = await createTestShop(service.context);
    const settings = { permissions: ['menu'], origins: [origin] } as const;
    const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
    menuElement = `<script src="${baseUrl}/embed/menu.js"></script>
      <dispensary-menu key="${keys.clientKey}" product-url="/products/{id}"></dispensary-menu>`;
    const browser = await launchBrowser(path!);
    try {
      const page = await browser.newPage();
      await page.goto(`${origin}/menu`);
      await page.getByText('Are you 21 or older?').waitFor();
      expect(await page.getByRole('link').count()).toBe(0);
      await page.getByRole('button', { name: 'Yes' }).click();
      const product = page.getByRole('link', { name: 'Moonlit Grove' });
      await product.waitFor();
      expect(await product.getAttribute('href')).toBe(`/products/${shop.productId('Moonlit Grove')}`);
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('searchbox', { name: 'Search the menu' }).fill('nothing like it');
      await page.getByText('0 products').waitFor();
      await page.reload();
      await product.waitFor();
    } finally {
      await browser.close();
    }
  },
);
