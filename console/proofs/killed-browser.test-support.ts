import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { sessionCookie } from '../../src/platform/http/session-cookie.ts';
import { browserArguments, findBrowser } from './proof-browser.ts';

/** A browser with a profile on the disk, which is killed like the power goes, and opened again. */
export class KilledBrowser {
  readonly #profile = mkdtempSync(join(tmpdir(), 'killed-browser-'));
  #process: ChildProcess | null = null;
  #browser: Browser | null = null;

  /** Opens the browser, signed in with a token, at an address. */
  async open(address: string, token: string): Promise<Page> {
    const child = spawn(
      findBrowser().path!,
      [
        ...browserArguments('ahead'),
        '--headless=new',
        '--no-first-run',
        '--window-size=1440,900',
        '--remote-debugging-port=0',
        `--user-data-dir=${this.#profile}`,
        'about:blank',
      ],
      // A group of its own: its helpers die with it.
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    this.#process = child;
    let endpoint = '';
    for await (const line of createInterface({ input: child.stderr! })) {
      [, endpoint = ''] = /DevTools listening on (\S+)/.exec(line) ?? [];
      if (endpoint !== '') break;
    }
    child.stderr!.resume();
    this.#browser = await chromium.connectOverCDP(endpoint);
    const [context] = this.#browser.contexts();
    context!.setDefaultTimeout(40_000);
    await context!.addCookies([{ name: sessionCookie, value: token, url: new URL(address).origin }]);
    const page = await context!.newPage();
    // Without a mouse the counter would begin with pictures.
    await page.addInitScript(`localStorage.setItem('counter-view', '"list"')`);
    await page.goto(address);
    return page;
  }

  /** Ends all its processes at once, without any chance to save. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const isOver = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await isOver;
    await this.#browser?.close().catch(() => {});
  }
}
