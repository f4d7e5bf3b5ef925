import { expect } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { test } from './drawn-proofs.test-support.ts';
import { placeFulfilled } from './placed-orders.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const keysEndMs = 1000;

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Lists of several pages, a column of each, and what its row shows. */
const sortedTables = [
  {
    what: 'customers',
    at: '/customers',
    header: 'Spent',
    list: 'customers',
    column: 'spent',
    sort: 'spent',
    shows: (row: { firstName: string; lastName: string; orderCount: number; spent: number }) => [
      `${row.firstName} ${row.lastName}`,
      `${row.orderCount}${(row.spent / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })}`,
    ],
  },
  {
    what: 'orders',
    at: '/orders?view=list',
    header: 'Order',
    list: 'orders',
    column: 'number',
    sort: 'number',
    shows: (row: { number: number }) => [String(row.number)],
  },
  {
    what: 'packages',
    at: '/inventory/packages',
    header: 'Label',
    list: 'packages',
    column: 'label',
    sort: 'label',
    shows: (row: { label: string }) => [row.label],
  },
] as readonly {
  readonly what: string;
  readonly at: string;
  readonly header: string;
  readonly list: string;
  readonly column: string;
  readonly sort: string;
  /** Texts of its row. */
  readonly shows: (row: never) => readonly string[];
}[];

/** The work of the office. */
export function officeProofs(shop: () => ProofShop): void {
  test('received goods of a purchase order are in stock', async () => {
    const { owner } = shop();
    const orders = async () => (await owner.call('GET', '/staff/v1/purchase-orders?status=open')).data;
    const [{ id, totalAmountReceived: before }] = await orders();
    const page = await (await shop().open('inventory')).goto(`/purchasing/${id}`);
    await page.getByRole('link', { name: 'Receive goods' }).click();
    await page.getByLabel('Received').first().fill('3');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('The goods are in stock.').waitFor();
    await page.getByRole('heading', { name: 'Received' }).waitFor();
    const received = (await orders()).find((order: { id: number }) => order.id === id);
    expect(Number(received.totalAmountReceived)).toBe(Number(before) + 3);
  });

  for (const { what, at, header: title, list, column, sort, shows } of sortedTables) {
    test(`${what} are sorted by the header of a column, by keyboard, all of them and not only those shown`, async () => {
      const { owner } = shop();
      const firstShown = async (direction: string) => {
        const path = `/staff/v1/${list}?sortBy=${sort}&sortDirection=${direction}`;
        return shows((await owner.call('GET', path)).data[0] as never);
      };
      const page = await (await shop().open('owner')).goto(at);
      const header = page.getByRole('columnheader', { name: title });
      const firstRow = page.getByRole('table').locator('tbody tr').first();
      await header.getByRole('button').focus();
      for (const direction of ['ascending', 'descending'] as const) {
        await page.keyboard.press('Enter');
        await expect.poll(() => header.getAttribute('aria-sort')).toBe(direction);
        for (const text of await firstShown(direction)) {
          await expect.poll(() => firstRow.textContent()).toContain(text);
        }
        await expect
          .poll(() => new URL(page.url()).searchParams.get('sort'))
          .toBe(direction === 'ascending' ? column : `-${column}`);
      }
      await page.reload();
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
      await header.getByRole('button').press('Enter');
      await expect.poll(() => header.getAttribute('aria-sort')).toBe(null);
    });
  }

  test('a refusal shows at its field', async () => {
    const console = await shop().open('owner', { refusals: [400] });
    const page = await console.goto('/settings/organization');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('x'.repeat(1_000));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await console.barriers()).toEqual([]);
  });

  test('of two people changing the same settings, the second sees both versions', async () => {
    const quick = await (await shop().open('owner')).goto('/settings/organization');
    const console = await shop().open('owner', { refusals: [409] });
    const late = await console.goto('/settings/organization');
    // Typed before the first version arrives here: an untouched form would show it.
    await late.getByLabel('License number').fill('C10-0000202-LIC');
    await quick.getByLabel('License number').fill('C10-0000201-LIC');
    await quick.getByRole('button', { name: 'Save' }).click();
    await quick.getByText('The organization is saved.').waitFor();
    await late.getByRole('button', { name: 'Save' }).click();
    const both = late.getByRole('dialog').getByRole('row', { name: /C10-0000202-LIC C10-0000201-LIC/ });
    await both.waitFor();
    expect(await console.barriers()).toEqual([]);
    await late.getByRole('button', { name: 'Save mine over theirs' }).click();
    await late.getByText('Your version is saved.').waitFor();
    const { data } = await shop().owner.call('GET', '/staff/v1/organization');
    expect(data.licenseNumber).toBe('C10-0000202-LIC');
  });

  test('a product gets a strain and a terpene, a photo its alternative text, and an option a photo of its own', async () => {
    const { owner } = shop();
    const [{ id }] = (await owner.call('GET', '/staff/v1/products?sortBy=name')).data;
    const productNow = async () => (await owner.call('GET', `/staff/v1/products/${id}`)).data;
    const console = await shop().open('inventory');
    const page = await console.goto(`/catalog/products/${id}`);
    const { terpenes } = await productNow();
    await page.getByLabel('Name of the strain').fill('Strain of the proof');
    await page.getByRole('button', { name: 'Add a terpene' }).click();
    await page.getByLabel(`Name of terpene ${terpenes.length + 1}`).fill('Terpene of the proof');
    await page.getByLabel(`Percent of terpene ${terpenes.length + 1}`).fill('0.82');
    await page.getByRole('button', { name: 'Save product' }).click();
    await expect.poll(async () => (await productNow()).strain).toBe('Strain of the proof');
    expect((await productNow()).terpenes).toEqual([
      ...terpenes,
      { name: 'Terpene of the proof', percent: '0.82' },
    ]);
    await page.getByRole('button', { name: 'Alternative text of photo 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alternative text', exact: true });
    await dialog.getByLabel('Alternative text', { exact: true }).fill('What the proof sees');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The alternative text is saved.').waitFor();
    await page.getByRole('img', { name: 'What the proof sees' }).first().waitFor();
    expect((await productNow()).photoAltTexts[0]).toBe('What the proof sees');

    await page
      .getByRole('button', { name: /^Photos of / })
      .first()
      .click();
    const own = page.getByRole('dialog', { name: /^Photos of / });
    await own.getByLabel('Alternative text of the photo').fill('The bag of the proof');
    await own
      .getByLabel('Photos', { exact: true })
      .setInputFiles({ name: 'bag.png', mimeType: 'image/png', buffer: onePixel });
    await own.getByRole('img', { name: 'The bag of the proof' }).waitFor();
    await expect
      .poll(async () => (await productNow()).options[0].photos.at(-1)?.altText)
      .toBe('The bag of the proof');
    expect(await console.barriers()).toEqual([]);
  });

  test('the day so far follows a sale at once, and leads to its report', async () => {
    const { owner } = shop();
    const totalNow = async () => (await owner.call('GET', '/staff/v1/reports/today')).data.total;
    const opened = await shop().open('manager');
    const page = await opened.goto('/today');
    const { orders } = await totalNow();
    const tile = page.getByRole('region', { name: 'Sales by hour' });
    await tile.waitFor();
    await placeFulfilled(shop(), 1);
    const after = await totalNow();
    expect(after.orders).toBeGreaterThan(orders);
    await tile.getByText(new RegExp(`^${after.orders} orders?\\b`)).waitFor();
    expect(await opened.barriers()).toEqual([]);
    await tile.getByRole('link', { name: 'Sales by hour' }).click();
    await page.getByRole('heading', { name: 'Sales report', level: 1 }).waitFor();
    // The chart and the table are of what the tile said.
    await page.getByRole('img', { name: /^Net sales by hour/ }).waitFor();
    await page.getByRole('combobox', { name: 'Compared with' }).click();
    await page.getByRole('option', { name: 'Against the period before' }).click();
    const table = page.getByRole('region', { name: 'Sales by hour' });
    await table.getByRole('columnheader', { name: 'Net before' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    // On paper: the table with all its columns, without controls and navigation.
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))');
    await page
      .getByRole('table', { name: 'Sales by hour' })
      .getByText('Adjustments', { exact: true })
      .waitFor();
    for (const hidden of [table, page.getByRole('navigation'), page.getByRole('button', { name: 'Print' })]) {
      expect(await hidden.count()).toBe(0);
    }
    await page.emulateMedia({ media: null });
  });

  test('a brand is created, changed while a colleague changes it too, and deleted', async () => {
    const { owner } = shop();
    const brandNow = async () =>
      (await owner.call('GET', '/staff/v1/brands')).data.find((it: { name: string }) =>
        it.name.startsWith('Brand of the proof'),
      );
    const page = await (await shop().open('inventory', { refusals: [409] })).goto('/catalog/brands');
    await page.getByRole('button', { name: 'New brand' }).click();
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Brand of the proof');
    await page.keyboard.press('Enter');
    const more = page.getByRole('button', { name: /^More for Brand of the proof/ });
    await more.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const { id } = await brandNow();
    await owner.call('PATCH', `/staff/v1/brands/${id}`, { description: 'Of another person' });
    await page.getByRole('dialog').getByLabel('Name').fill('Brand of the proof, renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /renamed Of another person/ }).waitFor();
    expect(await brandNow()).toMatchObject({
      name: 'Brand of the proof, renamed',
      description: 'Of another person',
    });
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete brand' }).click();
    await page.getByText('Brand of the proof, renamed is deleted.').waitFor();
    expect(await brandNow()).toBeUndefined();
  });

  test('a staff member changed by a colleague is not disabled without a check', async () => {
    const { owner } = shop();
    const email = 'proof@example.com';
    const invite = { email, firstName: 'Ada', lastName: 'Proof', role: 'budtender' };
    const { id } = (await owner.call('POST', '/staff/v1/staff', invite)).data;
    const page = await (await shop().open('owner', { refusals: [409] })).goto('/settings/staff');
    const disable = async () => {
      await page.getByRole('button', { name: 'Actions for Ada Proof' }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
    };
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Disable' });
    await disable();
    await owner.call('PATCH', `/staff/v1/staff/${id}`, { role: 'manager' });
    await confirm.click();
    await page.getByText('Another person has just changed Ada Proof.').waitFor();
    await page.getByRole('row', { name: /Ada Proof.* Manager/ }).waitFor();
    await disable();
    await confirm.click();
    await page.getByText('Ada Proof is disabled.').waitFor();
  });

  test('a changed tax updates an open cart at the counter', async () => {
    const counter = await (await shop().open('budtender')).goto('/point-of-sale');
    // Free items have no tax.
    await counter.getByRole('option').filter({ hasNotText: '$0.00' }).first().click();
    const pay = counter.getByRole('button', { name: /^Pay \$/ });
    await pay.waitFor();
    const before = await pay.innerText();
    const settings = await (await shop().open('owner')).goto('/settings/taxes');
    await settings.locator('tr', { hasText: 'Sales tax' }).first().click();
    const dialog = settings.getByRole('dialog');
    await dialog.getByLabel('Rate').fill('19.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await pay.filter({ hasNotText: before }).waitFor();
    expect(centsIn(await pay.innerText())).toBeGreaterThan(centsIn(before));
  });

  test('an issued key opens the API, and a revoked key is refused within a second', async () => {
    const { baseUrl, demo } = shop();
    const console = await shop().open('owner');
    const page = await console.goto('/integrations/keys');
    await page.getByRole('button', { name: 'Issue key' }).click();
    const dialog = page.getByRole('dialog');
    expect(await console.barriers()).toEqual([]);
    await dialog.getByRole('combobox', { name: 'Integrator' }).click();
    await page.getByRole('option', { name: californiaShop.integrators[0]!.name }).click();
    await dialog.getByLabel('Name').fill('Key of the proof');
    await dialog.getByRole('checkbox', { name: 'Analytics' }).check();
    await dialog.getByRole('button', { name: 'Issue key' }).click();
    const clientKey = await page.getByLabel('Client key', { exact: true }).inputValue();
    const ask = async () => {
      const headers = { 'x-consumer-key': demo.consumerKey, 'x-client-key': clientKey };
      return (await fetch(`${baseUrl}/api/v1/organization`, { headers })).status;
    };
    expect(await ask()).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for Key of the proof' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key of the proof is revoked.').waitFor();
    const revokedAtMs = performance.now();
    let servedAfterMs = 0;
    const status = async () => {
      const askedAfterMs = performance.now() - revokedAtMs;
      const answered = await ask();
      if (answered !== 401) servedAfterMs = askedAfterMs;
      return answered;
    };
    await expect.poll(status, { interval: 100 }).toBe(401);
    // Counted from the question: an answer takes longer on a busy machine.
    expect(servedAfterMs).toBeLessThan(keysEndMs);
  });
}

/** `Pay $12.34` → 1234. */
function centsIn(text: string): number {
  return Number(text.replaceAll(/\D/g, ''));
}
