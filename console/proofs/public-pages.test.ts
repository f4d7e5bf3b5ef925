import { statSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDesk, operatorKey } from '../../src/hosting/operator/operator-desk.test-support.ts';
import { trackingUrl } from '../../src/shop/tracking/tracking.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestShop, deliveryBody } from '../../test/harness/test-shop.ts';
import { barriersOn } from './barriers.test-support.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';
import { phone } from './proof-page.test-support.ts';

const service = await startTestService();
const { baseUrl } = await service.listen();
afterAll(() => service.close());

/** How far the page is wider than its window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Below it stands the whole description: a browser takes its time. */
const timeout = 120_000;

/** The button that opens the form of an operation. */
const formOf = (path: string) => new RegExp(`Test Request.*get ${path}\\)`, 'i');

test('the page sends what is tried to the address at which it was opened', async () => {
  const { text } = await service.call('GET', '/docs/js/start.js');
  expect(text).toContain('servers: [{ url: window.location.origin }]');
});

const { path } = findBrowser();

describe.runIf(path !== undefined)('in a browser', { timeout }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(path!, 'never');
  });
  afterAll(() => browser.close());

  test('the reference shows the operations, requests no other host, and runs no injected script', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!new RegExp(`^(${baseUrl}/|data:|blob:)`).test(request.url())) complaints.push(request.url());
    });
    await page.goto(`${baseUrl}/docs`);
    const { info } = (await (await fetch(`${baseUrl}/docs/openapi.json`)).json()) as {
      info: { title: string };
    };
    await page.getByRole('heading', { level: 1, name: info.title }).waitFor();
    await page.getByText('List categories').first().waitFor();
    // Its styles are applied: the browser's own margin of a page is 8 pixels.
    expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px');
    const ran = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = "script"';
      document.body.append(script);
      const picture = document.createElement('div');
      picture.innerHTML = '<img src="data:," onerror="window.ran = 1">';
      picture.firstChild.addEventListener('error', () => resolve(window.ran ?? null));
      document.body.append(picture);
    })`);
    expect([ran, complaints]).toEqual([null, []]);
    await page.close();
  });

  test('in the reference, operations of the menu and others can be tried', async () => {
    const shop = await createTestShop(service.context);
    const page = await browser.newPage();
    page.setDefaultTimeout(timeout);
    const tried = { Menu: '/api/v1/shop', Organization: '/api/v1/organization' };
    for (const [tag, asked] of Object.entries(tried)) {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/docs/#tag/${tag.toLowerCase()}/GET${asked}`);
      await page.getByRole('button', { name: formOf(asked) }).click();
      const form = page.getByRole('dialog');
      // The only fields of one line for secrets are those of the two keys.
      const keys = form.locator('input[placeholder]');
      await keys.nth(0).fill(shop.keys.consumerKey!);
      await keys.nth(1).fill(shop.keys.clientKey!);
      const answered = page.waitForResponse((response) => response.url().includes('/api/'));
      await page.getByRole('button', { name: /Send get request/i }).click();
      const response = await answered;
      expect([response.url(), response.status()]).toEqual([`${baseUrl}${asked}`, 200]);
      await form.getByText('Test Shop').first().waitFor();
    }
    // The policy of the page lets every operation through: what it blocks throws.
    const reads = service.endpoints.filter((it) => it.method === 'GET' && !it.path.includes('{'));
    const statuses = await page.evaluate(
      ([paths, headers]) =>
        Promise.all(paths.map(async (url) => [url, (await fetch(url, { headers })).status] as const)),
      [
        reads.map((it) => it.path),
        { 'X-Consumer-Key': shop.keys.consumerKey!, 'X-Client-Key': shop.keys.clientKey! },
      ] as const,
    );
    // The service itself refuses an operation with a required query, and that of a sandbox in a shop that is none.
    const unexpected = statuses.filter(([, status]) => status !== 200 && status !== 400);
    expect(unexpected).toEqual([['/api/v1/sandbox', 403]]);
    expect(statuses.length).toBeGreaterThan(30);
  });

  test('the purchase limits page works, is accessible in light, dark and on a phone, and requests no other host', async () => {
    const complaints: string[] = [];
    const page = await browser.newPage({ viewport: phone });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/docs/`)) complaints.push(request.url());
    });
    await page.goto(`${baseUrl}/docs/limits`);
    await page.getByLabel('State').selectOption('Colorado');
    await page.getByLabel('Flower: wants to buy').fill('1/8 oz');
    await page.getByRole('button', { name: 'Show what is left' }).click();
    await page.getByText('0.875 oz').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      complaints.push(...(await barriersOn(page)).map((barrier) => `${colorScheme}: ${barrier}`));
    }
    expect([await page.evaluate(overflow), complaints]).toEqual([0, []]);
    await page.close();
  });

  test('the page of a delivery draws about where the driver is once it is the turn of the customer, in light and dark, on a phone, and requests no other host', async () => {
    const shop = await createTestShop(service.context, { state: 'OK' });
    const owner = await service.staff(shop);
    const ask = async (method: string, path: string, body: object) => {
      const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
      expect(error, path).toBeUndefined();
      return data;
    };
    await ask('PATCH', 'organization', { showsDriverPosition: true });
    const orderIds: string[] = [];
    for (const _ of [1, 2]) {
      const { data } = await service.call('POST', '/api/v1/orders', {
        keys: shop.keys,
        body: deliveryBody(shop),
      });
      await ask('POST', `orders/${data.id}/accept`, {});
      orderIds.push(data.id);
    }
    const place = await ask('POST', 'inventory-locations', { name: 'Van', type: 'vehicle' });
    const van = { name: 'Van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
    const vehicle = await ask('POST', 'vehicles', { ...van, inventoryLocationId: place.id });
    const driver = await ask('POST', 'drivers', { staffId: owner.staffId, sharesPosition: true });
    const { id } = await ask('POST', 'trips', { driverId: driver.id, vehicleId: vehicle.id });
    await ask('PUT', `trips/${id}/stops`, { orderIds });
    for (const act of ['load', 'depart']) await ask('POST', `trips/${id}/${act}`, {});
    await ask('POST', `trips/${id}/position`, { latitude: 37.8385, longitude: -122.3047 });
    const complaints: string[] = [];
    const page = await browser.newPage({ viewport: phone });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/track`)) complaints.push(request.url());
    });
    const served = { sealing: service.context.sealing, serviceAddress: { url: () => baseUrl } };
    const [next, later] = await Promise.all(
      orderIds.map((orderId) => trackingUrl(served, shop.organizationId, orderId)),
    );
    await page.goto(later!);
    await page.getByText('One stop before yours').waitFor();
    expect(await page.getByRole('img').count()).toBe(0);
    await page.goto(next!);
    await page.getByRole('heading', { name: 'You are the next stop' }).waitFor();
    await page
      .getByRole('img', { name: /^The driver was about 2 miles to the north of your area/ })
      .waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      complaints.push(...(await barriersOn(page)).map((barrier) => `${colorScheme}: ${barrier}`));
    }
    expect([await page.evaluate(overflow), complaints]).toEqual([0, []]);
    await page.close();
  });

  test('on the page of the operator a shop is suspended, resumed, to be deleted and kept, and its archive downloaded and imported, in light and dark, on a phone', async () => {
    const name = 'Lantern & Row';
    await createTestShop(service.context, { name });
    const desk = await openDesk(service);
    const complaints: string[] = [];
    const page = await browser.newPage({ viewport: phone });
    page.on('console', (message) => {
      if (!message.text().includes('status of 401')) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!new RegExp(`^(${desk.url}/operator|data:|blob:)`).test(request.url()))
        complaints.push(request.url());
    });
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        complaints.push(...(await barriersOn(page)).map((barrier) => `${colorScheme}: ${barrier}`));
      }
      if ((await page.evaluate(overflow)) !== 0) complaints.push('wider than the phone');
    };
    const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
    await page.clock.install();
    await page.goto(`${desk.url}/operator`);
    await page.getByLabel('Your name').fill('Ada Operator');
    await page.getByLabel(/^Key/).fill('x'.repeat(40));
    await press('Sign in');
    await page.getByText('This is not the key of the operator.').waitFor();
    await look();
    await page.getByLabel(/^Key/).fill(operatorKey);
    await press('Sign in');
    await page.getByLabel('Find by name or id').fill('lantern');
    await page.getByText(/^1 of \d+ organizations$/).waitFor();
    const isNow = (standing: string) => page.getByRole('row').getByText(standing, { exact: true }).waitFor();
    await isNow('Trades');

    await press(`Suspend ${name}`);
    await page.getByRole('dialog').getByLabel('Reason').fill('Unpaid since May');
    await press('Suspend it');
    await isNow('Suspended');
    await press(`Resume ${name}`);
    await press('Resume it');
    await isNow('Trades');
    await press(`Delete ${name}`);
    await page.getByLabel('Days until it is deleted').fill('7');
    await page.getByLabel('Its name').fill(name);
    await look();
    await press('Delete it');
    await isNow('To be deleted');
    await look();
    await press(`Cancel deletion ${name}`);
    await press('Cancel the deletion');
    await isNow('Trades');
    await press(`Export ${name}`);
    const [archive] = await Promise.all([page.waitForEvent('download'), press('Download the archive')]);
    expect(archive.suggestedFilename()).toMatch(/^organization-\d+\.tar$/);
    const file = await archive.path();
    expect(statSync(file).size).toBeGreaterThan(10_000);
    await page.getByText(`The archive of ${name} is downloaded.`).waitFor();
    await press('Import');
    await page.getByLabel(/^Archive/).setInputFiles(file);
    await page.getByRole('dialog').getByLabel('Reason').fill('Moved here');
    await look();
    await press('Import it');
    await page
      .getByText(/^Client key .* shown once: dck_/)
      .first()
      .waitFor();
    await page.getByText(/formerly \d+: \d+ rows, .* equal by checksums$/).waitFor();
    await look();
    await press('I have noted the keys');
    await isNow('Came in, suspended');
    await press('Sign out');
    await page.getByLabel(/^Key/).fill(operatorKey);
    await press('Sign in');
    await isNow('Trades');
    await page.clock.fastForward(900_000);
    await page.getByText('Signed out after 15 minutes without use.').waitFor();
    expect(await page.getByLabel(/^Key/).inputValue()).toBe('');
    expect([await page.getByText(name).count(), complaints]).toEqual([0, []]);
    await page.close();
    await desk.close();
  });
});
