import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { placeDraft } from './placed-orders.test-support.ts';
import { tablet } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const sectionsOf = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link');

/** Sign-in, visible sections by role, and use by keyboard. */
export function sessionProofs(shop: () => ProofShop): void {
  test('the right password signs in; a wrong one shows an error', async () => {
    const console = await shop().open(null, { refusals: [401], viewport: tablet });
    const page = await console.goto('/orders');
    await page.getByLabel('Email').fill(shop().demo.staff.email);
    await page.getByLabel('Password').first().fill('not that one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Email or password is wrong.').waitFor();
    expect(await console.barriers()).toEqual([]);
    await page.getByLabel('Password').first().fill(shop().demo.staff.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  });

  test('a draft is found and accepted by keyboard alone, including sign-in', async () => {
    const { id } = await placeDraft(shop());
    const page = await (await shop().open(null, { refusals: [401] })).goto('/orders?view=list&status=draft');
    const { email, password } = shop().demo.staff;
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(email);
    await tabTo(page, page.getByLabel('Password').first());
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    const newest = page.locator('tr[data-index="0"]');
    await newest.waitFor();
    await tabTo(page, newest);
    await page.keyboard.press('Enter');
    const accept = page.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/orders/${id}`);
    await tabTo(page, accept);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Accept' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mark as packed' }).waitFor();
  });

  test('a budtender sees the sections of the counter but no settings, also by address', async () => {
    const console = await shop().open('budtender');
    const page = await console.goto('/orders');
    await expect
      .poll(async () =>
        (await sectionsOf(page).allTextContents()).map((it) => it.replace(/\d+ waiting$/, '')),
      )
      .toEqual(['Orders', 'Point of sale', 'Inbox', 'Queue', 'Deliveries', 'Customers']);
    for (const address of ['/settings/audit-log', '/reports']) {
      await console.goto(address);
      await page.getByRole('heading', { name: 'You do not have access' }).waitFor();
    }
    await console.goto('/customers/not-an-id');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').count()).toBe(0);
  });

  test('an owner sees every section, and each opens by its key', async () => {
    const page = await (await shop().open('owner')).goto('/orders');
    // Besides the first steps, which are there while the shop lacks something.
    await expect.poll(() => sectionsOf(page).filter({ hasNotText: 'Get started' }).count()).toBe(14);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Organization' }).waitFor();
  });
}

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isFocused = async () => (await target.and(page.locator(':focus')).count()) > 0;
  for (let count = 0; count < 80; count += 1) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}.`);
}
