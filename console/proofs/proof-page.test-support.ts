import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sessionCookie } from '../../src/platform/http/session-cookie.ts';
import { barriersOn } from './barriers.test-support.ts';

/** The rules whose result can differ between light and dark: axe's `cat.color`, except disabled ones. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 1024, height: 768 };
export const phone = { width: 390, height: 844 };
export const uprightTablet = { width: 768, height: 1024 };

type Scheme = 'light' | 'dark';

export interface PageOptions {
  /** Expected refusal statuses; the browser logs an error for each. */
  readonly refusals?: readonly number[];
  /** The connection is cut; the browser logs errors for that too. */
  readonly isCutOff?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: Scheme;
  /** The page is that of localhost, where browsers allow passkeys; by default of an address. */
  readonly isLocalhost?: boolean;
  /** Other addresses that the proof leads the browser to; asking any other is a complaint. */
  readonly alsoAsks?: readonly string[];
}

/** A page of the console in its own browser, which records all complaints of the browser. */
export class ConsolePage {
  readonly page: Page;
  /**
   * Errors and warnings, including content security policy violations, unanswered requests, and writes without an idempotency
   * key.
   */
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;
  readonly #baseUrl: string;
  /** Other proofs are of an address. */
  readonly isLocalhost: boolean;
  #refusals: readonly number[] = [];
  #isCutOff = false;
  #alsoAsks: readonly string[] = [];
  #scheme: Scheme = 'light';

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context;
    this.#baseUrl = baseUrl;
    this.isLocalhost = new URL(baseUrl).hostname === 'localhost';
    this.page = page;
    const isExpected = (text: string): boolean =>
      (this.#isCutOff && text.startsWith('Failed to load resource: net::ERR_')) ||
      this.#refusals.some((status) =>
        text.startsWith(`Failed to load resource: the server responded with a status of ${status}`),
      );
    page.on('console', (message) => {
      const text = message.text();
      if (['error', 'warning'].includes(message.type()) && !isExpected(text)) {
        this.complaints.push(`${page.url()}: ${text} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      const isOwn = [baseUrl, ...this.#alsoAsks].some((address) => url.startsWith(`${address}/`));
      if (!ownSchemes.test(url) && !isOwn) {
        this.complaints.push(`${page.url()} asks ${url}`);
      }
      const isWrite = request.method() !== 'GET' && url.startsWith(`${baseUrl}/staff/`);
      if (isWrite && request.headers()['idempotency-key'] === undefined) {
        this.complaints.push(`${page.url()}: ${request.method()} ${url} without Idempotency-Key`);
      }
    });
  }

  /** Opens a new browser; signed in when there is a token. */
  static async open(
    browser: Browser,
    baseUrl: string,
    token: string | null,
    options: PageOptions,
  ): Promise<ConsolePage> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(40_000);
    const opened = new ConsolePage(context, await context.newPage(), baseUrl);
    await opened.begin(token, options);
    return opened;
  }

  /** Prepares the browser for a new test; signed in when there is a token. */
  async begin(
    token: string | null,
    {
      refusals = [],
      isCutOff = false,
      viewport = desktop,
      colorScheme = 'light',
      alsoAsks = [],
    }: PageOptions,
  ): Promise<void> {
    this.#refusals = refusals;
    this.#isCutOff = isCutOff;
    this.#alsoAsks = alsoAsks;
    this.#scheme = colorScheme;
    const url = this.#baseUrl;
    if (token !== null) await this.#context.addCookies([{ name: sessionCookie, value: token, url }]);
    await this.page.setViewportSize(viewport);
    await this.page.emulateMedia({ colorScheme });
  }

  /** Hands the browser to the next test with only the program's files cached; returns the complaints. */
  async leave(): Promise<string[]> {
    await this.#context.setOffline(false);
    await this.page.unrouteAll();
    if (this.isLoaded) {
      await this.page.evaluate(toNothing);
      await this.page.waitForURL('blob:**');
      await this.page.evaluate(
        "localStorage.clear(); sessionStorage.clear(); void indexedDB.deleteDatabase('till')",
      );
    }
    await this.#context.clearCookies();
    return this.complaints.splice(0);
  }

  /** Goes to a screen and waits for its content. */
  async goto(address: string): Promise<Page> {
    await this.page.goto(`${this.#baseUrl}/console${address}`);
    return this.#shown();
  }

  /** Whether the browser shows the console. */
  get isLoaded(): boolean {
    return this.page.url().startsWith(`${this.#baseUrl}/console/`);
  }

  /**
   * Changes to a screen inside the loaded console, in a fifth of the time of `goto`. The way leads over an address without a
   * screen, so no heading of the screen before is taken for the new one, and no screen keeps its state.
   */
  async visit(address: string): Promise<Page> {
    const nowhere = this.page.getByRole('heading', { name: 'Not found', level: 1 });
    await this.page.evaluate(pushAddress('/nowhere'));
    // A form that the former test has typed into asks first.
    const leave = this.page.getByRole('button', { name: 'Leave without saving' });
    await nowhere.or(leave).first().waitFor();
    if (await leave.isVisible()) await leave.click();
    await nowhere.waitFor();
    await this.page.evaluate(pushAddress(address));
    await nowhere.waitFor({ state: 'detached' });
    return this.#shown();
  }

  async #shown(): Promise<Page> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.settled();
    return this.page;
  }

  /** Waits until the page shows no loading state. */
  async settled(): Promise<void> {
    await this.page
      .locator('.mantine-Skeleton-root, [aria-busy=true], [data-loading=true]')
      .first()
      .waitFor({ state: 'detached' });
  }

  /** Changes the color scheme and waits until all transitions end. */
  async show(scheme: Scheme): Promise<void> {
    this.#scheme = scheme;
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    await this.page.evaluate(fadingEnds);
  }

  /** Waits for the visible pictures. */
  async pictured(): Promise<void> {
    await this.page.evaluate(picturesShow);
  }

  /** The barriers in light and dark. */
  async barriersInBothSchemes(within?: string): Promise<string[]> {
    const barriers = await this.barriers([], within);
    await this.show(other(this.#scheme));
    return [...barriers, ...(await this.barriers(rulesOfColors, within))];
  }

  /**
   * The accessibility barriers of the page, or of one element in it (`within`): serious and critical axe findings, each with
   * its first place.
   */
  async barriers(rules: readonly string[] = [], within = 'html'): Promise<string[]> {
    const barriers = await barriersOn(this.page, rules, within);
    return barriers.map((barrier) => `${this.page.url()} (${this.#scheme}): ${barrier}`);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/**
 * Like `page.route`, but returns once the requests of the loaded page go through it. Chromium tells the page about a new route
 * beside its keys and clicks, so a busy page can send one more request past it.
 */
export async function intercept(page: Page, ...[url, handler]: Parameters<Page['route']>): Promise<void> {
  await page.route(url, handler);
  if (!page.url().startsWith('http')) return;
  const probe = '**/healthz?is=intercepted';
  await page.route(probe, (route) => route.fulfill({ status: 204 }));
  await page.evaluate(isIntercepted);
  await page.unroute(probe);
}

const isIntercepted = `(async () => {
  while ((await fetch('/healthz?is=intercepted').catch(() => ({}))).status !== 204);
})()`;

/** URLs that need no host: the page's own files, and the browser's PDF viewer. */
const ownSchemes = /^(blob|data|chrome|chrome-extension):/;

function other(scheme: Scheme): Scheme {
  return scheme === 'light' ? 'dark' : 'light';
}

/** Goes to a page of the same origin: another origin would start a new process, and again on the way back. */
const toNothing = `void (location.href = URL.createObjectURL(new Blob([], { type: 'text/html' })))`;

/** A step to a screen as the router makes it for a link: the browser's history says so, and the router follows. */
const pushAddress = (address: string): string => `{
  const state = { idx: (history.state?.idx ?? 0) + 1, key: String(performance.now()), usr: null };
  history.pushState(state, '', ${JSON.stringify(`/console${address}`)});
  dispatchEvent(new PopStateEvent('popstate', { state }));
}`;

/** Endless animations are ignored. */
const fadingEnds = `Promise.allSettled(
  document.getAnimations()
    .filter((it) => it.effect.getComputedTiming().endTime !== Infinity)
    .map((it) => it.finished),
)`;

/** Broken pictures are ignored, and so are those that a list has yet to be scrolled to: they are not even asked for. */
const picturesShow = `Promise.race([
  Promise.allSettled(
    [...document.images]
      .filter((it) => it.getBoundingClientRect().top < innerHeight)
      .map((it) => it.decode()),
  ),
  new Promise((go) => setTimeout(go, 3_000)),
])`;
