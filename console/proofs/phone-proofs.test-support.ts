import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hold, putCamera, refuseCamera } from './camera.test-support.ts';
import { onePixel } from './one-pixel.test-support.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan } from './scan.test-support.ts';

const phone = { width: 360, height: 740 };

/** Whether the page scrolls sideways, and the controls that are too small for a thumb. */
const faultsOfPhone = `(() => {
  const screen = document.querySelector('main');
  const faults = [document.documentElement, screen]
    .filter((it) => it.scrollWidth > it.clientWidth)
    .map((it) => it.tagName + ' scrolls sideways');
  for (const it of screen.querySelectorAll('button, input, [role=button]')) {
    const { width, height } = it.getBoundingClientRect();
    const isShown = width > 1 && height > 1;
    if (isShown && (width < 44 || height < 44)) {
      faults.push((it.ariaLabel ?? it.textContent) + ': ' + width + ' × ' + height);
    }
  }
  return faults;
})()`;

async function expectThumbs(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(faultsOfPhone)).toEqual([]);
}

/** Work with a phone in the hand: counting and receiving, with its camera. */
export function phoneProofs(shop: () => ProofShop): void {
  interface Coded {
    readonly upc: string;
    readonly productId: number;
    readonly productOptionId: number;
    readonly productName: string;
    readonly onHand: string;
  }

  /** Lines of stock with a code of their own, at the first location. */
  async function coded() {
    const { owner } = shop();
    const [location] = (await owner.call('GET', '/staff/v1/inventory-locations')).data;
    const { data } = await owner.call('GET', '/staff/v1/inventory', undefined, {
      query: { locationId: String(location.id) },
    });
    const lines: Coded[] = data.filter(
      (it: { upc: string | null; packageLabel: string | null }, _: number, all: { upc: string | null }[]) =>
        /^\d{12}$/.test(it.upc ?? '') && all.filter(({ upc }) => upc === it.upc).length === 1,
    );
    return { locationId: location.id as number, lines, one: lines[0]!, other: lines[1]! };
  }

  test('on a phone a count is scanned by the camera, survives a reload, and is saved', async () => {
    const { locationId, one, other } = await coded();
    const console = await shop().open('inventory', { viewport: phone });
    const page = await console.goto(`/inventory/count?location=${locationId}`);
    await putCamera(page);
    await expectThumbs(page);
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await hold(page, one.upc);
    const atHand = page.getByRole('region', { name: 'Scanned last' });
    const counted = atHand.getByRole('textbox');
    await atHand.getByText(one.productName).waitFor();
    await expect.poll(() => counted.inputValue()).toBe('1');
    await page.getByText(/^1 of .*\d+ counted$/).waitFor();
    await hold(page, other.upc);
    await atHand.getByText(other.productName).waitFor();
    await expect.poll(() => counted.inputValue()).toBe('1');
    await expectThumbs(page);
    await page.getByRole('button', { name: 'Close the camera' }).click();
    await scan(page, other.upc);
    await atHand.getByText(other.productName).waitFor();
    await counted.fill(other.onHand);
    await atHand.getByRole('button', { name: /^One more/ }).click();
    await page.getByRole('button', { name: 'Save 2 counted' }).waitFor();

    await page.reload();
    await page.getByText('Your count was saved on this device').waitFor();
    await refuseCamera(page, 'NotAllowedError');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await page.getByText('The camera is blocked.').waitFor();
    const sent = page.waitForRequest(/\/inventory-counts$/);
    await page.getByRole('button', { name: 'Save 2 counted' }).click();
    const result = page.getByRole('dialog', { name: 'Count saved' });
    const sure = page.getByRole('button', { name: 'Save the count' });
    await result.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
    // The first one was in view for many pictures, and was counted once.
    const { lines } = (await sent).postDataJSON();
    expect(lines.find(({ productOptionId }: Coded) => productOptionId === one.productOptionId).counted).toBe(
      '1',
    );
    await result.getByText(other.productName).first().waitFor();
    await result.getByRole('button', { name: 'Close' }).click();
    await page.getByText(/^0 of .*\d+ counted$/).waitFor();
  });

  test('a product is created with its photos in one step; one that failed is sent again, without a second product', async () => {
    const { owner } = shop();
    const name = `Proof of photos ${Date.now()}`;
    const page = await (await shop().open('owner', { viewport: phone, refusals: [503] })).goto(
      '/catalog/products/new',
    );
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Category' }).fill('Accessories');
    await page.getByRole('option', { name: 'Accessories' }).click();
    await page.getByRole('textbox', { name: 'Price of option 1', exact: true }).fill('12');
    const photo = (file: string) => ({ name: file, mimeType: 'image/png', buffer: onePixel });
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([photo('front.png'), photo('back.png'), photo('wrong.png')]);
    await page.getByLabel('Photo from the camera').setInputFiles(photo('taken.png'));
    await page.getByRole('button', { name: 'Remove wrong.png' }).click();
    let sent = 0;
    await intercept(page, /\/products\/\d+\/photos$/, async (route) => {
      if (route.request().method() === 'POST') sent += 1;
      if (route.request().method() === 'POST' && sent === 2) await route.fulfill({ status: 503 });
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Create product' }).click();
    await page.getByText('2 of 3 photos added').waitFor();
    await page.getByText('Some photos were not added').waitFor();
    const found = async () =>
      (await owner.call('GET', '/staff/v1/products', undefined, { query: { search: name } })).data;
    const [{ id, photos }] = await found();
    expect(photos).toHaveLength(2);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL(`**/catalog/products/${id}`);
    expect(sent).toBe(4);
    const after = await found();
    expect(after).toHaveLength(1);
    expect(after[0].photos).toHaveLength(3);
  });

  test('what is low is ordered from its last vendor in suggested quantities, which can be changed', async () => {
    const { owner } = shop();
    const ask = async (method: string, path: string, body?: object) => {
      const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
      expect(error).toBeUndefined();
      return data;
    };
    const product = await ask('POST', 'products', {
      ...{ name: `Scarce mug ${Date.now()}`, unit: 'item', strainType: 'none', inventoryType: 'option' },
      ...{ category: 'Accessories', subCategories: [], photos: [], options: [{ amount: 1, price: 1200 }] },
    });
    await ask('PATCH', `products/${product.id}`, { isActive: true });
    const item = { productId: product.id, productOptionId: product.options[0].id };
    const inStore = (await ask('GET', 'organization')).locationsByOrderType['in-store'][0];
    await ask('POST', 'inventory-adjustments', {
      ...{ ...item, inventoryLocationId: inStore, delta: '4', reason: 'Proof' },
    });
    const [vendor] = await ask('GET', 'inventory-vendors');
    const bought = await ask('POST', 'purchase-orders', {
      ...{ inventoryVendorId: vendor.id, lineItems: [{ ...item, amount: '4', costPerUnit: '3.25' }] },
    });
    await ask('POST', `purchase-orders/${bought.id}/close`, {});
    const [cash] = await ask('GET', 'payment-types');
    await ask('POST', 'orders', {
      ...{ type: 'in-store', customer: { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' } },
      lineItems: [{ productOptionId: item.productOptionId, quantity: 4 }],
      payments: [{ paymentTypeId: cash.id, remaining: true }],
      idempotencyKey: randomUUID(),
    });
    const page = await (await shop().open('inventory')).goto('/purchasing/low-stock?weeks=12');
    const group = page.getByRole('region', { name: vendor.name });
    const amount = group.getByRole('textbox', { name: `Quantity of ${product.name}` });
    // Four in four weeks, for twelve weeks.
    await expect.poll(() => amount.inputValue()).toBe('12');
    await amount.fill('7');
    await group.getByRole('button', { name: /^Create an order with/ }).click();
    await group.getByRole('link', { name: 'The purchase order is created. Open it' }).click();
    await page.waitForURL(/\/purchasing\/\d+$/);
    const id = page.url().split('/').at(-1);
    const { data: order } = await owner.call('GET', `/staff/v1/purchase-orders/${id}`);
    const ordered = order.lineItems.find((it: { productId: number }) => it.productId === product.id);
    expect(ordered).toMatchObject({ amount: '7', costPerUnit: '3.25' });
    expect(order.inventoryVendorId).toBe(vendor.id);
  });
}
