import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { bringReportSumsUpToDate } from '../../src/shop/reports/reports.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { shelfOf, soldByWeight, soldOrder } from './shelf.test-support.ts';

/** Keyboard input at the counter, and implausible figures. */
export function tillProofs(shop: () => ProofShop): void {
  const search = (page: Page) => page.getByRole('combobox', { name: /scan a UPC/ });
  const payButton = (page: Page) => page.getByRole('button', { name: /^Pay/ });
  const payDialog = (page: Page) => page.getByRole('dialog', { name: 'Take payment' });
  const cashOf = (dialog: Locator) => dialog.getByRole('textbox', { name: 'Cash received' });

  /** The counter with one item in the cart that has no purchase limit. */
  async function openTill(options: Parameters<ProofShop['open']>[1] = {}): Promise<Page> {
    const page = await (await shop().open('owner', options)).goto('/point-of-sale');
    await fillCart(page);
    return page;
  }

  /** Flower in several sizes that no other product is found with, and how many rows it has. */
  async function flowerInQuarters(): Promise<{ readonly name: string; readonly sizes: number }> {
    const found = async (words: string) =>
      (
        await shop().owner.call('GET', '/staff/v1/products', undefined, {
          query: { active: 'true', search: words },
        })
      ).data as {
        readonly name: string;
        readonly weightTolerance: string | null;
        readonly options: readonly { readonly name: string }[];
      }[];
    for (const { name, weightTolerance, options } of await found('quarter')) {
      if (weightTolerance !== null || options.length < 2 || !options.some((it) => it.name === 'Quarter'))
        continue;
      if ((await found(`${name} quarter`)).length === 1) return { name, sizes: options.length };
    }
    throw new Error('No flower of the demo has a name of its own.');
  }

  const ordersOf = (page: Page): (() => number) => {
    let count = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/staff\/v1\/orders$/.test(request.url())) count += 1;
    });
    return () => count;
  };

  test('the pad sets a quantity, and for a manager the price of one with its reason', async () => {
    const open = async (role: 'manager' | 'budtender') => {
      const opened = await shop().open(role);
      const page = await opened.goto('/point-of-sale');
      await fillCart(page);
      await page.getByRole('button', { name: /^Number pad for/ }).click();
      return { opened, page, dialog: page.getByRole('dialog') };
    };
    const { opened, page, dialog } = await open('manager');
    const press = async (keys: string) => {
      for (const key of keys) {
        await dialog.getByRole('button', { name: key === '.' ? 'Decimal point' : key, exact: true }).click();
      }
    };
    await press('3');
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply 3' }).click();
    await page.getByRole('button', { name: /^Number pad for/ }).click();
    await dialog.getByText('Price', { exact: true }).click();
    // Digits go to the field, not to the tab that was clicked.
    await page.keyboard.type('12.50');
    expect(await dialog.getByRole('button', { name: 'Set $12.50' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Torn bag');
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Set $12.50' }).click();
    const cart = page.getByRole('region', { name: 'Cart' });
    await cart.getByText(/^Price by hand \(was \$.*\): Torn bag$/).waitFor();
    await cart.getByText('$37.50').first().waitFor();

    // Others set a price with a manager's word.
    const { page: other, dialog: others } = await open('budtender');
    await others.getByText('% off', { exact: true }).click();
    await others.getByRole('button', { name: '5', exact: true }).click();
    await others.getByLabel('Reason').fill('Short dated');
    await others.getByRole('button', { name: 'Take 5% off' }).click();
    await other.getByText(/^5% off \(was \$.*\): Short dated$/).waitFor();
  });

  test('the counter with pictures begins with what sold most', async () => {
    const { owner, service, demo } = shop();
    // A service with a worker does it by itself.
    await bringReportSumsUpToDate(service.context, organizationId(demo.id));
    const { products } = (await owner.call('GET', '/staff/v1/reports/best-sold-products')).data;
    expect(products.length).toBeGreaterThan(0);
    const opened = await shop().open('owner');
    const page = await opened.goto('/point-of-sale');
    const favorites = page
      .getByRole('group', { name: 'Categories' })
      .getByRole('button', { name: 'Favorites', exact: true });
    await favorites.waitFor();
    const show = page.getByRole('button', { name: 'Show pictures' });
    if (await show.isVisible()) await show.click();
    await expect.poll(() => favorites.getAttribute('aria-pressed')).toBe('true');
    await page.getByText(products[0].name, { exact: true }).first().waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Show a list' }).click();
  });

  test('goods are weighed out on the pad, and less of a discount is given, with its reason', async () => {
    const { owner } = shop();
    const byWeight = await soldByWeight(shop());
    const discount = { kind: 'order', type: 'percent', amount: '20', name: 'Goodwill', trigger: 'manual' };
    const made = await owner.call('POST', '/staff/v1/discounts', { ...discount, stackable: true });
    expect(made.error).toBeUndefined();

    const opened = await shop().open('owner');
    const page = await opened.goto('/point-of-sale');
    await search(page).fill(byWeight.name);
    await page.getByRole('option').filter({ hasText: byWeight.name }).first().click();
    const weigh = page.getByRole('dialog', { name: `Weigh ${byWeight.name}` });
    for (const key of '1.25') {
      await weigh.getByRole('button', { name: key === '.' ? 'Decimal point' : key, exact: true }).click();
    }
    await weigh.getByText(/^\$[\d.]+, (the price of|at the price by the gram of) /).waitFor();
    expect(await opened.barriers()).toEqual([]);
    await weigh.getByRole('button', { name: 'Add 1.25 g' }).click();
    const cart = page.getByRole('region', { name: 'Cart' });
    const weighed = cart.getByRole('button', { name: '1.25 g', exact: true });
    // A scale that is a keyboard types the weight and Enter.
    await weighed.click();
    await page.getByRole('dialog').getByLabel('Grams').fill('1.30 g');
    await page.keyboard.press('Enter');
    await cart.getByRole('button', { name: '1.30 g', exact: true }).waitFor();

    // The label of a package puts its goods in, out of that package.
    const shelf = `/staff/v1/inventory/sellable?withPackages=true&products=${byWeight.id}`;
    const [jar] = (await owner.call('GET', shelf)).data.packages;
    await search(page).fill(jar.label);
    await page.keyboard.press('Enter');
    await weigh
      .getByRole('combobox', { name: 'Package' })
      .getByText(`${jar.label}, `)
      .waitFor({ state: 'attached' });
    await weigh.getByLabel('Grams').fill('0.5');
    await page.keyboard.press('Enter');
    await cart.getByText(`0.5 g out of ${jar.label}`).waitFor();
    const whole = cart.getByRole('button', { name: '1.8 g', exact: true });
    await whole.waitFor();
    // A line that was removed comes back with its weight and its package.
    await cart.getByRole('button', { name: /^Remove / }).click();
    await cart.getByText('Scan a UPC or search for an item.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await whole.waitFor();
    await cart.getByText(`0.5 g out of ${jar.label}`).waitFor();

    await page.getByRole('button', { name: /^Discounts/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Discounts, rewards and taxes' });
    await drawer.getByRole('checkbox', { name: 'Goodwill: 20%' }).check();
    await drawer.getByRole('button', { name: 'Give less of Goodwill' }).click();
    await drawer.getByLabel('Percent of Goodwill').fill('5');
    expect(await opened.barriers()).toEqual([]);
    const asked = page.waitForRequest(
      (request) =>
        request.url().endsWith('/orders/pricing') && (request.postData() ?? '').includes('Torn box'),
    );
    await drawer.getByLabel('Reason for Goodwill').fill('Torn box');
    expect(JSON.parse((await asked).postData()!)).toMatchObject({
      discountAmounts: [{ percent: '5', reason: 'Torn box' }],
    });
    await page.keyboard.press('Escape');
    await cart.getByText('Goodwill').waitFor();
    // The till is left first: it would ask for the price with a discount that is gone.
    await shop().settle();
    await owner.call('DELETE', `/staff/v1/discounts/${made.data.id}`);
    await byWeight.end();
  });

  test('a sale of the day is voided with a reason, by a manager or by a budtender with the PIN of one', async () => {
    const { service, demo } = shop();
    const [item] = await shelfOf(shop());
    const approver = await service.staff({ organizationId: organizationId(demo.id) }, 'manager');
    expect((await approver.call('PUT', '/staff/v1/me/pin', { pin: '735190' })).status).toBe(204);
    for (const role of ['manager', 'budtender'] as const) {
      const { id } = await soldOrder(shop(), [item!]);
      const opened = await shop().open(role, { refusals: [403] });
      const page = await opened.goto(`/orders/${id}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Void sale' }).click();
      const dialog = page.getByRole('dialog', { name: /^Void order/ });
      if (role === 'manager') expect(await opened.barriers()).toEqual([]);
      await dialog.getByLabel('Reason').fill('Rung up twice');
      await dialog.getByRole('button', { name: 'Void sale' }).click();
      if (role === 'budtender') {
        const word = page.getByRole('dialog', { name: "Manager's PIN" });
        await word.getByLabel('PIN', { exact: true }).fill('735190');
        await page.keyboard.press('Enter');
      }
      await page.getByText('The sale is voided. Stock, points and the drawer are as before.').waitFor();
      await page.getByText('Rung up twice').first().waitFor();
    }
  });

  test('F9 during pricing opens payment, keeps the next input, also after a reload, and Enter pays', async () => {
    const page = await openTill();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await intercept(page, '**/orders/pricing', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.keyboard.press('+');
    // Typed without looking at the screen.
    await Promise.all([page.keyboard.press('F9'), page.keyboard.type('99.9'), page.keyboard.press('Enter')]);
    const dialog = payDialog(page);
    await dialog.getByText('Pricing …').waitFor();
    await expect.poll(() => search(page).inputValue()).toBe('');
    const cash = cashOf(dialog);
    await expect.poll(() => cash.inputValue()).toBe('99.9');
    const count = ordersOf(page);
    answer();
    await dialog.getByText('Change', { exact: true }).waitFor();
    await expect.poll(() => cash.inputValue()).toBe('99.9');
    await page.reload();
    await dialog.getByText('Change', { exact: true }).waitFor();
    await expect.poll(() => cash.inputValue()).toBe('99.90');
    expect(count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /is sold$/ }).waitFor();
    expect(count()).toBe(1);
  });

  test('F9 on a cart that cannot be paid shows the reason and opens nothing', async () => {
    const page = await openTill();
    const quantity = page.getByRole('list', { name: 'Items in the cart' }).getByRole('textbox');
    await quantity.fill('80');
    await page.getByText(/^Only \d+ in stock$/).waitFor();
    await expect.poll(() => payButton(page).isDisabled()).toBe(true);
    await page.keyboard.press('F9');
    await page.getByText('The cart has more than is in stock.').waitFor();
    expect(await payDialog(page).count()).toBe(0);
    await page.keyboard.press('4');
    await expect.poll(() => search(page).inputValue()).toBe('4');
  });

  test('taxes left out of the price are noted beside the total', async () => {
    const note = 'Not charged: “Local tax”. The organization has not decided whether patients owe it.';
    const console = await shop().open('owner');
    await intercept(console.page, '**/orders/pricing', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, warnings: [note] } } });
    });
    const page = await console.goto('/point-of-sale');
    await fillCart(page);
    await page.getByRole('region', { name: 'Cart' }).getByText(note).waitFor();
    expect(await console.barriers()).toEqual([]);
  });

  test('after a tap, letters and digits go to the search, and shortcuts do not leave the sale', async () => {
    const page = await openTill();
    const taps = [
      page.getByRole('button', { name: /^One more/ }).first(),
      page.getByRole('group', { name: 'Categories' }).getByRole('button').first(),
      page.getByRole('textbox', { name: /^Quantity of/ }).first(),
      page.getByRole('heading', { level: 1 }),
    ];
    for (const tap of taps) {
      await tap.click();
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await page.keyboard.press('7');
      await expect.poll(() => search(page).inputValue()).toBe('gu7');
      await search(page).fill('');
    }
    expect(new URL(page.url()).pathname).toBe('/console/point-of-sale');

    // With the name of a size, Enter adds that size, and the row in which it shows says so before.
    const { name, sizes } = await flowerInQuarters();
    await search(page).fill(`${name.toLowerCase()} quarter`);
    await expect.poll(() => page.getByRole('option').count()).toBe(sizes);
    const meant = page.getByRole('option', { selected: true });
    await meant.filter({ hasText: name }).getByText('Quarter', { exact: true }).waitFor();
    const priced = page.waitForResponse((reply) => reply.url().endsWith('/orders/pricing'));
    await page.keyboard.press('Enter');
    const cart = page.getByRole('list', { name: 'Items in the cart' });
    await cart.getByRole('listitem').filter({ hasText: name }).getByText('Quarter').waitFor();
    expect((await priced).status()).toBe(200);
  });

  test('Enter picks the customer with the exact name or phone, also before the results load', async () => {
    const { data: made } = await shop().owner.call('POST', '/staff/v1/customers', {
      firstName: 'Exacta',
      lastName: 'Onlyone',
      phone: '(415) 555-0142',
      birthday: '1980-05-05',
    });
    expect(made.id).toBeGreaterThan(0);
    const page = await openTill();
    const picker = page.getByRole('dialog').getByRole('combobox', { name: 'Customer' });
    const cart = page.getByRole('region', { name: 'Cart' });
    for (const typed of ['exacta onlyone', '415 555 0142']) {
      await page.keyboard.press('F2');
      await picker.fill(typed);
      await picker.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await cart.getByText('Exacta Onlyone').waitFor();
      await cart.getByRole('button', { name: 'Remove Exacta Onlyone' }).click();
    }
    await page.keyboard.press('F2');
    await picker.fill('exacta');
    await page.getByRole('option', { name: /Exacta/ }).waitFor();
    await picker.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);

    // Beside a customer F2 begins a new search, and who is not found is not the one who is there.
    await picker.fill('exacta onlyone');
    await picker.press('Enter');
    await cart.getByText('Exacta Onlyone').waitFor();
    await page.keyboard.press('F2');
    await expect.poll(() => picker.inputValue()).toBe('');
    await page.keyboard.type('zzyzx of no name');
    await page.getByRole('option', { name: 'No matching customers' }).waitFor();
    expect(await page.getByRole('option', { name: /Exacta/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('Enter pays after a suggested amount, another type of payment, and a tap outside', async () => {
    const page = await openTill();
    // Frames of a busy device come late; the next key does not wait for one.
    await page.evaluate(
      `{ const frame = requestAnimationFrame; window.requestAnimationFrame = (then) => setTimeout(() => frame(then), 250); }`,
    );
    const dialog = payDialog(page);
    const touches: Readonly<Record<string, () => Promise<void>>> = {
      'a suggested amount': () =>
        dialog.getByRole('group', { name: 'Cash received' }).getByRole('button').nth(1).click(),
      'another type of payment': async () => {
        await dialog.getByRole('group', { name: 'Payment' }).getByRole('button').nth(1).click();
      },
      'a tap outside': () => dialog.getByRole('heading').click(),
    };
    const count = ordersOf(page);
    for (const [index, [what, touch]] of Object.entries(touches).entries()) {
      if (index > 0) await fillCart(page);
      await page.keyboard.press('F9');
      await touch();
      // An Enter pressed before the price is shown pays nothing.
      await expect
        .poll(() => dialog.getByRole('button', { name: 'Take payment and hand over' }).isEnabled())
        .toBe(true);
      await page.keyboard.press('Enter');
      const sold = page.getByRole('dialog', { name: /is sold$/ });
      await sold.waitFor();
      expect([what, count()]).toEqual([what, index + 1]);
      await sold.getByRole('button', { name: 'Next sale' }).click();
      await sold.waitFor({ state: 'detached' });
    }
  });

  test('much more cash than due needs confirmation', async () => {
    const page = await openTill();
    await page.keyboard.press('F9');
    const dialog = payDialog(page);
    const cash = cashOf(dialog);
    const sell = dialog.getByRole('button', { name: 'Take payment and hand over' });
    const count = ordersOf(page);
    await cash.fill('10000.01');
    await dialog.getByText(/^\$10,000\.01 in cash for/).waitFor();
    await expect.poll(() => sell.isDisabled()).toBe(true);
    expect(await dialog.getByText('Change', { exact: true }).count()).toBe(0);
    await cash.press('Enter');
    await cash.fill('4100010060');
    await expect.poll(() => sell.isDisabled()).toBe(true);
    expect(count()).toBe(0);
    await dialog.getByLabel('Yes, $4,100,010,060.00 was given').check();
    await expect.poll(() => sell.isDisabled()).toBe(false);
    // A different amount is not the confirmed one.
    await cash.fill('20000');
    await expect.poll(() => sell.isDisabled()).toBe(true);
  });

  test('a count a hundred times off needs confirmation, on the sheet and for one item', async () => {
    const page = await (await shop().open('inventory')).goto('/inventory/count');
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/inventory-counts'))
        writes.push(request.url());
    });
    // The sheet loads completely, page by page.
    await page.locator('table[aria-busy="false"]:not([aria-rowcount="-1"])').waitFor();
    const counted = page.getByLabel(/^Counted of/).first();
    await counted.fill('410001000013');
    await page.getByRole('button', { name: 'Save 1 counted' }).click();
    const dialog = page.getByRole('dialog', { name: 'Are these counts correct?' });
    await dialog.getByText(/410001000013 counted, ledger shows/).waitFor();
    await dialog.getByRole('button', { name: 'Count again' }).click();
    await counted.fill('');
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await page
      .getByRole('button', { name: /^More for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Count' }).click();
    const one = page.getByRole('dialog');
    await one.getByLabel(/^Counted, in (?:each|grams)/).fill('410001000013');
    await one.getByLabel(/^Yes, 410001000013 (?:each|grams)/).waitFor();
    await one.getByRole('button', { name: 'Save count' }).click();
    await one.getByLabel('Counted').and(page.locator(':focus')).waitFor();
    expect(writes).toEqual([]);
  });
}
