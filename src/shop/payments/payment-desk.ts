import { LRUCache } from 'lru-cache';
import type { BaseLogger } from 'pino';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { guardedFetcher, networkWith } from '../../platform/http/guarded-fetch.ts';
import { type ConnectionRow, selectConnection } from './payment-connection-queries.ts';
import type { PaymentProvider, ProviderFetch } from './provider.ts';
import { providerKindOf } from './provider-kinds.ts';

const answerBytesMax = 1_000_000;
const accountsKept = 1_000;

/** The label that binds sealed keys to their account. */
export function secretsLabel(organization: OrganizationId, connectionId: number): string {
  return `payment connection ${organization}/${connectionId}`;
}

/**
 * The way to providers: opens accounts with their sealed keys, and asks only addresses of the public internet and own hosts of
 * PAYMENT_HOSTS_ALLOWED. Keys are in memory while an account is used, never in a log, an error or a reply.
 */
export class PaymentDesk {
  readonly context: Context;
  #network = networkWith([]);
  #log: Pick<BaseLogger, 'error'> = { error: () => {} };
  /** An adapter keeps its token. */
  readonly #providers = new LRUCache<string, PaymentProvider>({ max: accountsKept });
  readonly #calls = new Set<Promise<unknown>>();

  constructor(context: Context) {
    this.context = context;
  }

  /** PAYMENT_HOSTS_ALLOWED: own hosts where terminals or providers are. */
  allow(hosts: readonly string[]): this {
    this.#network = networkWith(hosts);
    return this;
  }

  /** Where faults of the program itself go. */
  reportTo(log: Pick<BaseLogger, 'error'>): this {
    this.#log = log;
    return this;
  }

  readonly #fetch: ProviderFetch = async (url, { method, headers = {}, body, totalMsMax }) => {
    const fetcher = guardedFetcher(this.#network, { bytesMax: answerBytesMax, totalMsMax });
    const answer = await fetcher(url, { method, headers, body });
    return { status: answer.status, text: await answer.text() };
  };

  async open(organization: OrganizationId, connectionId: number): Promise<PaymentProvider> {
    const [[row]] = await this.context.database.read(organization, selectConnection({ id: connectionId }));
    assert(row !== undefined, 'a payment has its account');
    const key = `${organization}/${row.id}/${row.updatedAt}/${row.secretsMasterKeyId}/${row.batch}/${row.batchReference}`;
    const known = this.#providers.get(key);
    if (known !== undefined) return known;
    const kind = providerKindOf(row.provider);
    assert(kind !== undefined, 'an account is of a known kind');
    const { baseUrl, account, batch, batchReference } = row;
    const opened = {
      ...{ baseUrl, account, batch, batchReference },
      secrets: await this.secretsOf(organization, row),
    };
    const provider = kind.open(opened, this.#fetch, () => this.context.wallClock.now());
    this.#providers.set(key, provider);
    return provider;
  }

  /** Empty, when the master key is gone: then the provider refuses, and nothing is charged. */
  async secretsOf(organization: OrganizationId, row: ConnectionRow): Promise<Record<string, string>> {
    const sealer = await this.context.sealing.load();
    const sealed = { masterKeyId: row.secretsMasterKeyId, sealed: row.secrets };
    const text = sealer.open(sealed, secretsLabel(organization, row.id));
    return text === null ? {} : (JSON.parse(text) as Record<string, string>);
  }

  /** Lets a call to a provider go on after its request has been answered. */
  letGoOn(call: Promise<unknown>): void {
    const ended = call
      // What became of it is read later, like any silence.
      .catch((error) => this.#log.error({ err: error }, 'a payment was not followed'))
      .finally(() => this.#calls.delete(ended));
    this.#calls.add(ended);
  }

  /** Resolves when the calls under way have ended. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }
}

const desks = new WeakMap<object, PaymentDesk>();

/** The desk of a context: one for all its requests and its worker. */
export function paymentDeskOf(context: Context): PaymentDesk {
  const desk = desks.get(context.database) ?? new PaymentDesk(context);
  desks.set(context.database, desk);
  return desk;
}
