import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { runMenuJobs } from '../../test/harness/run-menu-jobs.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const rows = [
  'Item,Maker,Type,Strain,Size,Price',
  'Copper Creek,Alder Yard,Blossom,Hybrid,1/8oz,$35.00',
  'Copper Creek,Alder Yard,Blossom,Hybrid,1oz,$200.00',
  'Quiet Mile,Alder Yard,Flower,Sativa,1g,$12.00',
  'Ask Us,Alder Yard,Flower,Sativa,1g,ask us',
];

/** A menu from upload to undo, with a column that is corrected on the way. */
export function importProofs(shop: () => ProofShop): void {
  test('a menu is uploaded, looked at, corrected, checked, imported and undone', async () => {
    const { service, demo } = shop();
    const work = () => runMenuJobs(service, organizationId(demo.id));
    const names = async () =>
      (await shop().owner.call('GET', '/staff/v1/products')).data
        .filter(({ brand }: { brand: { name: string } | null }) => brand?.name === 'Alder Yard')
        .map(({ name }: { name: string }) => name);
    const console = await shop().open('manager');
    const page = await console.goto('/catalog/imports');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
    await page.getByRole('heading', { name: 'Import of menu.csv' }).waitFor();
    await page
      .getByText(
        'is not a category of the organization: "Blossom"; it must be the name of one of its categories',
      )
      .waitFor();
    const choice = page.getByRole('combobox', { name: 'Category for “Blossom”' });
    await choice.click();
    await page.getByRole('option', { name: 'Flower', exact: true }).click();
    await page.getByRole('button', { name: 'Save and look again' }).click();
    await page.getByLabel('Preview of the products', { exact: true }).getByText('Copper Creek').waitFor();
    expect(await console.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText(/^Checking: /).waitFor();
    await work();
    await page.getByText('Will add 2, change 0, take 0 off the menu; 0 unchanged, 1 refused.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Refused rows as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^refused-rows-\d+\.csv$/);
    expect(await names()).toEqual([]);

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/^Importing: /).waitFor();
    await work();
    await page.getByText('Added 2, changed 0, took 0 off the menu; 0 unchanged, 1 refused.').waitFor();
    expect((await names()).toSorted()).toEqual(['Copper Creek', 'Quiet Mile']);
    expect(await console.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText(/^Undoing: /).waitFor();
    await work();
    await page.getByText(/^Undone /).waitFor();
    expect(await names()).toEqual([]);
    await page.getByRole('button', { name: 'All imports' }).click();
    await page.getByLabel('Imports', { exact: true }).getByText('menu.csv').waitFor();
  });
}
