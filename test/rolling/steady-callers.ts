import { randomUUID } from 'node:crypto';
import { openStream } from '../../src/shop/live/live-stream.test-support.ts';
import { keyHeaders } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { clientPause } from '../simulation/client-pause.ts';

interface Addresses {
  readonly baseUrl: string;
  readonly menuUrl: string;
}

/** What the callers need to know of a shop; `tray` is an option that is always in stock. */
export type Bought = Pick<TestShop, 'organizationId' | 'keys' | 'optionId'>;

interface SteadyCallers {
  /** Requests that were answered as they should be. */
  readonly answered: () => number;
  /** All others: what was asked, and what came back. A stream that is cut counts, one that ends does not. */
  readonly failures: readonly string[];
  /** Orders that were answered with 201, by their key. */
  readonly placed: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/**
 * Calls as integrators, customers and staff do, one request after the other each: prices, orders, lists, the menu, a request that
 * waits for changes, and the live stream of the console. No request is repeated.
 */
export function steadyCallers(
  { baseUrl, menuUrl }: Addresses,
  { shop, staffToken }: { readonly shop: Bought; readonly staffToken: string },
): SteadyCallers {
  const failures: string[] = [];
  const placed = new Map<string, string>();
  let answered = 0;
  const stopping = new AbortController();
  const headers = { 'content-type': 'application/json', ...keyHeaders(shop.keys) };

  const ask = async <Data>(
    method: string,
    url: string,
    status: number,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Data | null> => {
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const reply = await fetch(url, { method, headers, ...sent, ...(signal && { signal }) });
      const text = await reply.text();
      if (reply.status === status) {
        answered += 1;
        return JSON.parse(text) as Data;
      }
      failures.push(`${method} ${url}: ${reply.status} ${text.slice(0, 200)}`);
    } catch (error) {
      if (signal?.aborted) return null;
      failures.push(`${method} ${url}: ${(error as Error).message} ${String((error as Error).cause)}`);
    }
    return null;
  };
  const body = () => ({
    type: 'pickup',
    lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    idempotencyKey: randomUUID(),
  });
  const place = async () => {
    const idempotencyKey = randomUUID();
    const reply = await ask<{ data: { id: string } }>('POST', `${baseUrl}/api/v1/orders`, 201, {
      ...body(),
      idempotencyKey,
    });
    if (reply) placed.set(idempotencyKey, reply.data.id);
  };
  const waitForChanges = async () => {
    const latest = await ask<{ data: { cursor: string } }>('GET', `${baseUrl}/api/v1/changes/latest`, 200);
    if (latest) {
      const query = `after=${latest.data.cursor}&types=tag.created&wait=20`;
      await ask('GET', `${baseUrl}/api/v1/changes?${query}`, 200, undefined, stopping.signal);
    }
  };
  const listen = async () => {
    try {
      const stream = await openStream(baseUrl, bearerHeader(staffToken));
      const close = () => stream.close();
      stopping.signal.addEventListener('abort', close);
      // Asked to stop while it was opened.
      if (stopping.signal.aborted) close();
      if (stream.status === 200) {
        await stream.until('ready');
        answered += 1;
        // A balancer may be a moment late: the console waits as long before it listens again.
        while ((await stream.next()) !== null);
      } else failures.push(`live: ${stream.status}`);
      stopping.signal.removeEventListener('abort', close);
    } catch (error) {
      if (!stopping.signal.aborted) failures.push(`live: ${(error as Error).message}`);
    }
  };
  const again = async (call: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await call();
      await clientPause();
    }
  };
  const calls = [
    () => ask('POST', `${baseUrl}/api/v1/orders/pricing`, 200, body()),
    place,
    () => ask('GET', `${baseUrl}/api/v1/orders?limit=5`, 200),
    () => ask('GET', `${menuUrl}/api/v1/menu`, 200),
    waitForChanges,
    listen,
  ].map(again);
  return {
    answered: () => answered,
    failures,
    placed,
    stop: async () => {
      stopping.abort();
      await Promise.all(calls);
    },
  };
}
