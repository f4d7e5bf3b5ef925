import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { tablet } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Pictures are taken when a folder is named. */
const pictures = process.env.REGISTER_PICTURES;

/** The drawer of a register at the counter, from its opening to its Z report. */
export function registerProofs(shop: () => ProofShop): void {
  test('a register opens its drawer, moves cash, is counted blind, and shows over and short in the reports', async () => {
    const { owner } = shop();
    const { data: locations } = await owner.call('GET', '/staff/v1/inventory-locations');
    // Another attempt has a register of its own.
    const name = `Front counter ${randomInt(1000)}`;
    const { data: register } = await owner.call('POST', '/staff/v1/registers', {
      name,
      inventoryLocationId: locations[0].id,
    });
    const opened = await shop().open('budtender', { viewport: tablet });
    const page = await opened.goto('/point-of-sale');
    const picture = async (of: string) => {
      if (pictures) await page.screenshot({ path: `${pictures}/${of}.png` });
    };
    const bar = page.getByRole('button', { name: /register|Front counter/ });
    const choose = async (item: string) => {
      await bar.click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await choose(name);
    await page.getByRole('button', { name: `${name}: drawer closed` }).waitFor();
    await choose('Open drawer');
    await page.getByRole('textbox', { name: 'Pieces of $20', exact: true }).fill('5');
    await picture('open-drawer');
    await page.getByRole('button', { name: 'Open with $100.00' }).click();
    await page.getByText('The drawer is open with $100.00.').waitFor();
    await page.getByRole('button', { name, exact: true }).waitFor();

    await choose('Move cash');
    const moving = page.getByRole('dialog', { name: 'Move cash' });
    expect(await moving.getByText('Pay out').count()).toBe(0);
    await moving.getByRole('textbox', { name: 'Amount' }).fill('40');
    await moving.getByRole('textbox', { name: 'Reason' }).fill('Safe, bag 12');
    await moving.getByRole('button', { name: 'Drop to safe' }).click();
    await moving.waitFor({ state: 'detached' });

    await choose('X report');
    const report = page.getByRole('dialog', { name: /X report/ });
    await report.getByText('Amounts are shown once the drawer is counted.').waitFor();
    await picture('x-report-budtender');
    await report.getByRole('button', { name: 'Close' }).last().click();

    await choose('Count and close');
    const counting = page.getByRole('dialog', { name: 'Count and close' });
    await counting.getByRole('textbox', { name: 'Pieces of $20', exact: true }).fill('2');
    await counting.getByRole('textbox', { name: 'Pieces of $10', exact: true }).fill('1');
    expect(await counting.getByText('$60.00').count()).toBe(0);
    await picture('count');
    await counting.getByRole('button', { name: 'Close with $50.00 cash' }).click();
    await page
      .getByRole('dialog', { name: /Z report/ })
      .getByText('$10.00 short')
      .waitFor();
    await picture('z-report');

    const { data: sessions } = await owner.call('GET', `/staff/v1/drawer-sessions?registerId=${register.id}`);
    expect(sessions).toMatchObject([{ payments: [{ expected: 6000, counted: 5000, overShort: -1000 }] }]);
    await expectInReports(name);
  });

  /** The sessions of the register are in the reports, and it is in the settings. */
  async function expectInReports(name: string): Promise<void> {
    const opened = await shop().open('owner', { colorScheme: 'dark' });
    const page = await opened.goto('/reports/drawers');
    const row = page.getByRole('row', { name: new RegExp(name) });
    await row.waitFor();
    expect(await opened.barriers()).toEqual([]);
    if (pictures) await page.screenshot({ path: `${pictures}/drawers-dark.png` });
    await row.click();
    const report = page.getByRole('dialog', { name: /Z report/ });
    await report.getByText('$10.00 short').waitFor();
    expect(await opened.barriers()).toEqual([]);
    if (pictures) await page.screenshot({ path: `${pictures}/z-report-dark.png` });
    const link = await report.getByRole('link', { name: 'Print' }).getAttribute('href');
    expect(link).toMatch(/\/print\/drawer\?session=\d+&now$/);
    await opened.goto('/settings/registers');
    await page.getByRole('row', { name: new RegExp(name) }).waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/registers-dark.png` });
  }
}
