import { expect, test } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { onePixel } from './one-pixel.test-support.ts';
import { placeFulfilled } from './placed-orders.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { shelfOf } from './shelf.test-support.ts';

/** The work of the office. */
export function officeProofs(shop: () => ProofShop): void {
  test('received goods of a purchase order are in stock, and owed at the price of the invoice', async () => {
    const { owner } = shop();
    const orders = async () =>
      (await owner.call('GET', '/staff/v1/purchase-orders')).data.filter(
        ({ status }: { status: string }) => status === 'open',
      );
    const isCannabis = ({ product }: { product: { primaryCategory: { cannabisType: string } } }) =>
      product.primaryCategory.cannabisType !== 'none';
    const [{ id, totalAmountReceived: before, lineItems }] = (await orders()).filter(
      (it: { lineItems: Parameters<typeof isCannabis>[0][] }) => it.lineItems.some(isCannabis),
    );
    const at: number = lineItems.findIndex(isCannabis);
    const opened = await shop().open('inventory', { refusals: [400] });
    const page = await opened.goto(`/purchasing/${id}`);
    const tag = `1A4${String(Date.now()).padStart(21, '0')}`;
    const receive = async () => {
      await page.getByRole('link', { name: 'Receive goods' }).click();
      await page.getByRole('textbox', { name: 'Received' }).nth(at).fill('3');
      // Where the state tags cannabis, none is received loose: the field says so.
      const label = page.getByRole('textbox', { name: 'Package label' }).nth(at);
      await page.getByRole('button', { name: 'Receive', exact: true }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await label.getAttribute('aria-invalid')).toBe('true');
      await label.fill(tag);
      await page.getByRole('textbox', { name: 'THC %' }).fill('21.5');
      await page.getByRole('button', { name: 'Receive', exact: true }).click();
      await page.getByText('The goods are in stock.').waitFor();
      await page.getByRole('heading', { name: 'Received' }).waitFor();
    };
    // A receipt by mistake is undone where it is told, and the tag is free again.
    await receive();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The receipt is undone.').waitFor();
    await receive();
    expect((await owner.call('GET', `/staff/v1/packages?search=${tag}`)).data[0].thcPercent).toBe('21.5');
    const received = (await orders()).find((order: { id: number }) => order.id === id);
    expect(Number(received.totalAmountReceived)).toBe(Number(before) + 3);
    // The vendor's invoice says another price than the order.
    const [line] = received.lineItems.filter(
      ({ amountReceived }: { amountReceived: string }) => amountReceived !== '0',
    );
    const price = String(Number(line.costPerUnit) + 1.5);
    await page
      .getByRole('button', { name: /^Invoice price of / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Unit cost on the invoice' }).fill(price);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^The price is saved\. \$[\d,.]+ is outstanding\.$/).waitFor();
    await page.getByText(`$${price} on the invoice`).waitFor();
    const { data: after } = await owner.call('GET', `/staff/v1/purchase-orders/${id}`);
    const others = ({ id: lineId }: { id: number }) => lineId !== line.id;
    expect(after.lineItems.filter(others)).toEqual(received.lineItems.filter(others));
    expect(after.amountOwed - received.amountOwed).toBe(Math.round(Number(line.amount) * 150));
    expect(after.amountOutstanding - received.amountOutstanding).toBe(Math.round(Number(line.amount) * 150));
  });

  test('what is typed of a package survives a reload, until it is cancelled', async () => {
    const { owner } = shop();
    const label = `1A4${String(Date.now()).padStart(21, '0')}`;
    const made = { label, initialAmount: '12', unit: 'Each' };
    const { data: pack } = await owner.call('POST', '/staff/v1/packages', made);
    const page = await (await shop().open('inventory')).goto(`/inventory/packages/${pack.id}`);
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Receive package' });
    const cost = dialog.getByRole('textbox', { name: 'Cost per unit' });
    await cost.fill('3.25');
    await page.reload();
    await dialog.getByText('Your entries were saved on this device').waitFor();
    expect(await cost.inputValue()).toBe('3.25');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    expect(await cost.inputValue()).toBe('');
  });

  test('packages are sorted by the header of a column, by keyboard, all of them and not only those shown', async () => {
    const firstLabel = async (direction: string) => {
      const path = `/staff/v1/packages?sortBy=label&sortDirection=${direction}`;
      return (await shop().owner.call('GET', path)).data[0].label;
    };
    const page = await (await shop().open('owner')).goto('/inventory/packages');
    const header = page.getByRole('columnheader', { name: 'Label' });
    const firstRow = page.getByRole('table').locator('tbody tr').first();
    await header.getByRole('button').focus();
    for (const direction of ['ascending', 'descending'] as const) {
      await page.keyboard.press('Enter');
      await expect.poll(() => header.getAttribute('aria-sort')).toBe(direction);
      const label = await firstLabel(direction);
      await expect.poll(() => firstRow.textContent()).toContain(label);
      await expect
        .poll(() => new URL(page.url()).searchParams.get('sort'))
        .toBe(direction === 'ascending' ? 'label' : '-label');
    }
    await page.reload();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await header.getByRole('button').press('Enter');
    await expect.poll(() => header.getAttribute('aria-sort')).toBe(null);
  });

  test('a new package is received at once, with its label, cost, last day of sale and certificate', async () => {
    const { owner } = shop();
    const label = `1A4${String(Date.now()).padStart(21, '0')}`;
    const [product] = await shelfOf(shop());
    const page = await (await shop().open('inventory')).goto('/inventory/packages');
    await page.getByRole('button', { name: 'New package' }).click();
    const dialog = page.getByRole('dialog', { name: 'New package' });
    const fill = (field: string, text: string) =>
      dialog.getByRole('textbox', { name: field, exact: true }).fill(text);
    await fill('Label', label);
    await fill('Amount', '12');
    const item = dialog.getByRole('combobox', { name: 'Product' });
    await item.fill(product!.name);
    await page.getByRole('option', { name: product!.name }).first().click();
    await dialog.getByRole('combobox', { name: 'Location' }).click();
    await page.getByRole('option').first().click();
    await dialog.getByLabel(/^Cost per/).fill('3.25');
    await dialog.getByLabel('On sale until').fill('2031-05-01');
    await dialog.getByLabel('Certificate (web address)').fill('https://lab.example.com/certificate');
    await dialog.getByRole('button', { name: 'Add package' }).click();
    await page.getByText('The package is in stock.').waitFor();
    const [made] = (await owner.call('GET', `/staff/v1/packages?search=${label}`)).data;
    expect(made).toMatchObject({
      ...{ status: 'received', costPerUnit: '3.25', expirationDate: '2031-05-01' },
      certificateUrl: 'https://lab.example.com/certificate',
    });
  });

  test('margins stand by vendor, customer, discount and brand, and are mailed to whom and when the owner says', async () => {
    const { owner } = shop();
    const opened = await shop().open('owner');
    const page = await opened.goto('/reports/margins');
    for (const [by, shown] of [
      ['vendor', 'Vendor'],
      ['customer', 'Customer'],
      ['discount', 'Discount'],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Grouped by' }).getByText(shown, { exact: true }).click();
      const rows = page.getByRole('region', { name: `Margin by ${by}` }).getByRole('row');
      await rows.nth(1).waitFor();
    }
    expect(await opened.barriers()).toEqual([]);
    await opened.visit('/reports?by=brand');
    const brands = page.getByRole('region', { name: 'Sales by brand' });
    await brands.getByRole('columnheader', { name: 'Cost' }).waitFor();
    await brands.getByRole('columnheader', { name: 'Margin' }).waitFor();
    await brands
      .getByRole('row')
      .filter({ hasText: /\$.*\(\d+%\)/ })
      .first()
      .waitFor();

    await opened.visit('/reports/mails');
    await page.getByRole('button', { name: 'New email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Margins of the week');
    await dialog.getByRole('checkbox', { name: 'Sales by brand' }).check();
    await dialog.getByRole('combobox', { name: 'Day' }).click();
    await page.getByRole('option', { name: 'Mondays' }).click();
    await dialog.getByRole('group', { name: 'Recipients' }).getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByRole('row', { name: /Margins of the week.*Sales, Sales by brand.*Mondays, 7:00\sAM/ })
      .waitFor();
    const [mailed] = (await owner.call('GET', '/staff/v1/report-mails')).data;
    expect(mailed).toMatchObject({ reports: ['sales', 'brands'], weekday: 'monday', hour: 7 });
    expect((await owner.call('DELETE', `/staff/v1/report-mails/${mailed.id}`)).error).toBeUndefined();
  });

  test('a refusal shows at its field', async () => {
    const console = await shop().open('owner', { refusals: [400] });
    const page = await console.goto('/settings/organization');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('x'.repeat(1_000));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await console.barriers()).toEqual([]);
    // Of several options each says what it lacks, and required fields are marked.
    await name.fill('Juniper Quay');
    await console.visit('/catalog/products/new');
    await page.getByRole('button', { name: 'Add an option' }).click();
    const amounts = page.getByRole('textbox', { name: /^Amount of option/ });
    for (const at of [0, 1]) {
      expect(await amounts.nth(at).getAttribute('required')).not.toBe(null);
      await amounts.nth(at).fill('');
    }
    await page.getByRole('button', { name: 'Create product' }).click();
    await expect
      .poll(() => amounts.evaluateAll((all) => all.map((it) => it.getAttribute('aria-invalid'))))
      .toEqual(['true', 'true']);
  });

  test('what describes a product, its photos and those of each option is entered, saved, and shown by console, API and menu', async () => {
    const { owner, demo, service } = shop();
    const { consumerKey, clientKey } = demo;
    const publicRead = async (path: string) =>
      (await service.call('GET', path, { keys: { consumerKey, clientKey } })).data;
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    const several = ({ options }: { options: unknown[] }) => options.length > 1;
    const [{ id, options }] = (await publicRead('/api/v1/menu')).filter(several).sort(byName);
    const productNow = async () => (await owner.call('GET', `/staff/v1/products/${id}`)).data;
    const former = await productNow();
    const console = await shop().open('inventory');
    const page = await console.goto(`/catalog/products/${id}`);
    const word = async (label: string, text: string) => {
      await page.getByRole('combobox', { name: label }).fill(text);
      await page.keyboard.press('Enter');
    };
    await page.getByLabel('Name of the strain').fill('Strain of the proof');
    await page.getByLabel('SKU', { exact: true }).fill('PROOF-1');
    await word('Effects', 'Proven');
    await word('Flavors', 'Ink');
    const [terpene, result] = [former.terpenes.length + 1, former.labResults.length + 1];
    await page.getByRole('button', { name: 'Add a terpene' }).click();
    await page.getByLabel(`Name of terpene ${terpene}`).fill('Terpene of the proof');
    await page.getByLabel(`Percent of terpene ${terpene}`).fill('0.82');
    await page.getByRole('button', { name: 'Add a lab result' }).click();
    await page.getByLabel(`Lab of lab result ${result}`).fill('Lab of the proof');
    await page.getByLabel(`Date of lab result ${result}`).fill('2026-02-11');
    const certificate = page.getByLabel(`Address of the certificate of lab result ${result}`);
    await certificate.fill('https://lab.example.com/proof.pdf');
    await page.getByRole('button', { name: 'Save product' }).click();
    const entered = {
      strain: 'Strain of the proof',
      sku: 'PROOF-1',
      effects: [...former.effects, 'Proven'],
      flavours: [...former.flavours, 'Ink'],
      terpenes: [...former.terpenes, { name: 'Terpene of the proof', percent: '0.82' }],
      labResults: [
        ...former.labResults,
        {
          lab: 'Lab of the proof',
          date: '2026-02-11',
          certificateUrl: 'https://lab.example.com/proof.pdf',
        },
      ],
    };
    await expect.poll(productNow).toMatchObject(entered);

    await page.getByRole('button', { name: 'Alternative text of photo 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alternative text', exact: true });
    await dialog.getByLabel('Alternative text', { exact: true }).fill('What the proof sees');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The alternative text is saved.').waitFor();
    await page.getByRole('img', { name: 'What the proof sees' }).first().waitFor();

    const ofOptions = [
      ['The bag of the proof', 'Its back'],
      ['The jar of the proof', 'Its lid'],
    ];
    for (const [at, texts] of ofOptions.entries()) {
      await page.getByRole('button', { name: `Photos of ${options[at].name}`, exact: true }).click();
      const own = page.getByRole('dialog', { name: /^Photos of / });
      for (const text of texts) {
        await own.getByLabel('Alternative text of the photo').fill(text);
        await own
          .getByLabel('Photos', { exact: true })
          .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: onePixel });
        await own.getByRole('img', { name: text }).waitFor();
      }
      await page.keyboard.press('Escape');
      await own.waitFor({ state: 'detached' });
    }
    expect(await console.barriers()).toEqual([]);

    await page.reload();
    for (const [label, value] of [
      ['Name of the strain', entered.strain],
      ['SKU', entered.sku],
      [`Percent of terpene ${terpene}`, '0.82'],
      [`Date of lab result ${result}`, '2026-02-11'],
      [`Address of the certificate of lab result ${result}`, 'https://lab.example.com/proof.pdf'],
    ] as const) {
      await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
    }
    for (const text of ['Proven', 'Ink']) await page.getByText(text, { exact: true }).waitFor();
    await page.getByRole('img', { name: 'What the proof sees' }).first().waitFor();
    const hasTexts = {
      photos: expect.arrayContaining([expect.objectContaining({ altText: 'What the proof sees' })]),
      options: options.map((option: { id: number; photos: { altText: string }[] }, at: number) => ({
        id: option.id,
        photos: [...option.photos, ...(ofOptions[at] ?? []).map((altText) => ({ altText }))].map(
          ({ altText }) => expect.objectContaining({ altText }),
        ),
      })),
    };
    for (const path of ['/api/v1/menu', '/api/v1/products/all']) {
      const shown = (await publicRead(path)).find((it: { id: number }) => it.id === id);
      expect(shown, path).toMatchObject({ ...entered, ...hasTexts });
    }
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

  test('a key that only reads customers, and one that only changes them, do just that', async () => {
    const { baseUrl, demo } = shop();
    const console = await shop().open('owner');
    const page = await console.goto('/integrations/keys');
    for (const [part, read, changed] of [
      ['Reads only', 200, 403],
      ['Changes only', 403, 404],
    ] as const) {
      await page.getByRole('button', { name: 'Issue key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Integrator' }).click();
      await page.getByRole('option', { name: californiaShop.integrators[0]!.name }).click();
      await dialog.getByLabel('Name').fill(`Key that ${part.toLowerCase()}`);
      await dialog.getByRole('checkbox', { name: 'Customers', exact: true }).check();
      await dialog.getByRole('combobox', { name: 'Customers: how much' }).click();
      await page.getByRole('option', { name: part }).click();
      expect(await console.barriers()).toEqual([]);
      await dialog.getByRole('button', { name: 'Issue key' }).click();
      const clientKey = await page.getByLabel('Client key', { exact: true }).inputValue();
      const headers = { 'x-consumer-key': demo.consumerKey, 'x-client-key': clientKey };
      const json = { ...headers, 'content-type': 'application/json' };
      const listed = await fetch(`${baseUrl}/api/v1/customers`, { headers });
      const body = JSON.stringify({ emailOrPhone: 'no-one@customers.example.com' });
      const group = `${baseUrl}/api/v1/customer-groups/999999999/add-customer`;
      const added = await fetch(group, { method: 'PUT', headers: json, body });
      expect([part, listed.status, added.status]).toEqual([part, read, changed]);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText(`Customers (${part.toLowerCase()})`).first().waitFor();
    }
  });
}

/** `Pay $12.34` → 1234. */
function centsIn(text: string): number {
  return Number(text.replaceAll(/\D/g, ''));
}
