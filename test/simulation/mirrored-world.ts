import { expect } from 'vitest';
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import { type MirrorStore, mirror } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';
import {
  expectSameRows,
  openCopies,
  rowsOfCopy,
  rowsOfService,
} from '../../sdk/integrator/src/mirror/mirrored-shop.test-support.ts';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { TradingWorld } from './trading-world.ts';

/** A mirror of a simulated shop: it is killed at any moment, and so is the service. */
export class MirroredWorld {
  readonly #world: TradingWorld;
  readonly #random: SeededRandom;
  readonly #copies: ReturnType<typeof openCopies>;
  readonly #store: MirrorStore;
  kills = 0;
  comparisons = 0;

  private constructor(world: TradingWorld, copies: ReturnType<typeof openCopies>, store: MirrorStore) {
    this.#world = world;
    this.#random = world.random;
    this.#copies = copies;
    this.#store = store;
  }

  static async open(world: TradingWorld, kind: 'SQLite' | 'PostgreSQL'): Promise<MirroredWorld> {
    const copies = openCopies(world.service.database);
    return new MirroredWorld(world, copies, await copies.open(kind));
  }

  /** Runs the mirror for a while; mostly it dies on the way, before or after a transaction, or without an answer. */
  async run(): Promise<void> {
    const dying = this.#random.chance(0.7);
    const left = dying ? this.#random.integer(0, 12) : Number.POSITIVE_INFINITY;
    try {
      await this.#mirror(left).sync();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.kills += 1;
    }
  }

  /** Lets the mirror catch up, and compares every row with the lists of the shop. */
  async compare(): Promise<void> {
    const copy = this.#mirror(Number.POSITIVE_INFINITY);
    await copy.sync();
    const { addresses, keys, fetch } = this.#shop();
    expectSameRows(await rowsOfCopy(this.#store), await rowsOfService(addresses, keys, fetch));
    const report = await copy.verify();
    expect(report).toMatchObject({ isExact: true, leftOut: [] });
    this.comparisons += 1;
  }

  async close(): Promise<void> {
    await this.#store.close();
    this.#copies.close();
  }

  /** A new process of the mirror. It dies after so many requests and transactions. */
  #mirror(stepsLeft: number) {
    let left = stepsLeft;
    const { addresses, keys, fetch } = this.#shop();
    const die = () => {
      if (left <= 0) throw new Killed();
      left -= 1;
    };
    const commit: MirrorStore['commit'] = async (write) => {
      die();
      const outcome = await this.#store.commit(write);
      die();
      return outcome;
    };
    const store = new Proxy(this.#store, {
      get: (target, name) => {
        if (name === 'commit') return commit;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const client = createClient({
      ...addresses,
      consumerKey: keys.consumerKey!,
      clientKey: keys.clientKey!,
      retries: 0,
      fetch: async (...request) => {
        die();
        return fetch(...request);
      },
    });
    // An error of the connection is wrapped by the client; here it is the death itself.
    const dead = {
      ...client,
      get: <Data>(...request: Parameters<typeof client.get>) =>
        client.get<Data>(...request).catch((error: Error) => {
          throw error.cause instanceof Killed ? error.cause : error;
        }),
    };
    return mirror({ client: dead, store, now: () => this.#world.nowMs });
  }

  #shop() {
    const addresses = { baseUrl: 'http://shop.example', menuUrl: 'http://shop.example' };
    return { addresses, keys: this.#world.shop.keys, fetch: this.#fetch };
  }

  /** Asks the service of the moment, without a network. */
  readonly #fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const { status, text, headers } = await this.#world.service.call(
      init?.method ?? 'GET',
      url.pathname + url.search,
      { headers: init?.headers as Record<string, string> },
    );
    const known = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    return new Response(text, { status, headers: known });
  };
}

class Killed extends Error {
  override name = 'Killed';
}
