import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Trial {
  /** The unpacked release. */
  readonly folder: string;
  /** An empty folder that the account may write to. */
  readonly dataDir: string;
  /** The program and arguments that start it; by default this Node with `start.mjs`. */
  readonly command?: readonly [program: string, ...args: string[]];
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly env?: Readonly<Record<string, string>>;
}

/** What a started release has shown. */
interface Shown {
  /** The id of the order that was placed. */
  readonly orderId: string;
  /** The status codes of pages for people, by path. */
  readonly pages: Readonly<Record<string, number>>;
  /** The exit code after SIGTERM. */
  readonly exitCode: number | null;
}

const pages = ['/console', '/docs', '/docs/limits', '/docs/guides/first-order', '/staff/docs/'];

/**
 * Starts a release with its demo shops, buys something over HTTP as the README says, reads pages, and stops it. Nothing of this
 * process's environment reaches it but `PATH`. Fails with the output of the release if it ends before.
 */
export async function tryRelease({ folder, dataDir, command, account, env = {} }: Trial): Promise<Shown> {
  const [program, ...args] = command ?? [process.execPath, 'start.mjs'];
  const ports = { PORT: '0', MENU_PORT: '0', DATA_DIR: dataDir };
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  try {
    await ready(child);
    const { baseUrl, menuUrl, organizations } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    const orderId = await buy({ baseUrl, menuUrl, keys: organizations[0] });
    const read = pages.map(async (path) => [path, (await fetch(`${baseUrl}${path}`)).status] as const);
    const shown = Object.fromEntries(await Promise.all(read));
    child.kill('SIGTERM');
    const [exitCode] = await ended;
    return { orderId, pages: shown, exitCode };
  } finally {
    child.kill('SIGTERM');
  }
}

/** Resolves when the program says that it is ready. */
async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (data) => {
        said = `${said}${data}`.slice(-20_000);
        if (said.includes('Dispensary Commerce is ready')) resolve();
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The release ended before it was ready:\n${said}`)));
  });
}

interface Shop {
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly keys: { readonly consumerKey: string; readonly clientKey: string };
}

interface MenuItem {
  readonly options: readonly { readonly id: number; readonly maxQuantity: number }[];
}

interface Priced {
  readonly customerGrandTotal: number;
  readonly idempotencyKey: string;
}

/** Prices a cart of the menu and places it; returns the order's id. */
async function buy({ baseUrl, menuUrl, keys }: Shop): Promise<string> {
  const headers = { 'x-consumer-key': keys.consumerKey, 'x-client-key': keys.clientKey };
  const ask = async <Data>(url: string, body?: object): Promise<Data> => {
    const reply = await fetch(url, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...headers, 'content-type': 'application/json' },
    });
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as { data: Data }).data;
  };
  const menu = await ask<MenuItem[]>(`${menuUrl}/api/v1/menu?type=pickup`);
  const options = menu.flatMap((item) => item.options);
  const productOptionId = options.find(({ maxQuantity }) => maxQuantity > 2)!.id;
  const cart = { type: 'pickup', lineItems: [{ productOptionId, quantity: 2 }] };
  const priced = await ask<Priced>(`${baseUrl}/api/v1/orders/pricing`, cart);
  const placed = await ask<{ readonly id: string }>(`${baseUrl}/api/v1/orders`, {
    ...cart,
    customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
    expectedCustomerGrandTotal: priced.customerGrandTotal,
    idempotencyKey: priced.idempotencyKey,
  });
  return placed.id;
}
