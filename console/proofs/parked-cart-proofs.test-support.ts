import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriersOn } from './barriers.test-support.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import { tablet } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** A cart that one register parks and another takes up; the counter on a tablet, and the customer's display. */
export function parkedCartProofs(shop: () => ProofShop): void {
  const linesOf = (page: Page) => page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sales on hold' });

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
    await page.getByRole('button', { name: /^Hold/ }).click();
    await dialogOf(page).getByLabel('Hold the sale as').fill('Green scarf');
    expect(await first.barriers([], '[role=dialog]')).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Hold', exact: true }).click();
    await expect.poll(() => linesOf(page).count()).toBe(0);

    const other = await second.goto('/point-of-sale');
    await other.getByRole('option').nth(3).click();
    await linesOf(other).first().waitFor();
    await other.getByRole('button', { name: /^Hold/ }).click();
    await page.getByRole('button', { name: /^Hold/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Resume Green scarf' }).waitFor();
    await dialogOf(other).getByRole('button', { name: 'Resume Green scarf' }).click();
    await other.getByText('Ines Parked').waitFor();
    await expect.poll(() => linesOf(other).first().locator('p').first().textContent()).toBe(name);
    // The first register sees by itself that the cart is gone, and that another one is there.
    await dialogOf(page).getByRole('button', { name: 'Resume Set aside for Green scarf' }).waitFor();
    await expect
      .poll(() => dialogOf(page).getByRole('button', { name: 'Resume Green scarf', exact: true }).count())
      .toBe(0);
    await dialogOf(page).getByRole('button', { name: 'Discard Set aside for Green scarf' }).click();
    await dialogOf(page).getByText('No sale is on hold here.').waitFor();
  });

  test('a tablet has cards with sizes to touch, and the display beside it shows the customer what they pay', async () => {
    const opened = await shop().open('budtender', { viewport: tablet });
    const page = await opened.goto('/point-of-sale');
    const display = await page.context().newPage();
    await display.setViewportSize(tablet);
    await display.goto(page.url().replace(/point-of-sale.*/, 'customer-display'));
    await display.getByText('Welcome').waitFor();
    await page.bringToFront();
    await page
      .getByRole('group', { name: 'Categories' })
      .getByRole('button', { name: 'Flower', exact: true })
      .click();
    await opened.settled();
    const cards = page.getByRole('list', { name: 'Products on the menu' }).getByRole('listitem');
    const name = await cards
      // A size of flower only: cards of what was shown before may still be there.
      .filter({ hasText: 'Eighth' })
      .filter({ hasText: /THC/ })
      .filter({ hasText: /\d left/ })
      .first()
      .locator('p')
      .first()
      .textContent();
    // By its name: the list follows the stock, and its first card may be another one by now.
    const card = cards.filter({ has: page.getByText(name!, { exact: true }) });
    await card.getByRole('button', { name: /^Add / }).first().click();
    const pay = page.getByRole('button', { name: /^Pay \$/ });
    await pay.waitFor();
    await display.getByRole('list', { name: 'Your items' }).getByText(`1 × ${name}, `).waitFor();
    const total = (await pay.textContent())!.replace('Pay ', '');
    await display
      .getByRole('row', { name: /^Total/ })
      .getByText(total)
      .waitFor();
    await opened.settled();
    await expect.poll(() => page.evaluate(smallTargets)).toEqual([]);
    expect(await opened.barriers()).toEqual([]);
    expect(await barriersOn(display)).toEqual([]);
    await page.keyboard.press('F9');
    const dialog = page.getByRole('dialog', { name: 'Take payment' });
    await dialog.getByRole('button', { name: 'Take payment and hand over' }).click();
    await display.getByText('Thank you').waitFor();
    await page.getByRole('button', { name: 'Next sale' }).click();
    await display.getByText('Welcome').waitFor();
    await display.close();
  });
}

/** What a finger cannot hit at the counter: less than 44 px high or wide. */
const smallTargets = `[...document.querySelectorAll('#screen :is(button, input, a)')]
  .map((it) => ({ of: it.getAttribute('aria-label') ?? it.textContent, box: it.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 8 && (box.width < 44 || box.height < 44))
  .map(({ of, box }) => of + ' ' + box.width + ' x ' + box.height)`;
