import { hash } from 'node:crypto';
import type { Context } from '../../platform/database/context.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import type { TokenGrant, TokenRequest, TokenStore } from '../../platform/http/shared-rate-limits.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import { deleteFullBuckets, giveBackTokens, takeTokens } from './rate-limit-queries.ts';

const bucketsAtOnce = 1_000;
const purgeEveryMs = 60_000;

interface Waiting {
  readonly requests: readonly TokenRequest[];
  readonly resolve: (grants: readonly TokenGrant[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Buckets of tokens in the database. Requests that come while others are under way share the next statement; what is counted
 * (emails, addresses) is stored as a digest, until the bucket is full again.
 */
export class SharedRateLimitTokens implements TokenStore {
  readonly #context: Pick<Context, 'database'>;
  #waiting: Waiting[] = [];
  #isTaking = false;

  constructor(context: Pick<Context, 'database'>) {
    this.#context = context;
  }

  take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ requests, resolve, reject });
      if (!this.#isTaking) void this.#takeAll();
    });
  }

  async giveBack(buckets: readonly Pick<TokenRequest, 'name' | 'perSecond'>[]): Promise<void> {
    if (buckets.length === 0) return;
    const names = new TextArray(buckets.map(({ name }) => digestOf(name)));
    await this.#context.database.global(giveBackTokens({ names, eachUs: buckets.map(eachUsOf) }));
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        const grants = await this.#takeBatch(batch.flatMap(({ requests }) => requests));
        for (const { requests, resolve } of batch) {
          resolve(requests.map(({ name }) => grants.get(digestOf(name))!));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isTaking = false;
  }

  /** Without a bucket that comes twice: a statement takes of each once. */
  #nextBatch(): Waiting[] {
    const names = new Set<string>();
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const isFree = names.size < bucketsAtOnce && waiting.requests.every(({ name }) => !names.has(name));
      if (isFree) for (const { name } of waiting.requests) names.add(name);
      (isFree ? batch : later).push(waiting);
    }
    this.#waiting = later;
    return batch;
  }

  async #takeBatch(requests: readonly TokenRequest[]): Promise<ReadonlyMap<string, TokenGrant>> {
    const rows = await this.#context.database.global(
      takeTokens({
        names: new TextArray(requests.map(({ name }) => digestOf(name))),
        eachUs: requests.map(eachUsOf),
        bursts: requests.map(({ burst }) => Math.ceil(burst)),
        wanted: requests.map(({ wanted }) => wanted),
        areLeases: requests.map(({ isLease }) => String(isLease)),
      }),
    );
    return new Map(
      rows.map(({ name, granted, full_after_ms: fullAfterMs }) => [name, { granted, fullAfterMs }]),
    );
  }
}

/** Deletes full buckets every minute. */
export function startRateLimitRetention(
  { database }: Pick<Context, 'database'>,
  logger: RequestLog,
): RunningJob {
  let purging: Promise<void> | undefined;
  const purge = async (): Promise<void> => {
    const statement = deleteFullBuckets({ limit: bucketsAtOnce });
    while ((await database.global(statement)).length === bucketsAtOnce);
  };
  const timer = setInterval(() => {
    purging ??= purge()
      .catch((error: unknown) => logger.error({ err: error }, 'full rate limits could not be deleted'))
      .finally(() => {
        purging = undefined;
      });
  }, purgeEveryMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await purging;
    },
  };
}

function digestOf(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 22);
}

function eachUsOf({ perSecond }: Pick<TokenRequest, 'perSecond'>): number {
  return Math.round(1_000_000 / perSecond);
}
