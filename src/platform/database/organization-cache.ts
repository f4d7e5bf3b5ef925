import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from './database.ts';

/** Writes of other processes become visible within one second. */
const otherProcessesLagMsMax = 900;
const organizationsMax = 1000;

interface Sources {
  readonly database: Pick<Database, 'commitCount'>;
  readonly wallClock: Clock;
}

interface Kept<Value> {
  readonly commitCount: number;
  readonly madeAtMs: number;
  readonly value: Value;
}

/**
 * Caches a value made of an organization's data. A write of this process drops it at once; a write of another process
 * within a second. For display, never for the decision of a write.
 */
export class OrganizationCache<Value> {
  readonly #sources: Sources;
  readonly #makeEmpty: (aged: Value | undefined) => Value;
  readonly #kept = new LRUCache<OrganizationId, Kept<Value>>({ max: organizationsMax });

  /** @param makeEmpty gets the previous value if it expired by age alone, without a write of this process. */
  constructor(sources: Sources, makeEmpty: (aged: Value | undefined) => Value) {
    this.#sources = sources;
    this.#makeEmpty = makeEmpty;
  }

  /**
   * Returns the cached value, or an empty one to fill. Call it before reading the data: data read before a write and
   * stored after it then goes into a discarded value.
   */
  of(organization: OrganizationId): Value {
    const { database, wallClock } = this.#sources;
    const commitCount = database.commitCount(organization);
    const nowMs = wallClock.now();
    const kept = this.#kept.get(organization);
    const unchanged = kept?.commitCount === commitCount ? kept : undefined;
    if (unchanged !== undefined) {
      const ageMs = nowMs - unchanged.madeAtMs;
      if (ageMs >= 0 && ageMs < otherProcessesLagMsMax) return unchanged.value;
    }
    const value = this.#makeEmpty(unchanged?.value);
    this.#kept.set(organization, { commitCount, madeAtMs: nowMs, value });
    return value;
  }
}
