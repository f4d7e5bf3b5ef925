import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createOrganization } from '../../src/access/organizations/organizations.ts';
import { runMenuJobs } from '../../test/harness/run-menu-jobs.ts';
import { testOrigin } from '../../test/harness/test-shop.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const menu = ['Name,Category,Brand,Strain,Size,Price', 'Copper Creek,Flower,Alder Yard,Hybrid,1/8oz,$35.00'];

/** The first day of a shop, from an organization with nothing to one that can sell. */
export function firstDayProofs(shop: () => ProofShop): void {
  test('an empty organization is led through its first steps until it lacks nothing', async () => {
    const { service } = shop();
    const organizationId = await createOrganization(service.context, testOrigin, {
      name: 'Alder Yard',
      state: 'MI',
      tz: 'US/Eastern',
    });
    const owner = await service.staff({ organizationId });
    const console = await shop().open(null);
    await console.begin(owner.token, {});
    const page = await console.goto('/');
    const left = (count: number) =>
      page
        .getByRole('navigation', { name: 'Sections' })
        .getByRole('link', { name: new RegExp(`^Get started,? ${count} left$`) })
        .waitFor();
    // The first screen of a shop that cannot sell yet.
    await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();
    await left(11);
    expect(await console.barriers()).toEqual([]);
    const steps = stepsOf(page, () => console.visit('/get-started'));

    await steps.open('License number');
    await page.getByLabel('License number').fill('AU-R-000001');
    await page.getByRole('button', { name: 'Save' }).click();
    await left(10);

    const taxes = await steps.dialog('Taxes');
    await taxes.getByRole('button', { name: 'Set up taxes' }).click();
    await taxes.waitFor({ state: 'hidden' });
    await left(9);

    const location = await steps.dialog('Stock location');
    await location.getByLabel('Name').fill('Storefront');
    await location.getByRole('button', { name: 'Add' }).click();
    await left(8);

    await steps.open('Where orders get their stock');
    for (const type of ['deliveries', 'pickups', 'in-store sales']) {
      await page.getByRole('combobox', { name: `Stock for ${type} from` }).press('ArrowDown');
      const choice = page.getByRole('option', { name: 'Storefront' });
      await choice.click();
      await page.keyboard.press('Escape');
      await choice.waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await left(7);

    const payment = await steps.dialog('Payment type');
    await payment.getByRole('textbox', { name: 'Name', exact: true }).fill('Cash');
    await payment.getByRole('button', { name: 'Add' }).click();
    await left(6);

    const category = await steps.dialog('Product categories');
    await category.getByLabel('Name').fill('Flower');
    await category.getByRole('combobox', { name: 'Counts as' }).click();
    await page.getByRole('option').first().click();
    await category.getByRole('button', { name: 'Add' }).click();
    await left(5);

    await steps.open('Products');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(menu.join('\n')) });
    await page.getByRole('heading', { name: 'Import of menu.csv' }).waitFor();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText(/^Checking: /).waitFor();
    await runMenuJobs(service, organizationId);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/^Importing: /).waitFor();
    await runMenuJobs(service, organizationId);
    await left(4);

    const stock = await steps.dialog('Stock');
    await stock.getByRole('combobox', { name: 'Item' }).fill('Copper');
    await page.getByRole('option', { name: /Copper Creek/ }).click();
    await stock.getByRole('combobox', { name: 'Location' }).click();
    await page.getByRole('option', { name: 'Storefront' }).click();
    await stock.getByLabel('Amount').fill('24');
    const reason = stock.getByRole('combobox', { name: 'Reason' });
    await reason.fill('First delivery');
    await reason.press('Tab');
    await stock.getByRole('button', { name: 'Adjust', exact: true }).click();
    await stock.waitFor({ state: 'hidden' });
    await left(3);
    // What is left can wait: the shop begins with its day.
    await console.goto('/');
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();

    const colleague = await steps.dialog('Colleagues');
    await colleague.getByLabel('Email').fill('maya@shop.example.com');
    await colleague.getByLabel('First name').fill('Maya');
    await colleague.getByLabel('Last name').fill('Ortiz');
    await colleague.getByRole('radio', { name: 'Budtender' }).check();
    await colleague.getByRole('button', { name: 'Invite' }).click();
    await left(2);

    const register = await steps.dialog('Register');
    await register.getByLabel('Name').fill('Front counter');
    await register.getByRole('combobox', { name: 'Location' }).click();
    await page.getByRole('option', { name: 'Storefront' }).click();
    await register.getByRole('button', { name: 'Add' }).click();
    await left(1);

    const key = await steps.dialog('First key for an integrator');
    await key.getByRole('combobox', { name: 'Integrator' }).click();
    await page.getByRole('option').first().click();
    await key.getByLabel('Name').fill('Web shop');
    await key.getByRole('checkbox', { name: 'Analytics' }).check();
    await key.getByRole('button', { name: 'Issue key' }).click();
    await page.getByLabel('Client key', { exact: true }).waitFor();
    const entry = page.getByRole('link', { name: /^Get started/ });
    await entry.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Done' }).click();

    await console.visit('/get-started');
    await page.getByText('All steps are done. Your shop is ready.').waitFor();
  });

  test('a shop that has everything is not led anywhere, and a hidden list stays away', async () => {
    const { service } = shop();
    const organizationId = await createOrganization(service.context, testOrigin, {
      name: 'Cedar Yard',
      state: 'CA',
      tz: 'America/Los_Angeles',
    });
    const owner = await service.staff({ organizationId });
    const console = await shop().open(null);
    await console.begin(owner.token, {});
    const page = await console.goto('/');
    await page.getByRole('button', { name: 'Hide this list' }).click();
    await page.getByRole('link', { name: /^Get started/ }).waitFor({ state: 'detached' });
    await console.goto('/');
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: /^Get started/ }).count()).toBe(0);
  });
}

/** The list of steps: `open` goes to the form of one, `dialog` to its dialog. */
function stepsOf(page: Page, visit: () => Promise<Page>) {
  const open = async (title: string): Promise<void> => {
    await visit();
    const link = page.getByRole('link', { name: new RegExp(`: ${title}$`) });
    await link.click();
    await link.waitFor({ state: 'detached' });
  };
  return {
    open,
    dialog: async (title: string) => {
      await open(title);
      const dialog = page.getByRole('dialog');
      await dialog.locator(':focus').waitFor({ state: 'attached' });
      return dialog;
    },
  };
}
