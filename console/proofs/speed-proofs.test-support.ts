import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const firstLoadBytesMax = 250_000;
const rowCount = 10_000;
const drawnMax = 120;
/** For a machine without a graphics card that runs other tests; other machines are faster. */
const frameMsMax = 100;

/** Speed limits. */
export function speedProofs(shop: () => ProofShop): void {
  test('the first screen needs less than 250 kB, compressed', async () => {
    const console = await shop().openNew('owner');
    const responses: Response[] = [];
    const note = (response: Response) => responses.push(response);
    console.page.on('response', note);
    await console.goto('/orders');
    // The next test in this browser requests more.
    console.page.off('response', note);
    const files = responses.filter((response) => new URL(response.url()).pathname.startsWith('/console'));
    const bytes = await Promise.all(
      files.map(async (response) => (await response.request().sizes()).responseBodySize),
    );
    expect(bytes.length).toBeGreaterThan(3);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(firstLoadBytesMax);
  });

  test('a list of 10,000 rows renders only visible rows and scrolls smoothly', async () => {
    const console = await shop().open('owner');
    const { page } = console;
    const { data, meta } = await shop().owner.call('GET', '/staff/v1/orders');
    const rows = Array.from({ length: rowCount }, (_, index) => ({
      ...withoutParts(data[index % data.length]),
      id: `${index}`,
      number: index + 1,
    }));
    await intercept(page, /\/staff\/v1\/orders(\?|$)/, (route) => {
      const isFirst = !route.request().url().includes('startingAfter');
      return route.fulfill({ json: { data: isFirst ? rows : [], meta } });
    });
    await console.goto('/orders?view=list');
    const drawn = page.locator('tbody tr[data-index]');
    await drawn.first().waitFor();
    expect(await drawn.count()).toBeLessThan(drawnMax);
    const frames = (await page.evaluate(scrollThrough)) as readonly number[];
    const sorted = [...frames].sort((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(frameMsMax);
    expect(await drawn.count()).toBeLessThan(drawnMax);
    await drawn.first().focus();
    await page.keyboard.press('End');
    await page.locator(`tr[data-index="${rowCount - 1}"]`).waitFor();
  });
}

/** The fields of a row without nested lists: ten thousand of those take long to transfer. */
function withoutParts(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

/** Scrolls a table by one screen per frame; resolves to the milliseconds of each frame. */
const scrollThrough = `new Promise((resolve) => {
  const scroller = document.querySelector('section[aria-label=Orders]');
  const frames = [];
  let last = performance.now();
  const step = (now) => {
    frames.push(now - last);
    last = now;
    if (frames.length === 60) return resolve(frames);
    scroller.scrollTop += 600;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;
