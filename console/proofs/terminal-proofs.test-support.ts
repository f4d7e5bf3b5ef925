import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../../src/hosting/payment-servers/payment-server.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { passPayments, paymentDeskOf } from '../../src/shop/payments/payments.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const [{ tpn, authkey }] = paymentAccounts.terminals;
const sale = 'POST /v2/Payment/Sale';
/** Longer than the pause before any of the first looks at a payment. */
const pauseMs = 60_000;

/** A card terminal that is paired with a register, and falls silent in every way. */
export function terminalProofs(shop: () => ProofShop): void {
  /** What a worker does once the pause after the last look is over. */
  async function look(): Promise<void> {
    const { context } = shop().service;
    const troubles: unknown[] = [];
    await paymentDeskOf(context).idle();
    const later = { ...context, wallClock: { now: () => context.wallClock.now() + pauseMs } };
    const work = {
      ...{ context: later, operator: context.database },
      cancelOrder: () => Promise.reject(new Error('No order waits for a link here.')),
      logger: { error: (fields: unknown) => troubles.push(fields) },
    };
    await passPayments(work, organizationId(shop().demo.id));
    expect(troubles).toEqual([]);
  }

  /** Pairs the terminal on its page, and tests it. */
  async function pair(server: PaymentServer, name: string): Promise<void> {
    const opened = await shop().open('owner');
    const page = await opened.goto('/settings/payment-connections');
    await page.getByText('No terminal and no bank is connected').waitFor();
    await page.getByRole('button', { name: 'Connect a terminal or a bank' }).click();
    const dialog = page.getByRole('dialog');
    const choose = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Payment type', 'Debit');
    await choose('Register', name);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Address of the provider').fill(server.url);
    await dialog.getByLabel('Terminal number (TPN)').fill(tpn);
    await dialog.getByLabel('Kind of card').fill('Debit');
    await dialog.getByLabel('Auth key').fill(authkey);
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const tried = page.getByRole('button', { name: `Test ${name}` });
    await tried.click();
    await page.getByText('Works', { exact: true }).waitFor();
    server.terminals.power(tpn, 'Offline');
    await tried.click();
    await page.getByText('The terminal is not connected').waitFor();
    server.terminals.power(tpn, 'Online');
  }

  test('a paired terminal hangs, answers late, restarts and is unplugged: no sale is paid twice, and cash needs a manager', async () => {
    const { owner, demo, service } = shop();
    const list = async (path: string) => (await owner.call('GET', `/staff/v1/${path}`)).data;
    const name = `Card counter ${randomInt(1_000)}`;
    const [location] = await list('inventory-locations');
    const register = { name, inventoryLocationId: location.id };
    expect((await owner.call('POST', '/staff/v1/registers', register)).status).toBe(201);
    const approver = await service.staff({ organizationId: organizationId(demo.id) }, 'manager');
    expect((await approver.call('PUT', '/staff/v1/me/pin', { pin: '620917' })).status).toBe(204);
    const server = await startPaymentServer({ switches: { customer: 'waits' } });
    try {
      await pair(server, name);
      await sell(server, name);
    } finally {
      for (const { id } of await list('payment-connections')) {
        const path = `/staff/v1/payment-connections/${id}`;
        expect((await owner.call('PATCH', path, { archived: true })).status).toBe(200);
      }
      await server.close();
    }
  });

  async function sell(server: PaymentServer, register: string): Promise<void> {
    const { owner } = shop();
    const opened = await shop().open('budtender', { refusals: [403] });
    const page = await opened.goto('/point-of-sale');
    await page.getByRole('button', { name: /register/ }).click();
    await page.getByRole('menuitem', { name: register, exact: true }).click();
    await page.getByRole('button', { name: `${register}: drawer closed` }).waitFor();
    const pushes = () => server.calls.filter((call) => call === sale).length;
    const dialog = page.getByRole('dialog', { name: 'Take payment' });
    const pay = () => dialog.getByRole('button', { name: 'Take payment and hand over' }).click();
    const begin = async () => {
      await fillCart(page);
      await page.keyboard.press('F9');
      await dialog.getByRole('button', { name: 'Debit', exact: true }).click();
    };
    const silent = page.getByText('The terminal did not answer. Checking what happened to the payment …');
    const done = page.getByRole('dialog', { name: /is sold$/ });
    const intents = async () => {
      const [{ id }] = (await owner.call('GET', '/staff/v1/orders?type=in-store')).data;
      return (await owner.call('GET', `/staff/v1/orders/${id}/payment-intents`)).data;
    };
    const states = async () => (await intents()).map(({ status }: { status: string }) => status);

    // Hangs: the cashier aborts.
    await begin();
    await pay();
    await page.getByText('Waiting for the terminal …').waitFor();
    await server.whenHeld();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await dialog.getByText('The payment was canceled. Nothing was taken.').waitFor();

    // Answers late: its proxy gives up, and the customer taps after that.
    await pay();
    await page.getByText('Waiting for the terminal …').waitFor();
    await server.whenHeld();
    server.advance(120);
    await silent.waitFor();
    expect(await opened.barriers()).toEqual([]);
    server.terminals.customer(tpn, { does: 'tap' });
    await look();
    await done.waitFor();
    expect([await states(), pushes()]).toEqual([['canceled', 'captured'], 2]);
    await expectPaidOnce(page, server);

    // Restarts before it has asked the customer: known by reference once it is back, and not before.
    await begin();
    server.faults.plan({ kind: 'close', at: sale });
    await pay();
    await silent.waitFor();
    server.terminals.power(tpn, 'Offline');
    for (let looks = 0; looks < 3; looks += 1) await look();
    expect(await states()).toEqual(['unknown']);
    server.terminals.power(tpn, 'Online');
    await look();
    await look();
    await dialog.getByText('The payment was declined. Nothing was taken.').waitFor();

    // Unplugged while it asks: not pushed again, and cash is taken by the word of a manager.
    server.faults.plan({ kind: 'close', at: sale });
    await pay();
    await silent.waitFor();
    server.terminals.power(tpn, 'Offline');
    await look();
    await page.getByText("Do not take the payment again. Another tender needs a manager's PIN.").waitFor();
    const pushed = pushes();
    await page.getByRole('button', { name: 'Take another tender' }).click();
    const doubt = dialog.getByText(
      'It is not known yet whether this payment was taken. Take another tender.',
    );
    await doubt.waitFor();
    const asked = page.waitForResponse(/\/staff\/v1\/orders\/[^/]+\/payment-intents$/);
    await pay();
    await asked;
    await doubt.waitFor();
    await dialog.getByRole('button', { name: 'Cash', exact: true }).click();
    await pay();
    const word = page.getByRole('dialog', { name: "Manager's PIN" });
    await word.getByLabel('PIN', { exact: true }).fill('620917');
    await page.keyboard.press('Enter');
    await done.waitFor();
    expect([await states(), pushes()]).toEqual([['failed', 'unknown'], pushed]);
    expect(server.terminals.ledger.entries).toHaveLength(1);
    await page.getByRole('button', { name: 'Next sale' }).click();
    await done.waitFor({ state: 'detached' });

    // Paper of a former sale is printed again: our receipt with the lines of the card, and the slip of the terminal.
    server.terminals.power(tpn, 'Online');
    const [, charged] = (await owner.call('GET', '/staff/v1/orders?type=in-store')).data;
    const [, { authCode }] = (await owner.call('GET', `/staff/v1/orders/${charged.id}/payment-intents`)).data;
    const owners = await shop().open('owner');
    const office = await owners.goto(`/print/orders/${charged.id}/receipt`);
    await office.getByText(`Charged to the card ending in 0017, approval ${authCode}`).waitFor();
    await owners.visit(`/orders/${charged.id}`);
    await office.getByRole('button', { name: 'Print the slip again' }).click();
    await office.getByText('The terminal prints the slip.').waitFor();
    expect(server.terminals.printed(tpn)).toHaveLength(1);

    // Its batch is closed, and holds what the books hold.
    await owners.visit('/reports/money');
    await office.getByRole('button', { name: `Close the batch of ${register}` }).click();
    await office.getByText(/closed its batch: \$[\d.,]+, as in your books\.$/).waitFor();
    await office.getByText(/^Compared for /).waitFor();
  }

  /** The order is paid by what the terminal took, and by nothing else; then the next sale begins. */
  async function expectPaidOnce(page: Page, { terminals }: PaymentServer): Promise<void> {
    const [order] = (await shop().owner.call('GET', '/staff/v1/orders?type=in-store')).data;
    expect(order.payments).toHaveLength(1);
    expect(order.status).toBe('fulfilled');
    expect(terminals.ledger.entries).toMatchObject([{ cents: order.customerGrandTotal }]);
    await page.getByRole('button', { name: 'Next sale' }).click();
    await page.getByRole('dialog', { name: /is sold$/ }).waitFor({ state: 'detached' });
  }
}
