import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { hold, putCamera, refuseCamera } from './camera.test-support.ts';
import { test } from './drawn-proofs.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan } from './scan.test-support.ts';

const phone = { width: 360, height: 740 };

/** Whether the page scrolls sideways, and the controls that are too small for a thumb. */
const faultsOfPhone = `(() => {
  const screen = document.querySelector('main');
  const faults = [document.documentElement, screen]
    .filter((it) => it.scrollWidth > it.clientWidth)
    .map((it) => it.tagName + ' scrolls sideways');
  for (const it of screen.querySelectorAll('button, input, [role=button]')) {
    const { width, height } = it.getBoundingClientRect();
    const isShown = width > 1 && height > 1;
    if (isShown && (width < 44 || height < 44)) {
      faults.push((it.ariaLabel ?? it.textContent) + ': ' + width + ' × ' + height);
    }
  }
  return faults;
})()`;

async function expectThumbs(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(faultsOfPhone)).toEqual([]);
}

/** Work with a phone in the hand: counting and receiving, with its camera. */
export function phoneProofs(shop: () => ProofShop): void {
  /** Two lines of stock with a code of their own, at the first location. */
  async function coded() {
    const { owner } = shop();
    const [location] = (await owner.call('GET', '/staff/v1/inventory-locations')).data;
    const { data } = await owner.call('GET', '/staff/v1/inventory', undefined, {
      query: { locationId: String(location.id) },
    });
    const lines: { upc: string; productName: string; onHand: string }[] = data.filter(
      (it: { upc: string | null; packageLabel: string | null }, _: number, all: { upc: string | null }[]) =>
        /^\d{12}$/.test(it.upc ?? '') && all.filter(({ upc }) => upc === it.upc).length === 1,
    );
    return { locationId: location.id as number, one: lines[0]!, other: lines[1]! };
  }

  test('on a phone a count is scanned by the camera, survives a reload, and is saved', async () => {
    const { locationId, one, other } = await coded();
    const console = await shop().open('inventory', { viewport: phone });
    const page = await console.goto(`/inventory/count?location=${locationId}`);
    await putCamera(page);
    await expectThumbs(page);
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await hold(page, one.upc);
    const atHand = page.getByRole('region', { name: 'Scanned last' });
    const counted = atHand.getByRole('textbox');
    await atHand.getByText(one.productName).waitFor();
    await expect.poll(() => counted.inputValue()).toBe('1');
    await page.getByText(/^1 of .*\d+ counted$/).waitFor();
    await hold(page, other.upc);
    await atHand.getByText(other.productName).waitFor();
    await expect.poll(() => counted.inputValue()).toBe('1');
    // The one in view for many pictures was counted once.
    const first = page.getByRole('textbox', { name: new RegExp(`^Counted of ${one.productName}`) });
    expect(await first.first().inputValue()).toBe('1');
    await expectThumbs(page);
    await page.getByRole('button', { name: 'Close the camera' }).click();
    await scan(page, other.upc);
    await atHand.getByText(other.productName).waitFor();
    await counted.fill(other.onHand);
    await atHand.getByRole('button', { name: /^One more/ }).click();
    await page.getByRole('button', { name: 'Save 2 counted' }).waitFor();

    await page.reload();
    await page.getByText('Your count was kept').waitFor();
    await refuseCamera(page, 'NotAllowedError');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await page.getByText('The camera may not be used here.').waitFor();
    await page.getByRole('button', { name: 'Save 2 counted' }).click();
    const result = page.getByRole('dialog', { name: 'Count saved' });
    const sure = page.getByRole('button', { name: 'Save the count' });
    await result.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
    await result.getByText(other.productName).first().waitFor();
    await result.getByRole('button', { name: 'Close' }).click();
    await page.getByText(/^0 of .*\d+ counted$/).waitFor();
  });
}
