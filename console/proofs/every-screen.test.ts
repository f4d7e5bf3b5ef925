import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongSuite } from '../../test/harness/is-long-suite.ts';
import { casesOf } from '../../test/harness/long-suite.ts';
import { dialogsByRoute } from './console-dialogs.ts';
import { addressOf, consoleScreens } from './console-screens.ts';
import { inBrowser } from './in-browser.test-support.ts';
import { openWebhook } from './opened-webhook.test-support.ts';
import { placeDraft } from './placed-orders.test-support.ts';
import { type ConsolePage, phone } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { fieldsChangedByScans } from './scan.test-support.ts';

/** Pages in parallel: one loads while another is checked. Each costs a load of the console. */
const browserCount = casesOf({ everyRun: 1, long: 3 });

/** Lends a browser with a signed-in owner; the borrower checks its complaints. */
type LendConsole = <Result>(use: (console: ConsolePage) => Promise<Result>) => Promise<Result>;

/** Browsers shared by the proofs of this `describe`, so not every screen starts a new one. */
function sharedConsoles(shop: () => ProofShop): LendConsole {
  const idle: ConsolePage[] = [];
  const waiting: ((console: ConsolePage) => void)[] = [];
  beforeAll(async () => {
    for (let count = 0; count < browserCount; count += 1) idle.push(await shop().open('owner'));
  });
  afterAll(() => shop().settle());
  return async (use) => {
    const console = idle.pop() ?? (await new Promise<ConsolePage>((resolve) => waiting.push(resolve)));
    try {
      return await use(console);
    } finally {
      const next = waiting.shift();
      if (next) next(console);
      else idle.push(console);
    }
  };
}

/** Every screen; some again in a state with other dialogs. */
const routes = [...new Set([...consoleScreens().map(({ route }) => route), ...Object.keys(dialogsByRoute)])];

/** Opened by their address in a new page, as the first of what a person does. The others are opened inside the loaded console. */
const loadedRoutes = new Set(
  isLongSuite ? routes : ['/orders', '/orders/:orderId', '/point-of-sale', '/settings/organization'],
);

/** Screens on which a scan acts on purpose; scannerProofs covers them. */
const takesScans = new Set(['/point-of-sale', '/inventory/count', '/purchasing/:purchaseOrderId/receive']);

// The search for barriers runs hundreds of times in one page.
inBrowser(everyScreen, 'quickly');

/** The checks for every screen and its dialogs. */
function everyScreen(shop: () => ProofShop): void {
  const lend = sharedConsoles(shop);
  beforeAll(async () => {
    const { service, demo, owner } = shop();
    // Fills the request log, and gives the board an order in each state.
    const keys = { consumerKey: demo.consumerKey, clientKey: demo.clientKey };
    for (const path of ['/api/v1/organization', '/api/v1/orders', '/api/v1/orders/none']) {
      await service.call('GET', path, { keys });
    }
    await service.apiRequests.write();
    await openWebhook(shop());
    await placeDraft(shop());
    const { id } = await placeDraft(shop());
    for (const step of ['accept', 'pack']) await owner.call('POST', `/staff/v1/orders/${id}/${step}`, {});
  });

  test.concurrent.for([...routes.entries()])(
    '$1 and its dialogs are accessible and free of errors, light or dark, fit a phone, and no number takes a scan',
    { timeout: 150_000 },
    ([at, route]) =>
      lend(async (console) => {
        const read = async (path: string) => (await shop().owner.call('GET', path)).data;
        const address = await addressOf({ route, name: '' }, read);
        await (loadedRoutes.has(route) || !console.isLoaded ? console.goto(address) : console.visit(address));
        if (!isLongSuite) await console.show(at % 2 === 0 ? 'light' : 'dark');
        const barriersOf = (within?: string) =>
          isLongSuite ? console.barriersInBothSchemes(within) : console.barriers([], within);
        const barriers = await barriersOf();
        const scansTaken = async (within: Locator) =>
          takesScans.has(route) ? ([] as string[]) : fieldsChangedByScans(console.page, within);
        const scanned = await scansTaken(console.page.getByRole('main'));
        const outside = await outsideOfPhone(console.page);
        for (const [name, open] of Object.entries(dialogsByRoute[route] ?? {})) {
          const before = await open(console.page);
          const dialog = console.page.getByRole('dialog');
          await dialog
            .locator(':focus')
            .waitFor({ state: 'attached', timeout: 20_000 })
            .catch(async () => {
              const focused = await console.page.evaluate('document.activeElement?.outerHTML.slice(0, 300)');
              throw new Error(`${name}: the dialog did not get the focus; it is on ${focused}.`);
            });
          await console.settled();
          const found = await barriersOf('[role=dialog]');
          barriers.push(...found.map((it) => `${name}: ${it}`));
          scanned.push(...(await scansTaken(dialog)).map((it) => `${name}: ${it}`));
          await console.page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
          await before?.and(console.page.locator(':focus')).waitFor();
        }
        expect({ barriers, scanned, outside }).toEqual({ barriers: [], scanned: [], outside: [] });
        expect(console.complaints.splice(0)).toEqual([]);
      }),
  );

  test.concurrent('what can be pressed on the page of a product stays inside its card, in a window of any width', () =>
    lend(async (console) => {
      const read = async (path: string) => (await shop().owner.call('GET', path)).data;
      await console.goto(await addressOf({ route: '/catalog/products/:productId', name: '' }, read));
      await console.page.getByRole('button', { name: 'Add an option' }).waitFor();
      const size = console.page.viewportSize()!;
      const outside: string[] = [];
      for (const width of [1440, 1280, 1024, 820, 390]) {
        await console.page.setViewportSize({ ...size, width });
        const found = await onceDrawn(console.page, () => controlsOutside(console.page));
        outside.push(...found.map((it) => `${width}: ${it}`));
      }
      await console.page.setViewportSize(size);
      expect(outside).toEqual([]);
    }));
}

/** What makes the screen of a phone scroll sideways: it reaches beyond the right edge, and nothing around it scrolls or cuts it. */
async function outsideOfPhone(page: Page): Promise<string[]> {
  const size = page.viewportSize()!;
  await page.setViewportSize(phone);
  const outside = () =>
    page.evaluate<string[]>(`
      [...document.querySelectorAll('body *')].filter((it) => {
        const { right, width, height } = it.getBoundingClientRect();
        if (width * height === 0 || right <= innerWidth + 1) return false;
        for (let around = it.parentElement; around && around.id !== 'screen'; around = around.parentElement) {
          if (around !== document.body && getComputedStyle(around).overflowX !== 'visible') return false;
        }
        return true;
      }).slice(0, 3).map((it) => it.outerHTML.slice(0, 160))`);
  const found = await onceDrawn(page, outside);
  await page.setViewportSize(size);
  // And again, or a dialog that is opened now would go with what is drawn for a phone.
  await page.evaluate(nextPicture);
  return found;
}

/** What is still found when the screen was drawn anew for its width. */
async function onceDrawn(page: Page, find: () => Promise<string[]>): Promise<string[]> {
  let found = await find();
  for (let tries = 0; tries < 60 && found.length > 0; tries += 1) {
    await page.evaluate(nextPicture);
    found = await find();
  }
  return found;
}

const nextPicture = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** The controls that reach beyond the right edge of the card that they are in. */
const controlsOutside = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('main section button, main section input')].filter((control) => {
      const { right, width } = control.getBoundingClientRect();
      return width > 0 && right > control.closest('section').getBoundingClientRect().right + 1;
    }).map((control) => control.ariaLabel ?? control.textContent)`);
