import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sessionCookie } from '../../src/http/staff-admission.ts';

const axe = readFileSync(
  join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'),
  'utf8',
);

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 1024, height: 768 };
export const uprightTablet = { width: 768, height: 1024 };

export interface PageOptions extends BrowserContextOptions {
  /** Statuses of replies that are meant to be refusals; the browser complains of each. */
  readonly refusals?: readonly number[];
}

/** A page of the console in a browser of its own, which notes whatever the browser complains of. */
export class ConsolePage {
  readonly page: Page;
  /** Errors and warnings, breaches of the content security policy among them, and requests that no host answers. */
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;
  readonly #baseUrl: string;

  private constructor(context: BrowserContext, page: Page, baseUrl: string, refusals: readonly number[]) {
    this.#context = context;
    this.#baseUrl = baseUrl;
    this.page = page;
    const isExpected = (text: string): boolean =>
      refusals.some((status) =>
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
      if (!ownSchemes.test(url) && !url.startsWith(`${baseUrl}/`)) {
        this.complaints.push(`${page.url()} asks ${url}`);
      }
    });
  }

  /** Opens a browser of its own; with a session when there is a token. */
  static async open(
    browser: Browser,
    baseUrl: string,
    token: string | null,
    { refusals = [], ...options }: PageOptions,
  ): Promise<ConsolePage> {
    const context = await browser.newContext({ viewport: desktop, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(20_000);
    if (token !== null) await context.addCookies([{ name: sessionCookie, value: token, url: baseUrl }]);
    return new ConsolePage(context, await context.newPage(), baseUrl, refusals);
  }

  /** Goes to a screen and waits until it has its content. */
  async goto(address: string): Promise<Page> {
    await this.page.goto(`${this.#baseUrl}/console${address}`);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.settled();
    return this.page;
  }

  /** Waits until nothing on the page says that it waits. */
  async settled(): Promise<void> {
    await this.page
      .locator('.mantine-Skeleton-root, [aria-busy=true], [data-loading=true]')
      .first()
      .waitFor({ state: 'detached' });
  }

  /** Changes the colours, and waits until nothing fades any more. */
  async show(scheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    await this.page.evaluate(fadingEnds);
  }

  /** Waits for the pictures that are seen. */
  async pictured(): Promise<void> {
    await this.page.evaluate(picturesShow);
  }

  /**
   * What keeps people from using the page, or what is `within` one thing of it, as axe finds it: serious and critical ones,
   * each with its first place.
   */
  async barriers(rules: readonly string[] = [], within = 'html'): Promise<string[]> {
    const isThere = await this.page.evaluate(`typeof axe === 'object'`);
    // Through the debugger: the content security policy lets no script in.
    if (!isThere) await this.page.evaluate(axe);
    const options = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
    const { violations } = (await this.page.evaluate(
      `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
    )) as AxeResults;
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${this.page.url()}: ${id}, ${nodes.length} times: ${nodes[0]!.html.slice(0, 240)} ${nodes[0]!.failureSummary.slice(0, 400)}`,
      );
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/** What no host is asked for: the page's own files, and the browser's, which has a viewer for PDFs. */
const ownSchemes = /^(blob|data|chrome|chrome-extension):/;

/** What turns for ever is not waited for. */
const fadingEnds = `Promise.allSettled(
  document.getAnimations()
    .filter((it) => it.effect.getComputedTiming().endTime !== Infinity)
    .map((it) => it.finished),
)`;

/** A picture that cannot be had is not waited for. */
const picturesShow = `Promise.allSettled(
  [...document.images]
    .filter((it) => it.getBoundingClientRect().top < innerHeight)
    .map((it) => it.decode()),
)`;

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
