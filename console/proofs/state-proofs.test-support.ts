import { expect, test } from 'vitest';
import type { ProofShop } from './proof-shop.test-support.ts';

/** What the state knows, on its page. Nothing is sent in this service: every report waits. */
export function stateProofs(shop: () => ProofShop): void {
  test("on the state's page a report is opened and entered by hand, all is compared, and a transfer becomes a purchase order", async () => {
    const { owner } = shop();
    const list = async (path: string) => (await owner.call('GET', `/staff/v1/${path}`)).data;
    const reports = await list('state-reports?isOpen=true');
    const report = reports.find((it: { kind: string }) => it.kind === 'sale');
    const page = await (await shop().open('owner')).goto('/settings/state-reports');

    // What it says, what became of it, and who entered it.
    const open = page.getByRole('button', { name: `Open ${report.number}`, exact: true });
    await open.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Written with the sale.').waitFor();
    await dialog.getByRole('button', { name: 'Entered by hand' }).click();
    await dialog.getByRole('textbox', { name: /^Number of the state/ }).fill('0000088120');
    await dialog.getByRole('button', { name: 'Mark as entered' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.waitFor({ state: 'detached' });
    const { state, steps } = await list(`state-reports/${report.id}`);
    expect([state, steps.at(-1).words]).toEqual(['done-by-hand', expect.stringContaining('0000088120')]);

    const compare = page.getByRole('button', { name: 'Compare everything now' });
    await compare.click();
    await page.getByText(/^Being compared: read up to /).waitFor();
    expect((await list('state-comparisons'))[0]).toMatchObject({ isNightly: false });

    const coming = page.getByRole('table', { name: 'Transfers that are coming' });
    const order = coming.getByRole('button', { name: /^Order goods of manifest / }).first();
    const manifest = (await order.getAttribute('aria-label'))!.replace('Order goods of manifest ', '');
    await order.click();
    await dialog.getByRole('button', { name: 'Make the purchase order' }).click();
    await page.waitForURL(/\/purchasing\/\d+$/);
    await page.getByText(`Manifest ${manifest}`).first().waitFor();
    const made = await list(`purchase-orders/${page.url().split('/').at(-1)}`);
    const transfers = await list('compliance-transfers');
    const transfer = transfers.find((it: { manifestNumber: string }) => it.manifestNumber === manifest);
    const ready = transfer.packages.filter((it: { status: string }) => it.status === 'ready');
    expect([made.status, made.lineItems.length]).toEqual(['open', ready.length]);
  });
}
