import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import type { SqlValue } from '../../src/platform/statements/statement.ts';
import { runMoveJobs } from '../../test/harness/run-move-jobs.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const people = ['Nr,Vorname,Name,Mail', '7,Ada,Quill,ada.quill@customers.example.com', '8,Bo,Quill,broken'];

/** A move from another system, from its files to the way back. */
export function moveProofs(shop: () => ProofShop): void {
  test('a file of another system is uploaded, its columns are corrected, it is tried, loaded, signed for and live, and the shop goes back', async () => {
    const { service, demo, owner } = shop();
    const organization = organizationId(demo.id);
    const work = () => runMoveJobs(service.context, organization);
    // The way back is open as long as only the former till reports.
    const sql = (text: string, ...values: SqlValue[]) =>
      tenantSql(service.context.database, organization, text, ...values);
    const reporting = await sql('update state_connections set is_on = false where is_on returning id');
    const console = await shop().open('owner');
    const page = await console.goto('/settings/move');
    await page.getByLabel('Previous system').fill('Corner till');
    await page.getByRole('button', { name: 'Begin the move' }).click();
    await page.getByRole('combobox', { name: 'What is in the file?' }).click();
    await page.getByRole('option', { name: 'Customers', exact: true }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(people.join('\n')) });
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    for (const [column, field] of [
      ['Nr', 'Number in the previous system'],
      ['Vorname', 'First name'],
      ['Name', 'Last name'],
      ['Mail', 'Email'],
    ] as const) {
      await page.getByRole('combobox', { name: column, exact: true }).fill(field);
      await page.getByRole('option', { name: field, exact: true }).click();
    }
    await page.getByText('Ada · Bo').waitFor();
    await page.getByRole('button', { name: 'Save the columns' }).click();
    await page.getByText('The columns are saved.').waitFor();
    expect(await console.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Try all files' }).click();
    await page.getByText('Under way since').waitFor();
    await work();
    await page.getByText('Tried in the sandbox').waitFor();
    await page.getByRole('cell', { name: 'Customers', exact: true }).waitFor();
    const line = page.getByRole('row', { name: /^3 Mail/ });
    await line.waitFor();
    const found = () => owner.call('GET', '/staff/v1/customers?search=ada.quill@');
    expect((await found()).data).toEqual([]);

    await page.getByRole('button', { name: 'Load into the shop' }).click();
    await page.getByText(/^\d+ %$/).waitFor();
    await work();
    await page.getByText('Loaded', { exact: true }).waitFor();
    expect((await found()).data).toMatchObject([{ firstName: 'Ada', lastName: 'Quill' }]);

    await page.getByRole('button', { name: 'The previous system has stopped' }).click();
    await page.getByText('The previous system has stopped selling.').waitFor();
    const { data } = await owner.call('POST', '/staff/v1/move/checks');
    const open = data.checks.filter(({ result }: { result: string }) => result !== 'passed');
    for (const { check } of open) {
      if (check === 'rows') continue;
      await owner.call('POST', '/staff/v1/move/signatures', { check, note: 'There is no such list' });
    }
    await page.getByRole('button', { name: 'Compare now' }).click();
    const rows = page.getByRole('row', { name: /^Rows of the files/ }).last();
    await rows.getByLabel('Why is it right?').fill('A person without an address');
    await rows.getByRole('button', { name: 'Sign' }).click();
    await rows.getByText('A person without an address').waitFor();
    await page.getByRole('button', { name: 'Sell here from now on' }).click();
    await page
      .getByText('Your shop sells here. You can go back until the first report to the state.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Columns', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Go back to the previous system' }).click();
    await page.getByText('Your shop went back to the previous system.').waitFor();
    expect(await console.barriers()).toEqual([]);
    await sql(
      'update state_connections set is_on = true where id = any($1::bigint[])',
      reporting.map(({ id }) => String(id)),
    );
  });
}
