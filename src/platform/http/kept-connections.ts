import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';
import {
  type FetchNetwork,
  hostsKept,
  openPool,
  type RequestBounds,
  readAddress,
  realNetwork,
  type Sent,
  send,
  tooLate,
  wholeBody,
} from './guarded-fetch.ts';

/** A whole answer of any status. */
export interface WholeAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Requests to hosts that the caller knows, over connections that stay open for a while. A request is sent once: what happened to
 * one that broke is for the caller to find out.
 */
export class KeptConnections {
  readonly #network: FetchNetwork;
  readonly #pools = new LRUCache<string, Promise<Pool>>({
    max: hostsKept,
    dispose: (pool) => void pool.then((it) => it.close()).catch(() => {}),
  });

  constructor(network: FetchNetwork = realNetwork) {
    this.#network = network;
  }

  /** Fails with FetchRefused. */
  async request(address: string, sent: Sent, bounds: RequestBounds): Promise<WholeAnswer> {
    const url = readAddress(address);
    const ending = AbortSignal.timeout(bounds.totalMsMax);
    let pool = this.#pools.get(url.origin);
    if (pool === undefined) {
      pool = openPool(url, this.#network, null);
      this.#pools.set(url.origin, pool);
    }
    try {
      const answer = await send(await pool, url, sent, ending);
      const body = await wholeBody(answer, bounds.bytesMax);
      const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      return { status: answer.statusCode, text: body.toString(), headers: Object.fromEntries(headers) };
    } catch (error) {
      throw ending.aborted ? tooLate() : error;
    }
  }

  /** Ends requests that are under way. */
  close(): void {
    for (const pool of this.#pools.values()) pool.then((it) => it.destroy()).catch(() => {});
  }
}
