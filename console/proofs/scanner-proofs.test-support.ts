import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan } from './scan.test-support.ts';
import { shelfOf } from './shelf.test-support.ts';

/** Scanner input at the counter and in counts, and the questions about implausible typed numbers. */
export function scannerProofs(shop: () => ProofShop): void {
  const shelf = () => shelfOf(shop());
  const cartLines = (page: Page): Locator =>
    page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
  const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });
  const piecesIn = async (page: Page): Promise<number> =>
    (await cartLines(page).getByRole('textbox').all()).reduce(
      async (sum, field) => (await sum) + Number(await field.inputValue()),
      Promise.resolve(0),
    );

  async function openTill(options: Parameters<ProofShop['open']>[1] = {}): Promise<Page> {
    return (await shop().open('owner', options)).goto('/point-of-sale');
  }

  test('Enter empties the field, and an unknown code stays listed until dismissed', async () => {
    const page = await openTill();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await intercept(page, /\/staff\/v1\/products\?.*99999/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    const search = page.getByRole('combobox', { name: /scan a UPC/ });
    // The result list requests it too, and cancels when the field is emptied.
    const isAsked = page.waitForRequest(/99999/);
    await search.fill('999999999993');
    await isAsked;
    await search.press('Enter');
    await expect.poll(() => search.inputValue()).toBe('');
    await page.getByText('Looking up 1 …').waitFor();
    answer();
    const notice = page.getByText('Unknown code 999999999993');
    await notice.waitFor();
    const [item] = await shelf();
    await scan(page, item!.upc);
    await cartLines(page).first().waitFor();
    expect(await notice.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Dismiss 999999999993' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('a package tag adds the item in the package', async () => {
    const { owner } = shop();
    const tag = '1A4060300003B01000000838';
    const item = (await shelf()).at(-1);
    const { data: packed } = await owner.call('POST', '/staff/v1/packages', {
      label: tag,
      unit: 'Each',
      initialAmount: '5',
    });
    const { data: organization } = await owner.call('GET', '/staff/v1/organization');
    const { data: products } = await owner.call('GET', '/staff/v1/products', undefined, {
      query: { search: item!.upc },
    });
    const received = await owner.call('POST', `/staff/v1/packages/${packed.id}/receive`, {
      productId: products[0].id,
      productOptionId: products[0].options.find(({ upc }: { upc: string }) => upc === item!.upc).id,
      inventoryLocationId: organization.locationsByOrderType['in-store'][0],
      amount: '5',
      costPerUnit: '1',
    });
    expect(received.status).toBe(200);
    const page = await openTill();
    await scan(page, tag);
    await cartLines(page).filter({ hasText: item!.name }).waitFor();
  });

  test('an unanswered look-up is reported and can be retried', async () => {
    const [item] = await shelf();
    const page = await openTill({ refusals: [503] });
    await intercept(page, /\/staff\/v1\/products\?.*search/, (route) => route.fulfill({ status: 503 }));
    await scan(page, item!.upc);
    await page.getByText(`Code ${item!.upc} could not be looked up`).waitFor();
    await page.unroute(/\/staff\/v1\/products\?.*search/);
    await page.getByRole('button', { name: 'Look up again' }).click();
    await cartLines(page).first().waitFor();
  });

  test('a scan during payment is not cash, sells nothing, and is added once payment closes', async () => {
    const [item, other] = await shelf();
    const page = await openTill();
    await scan(page, item!.upc);
    await payButton(page).waitFor();
    await page.keyboard.press('F9');
    const dialog = page.getByRole('dialog', { name: 'Take payment' });
    const cash = dialog.getByLabel('Cash received', { exact: true }).first();
    const placed: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/orders$/.test(request.url())) placed.push(request.url());
    });
    for (const field of [cash, dialog.getByLabel('Amount', { exact: true })]) {
      const before = await field.inputValue();
      await field.focus();
      await scan(page, other!.upc);
      await expect.poll(() => field.inputValue()).toBe(before);
    }
    // On a button, the scanner's Enter would press it.
    await dialog.getByRole('button', { name: 'Take payment and hand over' }).focus();
    await scan(page, other!.upc);
    await dialog.getByText('Scanned during payment. Close payment to add it.').waitFor();
    expect(await dialog.getByText('Change', { exact: true }).count()).toBe(0);
    expect(placed).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => piecesIn(page)).toBe(4);
    expect(await cartLines(page).count()).toBe(2);
  });

  test('at the counter a scan adds a line wherever the focus is, and changes no field', async () => {
    const [item] = await shelf();
    const page = await openTill();
    const search = page.getByRole('combobox', { name: /scan a UPC/ });
    await search.fill('grin');
    await scan(page, item!.upc);
    await expect.poll(() => piecesIn(page)).toBe(1);
    await expect.poll(() => search.inputValue()).toBe('grin');
    const quantity = cartLines(page).first().getByRole('textbox');
    await quantity.selectText();
    await scan(page, item!.upc);
    await expect.poll(() => piecesIn(page)).toBe(2);
    await page
      .getByRole('button', { name: /^One more/ })
      .first()
      .focus();
    await scan(page, item!.upc, 'Tab');
    await expect.poll(() => piecesIn(page)).toBe(3);
    await page.evaluate('document.activeElement.blur()');
    await scan(page, `00${item!.upc}`);
    await expect.poll(() => piecesIn(page)).toBe(4);
    await page.getByRole('button', { name: 'Discounts' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Add an adjustment' }).click();
    const what = drawer.getByLabel('Description of adjustment 1');
    await what.fill('Gift');
    await scan(page, item!.upc);
    await page.getByText(`${item!.name} is in the cart.`).waitFor();
    await expect.poll(() => what.inputValue()).toBe('Gift');
    expect(await drawer.isVisible()).toBe(true);
  });

  test('in a count a scan finds the item and is not a quantity', async () => {
    const [item, other] = await shelf();
    const page = await (await shop().open('inventory')).goto('/inventory/count');
    const counted = page.getByLabel(/^Counted of/);
    await counted.first().fill('3');
    await counted.first().press('End');
    await scan(page, item!.upc);
    await expect.poll(() => counted.count()).toBe(1);
    await expect.poll(() => counted.first().getAttribute('aria-label')).toContain(item!.name);
    await counted.first().and(page.locator(':focus')).waitFor();
    await scan(page, other!.upc);
    await expect.poll(() => counted.first().getAttribute('aria-label')).toContain(other!.name);
    await expect.poll(() => counted.first().inputValue()).toBe('');
    await page.getByLabel('Find an item here').fill('');
    await page.getByRole('button', { name: 'Save 1 counted' }).waitFor();
    await expect.poll(() => counted.first().inputValue()).toBe('3');
    await counted.first().fill('');
  });

  test('in a code field a scan replaces the content and does not submit the form', async () => {
    const page = await (await shop().open('inventory')).goto('/inventory/packages');
    await page.getByRole('button', { name: 'New package' }).click();
    const dialog = page.getByRole('dialog');
    const label = dialog.getByRole('textbox', { name: 'Label', exact: true });
    await label.fill('1A40603000');
    await scan(page, '1A4060300003B01000000838');
    await expect.poll(() => label.inputValue()).toBe('1A4060300003B01000000838');
    await label.and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });
}
