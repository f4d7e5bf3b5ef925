import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { tablet } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { shelfOf, soldOrder } from './shelf.test-support.ts';

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

    // Two are sold, each at a dollar off by hand, and one of them comes back.
    const [item] = await shelfOf(shop());
    const { id: orderId, lineIds } = await soldOrder(shop(), [item!], undefined, register.id, {
      lineReductions: [{ productOptionId: item!.optionId, amount: 100, reason: 'Torn bag' }],
    });
    const { data: types } = await owner.call('GET', '/staff/v1/payment-types');
    const returned = await owner.call('POST', `/staff/v1/orders/${orderId}/returns`, {
      ...{ refundType: 'payment-method', paymentTypeId: types[0].id, registerId: register.id },
      lineItems: [
        {
          ...{ orderLineItemId: lineIds[0], quantity: 1, type: 'return' },
          ...{ inventoryAction: 'waste', reason: 'Torn' },
        },
      ],
      idempotencyKey: randomUUID(),
    });
    expect(returned.error).toBeUndefined();

    await choose('X report');
    const report = page.getByRole('dialog', { name: /X report/ });
    await report.getByText('Amounts are shown once the drawer is counted.').waitFor();
    await picture('x-report-budtender');
    await report.getByRole('button', { name: 'Close' }).last().click();

    await choose('Count and close');
    const counting = page.getByRole('dialog', { name: 'Count and close' });
    const [open] = (await owner.call('GET', `/staff/v1/drawer-sessions?registerId=${register.id}`)).data;
    const { expected, sales, refunds } = open.payments[0];
    expect([sales > 0, refunds < 0, expected]).toEqual([true, true, 6000 + sales + refunds]);
    const counted = ((expected - 1000) / 100).toFixed(2);
    expect(await counting.getByText(`$${(expected / 100).toFixed(2)}`).count()).toBe(0);
    let left = expected - 1000;
    for (const [piece, cents] of [
      ['$10', 1000],
      ['$1', 100],
      ['1¢', 1],
    ] as const) {
      const pieces = counting.getByRole('textbox', { name: `Pieces of ${piece}`, exact: true });
      await pieces.fill(String(Math.floor(left / cents)));
      left %= cents;
    }
    await counting.getByRole('textbox', { name: 'Note' }).fill('A roll of dimes is missing');
    await picture('count');
    await counting.getByRole('button', { name: `Close with $${counted} cash` }).click();
    const z = page.getByRole('dialog', { name: /Z report/ });
    await z.getByText('$10.00 short').waitFor();
    await z.getByText('Reason of the difference: A roll of dimes is missing').waitFor();
    await picture('z-report');
    const { data: made } = await owner.call('GET', `/staff/v1/drawer-sessions/${open.id}`);
    const { sales: sum } = made;
    const shown: readonly (readonly [label: string, cents: number])[] = [
      ['Gross sales', sum.gross],
      ['Discounts', -sum.discounts],
      ['Net sales', sum.net],
      ['Tax', sum.tax],
      ['Total of 1 sales', sum.total],
      ['Returns (1)', -sum.refunds],
      ['Price overrides by staff', -200],
      ['Opened with', 10_000],
      ['Sales (1)', sales],
      ['Refunds', refunds],
      ['Safe drops', -4000],
      ['Expected in drawer', expected],
      ['Counted in drawer', expected - 1000],
    ];
    const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    const rows = (await z.getByRole('row').allTextContents()).map((text) => text.replaceAll('−', '-'));
    for (const [label, cents] of shown)
      expect(rows).toContainEqual(
        expect.stringContaining(label + inDollars.format(cents === 0 ? 0 : cents / 100)),
      );
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
    await opened.visit('/settings/registers');
    await page.getByRole('row', { name: new RegExp(name) }).waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/registers-dark.png` });
  }
}
