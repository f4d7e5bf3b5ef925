import type { Context } from '../database/context.ts';
import type { RequestLog } from '../http/endpoint.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { touchClientKeys } from './client-key-queries.ts';

/** Each key's last use is written at most so often. */
const writeEveryMs = 60_000;

/**
 * When each client key was last used (D9). Requests only note it here; it is written beside them. What was noted after
 * the last writing is lost when the process dies.
 */
export class KeyUses {
  readonly #context: Pick<Context, 'database'>;
  #noted = new Map<OrganizationId, Map<number, number>>();

  constructor(context: Pick<Context, 'database'>) {
    this.#context = context;
  }

  note(organization: OrganizationId, clientKeyId: number, atMs: number): void {
    let ofOrganization = this.#noted.get(organization);
    if (ofOrganization === undefined) {
      ofOrganization = new Map();
      this.#noted.set(organization, ofOrganization);
    }
    ofOrganization.set(clientKeyId, atMs);
  }

  /** Writes what was noted, an organization at a time. What fails is not tried again: the next use is as good. */
  async write(): Promise<void> {
    const noted = this.#noted;
    this.#noted = new Map();
    for (const [organization, uses] of noted) {
      // In the order of ids, as every process writes them.
      const sorted = [...uses].sort(([a], [b]) => a - b);
      const ids = sorted.map(([id]) => id);
      const times = sorted.map(([, atMs]) => new Date(atMs).toISOString());
      await this.#context.database.write(
        organization,
        async (tx) => tx.queue(touchClientKeys({ ids, times })),
        // Nobody keeps anything that is made of it: menus stay as they are kept.
        { countsAsChange: false },
      );
    }
  }

  /** Writes every minute until it is stopped, and then what is left. */
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
