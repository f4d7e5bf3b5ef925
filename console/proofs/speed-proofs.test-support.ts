import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { casesOf, isLongSuite } from '../../test/harness/long-suite.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const firstLoadBytesMax = 260_000;
/** Handing ten thousand rows to the browser takes it seconds. */
const rowCount = casesOf({ everyRun: 2_000, long: 10_000 });
const drawnMax = 120;
/** For a machine without a graphics card; others are faster. */
const frameMsMax = 100;

/** Speed limits. */
export function speedProofs(shop: () => ProofShop): void {
  test('the first screen needs less than 260 kB, compressed', async () => {
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

  test(`a list of ${rowCount} rows renders only visible rows, also while it scrolls`, async () => {
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
    const frames = (await page.evaluate(scrollThrough)) as readonly Frame[];
    expect(Math.max(...frames.map(({ rows }) => rows))).toBeLessThan(drawnMax);
    // The rows on screen are not those of the start.
    expect(Number(await drawn.first().getAttribute('data-index'))).toBeGreaterThan(drawnMax);
    // A machine that runs other tests as well draws as slowly as they let it.
    if (isLongSuite) {
      const sorted = frames.map(({ ms }) => ms).toSorted((one, other) => one - other);
      expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(frameMsMax);
    }
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

interface Frame {
  readonly ms: number;
  /** Rendered rows. */
  readonly rows: number;
}

/** Scrolls a table by one screen per frame; resolves to the frames. */
const scrollThrough = `new Promise((resolve) => {
  const scroller = document.querySelector('section[aria-label=Orders]');
  const frames = [];
  let last = performance.now();
  const step = (now) => {
    frames.push({ ms: now - last, rows: scroller.querySelectorAll('tr[data-index]').length });
    last = now;
    if (frames.length === ${casesOf({ everyRun: 20, long: 60 })}) return resolve(frames);
    scroller.scrollTop += 600;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;
