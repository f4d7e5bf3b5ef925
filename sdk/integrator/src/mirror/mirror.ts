import type { PathClient } from '../client.ts';
import { CommerceError } from '../commerce-error.ts';
import { type CollectionName, collectionNames, collectionOf, type ShownRecord } from './collections.ts';
import { daysBetween } from './local-dates.ts';
import { type MirrorProgress, MirrorRun, type SyncReport } from './mirror-run.ts';
import { openCopy, readSettings } from './mirror-settings.ts';
import { type Change, planChanges } from './plan-changes.ts';
import type { MirrorState, MirrorStore, Sweep } from './store.ts';
import { recordsPerPage, Sweeper } from './sweep.ts';
import { type VerifyReport, verifyCopy } from './verify-copy.ts';

export interface MirrorOptions {
  readonly client: PathClient;
  readonly store: MirrorStore;
  /** By default everything that the key may read. */
  readonly collections?: readonly CollectionName[];
  readonly onProgress?: (progress: MirrorProgress) => void;
  /** The time, in milliseconds: packages expire by the day of the shop. By default the machine's. */
  readonly now?: () => number;
}

export interface RepairReport {
  readonly before: VerifyReport;
  readonly after: VerifyReport;
  /** What was read again. */
  readonly swept: readonly Sweep[];
  readonly changed: number;
  readonly removed: number;
}

const changesPerPage = 500;
const waitSeconds = 25;
const repairRoundsMax = 3;

/**
 * Keeps a copy of an organization's orders, customers, products, packages and purchase orders. Every step is one
 * transaction with the state of the mirror, so it can be stopped and killed at any moment, and continues where it stopped.
 */
export function mirror(options: MirrorOptions): Mirror {
  return new Mirror(options);
}

export class Mirror {
  readonly #client: PathClient;
  readonly #asked: readonly CollectionName[];
  readonly #run: MirrorRun;
  readonly #sweeper: Sweeper;

  constructor({ client, store, collections = collectionNames, onProgress, now }: MirrorOptions) {
    this.#client = client;
    this.#asked = collections;
    this.#run = new MirrorRun(client, store, now ?? Date.now, onProgress ?? (() => undefined));
    this.#sweeper = new Sweeper(this.#run);
  }

  /** Where the mirror stands; null before the first `sync`. */
  get state(): MirrorState | null {
    return this.#run.isOpen ? this.#run.copy.state : null;
  }

  /**
   * Brings the copy up to date: copies what is missing, and reads the changes until there are no more. Fails with
   * `CommerceError`, with `MirrorTaken` when another mirror writes to the store, and with `MirrorMismatch` when the store has
   * the copy of another organization.
   */
  async sync(signal?: AbortSignal): Promise<SyncReport> {
    this.#run.beginReport();
    await this.#open(signal);
    while (await this.#step(0, signal));
    return this.#run.report;
  }

  /** Stays up to date until the signal is aborted; changes arrive within moments. */
  async follow(signal: AbortSignal, onSync: (report: SyncReport) => void = () => undefined): Promise<void> {
    try {
      onSync(await this.sync(signal));
      for (;;) {
        this.#run.beginReport();
        // Waits for the first change only: then what there is, is reported.
        while (await this.#step(this.#run.report.changes === 0 ? waitSeconds : 0, signal));
        if (this.#run.report.changes > 0) onSync(this.#run.report);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Proves that the copy is exact: reads the changes, and compares counts and digests with those of the service (D65). */
  async verify(signal?: AbortSignal): Promise<VerifyReport> {
    await this.#open(signal);
    return verifyCopy(this.#client, this.#run.copy, () => this.sync(signal), signal);
  }

  /** Verifies, and reads again what differs: of orders only the months that do. */
  async repair(signal?: AbortSignal): Promise<RepairReport> {
    const before = await this.verify(signal);
    const [swept, sum] = [[] as Sweep[], { changed: 0, removed: 0 }];
    let after = before;
    for (let round = 0; round < repairRoundsMax && !after.isExact; round += 1) {
      const sweeps = after.collections.flatMap(({ collection, isExact, months }): Sweep[] => {
        if (isExact) return [];
        if (collection !== 'orders' || months.length === 0) return [{ collection, after: null }];
        return months.map((month) => ({ collection, month }));
      });
      swept.push(...sweeps);
      const { copy } = this.#run;
      await copy.step({ state: { sweeps: [...copy.state.sweeps, ...sweeps] } });
      const { changed, removed } = await this.sync(signal);
      sum.changed += changed;
      sum.removed += removed;
      after = await this.verify(signal);
    }
    return { before, after, swept, ...sum };
  }

  async #open(signal: AbortSignal | undefined): Promise<void> {
    if (this.#run.isOpen) await readSettings(this.#run, this.#asked, signal);
    else await openCopy(this.#run, this.#asked, signal);
  }

  /** One step towards an exact copy. Resolves to whether there is more to do. */
  async #step(wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted();
    try {
      return await this.#work(wait, signal);
    } catch (error) {
      // The permissions of the key may have changed.
      const isForbidden = error instanceof CommerceError && error.code === 'INSUFFICIENT_PERMISSIONS';
      if (!isForbidden || !(await readSettings(this.#run, this.#asked, signal))) throw error;
      return true;
    }
  }

  async #work(wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { copy, store } = this.#run;
    const [sweep] = copy.state.sweeps;
    if (sweep !== undefined) {
      await this.#sweeper.step(sweep, signal);
      return true;
    }
    const stale = await store.stale(recordsPerPage);
    if (stale !== null && !copy.state.collections.includes(stale.collection)) {
      const { collection } = stale;
      await copy.step({ fresh: stale.ids.map((id) => ({ collection, id })) });
      return true;
    }
    if (stale !== null) {
      await this.#refresh(stale.collection, stale.ids, signal);
      return true;
    }
    if (await this.#expire()) return true;
    return this.#readChanges(wait, signal);
  }

  /** Reads records again that show others, or whose stock moved. */
  async #refresh(
    collection: CollectionName,
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const path = `/api/v1/records/${collection}`;
    const { data } = await this.#run.get<ShownRecord[]>(path, { ids: ids.join() }, signal);
    const here = new Set(data.map(({ id }) => String(id)));
    await this.#run.write({
      records: data.map((record) => ({ collection, record })),
      deletes: ids.filter((id) => !here.has(id)).map((id) => ({ collection, id })),
    });
    this.#run.onProgress({ phase: 'refresh', collection, read: data.length, total: null });
  }

  /** A package that expires takes its stock off the shelf, without an event: at midnight in the organization's time zone. */
  async #expire(): Promise<boolean> {
    const { copy, store, now } = this.#run;
    const { day, collections } = copy.state;
    const today = copy.dates.dayOf(now());
    if (today === day) return false;
    const days = daysBetween(...([day, today].sort() as [string, string]));
    const expired = collections.includes('packages') ? await store.linked('packages', 'expires', days) : [];
    const packages = expired.length === 0 ? [] : [...(await store.read('packages', expired)).values()];
    const products = packages.flatMap((json) =>
      collectionOf('packages')
        .links(JSON.parse(json) as ShownRecord)
        .flatMap(([kind, ref]) => (kind === 'product' ? [ref] : [])),
    );
    const stale = [...new Set(products)].map((id) => ({ collection: 'products' as const, id }));
    await this.#run.write({ state: { day: today }, stale });
    return true;
  }

  /** A page of changes. Resolves to whether there is more to do. */
  async #readChanges(wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { cursor, collections, sweeps } = this.#run.copy.state;
    const query = { after: cursor, include: 'data', limit: changesPerPage, wait };
    let page: {
      readonly data: Change[];
      readonly meta: { readonly cursor: string; readonly hasMore: boolean };
    };
    try {
      page = await this.#run.get('/api/v1/changes', query, signal);
    } catch (error) {
      if (!(error instanceof CommerceError) || error.code !== 'CURSOR_EXPIRED') throw error;
      await this.#startOver(signal);
      return true;
    }
    const { data: events, meta } = page;
    if (events.length === 0 && meta.cursor === cursor) return false;
    const plan = planChanges(events, collections);
    await this.#run.write({
      state: { cursor: meta.cursor, sweeps: [...sweeps, ...plan.sweeps] },
      records: plan.upserts,
      deletes: plan.deletes,
      ended: plan.ended,
      stale: plan.stale,
      staleLinked: plan.staleLinked,
    });
    const isOfSettings = events.some(({ type }) => type === 'organization.updated');
    if (isOfSettings) await readSettings(this.#run, this.#asked, signal);
    const changes = this.#run.report.changes + events.length;
    this.#run.note({ changes });
    this.#run.onProgress({ phase: 'changes', collection: null, read: changes, total: null });
    return events.length > 0 || meta.hasMore;
  }

  /** The way back (410): the present cursor, then everything from the beginning. */
  async #startOver(signal: AbortSignal | undefined): Promise<void> {
    const cursor = await this.#run.latestCursor(signal);
    const sweeps = this.#run.copy.state.collections.map((collection) => ({ collection, after: null }));
    await this.#run.write({ state: { cursor, sweeps } });
    this.#run.note({ startedOver: 'cursor expired' });
  }
}
