import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { test } from './drawn-proofs.test-support.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** A cart that one register parks, and another takes up. */
export function parkedCartProofs(shop: () => ProofShop): void {
  const linesOf = (page: Page) => page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Parked carts' });

  test('a parked cart is taken up with its customer at another register, once, and the cart there is set aside', async () => {
    const { owner } = shop();
    const person = { firstName: 'Ines', lastName: 'Parked', birthday: '1980-05-05' };
    const { data: customer } = await owner.call('POST', '/staff/v1/customers', person);
    const first = await shop().open('budtender', { refusals: [404] });
    const second = await shop().open('budtender', { refusals: [404] });
    const page = await first.goto(`/point-of-sale?customer=${customer.id}`);
    await page.getByText('Ines Parked').waitFor();
    await fillCart(page);
    const name = await linesOf(page).first().locator('p').first().textContent();
    await page.getByRole('button', { name: /^Park/ }).click();
    await dialogOf(page).getByLabel('Park the cart as').fill('Green scarf');
    expect(await first.barriersInBothSchemes('[role=dialog]')).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Park', exact: true }).click();
    await expect.poll(() => linesOf(page).count()).toBe(0);

    const other = await second.goto('/point-of-sale');
    await other.getByRole('option').nth(3).click();
    await linesOf(other).first().waitFor();
    await other.getByRole('button', { name: /^Park/ }).click();
    await page.getByRole('button', { name: /^Park/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Take up Green scarf' }).waitFor();
    await dialogOf(other).getByRole('button', { name: 'Take up Green scarf' }).click();
    await other.getByText('Ines Parked').waitFor();
    await expect.poll(() => linesOf(other).first().locator('p').first().textContent()).toBe(name);
    // The first register sees by itself that the cart is gone, and that another one is there.
    await dialogOf(page).getByRole('button', { name: 'Take up Set aside for Green scarf' }).waitFor();
    await expect
      .poll(() => dialogOf(page).getByRole('button', { name: 'Take up Green scarf', exact: true }).count())
      .toBe(0);
    await dialogOf(page).getByRole('button', { name: 'Discard Set aside for Green scarf' }).click();
    await dialogOf(page).getByText('No cart is parked here.').waitFor();
  });
}
