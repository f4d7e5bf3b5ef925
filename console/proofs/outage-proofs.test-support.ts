import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { casesOf } from '../../test/harness/long-suite.ts';
import { placeDraft } from './placed-orders.test-support.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Adds an item from apparel, which has no purchase limit, to an empty cart. */
export async function fillCart(page: Page): Promise<void> {
  await page
    .getByRole('group', { name: 'Categories' })
    .getByRole('button', { name: 'Apparel', exact: true })
    .click();
  const options = page.getByRole('option');
  // Until then they are those of all categories.
  await expect
    .poll(async () => new Set((await options.allTextContents()).map((text) => text.includes(' · Apparel'))))
    .toEqual(new Set([true]));
  await options.first().click();
  await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
}

const connectionOf = (page: Page) => page.getByRole('status', { name: 'Connection' });
const sell = 'Take payment and hand over';

/** Behavior on a slow or missing connection: no change is missed, and nothing is sent automatically. */
export function outageProofs(shop: () => ProofShop): void {
  const staffCall = (method: string, path: string, body?: unknown) => shop().owner.call(method, path, body);
  /** Counts the orders placed from now on. */
  const watchOrders = async () => {
    const ids = async () =>
      ((await staffCall('GET', '/staff/v1/orders')).data as { id: string }[]).map(({ id }) => id);
    const before = new Set(await ids());
    return async () => (await ids()).filter((id) => !before.has(id)).length;
  };

  test('an order shows on the board for any delays of list and stream', async () => {
    const random = seededRandom('delays of list and stream');
    const page = (await shop().open('manager')).page;
    // A slow stream with a fast list, a slow list with a fast stream, then random delays.
    const delays = [
      [0, 3_500],
      [800, 0],
      ...Array.from({ length: casesOf({ everyRun: 1, long: 10 }) }, () => [
        random.integer(0, 900),
        random.integer(0, 900),
      ]),
    ] as const;
    for (const [list, stream] of delays) {
      // Read at once and delivered later: orders placed in between are not in it.
      await intercept(page, '**/staff/v1/orders?**', async (route) => {
        const response = await route.fetch();
        await wait(list);
        await route.fulfill({ response }).catch(() => {});
      });
      await intercept(page, '**/staff/v1/live', async (route) => {
        await wait(stream);
        await route.continue().catch(() => {});
      });
      const read = page.waitForRequest('**/staff/v1/orders?**');
      await page.goto(`${shop().baseUrl}/console/orders`);
      await read;
      await wait(random.integer(0, Math.max(list, stream)));
      const { id } = await placeDraft(shop());
      // Sooner than any refetch for age.
      await page.locator(`a[href$="/orders/${id}"]`).waitFor({ timeout: 9_000 });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  });

  test('an offline sale fails at once, is not sent automatically, and is sold once on retry', async () => {
    const console = await shop().open('budtender', { isCutOff: true });
    const page = await console.goto('/point-of-sale');
    await fillCart(page);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Cash received').first().fill('40.00');
    const placed = await watchOrders();
    await page.context().setOffline(true);
    await connectionOf(page)
      .getByText(/^Offline since \d/)
      .waitFor();
    await page.getByText('The service cannot be reached, and this register may not sell offline.').waitFor();
    await dialog.getByRole('button', { name: sell }).click();
    await dialog.getByText('Nothing was sent, and nothing is sent automatically.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isEnabled()).toBe(true);
    expect(await console.barriers()).toEqual([]);
    await page.context().setOffline(false);
    await connectionOf(page).getByText('Online').waitFor();
    expect(await placed()).toBe(0);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Next sale' }).click();
    expect(await placed()).toBe(1);
  });

  test('an unreachable service differs from an offline browser, and data is refetched once it answers', async () => {
    const page = await (await shop().open('manager', { isCutOff: true, refusals: [503] })).goto('/orders');
    await intercept(page, '**/staff/v1/**', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('link', { name: 'Queue' }).click();
    await connectionOf(page)
      .getByText(/^Reconnecting since \d/)
      .waitFor();
    await page.unrouteAll();
    await connectionOf(page).getByText('Online').waitFor();
    await page
      .getByRole('region', { name: /Front desk|Waiting|Checked in/ })
      .or(page.getByText('No customers', { exact: true }))
      .first()
      .waitFor();
  });

  test('a user can stop waiting for a missing answer, and sees that the write may be done', async () => {
    const page = await (await shop().open('manager', { isCutOff: true })).goto('/customers');
    await page.getByRole('button', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Patient');
    await dialog.getByLabel('Last name').fill('Zero');
    await intercept(page, '**/staff/v1/customers', () => {});
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByRole('button', { name: 'Stop waiting' }).click();
    await dialog.getByRole('alert').getByText('No response').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a sale with a lost answer is sold once, also after a reload during payment', async () => {
    // A second payment is refused.
    const options = { isCutOff: true, refusals: [409] };
    const page = await (await shop().open('budtender', options)).goto('/point-of-sale');
    await fillCart(page);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Cash received').first().fill('40.00');
    const change = await dialog.getByText('Change').locator('xpath=following-sibling::dd').textContent();
    const placed = await watchOrders();
    await intercept(page, '**/staff/v1/orders', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await dialog.getByRole('button', { name: sell }).click();
    await dialog.getByRole('alert').getByText('No response').waitFor();
    await page.unrouteAll();
    await intercept(page, '**/fulfill', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.reload();
    await dialog.getByText(/was sent before without a response/).waitFor();
    await expect.poll(() => dialog.getByLabel('Cash received').first().inputValue()).toBe('40.00');
    await dialog.getByRole('button', { name: sell }).click();
    await dialog.getByRole('alert').getByText('No response').waitFor();
    await page.unrouteAll();
    await page.reload();
    await dialog.getByText(/is placed and its stock is taken/).waitFor();
    await dialog.getByRole('button', { name: sell }).click();
    await page
      .getByRole('dialog', { name: /is sold$/ })
      .getByText(change!)
      .waitFor();
    expect(await placed()).toBe(1);
    await page.getByRole('button', { name: 'Next sale' }).click();
    await page.reload();
    await page.getByText('Scan a UPC or search').waitFor();
  });
}
