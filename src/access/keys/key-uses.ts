import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { lastAddressesMax, touchClientKeys } from './client-key-queries.ts';

/** The minimum interval between writes of a key's last use. */
const writeEveryMs = 60_000;

interface KeyUse {
  readonly atMs: number;
  /** The latest first. */
  readonly addresses: readonly string[];
}

/**
 * The last use of each client key (D9), and from where secret keys were used. Requests note it in memory; it is written in the background. Uses since the
 * last write are lost when the process dies.
 */
export class KeyUses {
  readonly #context: Pick<Context, 'database'>;
  #noted = new Map<OrganizationId, Map<number, KeyUse>>();

  constructor(context: Pick<Context, 'database'>) {
    this.#context = context;
  }

  /** Without an address for a publishable key, which customers' browsers use. */
  note(organization: OrganizationId, clientKeyId: number, atMs: number, address?: string): void {
    let ofOrganization = this.#noted.get(organization);
    if (ofOrganization === undefined) {
      ofOrganization = new Map();
      this.#noted.set(organization, ofOrganization);
    }
    const { addresses = [] } = ofOrganization.get(clientKeyId) ?? {};
    // Nearly always the same one as before: nothing is made for it.
    const isKnown = address === undefined || addresses[0] === address;
    const noted = isKnown
      ? addresses
      : [address, ...addresses.filter((other) => other !== address)].slice(0, lastAddressesMax);
    ofOrganization.set(clientKeyId, { atMs, addresses: noted });
  }

  /** Writes the noted uses, one organization at a time. A failed write is not repeated: the next use replaces it. */
  async write(): Promise<void> {
    const noted = this.#noted;
    this.#noted = new Map();
    for (const [organization, uses] of noted) {
      // In the order of ids, which is the same in every process, to avoid deadlocks.
      const sorted = [...uses].sort(([a], [b]) => a - b);
      const ids = sorted.map(([id]) => id);
      const times = sorted.map(([, { atMs }]) => new Date(atMs).toISOString());
      const addresses = new TextArray(sorted.map(([, use]) => use.addresses.join(' ')));
      await this.#context.database.write(
        organization,
        async (tx) => tx.queue(touchClientKeys({ ids, times, addresses })),
        // Does not invalidate caches.
        { countsAsChange: false },
      );
    }
  }

  /** Writes every minute until it is stopped; then writes the rest. */
  start(logger: RequestLog): { stop(): Promise<void> } {
    let writing: Promise<void> | undefined;
    const begin = (): Promise<void> => {
      writing ??= this.write()
        .catch((error: unknown) => logger.error({ err: error }, 'uses of keys could not be written'))
        .finally(() => {
          writing = undefined;
        });
      return writing;
    };
    const timer = setInterval(() => void begin(), writeEveryMs);
    timer.unref();
    return {
      stop: async () => {
        clearInterval(timer);
        await writing;
        await begin();
      },
    };
  }
}
