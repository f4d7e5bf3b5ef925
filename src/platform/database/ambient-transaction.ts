import { AsyncLocalStorage } from 'node:async_hooks';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';

/** How an ambient transaction ends: committed, or with the error that rolls it back. */
interface End {
  readonly error?: unknown;
}

/**
 * One transaction for all writes of a function and its reads after the first write. The first write opens it; until
 * then it holds no connection, and reads run as usual.
 */
export class AmbientTransaction<Client> {
  readonly organizationId: OrganizationId;
  /** True when any of its writes counts; caches are informed when the whole transaction commits. */
  countsAsChange = false;
  writesLeased = false;
  isOver = false;
  readonly #begin: (client: Client) => Promise<unknown>;
  readonly #hold: (use: (client: Client) => Promise<void>) => Promise<void>;
  #client: Promise<Client> | undefined;
  #held: Promise<void> | undefined;
  #end!: (end: End) => void;
  readonly #ended = new Promise<End>((resolve) => {
    this.#end = resolve;
  });

  /** `hold` keeps a connection for as long as `use` takes, and rolls back when `use` fails. */
  constructor(
    organizationId: OrganizationId,
    begin: (client: Client) => Promise<unknown>,
    hold: (use: (client: Client) => Promise<void>) => Promise<void>,
  ) {
    this.organizationId = organizationId;
    this.#begin = begin;
    this.#hold = hold;
  }

  /** The connection of the transaction; undefined until the first write. */
  get client(): Promise<Client> | undefined {
    return this.#client;
  }

  /** The same for a write: the first write begins the transaction. */
  open(): Promise<Client> {
    this.#client ??= new Promise((resolve, reject) => {
      this.#held = this.#hold(async (client) => {
        await this.#begin(client);
        resolve(client);
        const { error } = await this.#ended;
        if (error !== undefined) throw error;
      });
      this.#held.catch(reject);
    });
    return this.#client;
  }

  /** Gives the connection back after the commit. */
  async close(): Promise<void> {
    this.#end({});
    await this.#held;
  }

  /** Rolls everything back. Rejects with the error, or with the error of the connection. */
  async abandon(error: unknown): Promise<never> {
    this.#end({ error });
    await this.#held;
    throw error;
  }
}

/**
 * Finds the ambient transaction of the running function. Node 20 tracks a function through its promises with hooks that slow down
 * every promise of the process (an `await` 0.05 → 0.13 µs, a small request 30 → 32 µs, measured), so the hooks are
 * active only while a function is in one.
 */
export class AmbientTransactions<Client> {
  readonly #storage = new AsyncLocalStorage<AmbientTransaction<Client>>();
  #count = 0;

  current(organizationId: OrganizationId): AmbientTransaction<Client> | undefined {
    const ambient = this.#storage.getStore();
    if (ambient === undefined || ambient.isOver) return undefined;
    assert(
      ambient.organizationId === organizationId,
      'a function in an ambient transaction works for one organization',
    );
    return ambient;
  }

  /** Runs `work`; until it settles, `current` returns the ambient transaction inside it. */
  async run<Result>(ambient: AmbientTransaction<Client>, work: () => Promise<Result>): Promise<Result> {
    this.#count++;
    try {
      return await this.#storage.run(ambient, work);
    } finally {
      // Work that the function started may continue after it.
      ambient.isOver = true;
      this.#count--;
      if (this.#count === 0) this.#storage.disable();
    }
  }
}
