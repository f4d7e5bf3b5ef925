import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import { KilledBrowser } from './killed-browser.test-support.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import { placeFulfilled } from './placed-orders.test-support.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const linesOf = (page: Page) => page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
const payable = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

/** What a saved sale keeps, and the message for a part that cannot stay. */
export function savedSaleProofs(shop: () => ProofShop): void {
  const staffCall = (method: string, path: string, body?: unknown) => shop().owner.call(method, path, body);

  test('a cart with its customer survives a reload and moves to another tab, one tab at a time', async () => {
    const person = { firstName: 'Ines', lastName: 'Kept', birthday: '1980-05-05' };
    const { data: customer } = await staffCall('POST', '/staff/v1/customers', person);
    const page = await (await shop().open('budtender')).goto(`/point-of-sale?customer=${customer.id}`);
    await page.getByText('Ines Kept').waitFor();
    await fillCart(page);
    const price = payable(page).filter({ hasNotText: /\$0/ });
    const priced = page.waitForResponse(
      (it) => it.url().endsWith('/orders/pricing') && it.request().postData()!.includes('"quantity":2'),
    );
    await linesOf(page).first().getByRole('textbox').fill('2');
    await priced;
    await page.reload();
    await page.getByText('Ines Kept').waitFor();
    await price.waitFor();
    await expect.poll(() => linesOf(page).first().getByRole('textbox').inputValue()).toBe('2');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Ines');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await payable(other).waitFor();
    await page.getByRole('heading', { name: 'The sale continues in another tab' }).waitFor();
    await other.getByRole('button', { name: /^One more/ }).click();
    await expect.poll(() => linesOf(other).first().getByRole('textbox').inputValue()).toBe('3');
    await page.getByRole('button', { name: 'Sell in this tab' }).click();
    await payable(page).waitFor();
    await expect.poll(() => linesOf(page).first().getByRole('textbox').inputValue()).toBe('3');
    await other.getByRole('heading', { name: 'The sale continues in another tab' }).waitFor();
    await other.close();
  });

  test('a browser that is killed while it sells continues with the cart and the payment, and sells once', async () => {
    const { baseUrl, service, demo } = shop();
    const { token } = await service.staff({ organizationId: organizationId(demo.id) }, 'budtender');
    const address = `${baseUrl}/console/point-of-sale`;
    const killed = new KilledBrowser();
    try {
      const page = await killed.open(address, token);
      await fillCart(page);
      await linesOf(page).first().getByRole('textbox').fill('2');
      await page.keyboard.press('F9');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Cash received').first().fill('40.00');
      let key = '';
      const isPlaced = new Promise<void>((resolve) => {
        void page.route('**/staff/v1/orders', async (route) => {
          key = route.request().postDataJSON().idempotencyKey;
          await route.fetch();
          // The order is placed, and the page never hears of it.
          resolve();
        });
      });
      await dialog.getByRole('button', { name: 'Take payment and hand over' }).click();
      await isPlaced;
      await killed.kill();

      const reopened = await killed.open(address, token);
      const again = reopened.getByRole('dialog');
      await again.getByText(/was sent before without a response/).waitFor();
      await expect.poll(() => again.getByLabel('Cash received').first().inputValue()).toBe('40.00');
      await expect.poll(() => linesOf(reopened).first().getByRole('textbox').inputValue()).toBe('2');
      const repeated = reopened.waitForRequest(
        (it) => it.method() === 'POST' && it.url().endsWith('/staff/v1/orders'),
      );
      await again.getByRole('button', { name: 'Take payment and hand over' }).click();
      expect((await repeated).postDataJSON().idempotencyKey).toBe(key);
      await reopened.getByRole('dialog', { name: /is sold$/ }).waitFor();
      const placed = await tenantSql(
        service.context.database,
        organizationId(demo.id),
        'select id from orders where idempotency_key = $1',
        key,
      );
      expect(placed).toHaveLength(1);
    } finally {
      await killed.kill();
    }
  });

  test('an item no longer for sale stays in the cart, is marked, and the rest keeps its price', async () => {
    const console = await shop().open('owner', { refusals: [422] });
    const page = await console.goto('/point-of-sale');
    await fillCart(page);
    await page.getByRole('option').nth(2).click();
    const gone = linesOf(page).nth(1);
    const name = (await gone.locator('p').first().textContent())!;
    const { data } = await staffCall('GET', `/staff/v1/products?search=${encodeURIComponent(name)}`);
    await staffCall('PATCH', `/staff/v1/products/${data[0].id}`, { isActive: false });
    await page.reload();
    await gone.getByText('No longer for sale').waitFor();
    const alert = page.getByRole('alert').filter({ hasText: `Not included in the price: ${name}` });
    await alert.waitFor();
    await page
      .getByRole('region', { name: 'Cart' })
      .getByRole('rowheader', { name: 'Total', exact: true })
      .waitFor();
    expect(await console.barriers()).toEqual([]);
    await alert.getByRole('button', { name: 'Remove' }).click();
    await payable(page).waitFor();
    await expect.poll(() => linesOf(page).count()).toBe(1);
    await staffCall('PATCH', `/staff/v1/products/${data[0].id}`, { isActive: true });
  });

  test('a refused code says why, and the prices stay', async () => {
    const page = await (await shop().open('owner', { refusals: [422] })).goto('/point-of-sale');
    await fillCart(page);
    const cart = page.getByRole('region', { name: 'Cart' });
    const total = cart.getByRole('row', { name: /^Total/ });
    const before = await total.textContent();
    await page.getByRole('button', { name: 'Discounts' }).click();
    await page.getByRole('dialog').getByLabel('Discount codes').fill('NOSUCHCODE');
    // The first Escape closes the empty list of choices.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const alert = cart.getByRole('alert').filter({ hasText: 'Not included in the price: code NOSUCHCODE' });
    await alert.getByText(/does not belong to this shop/).waitFor();
    expect(await total.textContent()).toBe(before);
    await expect.poll(() => page.getByRole('button', { name: /^Pay/ }).isDisabled()).toBe(true);
    await page.keyboard.press('F9');
    await page.getByText('A part of the cart is not included in the price').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The rest can change: one more of an item is priced.
    await cart.getByRole('button', { name: /^One more/ }).click();
    await expect.poll(() => total.textContent()).not.toBe(before);
    await alert.getByRole('button', { name: 'Remove' }).click();
    await payable(page).waitFor();
  });

  test('a typed number replaces the 0', async () => {
    const { id } = await placeFulfilled(shop(), 1);
    // An adjustment without a description is refused.
    const page = await (await shop().open('manager', { refusals: [400] })).goto(`/orders/${id}`);
    await page.getByRole('button', { name: 'Return goods' }).click();
    const dialog = page.getByRole('dialog');
    const units = dialog.getByRole('textbox', { name: /^Units of/ }).first();
    await units.click();
    await page.keyboard.type('1');
    await expect.poll(() => units.inputValue()).toBe('1');
    await units.blur();
    await units.focus();
    await page.keyboard.type('2');
    await expect.poll(() => units.inputValue()).toBe('2');
    await dialog.getByLabel('Adjustment').fill('5.00');
    await dialog.getByLabel('Adjustment').blur();
    await dialog.getByLabel('Adjustment').click();
    await page.keyboard.type('7');
    await expect.poll(() => dialog.getByLabel('Adjustment').inputValue()).toBe('7');
  });

  test('without registers, products or categories the counter and the catalog say what to do', async () => {
    const noRegisters = (page: Page) =>
      intercept(page, /\/staff\/v1\/registers(\?|$)/, (route) =>
        route.fulfill({ json: { data: [], meta: {} } }),
      );
    const counter = await shop().open('budtender');
    await noRegisters(counter.page);
    await (await counter.goto('/point-of-sale'))
      .getByText('No register yet: a manager adds one in the settings.')
      .waitFor();
    const console = await shop().open('manager');
    await noRegisters(console.page);
    await intercept(console.page, /\/staff\/v1\/(products|product-categories)(\?|$)/, (route) =>
      route.fulfill({ json: { data: [], meta: {} } }),
    );
    await intercept(console.page, /\/staff\/v1\/reports\/best-sold-products/, (route) =>
      route.fulfill({ json: { data: { products: [] } } }),
    );
    const page = await console.goto('/point-of-sale');
    await page.getByText('Add products under Menu & catalog.').waitFor();
    await page.getByRole('link', { name: 'Add a register' }).click();
    await page.waitForURL('**/settings/registers');
    await console.goto('/catalog/products/new');
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page
      .getByRole('option', { name: /None yet\. Add one under Menu & catalog, Categories\./ })
      .waitFor();
  });
}
