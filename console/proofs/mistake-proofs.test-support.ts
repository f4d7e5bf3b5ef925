import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillCart } from './outage-proofs.test-support.ts';
import { placeDraft } from './placed-orders.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Two clicks before the page can re-render. */
const clickTwice = (button: Locator) =>
  button.evaluate((it) => {
    (it as unknown as { click(): void }).click();
    (it as unknown as { click(): void }).click();
  });

/** Counts the page's writes to an address from now on. */
function writesTo(page: Page, address: RegExp): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() !== 'GET' && address.test(request.url())) count += 1;
  });
  return () => count;
}

/** User mistakes and their harmless results. */
export function mistakeProofs(shop: () => ProofShop): void {
  const owner = () => shop().owner;
  const someCustomers = async () => (await owner().call('GET', '/staff/v1/customers')).data;

  async function openCredit(page: Page): Promise<Locator> {
    await page.getByRole('tab', { name: /^Points and credits/ }).click();
    await page.getByRole('button', { name: 'Add credit' }).click();
    return page.getByRole('dialog');
  }

  test('a double-clicked confirmation is sent once', async () => {
    const invite = { email: 'slip@example.com', firstName: 'Ada', lastName: 'Slip', role: 'budtender' };
    expect(await owner().call('POST', '/staff/v1/staff', invite)).toMatchObject({ status: 201 });
    const page = await (await shop().open('owner')).goto('/settings/staff');
    // The list renders the rows in view, and other proofs invite many people before.
    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('slip ada');
    await page.getByRole('button', { name: 'Actions for Ada Slip' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const writes = writesTo(page, /\/staff\/v1\/staff\//);
    await clickTwice(page.getByRole('dialog').getByRole('button', { name: 'Disable' }));
    await page.getByText('Ada Slip is disabled.').waitFor();
    expect(writes()).toBe(1);
  });

  test('a double-clicked button acts once', async () => {
    const [, { id }] = await someCustomers();
    const page = await (await shop().open('owner')).goto(`/customers/${id}`);
    const writes = writesTo(page, /\/instore-queues/);
    await clickTwice(page.getByRole('button', { name: 'Check in' }));
    await page.getByText(/ is in the queue\.$/).waitFor();
    expect(writes()).toBe(1);
  });

  test('a second click on the board does not act on the next order', async () => {
    for (let count = 0; count < 3; count += 1) await placeDraft(shop());
    const page = await (await shop().open('budtender')).goto('/orders');
    const drafts = page.getByRole('region', { name: 'To accept' }).getByRole('listitem');
    for (const title of ['To pack', 'Ready', 'Out for delivery', 'Done']) {
      await page.getByRole('region', { name: title }).waitFor();
    }
    const first = drafts.first().getByRole('button', { name: /^Accept/ });
    // The longest wait is first.
    const numbers = (await drafts.allTextContents()).map((text) => Number(/Order (\d+)/.exec(text)?.[1]));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const name = await first.getAttribute('aria-label');
    const place = (await first.boundingBox())!;
    const click = () => page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    const writes = writesTo(page, /\/accept$/);
    await click();
    await page.getByText(/The order is accepted/).waitFor();
    await page.getByRole('region', { name: 'To pack' }).getByRole('button', { name: /./ }).first().waitFor();
    await click();
    await drafts.getByRole('button', { name: name! }).waitFor({ state: 'detached' });
    expect(writes()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/console/orders');
    await click();
    await expect.poll(writes).toBe(2);
  });

  test('a step on the board is taken back in its message: an order is accepted, packed and unpacked by a slip', async () => {
    const { id } = await placeDraft(shop());
    const { number } = (await owner().call('GET', `/staff/v1/orders/${id}`)).data;
    const page = await (await shop().open('budtender')).goto('/orders');
    const statusOf = async () => (await owner().call('GET', `/staff/v1/orders/${id}`)).data.status;
    const undo = async (done: RegExp) => {
      const toast = page.getByRole('alert').filter({ hasText: done }).first();
      await toast.getByRole('button', { name: 'Undo' }).click();
      await toast.waitFor({ state: 'detached' });
    };
    const take = (verb: string) =>
      page.getByRole('button', { name: new RegExp(`^${verb}: Order ${number}$`) }).click();
    await take('Accept');
    await undo(/The order is accepted/);
    await expect.poll(statusOf).toBe('draft');
    await take('Accept');
    await take('Mark as packed');
    // Not `packed`: what says then that it is unpacked stays while the mouse is over it.
    await undo(/is packed/);
    await expect.poll(statusOf).toBe('new');
  });

  test('an invalid amount is not sent, and its field shows an error', async () => {
    const [{ id }] = await someCustomers();
    const page = await (await shop().open('owner')).goto(`/customers/${id}`);
    const writes = writesTo(page, /./);
    for (const typed of ['5O0', '27.505', '60.5.0', '12,50']) {
      const dialog = await openCredit(page);
      const amount = dialog.getByRole('textbox', { name: 'Amount' });
      await amount.fill(typed);
      await dialog.getByLabel('Description').fill('Misread');
      await dialog.getByRole('button', { name: 'Add credit' }).click();
      await amount.and(page.locator(':focus')).waitFor();
      await dialog.getByText('Enter an amount such as 12.50').waitFor();
      expect([typed, writes()]).toEqual([typed, 0]);
      await amount.fill('');
      await dialog.getByLabel('Description').fill('');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('an incomplete date is not sent as empty, and a year can be retyped', async () => {
    const page = await (await shop().open('owner')).goto('/settings/taxes');
    await page.getByRole('button', { name: 'Add tax' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Tax of the proof');
    await dialog.getByLabel('Rate').fill('1.5');
    const from = dialog.getByLabel('From');
    await from.focus();
    // A date without a time.
    await page.keyboard.type('12012026');
    const writes = writesTo(page, /\/taxes/);
    await dialog.locator('button[type=submit]').click();
    await dialog.getByText('Enter a complete date and time, with the year').waitFor();
    expect(writes()).toBe(0);
    await from.fill('2026-12-01T09:00');
    await from.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2027');
    await expect.poll(() => from.inputValue()).toBe('2027-12-01T09:00');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await dialog.locator('button[type=submit]').click();
    expect((await sent).postDataJSON()).toMatchObject({ startsAt: '2027-12-01T17:00:00.000Z', endsAt: null });
    await dialog.waitFor({ state: 'detached' });
  });

  async function openCart(address = '/point-of-sale'): Promise<Page> {
    const page = await (await shop().open('owner', { refusals: [409, 422] })).goto(address);
    await fillCart(page);
    return page;
  }

  test('payment waits for incomplete reductions, and a typed code counts', async () => {
    const page = await openCart();
    const pay = page.getByRole('button', { name: /^Pay/ });
    await page.getByRole('button', { name: 'Discounts' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Add an adjustment' }).click();
    await drawer.getByText('Adds', { exact: true }).click();
    await drawer.getByLabel('Amount of adjustment 1').fill('5.00');
    await drawer.getByText('Enter a description').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/An adjustment has no description yet/).waitFor();
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => pay.isDisabled()).toBe(true);
    await page.keyboard.press('F9');
    expect(await drawer.count()).toBe(0);
    await page.getByRole('button', { name: 'Discounts' }).click();
    await drawer.getByLabel('Description of adjustment 1').fill('Gift wrap');
    await drawer.getByLabel('Amount of adjustment 1').fill('');
    await drawer.getByLabel('Amount of adjustment 1').fill('7.00');
    await drawer.getByLabel('Discount codes').fill('NOSUCHCODE');
    // The first Escape closes the empty list of choices.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Cart' })
      .getByRole('alert')
      .filter({ hasText: 'NOSUCHCODE' })
      .waitFor();
    await expect.poll(() => pay.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discounts' }).click();
    await expect.poll(() => drawer.getByRole('radio', { name: 'Adds' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('a quantity above the stock shows in the cart before payment', async () => {
    const page = await openCart();
    const cart = page.getByRole('list', { name: 'Items in the cart' });
    const first = cart.getByRole('listitem').first();
    await first.getByRole('textbox').fill('99');
    await first.getByText(/^Only [\d]+ in stock$/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Pay/ }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: /scan a UPC/ }).fill('pin');
    await page
      .getByRole('option')
      .first()
      .getByText(/^\d+ in stock$/)
      .waitFor();
  });

  test('a sale needs full payment and enough cash', async () => {
    const page = await openCart();
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount', { exact: true });
    const due = await amount.inputValue();
    const sell = dialog.getByRole('button', { name: 'Take payment and hand over' });
    const writes = writesTo(page, /\/orders/);
    await amount.fill('1.00');
    await dialog.getByText('Remaining').waitFor();
    await expect.poll(() => sell.isDisabled()).toBe(true);
    await amount.press('Enter');
    await amount.fill(due);
    await expect.poll(() => sell.isDisabled()).toBe(false);
    await dialog.getByLabel('Cash received').first().fill('0.50');
    await dialog.getByText('Cash short').waitFor();
    await expect.poll(() => sell.isDisabled()).toBe(true);
    expect(writes()).toBe(0);
  });

  test('a called customer gets the items of another customer only after a question, and no exemption', async () => {
    const [first, second] = await someCustomers();
    const page = await openCart(`/point-of-sale?customer=${first.id}`);
    await page.getByText(new RegExp(`^${first.firstName} ${first.lastName}$`)).waitFor();
    await page.getByRole('button', { name: 'Discounts' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Override taxes').check();
    await drawer.getByLabel('Reason', { exact: true }).fill('Exempt by card');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Queue' }).click();
    await owner().call('POST', '/staff/v1/instore-queues/intake', { customerId: second.id });
    // By the whole name: others in the queue may have the first one too.
    const name = `${second.firstName} ${second.lastName}`;
    await page.getByRole('button', { name: new RegExp(`^Admit ${name}`) }).click();
    await page.getByRole('link', { name: new RegExp(`^Serve ${name}`) }).click();
    await page
      .getByRole('dialog')
      .getByText(/Are these items for/)
      .waitFor();
    await page.getByRole('button', { name: 'Keep the items' }).click();
    await page.getByText(/are removed from the cart\.$/).waitFor();
    expect(await page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Discounts' }).click();
    await expect.poll(() => drawer.getByLabel('Override taxes').isChecked()).toBe(false);
    await page.keyboard.press('Escape');
  });
}
