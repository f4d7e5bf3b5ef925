import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillCart } from './outage-proofs.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scanStorm } from './scan.test-support.ts';
import { type Shelved, shelfOf } from './shelf.test-support.ts';

const linesOf = (page: Page) => page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem');
const quantityOf = async (page: Page, { name }: Shelved) => {
  const fields = await linesOf(page).filter({ hasText: name }).getByRole('textbox').all();
  const values = await Promise.all(fields.map((field) => field.inputValue()));
  return values.reduce((sum, value) => sum + Number(value), 0);
};
const sellButton = (page: Page) => page.getByRole('button', { name: 'Take payment and hand over' });
const sold = (page: Page) => page.getByRole('dialog', { name: /is sold$/ });

interface SoldReply {
  readonly data: { readonly createdAt: string };
  readonly error?: unknown;
}

/** Counts the writes of this kind from now on. */
function countWrites(page: Page, path: RegExp): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && path.test(request.url())) count += 1;
  });
  return () => count;
}

/** Goes to the last item of a menu as soon as it gets the focus. */
const chooseLastAtOnce = `document.addEventListener('focusin', function choose({ target }) {
  const items = target.closest('[role=menu]')?.querySelectorAll('[role=menuitem]');
  if (!items) return;
  document.removeEventListener('focusin', choose);
  items[items.length - 1].focus();
})`;

/** Hands that are quick, restless, or on the wrong button: storms of scans, double taps, the back button, clocks that jump. */
export function roughProofs(shop: () => ProofShop): void {
  test('the focus stays at the item of a menu that fast hands have chosen while it opens', async () => {
    const page = await (await shop().open('owner')).goto('/integrations/keys');
    const chosen = page.getByRole('menuitem').last().and(page.locator(':focus'));
    await page.evaluate(chooseLastAtOnce);
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .press('Enter');
    await chosen.waitFor();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await chosen.count()).toBe(1);
  });

  test('of twenty scans within a second none is lost or counted twice, and none goes into the focused field', async () => {
    const names = new Set<string>();
    const isNew = ({ name }: Shelved) => !names.has(name) && names.add(name);
    const items = (await shelfOf(shop()))
      .filter(({ left }) => left >= 12)
      .filter(isNew)
      .slice(0, 4);
    expect(items).toHaveLength(4);
    const page = await (await shop().open('manager')).goto('/point-of-sale');
    const search = page.getByRole('combobox', { name: /scan a UPC/ });
    const storm = Array.from({ length: 20 }, (_, count) => items[count % items.length]!);
    const upcs = storm.map(({ upc }) => upc);
    await search.fill('grin');
    await scanStorm(page, upcs);
    const pieces = async () => {
      // A look-up that takes ten seconds on a busy machine says so, and is tried again.
      const again = page.getByRole('button', { name: 'Look up again' }).first();
      if (await again.isVisible()) await again.click();
      return Promise.all(items.map((item) => quantityOf(page, item)));
    };
    await expect.poll(pieces, { timeout: 60_000 }).toEqual([5, 5, 5, 5]);
    expect(await search.inputValue()).toBe('grin');
    // Again, into the number of a line.
    await linesOf(page).first().getByRole('textbox').focus();
    await scanStorm(page, upcs);
    await expect.poll(pieces, { timeout: 60_000 }).toEqual([10, 10, 10, 10]);
    expect(await page.getByRole('list', { name: 'Not added' }).count()).toBe(0);
  });

  /** Two taps before the screen is drawn again. */
  const doubleTaps: Readonly<
    Record<string, { readonly writes: RegExp; readonly tap: () => Promise<{ page: Page; button: string }> }>
  > = {
    'a sale': {
      writes: /\/staff\/v1\/orders(\/[^/]+\/fulfill)?$/,
      tap: async () => {
        const page = await (await shop().open('manager')).goto('/point-of-sale');
        await fillCart(page);
        await page.keyboard.press('F9');
        return { page, button: 'Take payment and hand over' };
      },
    },
    'a new product': {
      writes: /\/staff\/v1\/products$/,
      tap: async () => {
        const page = await (await shop().open('owner')).goto('/catalog/products/new');
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tapped twice');
        await page.getByRole('combobox', { name: 'Category' }).fill('Accessories');
        await page.getByRole('option', { name: 'Accessories' }).click();
        await page.getByLabel('Price of option 1', { exact: true }).fill('5');
        return { page, button: 'Create product' };
      },
    },
  };
  for (const [what, { writes, tap }] of Object.entries(doubleTaps)) {
    test(`a double tap makes ${what} once`, async () => {
      const { page, button } = await tap();
      const count = countWrites(page, writes);
      const place = page.getByRole('button', { name: button, exact: true }).last();
      await expect.poll(() => place.isEnabled()).toBe(true);
      const answered = page.waitForResponse((response) => writes.test(new URL(response.url()).pathname));
      await place.evaluate(tapTwice);
      expect((await answered).status()).toBeLessThan(300);
      if (what === 'a sale') await sold(page).waitFor();
      await page.waitForLoadState('networkidle');
      // A sale is placed and paid.
      expect(count()).toBe(what === 'a sale' ? 2 : 1);
    });
  }

  test('the back button in a payment, a form and a dialog loses no cart, sells nothing and asks for typed words', async () => {
    const console = await shop().open('owner');
    const page = await console.goto('/orders');
    const placed = countWrites(page, /\/staff\/v1\/(orders|customers)$/);
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
    await goTo(page, 'Point of sale');
    await fillCart(page);
    await page.keyboard.press('F9');
    await expect.poll(() => sellButton(page).isEnabled()).toBe(true);
    await page.goBack();
    await heading('Orders').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goForward();
    await expect.poll(() => linesOf(page).count()).toBe(1);
    expect(placed()).toBe(0);
    if (!(await sellButton(page).isVisible())) await page.keyboard.press('F9');
    await expect.poll(() => sellButton(page).isEnabled()).toBe(true);
    await page.keyboard.press('Enter');
    await sold(page).waitFor();
    expect(placed()).toBe(1);
    // Nothing is sold again on the way back.
    await page.goBack();
    await heading('Orders').waitFor();
    await page.goForward();
    await page.getByText('Scan a UPC or search for an item.').waitFor();

    await console.visit('/catalog');
    await page.getByRole('link', { name: 'New product' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Half a product');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay on this page' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => name.inputValue()).toBe('Half a product');
    await page.goBack();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await heading('Products').waitFor();

    await goTo(page, 'Customers');
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog').getByLabel('First name').fill('Half');
    await page.goBack();
    const leave = question.getByRole('button', { name: 'Leave without saving' });
    await heading('Products').or(leave).first().waitFor();
    if (await leave.isVisible()) await leave.click();
    await heading('Products').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(placed()).toBe(1);
  });

  test("a device's clock that jumps an hour, or over the change of the clocks, changes neither sale nor the shop's times", async () => {
    const console = await shop().open('owner');
    const page = await console.goto('/orders');
    await page.evaluate(movableClock);
    const cards = page.getByRole('main').locator('time');
    await cards.first().waitFor();
    const shown = async () => (await cards.allTextContents()).slice(0, 6);
    const clock = page.locator('header time').first();
    const before = await shown();
    const hourMs = 3_600_000;
    const moments = [
      '2026-03-08T09:59:58Z',
      '2026-03-08T10:00:02Z',
      '2026-11-01T08:59:58Z',
      '2026-11-01T09:00:02Z',
    ];
    for (const jumpMs of [hourMs, -hourMs, ...moments.map((moment) => Date.parse(moment) - Date.now())]) {
      await page.evaluate(`globalThis.jumpMs = ${jumpMs}`);
      await console.visit('/orders');
      await expect.poll(shown).toEqual(before);
      // It ticks every ten seconds.
      const isRight = async () =>
        Math.abs(Date.parse((await clock.getAttribute('datetime'))!) - Date.now()) < 60_000;
      await expect.poll(isRight).toBe(true);
    }
    await page.evaluate('globalThis.jumpMs = 0');
    await console.visit('/point-of-sale');
    for (const jumpMs of [hourMs, -hourMs]) {
      await fillCart(page);
      await page.evaluate(`globalThis.jumpMs = ${jumpMs}`);
      await page.keyboard.press('+');
      await expect.poll(() => linesOf(page).getByRole('textbox').inputValue()).toBe('2');
      await page.keyboard.press('F9');
      await expect.poll(() => sellButton(page).isEnabled()).toBe(true);
      const fulfilled = page.waitForResponse(/\/fulfill$/);
      await page.keyboard.press('Enter');
      const { data, error } = (await (await fulfilled).json()) as SoldReply;
      expect(error).toBeUndefined();
      expect(Math.abs(Date.parse(data.createdAt) - Date.now())).toBeLessThan(60_000);
      await sold(page).getByRole('button', { name: 'Next sale' }).click();
      await page.getByText('Scan a UPC or search for an item.').waitFor();
    }
  });
}

const goTo = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();

export const tapTwice = (it: unknown) => {
  (it as { click(): void }).click();
  (it as { click(): void }).click();
};

/** The page's clock is off by `jumpMs`; timers go on. It ends with the page. */
const movableClock = `{
  const Real = Date;
  globalThis.jumpMs = 0;
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length === 0 ? [Real.now() + jumpMs] : parts));
    }
    static now() {
      return Real.now() + jumpMs;
    }
  };
}`;
