import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan, scanLicense } from './scan.test-support.ts';

/** Driver's licenses, orders' barcodes and unknown codes, on the counter and on other screens. */
export function licenseProofs(shop: () => ProofShop): void {
  const thisYear = new Date().getUTCFullYear();
  const card = ({
    number = 'Y7654321',
    first = 'ZEPHYRINE',
    born = '11231971',
    expires = thisYear + 4,
  } = {}) => [
    '@',
    `ANSI 636014080102DL00410288ZA03290015DLDAQ${number}`,
    'DCSQUILLFEATHER',
    `DAC${first}`,
    `DBB${born}`,
    `DBA1123${expires}`,
    'DBC2',
    'DAG789 E OAK ST',
    'DAIANYTOWN',
    'DAJCA',
    'DAK902230000',
    'DCGUSA',
  ];
  const cart = (page: Page) => page.getByRole('region', { name: 'Cart' });
  const heard = (page: Page) => page.getByRole('status', { name: 'Scanner' });

  test('a license makes its holder the customer, shows age and expiry, and its text goes nowhere', async () => {
    const opened = await shop().open('budtender');
    const page = await opened.goto('/point-of-sale');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    const search = page.getByRole('combobox', { name: /scan a UPC/ });
    await search.fill('grin');
    await scanLicense(page, card());
    await cart(page).getByText('Zephyrine Quillfeather').waitFor();
    await cart(page)
      .getByText(`Age ${thisYear - 1972}`)
      .or(cart(page).getByText(`Age ${thisYear - 1971}`))
      .waitFor();
    await cart(page)
      .getByText(`Nov 23, ${thisYear + 4}`)
      .waitFor();
    await expect.poll(() => heard(page).textContent()).toMatch(/^Zephyrine Quillfeather, age \d+\. Customer/);
    expect(await search.inputValue()).toBe('grin');
    // The spaces of a license press no button, and the other way in which scanners type line feeds opens no downloads.
    const discounts = page.getByRole('button', { name: 'Discounts' });
    await discounts.focus();
    await scanLicense(page, card({ number: 'Y1111111', first: 'ANN' }), 'Ctrl+J');
    await cart(page).getByText('Ann Quillfeather').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
    );
    const traces = /ANSI ?636014|DCSQUILL|DBB1123|DAG789|OAK ST|902230000|00410288/;
    expect([sent.join('\n'), stored].filter((text) => traces.test(text))).toEqual([]);
    expect(sent.some((text) => text.includes('by-license') && text.includes('Y7654321'))).toBe(true);
    const written = await allRows();
    expect(written).toContain('Quillfeather');
    expect(written).not.toMatch(traces);
    expect(written).not.toContain('7654321');
    expect(await opened.barriers()).toEqual([]);
  });

  test('a holder who is too young is refused with the date, and an expired license with its day', async () => {
    const page = await (await shop().open('budtender')).goto('/point-of-sale');
    await scanLicense(page, card({ number: 'N1', born: `0101${thisYear - 20}` }));
    const dialog = page.getByRole('dialog', { name: "Driver's license" });
    await dialog
      .getByText(`Underage: the minimum age is 21. Sales are allowed from Jan 1, ${thisYear + 1}.`)
      .waitFor();
    await cart(page).getByText('Walk-in', { exact: true }).waitFor();
    // A scan into the open dialog is heard as well.
    await scanLicense(page, card({ number: 'N2', first: 'OLD', expires: thisYear - 1 }));
    await dialog.getByText(`The license expired on Nov 23, ${thisYear - 1}. Ask for a valid ID.`).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // The refusal stays with the cart until another ID is good.
    const refused = cart(page)
      .getByRole('alert')
      .filter({ hasText: /^This ID has expired/ });
    await refused.waitFor();
    await cart(page).getByText('Walk-in', { exact: true }).waitFor();
    await page.reload();
    await refused.waitFor();
    await scanLicense(page, card({ number: 'N4', first: 'NORA' }));
    await cart(page).getByText('Nora Quillfeather').waitFor();
    expect(await refused.count()).toBe(0);
    await scanLicense(page, [card().join('')]);
    await page.getByText('The scanner drops the line breaks.').last().waitFor();
  });

  test('where the shop asks for an ID, a scan is one, and without a scan the seller says so; the order tells which', async () => {
    const { owner } = shop();
    await owner.call('PUT', '/staff/v1/duties', { saleHours: null, overrides: [], idCheck: true });
    const page = await (await shop().open('budtender')).goto('/point-of-sale');
    const sellSocks = async (isScanned: boolean) => {
      await page.getByRole('combobox', { name: /scan a UPC/ }).fill('socks');
      await page.getByRole('option', { name: /socks/i }).first().click();
      await page.getByRole('button', { name: /^Pay \$/ }).click();
      const seen = page.getByLabel('I checked the ID of the person taking the goods');
      if (!isScanned) await seen.check();
      else {
        await page.getByText('The ID was scanned in this sale.').waitFor();
        expect(await seen.count()).toBe(0);
      }
      const sent = page.waitForRequest('**/fulfill');
      await page.getByRole('button', { name: 'Take payment and hand over' }).click();
      const { idCheck } = (await sent).postDataJSON();
      await page.getByRole('button', { name: 'Next sale' }).click();
      return idCheck;
    };
    await scanLicense(page, card({ number: 'N5', first: 'OPAL' }));
    await cart(page).getByText('Opal Quillfeather').waitFor();
    expect(await sellSocks(true)).toBe('scan');
    expect(await sellSocks(false)).toBe('eye');
    await owner.call('PUT', '/staff/v1/duties', { saleHours: null, overrides: [], idCheck: false });
  });

  test("on any screen a license offers its holder, an order's barcode opens the order, an unknown code begins a product", async () => {
    const page = await (await shop().open('owner')).goto('/customers');
    await page.getByRole('searchbox').first().focus();
    await scanLicense(page, card({ number: 'N3', first: 'CLARA' }));
    const dialog = page.getByRole('dialog', { name: "Driver's license" });
    await dialog.getByText('Clara Quillfeather').waitFor();
    await dialog.getByRole('button', { name: 'Sell' }).click();
    await cart(page).getByText('Clara Quillfeather').waitFor();
    // At the till the receipt of a sale brings goods back; that of an order without returns opens it there too.
    const { data: orders } = await shop().owner.call('GET', '/staff/v1/orders');
    const order = orders.find(
      ({ number, allowedActions }: { number: number | null; allowedActions: string[] }) =>
        number !== null && !allowedActions.includes('return'),
    );
    await scan(page, `ORDER${String(order.number).padStart(6, '0')}`);
    await page.waitForURL(`**/orders/${order.id}`);
    await page.getByRole('heading', { level: 1, name: String(order.number) }).waitFor();
    await scan(page, '999999999993');
    await page.getByRole('dialog').getByText('Unknown code 999999999993').waitFor();
    await page.getByRole('link', { name: 'Create product' }).click();
    await page.waitForURL('**/catalog/products/new?upc=999999999993');
    await expect.poll(() => page.getByLabel(/UPC/).first().inputValue()).toBe('999999999993');
  });

  /** All that the organization has in the database, as text. */
  async function allRows(): Promise<string> {
    const { service, demo } = shop();
    const sql = (text: string) => tenantSql(service.context.database, organizationId(demo.id), text);
    const tables = await sql(
      `select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
          and has_table_privilege(oid, 'select') and relname not like 'stock%'`,
    );
    const texts: string[] = [];
    for (const { relname } of tables) {
      const [row] = await sql(`select coalesce(string_agg(t::text, ' '), '') as text from "${relname}" t`);
      texts.push(row!.text);
    }
    return texts.join(' ');
  }
}
