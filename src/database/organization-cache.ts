import type { Clock } from '../kernel/clock.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { Database } from './database.ts';

/** Another process's write shows within one second. */
const otherProcessesLagMsMax = 900;
const organizationsMax = 1000;

interface Sources {
  readonly database: Pick<Database, 'commitCount'>;
  readonly clock: Clock;
}

interface Kept<Value> {
  readonly commitCount: number;
  readonly madeAtMs: number;
  readonly value: Value;
}

/**
 * Keeps something made of an organization's data while nothing has changed: a write of this process drops it at
 * once, a write of another one within a second. For what is shown, never for what decides a write.
 */
export class OrganizationCache<Value> {
  readonly #sources: Sources;
  readonly #makeEmpty: (aged: Value | undefined) => Value;
  readonly #kept = new Map<OrganizationId, Kept<Value>>();

  /** @param makeEmpty is given what was kept before, if no write of this process but its age alone speaks against it. */
  constructor(sources: Sources, makeEmpty: (aged: Value | undefined) => Value) {
    this.#sources = sources;
    this.#makeEmpty = makeEmpty;
  }

  /**
   * What is kept, or an empty one to fill. To be asked before the data is read: what was read before a write and
   * is put here after it lands in a value that nobody is given any more.
   */
  of(organization: OrganizationId): Value {
    const { database, clock } = this.#sources;
    const commitCount = database.commitCount(organization);
    const nowMs = clock.now();
    const kept = this.#kept.get(organization);
    const unchanged = kept?.commitCount === commitCount ? kept : undefined;
    if (unchanged !== undefined) {
      const ageMs = nowMs - unchanged.madeAtMs;
      if (ageMs >= 0 && ageMs < otherProcessesLagMsMax) return unchanged.value;
    }
    const value = this.#makeEmpty(unchanged?.value);
    this.#kept.delete(organization);
    this.#kept.set(organization, { commitCount, madeAtMs: nowMs, value });
    if (this.#kept.size > organizationsMax) this.#kept.delete(this.#kept.keys().next().value!);
    return value;
  }
}
