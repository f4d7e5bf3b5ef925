import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriersOn } from '../../console/proofs/barriers.test-support.ts';
import { findBrowser, launchBrowser } from '../../console/proofs/proof-browser.ts';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import { mailedCode } from '../../test/harness/test-mails.ts';
import { addCredit, addDiscount } from '../../test/harness/test-promotions.ts';
import { startOwnTestService, type TestService } from '../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody, type TestShop } from '../../test/harness/test-shop.ts';
import type { TestStaff } from '../../test/harness/test-staff.ts';
import { pageFaults } from './page-faults.test-support.ts';
import { serveStorefront } from './storefront.mjs';

/* The shop in a browser, as its customers see it: from the menu to the order that was picked up. */

const { path: browserPath } = findBrowser();
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 860 };
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="#cdd1a8"/></svg>';

/** Script of the first load, in bytes before compression. The promise to visitors is 150 KB; the starter keeps far below. */
const scriptBytesMax = 60_000;

describe.runIf(browserPath !== undefined)('the storefront', { timeout: 180_000 }, () => {
  let service: TestService;
  let shop: TestShop;
  let staff: TestStaff;
  let browser: Browser;
  let address: string;
  const server = createServer();
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startOwnTestService();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    shop = await createTestShop(service.context, {
      name: 'Juniper Quay',
      state: 'CA',
      products: [
        {
          key: 'Moonlit Grove',
          unit: 'gram',
          options: [
            { key: 'eighth', name: 'Eighth', amount: '3.5', priceCents: 3500 },
            { key: 'ounce', name: 'Ounce', amount: '28', priceCents: 20_000, content: '28' },
          ],
          stock: [
            { option: 'eighth', amount: '100' },
            { option: 'ounce', amount: '10' },
          ],
        },
        {
          key: 'Citrus Gummies',
          category: 'Edibles',
          options: [{ key: 'gummies', name: '10-pack', priceCents: 1999, content: '0.1' }],
          stock: [{ option: 'gummies', amount: '100' }],
        },
      ],
    });
    await addDiscount(service.context, shop.organizationId, {
      ...{ kind: 'order', type: 'flat', amount: '500', name: 'Five dollars off', minimumSubtotalCents: 8000 },
    });
    const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
      permissions: ['menu', 'create-orders'],
      origins: [address],
    });
    const settings = { ...(await service.listen()), publishableKey: keys.clientKey };
    server.on('request', serveStorefront(settings));
    [staff, browser] = await Promise.all([service.staff(shop), launchBrowser(browserPath!, 'never')]);
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
    await service.close();
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
    expect(service.faults).toEqual([]);
  });

  /** A new visitor's page. `refusals`: statuses that the browser may report; 0: requests without an answer. */
  async function visit(viewport = phone, refusals: readonly number[] = [], isOfAge = true): Promise<Page> {
    const colorScheme = viewport === phone ? 'dark' : 'light';
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    // A machine that does much else at once is slow, not broken.
    context.setDefaultTimeout(60_000);
    if (isOfAge) await context.addInitScript(`localStorage.setItem('of age', 'yes')`);
    const page = await context.newPage();
    await page.route('**/photos/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
    );
    page.on('pageerror', (error) => complaints.push(String(error.stack)));
    page.on('console', (message) => {
      const isExpected = refusals.some((status) =>
        message.text().includes(status === 0 ? 'net::ERR_FAILED' : `status of ${status}`),
      );
      if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text());
    });
    await page.goto(address);
    await page.getByRole('heading', { name: 'Juniper Quay', level: 1 }).waitFor();
    return page;
  }

  /** No serious barrier, and nothing wider than the window; in the long suite in both color schemes. */
  async function expectGoodPage(page: Page): Promise<void> {
    expect(await barriersOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    if (!isLongSuite) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriersOn(page, ['color-contrast'])).toEqual([]);
    }
  }

  const add = async (page: Page, product: string, size?: string) => {
    await page.goto(address);
    await page.getByRole('link', { name: product }).first().click();
    if (size) await page.getByText(size, { exact: true }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: 'See the cart' }).click();
    await page.locator('.sum .total').waitFor();
  };
  const total = (page: Page) => page.locator('.sum .total dd').textContent();
  const step = (order: string, action: string) =>
    staff.call('POST', `/staff/v1/orders/${order}/${action}`, {});

  test('a price that needs an order stands beside the price, with what it needs', async () => {
    const page = await visit();
    await page.getByRole('link', { name: 'Moonlit Grove' }).first().click();
    await page.getByText('Ounce', { exact: true }).click();
    const chosen = page.locator('#chosen-price');
    await chosen.getByText('$195 in orders from $80: Five dollars off').waitFor();
    expect(await chosen.locator('b').textContent()).toBe('$200');
    expect(await page.locator('.size em').allTextContents()).toEqual(['$35', '$200']);
    await page.getByText('Eighth', { exact: true }).click();
    await chosen.getByText('before taxes').waitFor();
    expect(await chosen.textContent()).not.toContain('in orders from');
  });

  test("a picture has the shop's text, else the name of its product; a size shows its own pictures", async () => {
    const path = `/staff/v1/products/${shop.productId('Moonlit Grove')}`;
    const [photo] = (await staff.call('GET', `${path}/photos`)).data;
    const described = await staff.call('PATCH', `${path}/photos/${photo.id}`, {
      altText: 'A jar, half full',
    });
    expect(described.error).toBeUndefined();
    const options = [
      { id: shop.optionId('eighth') },
      {
        id: shop.optionId('ounce'),
        photos: [{ url: 'https://pictures.example.com/ounce.webp', altText: 'A bag of an ounce' }],
      },
    ];
    expect((await staff.call('PUT', `${path}/options`, { options })).error).toBeUndefined();
    // As if the service had stored it: a page of the shop loads pictures from there alone.
    await tenantSql(
      service.context.database,
      shop.organizationId,
      "update product_photos set location = '/photos/ounce.webp' where location like '%pictures.example.com%'",
    );
    const page = await visit();
    await page.getByRole('img', { name: 'A jar, half full' }).first().waitFor();
    await page.getByRole('img', { name: 'Citrus Gummies' }).first().waitFor();
    await page.getByRole('link', { name: 'Moonlit Grove' }).first().click();
    await page.locator('#large').getByRole('img', { name: 'A jar, half full' }).waitFor();
    await page.getByText('Ounce', { exact: true }).click();
    await page.locator('#large').getByRole('img', { name: 'A bag of an ounce' }).waitFor();
    await page.getByRole('button', { name: 'Picture 2 of 2' }).click();
    await page.locator('#large').getByRole('img', { name: 'A jar, half full' }).waitFor();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: 'See the cart' }).click();
    await page.getByRole('img', { name: 'A bag of an ounce' }).waitFor();
    const plain = options.map(({ id }) => ({ id, photos: [] }));
    await staff.call('PUT', `${path}/options`, { options: plain });
  });

  test('a customer finds a product, sees what the cart costs and why, signs in by a code, orders, and follows the order', async () => {
    // A customer of the shop with a credit, who is a stranger to this browser.
    const earlier = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop),
    });
    await addCredit(service.context, shop.organizationId, earlier.data.customer.id, {
      ...{ cents: 1000, description: 'Ten dollars for you' },
    });
    const page = await visit(phone, [422]);
    await expectGoodPage(page);
    await page.getByRole('searchbox').fill('moonlit');
    await page.getByText('One product', { exact: true }).first().waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?search=moonlit');
    await expectGoodPage(page);

    await page.getByRole('link', { name: 'Moonlit Grove' }).click();
    await page.getByRole('heading', { name: 'Moonlit Grove', level: 1 }).waitFor();
    await expectGoodPage(page);
    await page.getByLabel('Quantity').selectOption('3');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: 'See the cart' }).click();

    await page.locator('.sum .total').waitFor();
    const { data: priced } = await service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body: { type: 'pickup', lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 3 }] },
    });
    const cents = (amount: number) => `$${(amount / 100).toFixed(2)}`;
    await expect.poll(() => total(page)).toBe(cents(priced.customerGrandTotal));
    const sum = page.locator('.sum');
    for (const { description, amount } of priced.taxes) {
      expect(await sum.textContent()).toContain(description);
      expect(await sum.textContent()).toContain(cents(amount));
    }
    expect(await sum.textContent()).toContain('Five dollars off−$5.00');
    await expect.poll(() => page.locator('.limits').textContent()).toContain('You can add 18 g more.');
    await expectGoodPage(page);

    await page.getByRole('link', { name: 'Checkout' }).click();
    await page.locator('#place').waitFor();
    await expectGoodPage(page);
    await page.getByLabel('Email').fill('marisol@customers.example.com');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const codeField = page.getByLabel('The six digits from the mail');
    await codeField.waitFor();
    const code = await mailedCode(service.context, shop.organizationId);
    await codeField.fill(code.replace(/^./, (digit) => (digit === '9' ? '0' : '9')));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#who').getByText('This is not the last code that we sent').waitFor();
    await codeField.fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Ten dollars for you').waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Marisol');
    // What was bought before counts now: 10.5 g of the cart and 7 g.
    await expect.poll(() => page.locator('.limits').textContent()).toContain('17.5 of 28.5 g');
    await page.getByLabel('Birthday').fill('1990-05-17');
    await page.locator('#place').click();

    await page.getByRole('heading', { name: 'We have your order' }).waitFor();
    await expectGoodPage(page);
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    for (const [action, words] of [
      ['pack', 'Ready for you'],
      ['fulfill', 'Picked up'],
    ] as const) {
      expect((await step(id, action)).status).toBe(200);
      // A customer who comes back to the page sees news at once; else it asks every few seconds.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await page.getByRole('heading', { name: words, level: 1 }).waitFor();
    }
    await page.context().close();
  });

  test('a cart over the purchase limit says what is left, and a total that has changed is shown before it is charged', async () => {
    const page = await visit(desktop, [409]);
    await add(page, 'Moonlit Grove', 'Eighth');
    await add(page, 'Moonlit Grove', 'Ounce');
    await page.getByText('The cart is over a purchase limit.').waitFor();
    expect(await page.getByRole('link', { name: 'Checkout' }).count()).toBe(0);
    await page.locator(`#less-${shop.optionId('ounce')}`).click();
    await page.getByRole('link', { name: 'Checkout' }).click();

    await page.getByText('Delivery', { exact: true }).click();
    await page.getByLabel('ZIP code').fill('94607');
    await page.getByLabel('ZIP code').press('Tab');
    await page.getByText('Orders like this begin at $50.00').waitFor();
    await page.getByText('Pickup', { exact: true }).first().click();
    await page.getByLabel('Email').fill('bo@customers.example.com');
    await page.getByLabel('First name').fill('Bo');
    await page.getByLabel('Last name').fill('Lindqvist');
    await page.getByLabel('Birthday').fill('1988-02-11');
    await page.locator('#place').waitFor();
    const shown = await total(page);
    const products = await staff.call('GET', `/staff/v1/products/${shop.productId('Moonlit Grove')}`);
    const options = products.data.options.map((it: { id: number }) =>
      it.id === shop.optionId('eighth') ? { id: it.id, price: 3600 } : { id: it.id },
    );
    const path = `/staff/v1/products/${shop.productId('Moonlit Grove')}/options`;
    expect((await staff.call('PUT', path, { options })).status).toBe(200);
    await page.locator('#place').click();
    await page.getByRole('alert').getByText(`it was ${shown}`).waitFor();
    await page.locator('#place:enabled').click();
    await page.getByRole('heading', { name: 'We have your order' }).waitFor();
    await page.context().close();
  });

  test('an order whose answer is lost is placed once, also when the customer tries again', async () => {
    const page = await visit(desktop, [0, 429]);
    await add(page, 'Citrus Gummies');
    await page.getByRole('link', { name: 'Checkout' }).click();
    await page.getByLabel('Email').fill('lost@customers.example.com');
    await page.getByLabel('First name').fill('Noor');
    await page.getByLabel('Last name').fill('Lost');
    await page.getByLabel('Birthday').fill('1979-12-01');
    // Each attempt reaches the service, and no answer reaches the page.
    let line: 'cut' | 'busy' | 'good' = 'cut';
    await page.route('**/api/v1/orders', async (route) => {
      if (line === 'good' || route.request().method() !== 'POST') return route.continue();
      if (line === 'busy') {
        const error = { code: 'RATE_LIMITED', message: 'Too many.' };
        return route.fulfill({
          status: 429,
          headers: { 'access-control-allow-origin': '*' },
          json: { error },
        });
      }
      await route.fetch();
      return route.abort();
    });
    await page.locator('#place').click();
    await page.getByRole('alert').getByText('The shop does not answer').waitFor();
    // Refused before its key was looked at: nothing is known of the first attempt yet.
    line = 'busy';
    await page.locator('#place:enabled').click();
    await page.getByRole('alert').getByText('Too many tries').waitFor();
    line = 'good';
    await page.locator('#place:enabled').click();
    await page.getByRole('heading', { name: 'We have your order' }).waitFor();
    const { data } = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
    const own = data.filter((it: { customer: { lastName: string } }) => it.customer.lastName === 'Lost');
    expect(own).toHaveLength(1);
    expect(page.url()).toContain(own[0].id);
    await page.context().close();
  });

  test('a delivery goes to the address that was typed, with the fee of its zone, at the time that was chosen', async () => {
    const slot = { name: 'Noon', orderType: 'delivery', days: [1, 2, 3, 4, 5, 6, 7], capacity: 1 };
    const { error } = await staff.call('POST', '/staff/v1/time-slots', {
      ...{ ...slot, startsAt: '12:00', endsAt: '14:00' },
    });
    expect(error).toBeUndefined();
    const page = await visit();
    await add(page, 'Citrus Gummies');
    for (let more = 0; more < 3; more += 1)
      await page.getByRole('button', { name: 'One Citrus Gummies more' }).click();
    await page.getByText('Delivery', { exact: true }).click();
    await page.getByLabel('ZIP code of the delivery').fill('94607');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('link', { name: 'Checkout' }).click();
    const typed = {
      Email: 'ida@customers.example.com',
      'First name': 'Ida',
      'Last name': 'Moreno',
      Birthday: '1985-09-30',
      'Street and number': '418 Alder Street',
      City: 'Oakland',
      State: 'CA',
      'A word for the driver': 'Ring twice',
    };
    for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value);
    await page.locator('.sum').getByText('Delivery', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.sum').textContent()).toContain('Delivery$5.00');
    const when = page.getByLabel('When');
    const from = await when.locator('option').nth(1).getAttribute('value');
    await when.selectOption(from!);
    await expectGoodPage(page);
    await page.locator('#place').click();
    await page.getByRole('heading', { name: 'We have your order' }).waitFor();
    await page.getByText(/^Comes .* 12:00\sPM to 2:00\sPM$/).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { data } = await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys });
    expect(data).toMatchObject({
      type: 'delivery',
      deliveryFee: 500,
      slot: { from },
      address: { street1: '418 Alder Street', city: 'Oakland', postalCode: '94607' },
      lineItems: [{ quantity: 4 }],
    });
    await page.context().close();
  });

  test('every filter of the menu is seen whole on a desktop, and reached on a phone', async () => {
    const page = await visit(desktop);
    for (const width of [1280, 1024, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: 860 });
      const beyond = await page.evaluate<string[]>(`(() => {
        const edge = document.querySelector('#filters').getBoundingClientRect().right + 1;
        return [...document.querySelectorAll('#filters .chip, #filters .pick, #filters .search')]
          .filter((it) => it.getBoundingClientRect().right > Math.min(edge, innerWidth))
          .map((it) => it.textContent.trim());
      })()`);
      expect(beyond, String(width)).toEqual([]);
    }
    await page.setViewportSize(phone);
    const last = page.locator('#filters .pick').last();
    await last.scrollIntoViewIfNeeded();
    expect((await last.boundingBox())!.x).toBeLessThan(phone.width);
    await page.context().close();
  });

  test('every address that the sitemap names is a page with content, before any script runs', async () => {
    const map = await (await fetch(`${address}/sitemap.xml`)).text();
    const urls = [...map.matchAll(/<loc>([^<]+)</g)].map(([, url]) => url!);
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const reply = await fetch(url);
      const page = await reply.text();
      expect([url, reply.status, page]).toEqual([
        url,
        200,
        expect.stringContaining(`<link rel="canonical" href="${url}">`),
      ]);
      expect(pageFaults(page)).toEqual([]);
    }
    const [product] = urls.filter((url) => url.endsWith('moonlit-grove'));
    const html = await (await fetch(product!)).text();
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!);
    expect(data).toMatchObject({
      '@type': 'Product',
      name: 'Moonlit Grove',
      // The shop keeps the menu for a minute: the price may be that of before or after the test that changed it.
      offers: { lowPrice: expect.stringMatching(/^3[56]\.00$/), highPrice: '200.00' },
    });
    expect(html).toMatch(/<main[^>]*>.*<h1[^>]*>Moonlit Grove<\/h1>/s);
    const robots = await (await fetch(`${address}/robots.txt`)).text();
    expect(robots).toContain(`Sitemap: ${address}/sitemap.xml`);
    for (const [path, status] of [
      ['/products/1', 404],
      ['/nothing', 404],
      ['/cart', 200],
    ] as const) {
      const reply = await fetch(address + path);
      expect([path, reply.status, await reply.text()]).toEqual([
        path,
        status,
        expect.stringContaining('content="noindex"'),
      ]);
    }
  });

  test(`the first load needs at most ${scriptBytesMax} bytes of script, and no other host than the shop and the service`, async () => {
    const page = await visit();
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map((it) => it.name).filter((it) => it.endsWith('.mjs'))`,
    );
    const sizes = await Promise.all(
      [...new Set(scripts)].map(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength),
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(scriptBytesMax);
    await page.context().close();
  });

  test('a visitor is asked for the age once, and reaches nothing before', async () => {
    const page = await visit(desktop, [], false);
    const question = page.getByRole('dialog', { name: 'Are you 21 or older?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    expect(await question.isVisible()).toBe(true);
    await expectGoodPage(page);
    await question.getByRole('button', { name: 'No' }).click();
    await page.getByText('Then we cannot show you the shop.').waitFor();
    await page.reload();
    await question.getByRole('button', { name: 'Yes, I am' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Juniper Quay', level: 1 }).waitFor();
    expect(await question.isVisible()).toBe(false);
    await page.context().close();
  });

  test('a customer signs in to the account by a code, sees own orders, and cancels one that the shop has not packed', async () => {
    const customer = { firstName: 'Ren', lastName: 'Ito', email: 'ren@customers.example.com' };
    const body = pickupBody(shop, { customer });
    const { data: order } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    const page = await visit(phone);
    await page.getByRole('link', { name: 'Your account and orders' }).click();
    await page.getByLabel('Email').fill(customer.email);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const field = page.getByLabel('The six digits from the mail');
    await field.waitFor();
    await field.fill(await mailedCode(service.context, shop.organizationId, customer.email));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Your orders' }).waitFor();
    await expectGoodPage(page);
    await page.getByRole('link', { name: 'We have your order' }).click();
    // The list before has such a button, too.
    await page.getByRole('heading', { name: 'We have your order', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Cancel this order' }).click();
    await page.getByRole('heading', { name: 'Canceled', level: 1 }).waitFor();
    const { data } = await service.call('GET', `/api/v1/orders/${order.id}/detail`, { keys: shop.keys });
    expect([data.status, data.cancelationReason]).toEqual(['canceled', 'Canceled by the customer']);
    await page.context().close();
  });

  test('an address without a file is a page of the shop, a file that is missing is not found, and both keep the policy', async () => {
    const replies = await Promise.all(['/cart', '/nothing.mjs', '/'].map((path) => fetch(address + path)));
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200]);
    for (const { headers } of replies) {
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    }
    const again = await fetch(address, { headers: { 'If-None-Match': replies[2]!.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });
});
