import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ProofShop } from './proof-shop.test-support.ts';

const searchOf = (page: Page) => page.getByRole('combobox', { name: 'Find', exact: true });

/** Opens the palette by its keys and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await searchOf(page).fill(text);
}

/** Finding anything by Ctrl K. */
export function paletteProofs(shop: () => ProofShop): void {
  test('Ctrl K finds a customer, an order by its number, a product, a package, a setting and an action, by keyboard', async () => {
    const { owner } = shop();
    const first = async (path: string) => (await owner.call('GET', path)).data[0];
    const order = await first('/staff/v1/orders?status=fulfilled');
    const customer = await first('/staff/v1/customers?sortBy=spent');
    const product = await first('/staff/v1/products');
    const pack = await first('/staff/v1/packages?status=received');
    const console = await shop().open('owner');
    const page = await console.goto('/orders');
    const cases: readonly (readonly [string, string, RegExp, string])[] = [
      ['Orders', String(order.number), new RegExp(`Order ${order.number}\\b`), `/orders/${order.id}`],
      ['Customers', customer.email, new RegExp(customer.firstName), `/customers/${customer.id}`],
      ['Products', product.name, new RegExp(product.name), `/catalog/products/${product.id}`],
      ['Packages', pack.label, new RegExp(pack.label), `/inventory/packages/${pack.id}`],
      ['Settings', 'email', /^Email/, '/settings/mail'],
      ['Actions', 'invite', /^Invite a colleague/, '/settings/staff'],
    ];
    for (const [group, text, name, address] of cases) {
      await find(page, text);
      const list = page.getByRole('listbox', { name: 'Found' });
      const line = list.getByRole('group', { name: group }).getByRole('option', { name }).first();
      await line.waitFor();
      // Its own line may be below others: the arrow leads there.
      const isCurrent = async () => {
        if ((await line.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
        return line.getAttribute('aria-selected');
      };
      await expect.poll(isCurrent).toBe('true');
      if (group === 'Orders') expect(await console.barriers([], '[role=dialog]')).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/console${address}`);
    }
    // The action opened its dialog.
    await page.getByRole('dialog').getByLabel('Email').waitFor();
  });

  test('Ctrl K says so when nothing is found, and shows a role only what is open to it', async () => {
    const page = await (await shop().open('budtender')).goto('/orders');
    await find(page, 'zzzz no such thing');
    await page.getByRole('status').getByText('Nothing found for “zzzz no such thing”.').waitFor();
    expect(await page.getByRole('listbox', { name: 'Found' }).count()).toBe(0);
    await searchOf(page).fill('client key');
    await page.getByText('Nothing found for “client key”.').waitFor();
    await page.keyboard.press('Escape');
    await searchOf(page).waitFor({ state: 'detached' });
  });
}
