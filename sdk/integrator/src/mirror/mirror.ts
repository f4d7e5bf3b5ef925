import type { CommerceClient } from '../client.ts';
import { CommerceError } from '../commerce-error.ts';
import {
  type CollectionName,
  collectionNames,
  collectionOf,
  collections,
  type ShownRecord,
} from './collections.ts';
import { Copy, type StepOutcome } from './copy.ts';
import { daysBetween, LocalDates, lastDayOf } from './local-dates.ts';
import { type Change, planChanges } from './plan-changes.ts';
import { type EndedRecord, MirrorMismatch, type MirrorState, type MirrorStore, type Sweep } from './store.ts';
import { type VerifyReport, verifyCopy } from './verify-copy.ts';

export interface MirrorOptions {
  readonly client: CommerceClient;
  readonly store: MirrorStore;
  /** By default everything that the key may read. */
  readonly collections?: readonly CollectionName[];
  readonly onProgress?: (progress: MirrorProgress) => void;
  /** The time, in milliseconds: packages expire by the day of the shop. By default the machine's. */
  readonly now?: () => number;
}

export interface MirrorProgress {
  /** `copy`: a collection is read from its beginning; `changes`: what happened since; `refresh`: records that show others. */
  readonly phase: 'copy' | 'changes' | 'refresh';
  readonly collection: CollectionName | null;
  /** Records of this collection, or changes, that were read so far. */
  readonly read: number;
  /** Of a collection; null: unknown. */
  readonly total: number | null;
}

export interface SyncReport extends StepOutcome {
  /** Whether everything was read from the beginning, because there was no copy or its cursor had expired. */
  readonly startedOver: 'no copy' | 'cursor expired' | null;
  readonly changes: number;
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
const recordsPerPage = 100;
const ordersPerPage = 50;
const waitSeconds = 25;
const repairRoundsMax = 3;

interface Whoami {
  readonly organization: { readonly id: number; readonly name: string; readonly tz: string };
  readonly key: { readonly permissions: readonly string[] };
}

/**
 * Keeps a copy of an organization's orders, customers, products, packages and purchase orders. Every step is one
 * transaction with the state of the mirror, so it can be stopped and killed at any moment, and goes on where it was.
 */
export function mirror(options: MirrorOptions): Mirror {
  return new Mirror(options);
}

export class Mirror {
  readonly #client: CommerceClient;
  readonly #store: MirrorStore;
  readonly #asked: readonly CollectionName[];
  readonly #onProgress: (progress: MirrorProgress) => void;
  readonly #now: () => number;
  #copy: Copy | null = null;
  readonly #totals = new Map<CollectionName, number>();
  #sum = { changed: 0, removed: 0, changes: 0, startedOver: null as SyncReport['startedOver'] };
  #swept = 0;

  constructor({ client, store, collections: asked = collectionNames, onProgress, now }: MirrorOptions) {
    this.#client = client;
    this.#store = store;
    this.#asked = asked;
    this.#onProgress = onProgress ?? (() => undefined);
    this.#now = now ?? Date.now;
  }

  /** Where the mirror stands; null before the first `sync`. */
  get state(): MirrorState | null {
    return this.#copy?.state ?? null;
  }

  /**
   * Brings the copy up to date: copies what is missing, and reads the changes until there are no more. Fails with
   * `CommerceError`, with `MirrorTaken` when another mirror writes to the store, and with `MirrorMismatch` when the store has
   * the copy of another organization.
   */
  async sync(signal?: AbortSignal): Promise<SyncReport> {
    this.#begin();
    const copy = await this.#open(signal);
    while (await this.#step(copy, 0, signal));
    return { ...this.#sum };
  }

  /** Stays up to date until the signal is aborted; changes arrive within moments. */
  async follow(signal: AbortSignal, onSync: (report: SyncReport) => void = () => undefined): Promise<void> {
    try {
      onSync(await this.sync(signal));
      for (const copy = this.#copy!; ; ) {
        this.#begin();
        // Waits for the first change only: then what there is, is reported.
        while (await this.#step(copy, this.#sum.changes === 0 ? waitSeconds : 0, signal));
        if (this.#sum.changes > 0) onSync({ ...this.#sum });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Proves that the copy is exact: reads the changes, and compares counts and digests with those of the service (D65). */
  async verify(signal?: AbortSignal): Promise<VerifyReport> {
    const copy = await this.#open(signal);
    return verifyCopy(this.#client, copy, () => this.sync(signal), signal);
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
      const copy = this.#copy!;
      await copy.step({ state: { sweeps: [...copy.state.sweeps, ...sweeps] } });
      const { changed, removed } = await this.sync(signal);
      sum.changed += changed;
      sum.removed += removed;
      after = await this.verify(signal);
    }
    return { before, after, swept, ...sum };
  }

  #begin(): void {
    this.#sum = { changed: 0, removed: 0, changes: 0, startedOver: null };
  }

  /** One step towards an exact copy. Resolves to whether there is more to do. */
  async #step(copy: Copy, wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted();
    try {
      return await this.#work(copy, wait, signal);
    } catch (error) {
      // The permissions of the key may have changed.
      const isForbidden = error instanceof CommerceError && error.code === 'INSUFFICIENT_PERMISSIONS';
      if (!isForbidden || !(await this.#readSettings(copy, signal))) throw error;
      return true;
    }
  }

  async #work(copy: Copy, wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    const [sweep] = copy.state.sweeps;
    if (sweep !== undefined) {
      await ('month' in sweep
        ? this.#sweepMonth(copy, sweep.month, signal)
        : this.#sweepPage(copy, sweep, signal));
      return true;
    }
    const stale = await this.#store.stale(recordsPerPage);
    if (stale !== null && !copy.state.collections.includes(stale.collection)) {
      const { collection } = stale;
      await copy.step({ fresh: stale.ids.map((id) => ({ collection, id })) });
      return true;
    }
    if (stale !== null) {
      await this.#refresh(copy, stale.collection, stale.ids, signal);
      return true;
    }
    if (await this.#expire(copy)) return true;
    return this.#readChanges(copy, wait, signal);
  }

  /** Opens the copy of the store, or begins one. */
  async #open(signal: AbortSignal | undefined): Promise<Copy> {
    if (this.#copy !== null) {
      await this.#readSettings(this.#copy, signal);
      return this.#copy;
    }
    await this.#store.prepare();
    const { data } = await this.#client.get<Whoami>('/api/v1/whoami', { ...(signal && { signal }) });
    const state = await this.#store.readState();
    if (state === null) {
      this.#copy = await Copy.begin(this.#store, await this.#newState(data, signal));
      this.#sum.startedOver = 'no copy';
    } else {
      if (state.organizationId !== data.organization.id) {
        throw new MirrorMismatch(
          `The copy is of ${state.organizationName}, and the key of ${data.organization.name}. Use another file or schema.`,
        );
      }
      this.#copy = new Copy(this.#store, state);
      await this.#adapt(this.#copy, data);
    }
    return this.#copy;
  }

  async #newState({ organization, key }: Whoami, signal: AbortSignal | undefined): Promise<MirrorState> {
    const { copied, leftOut } = this.#readable(key.permissions);
    return {
      format: 1,
      revision: 1,
      organizationId: organization.id,
      organizationName: organization.name,
      timeZone: organization.tz,
      collections: copied,
      leftOut,
      cursor: await this.#latest(signal),
      sweeps: copied.map((collection) => ({ collection, after: null })),
      day: new LocalDates(organization.tz).dayOf(this.#now()),
    };
  }

  /**
   * Takes up what has become readable, and no longer copies what is not; a month is that of the shop's time zone. Resolves
   * to whether anything was different.
   */
  async #adapt(copy: Copy, { organization, key }: Whoami): Promise<boolean> {
    const { state } = copy;
    const { copied, leftOut } = this.#readable(key.permissions);
    const fresh = copied.filter((name) => !state.collections.includes(name));
    const moved =
      organization.tz !== state.timeZone && copied.includes('orders') ? (['orders'] as const) : [];
    const same = copied.join() === state.collections.join() && organization.tz === state.timeZone;
    if (same && organization.name === state.organizationName) return false;
    await copy.step({
      state: {
        collections: copied,
        leftOut,
        timeZone: organization.tz,
        organizationName: organization.name,
        sweeps: [
          ...state.sweeps.filter(({ collection }) => copied.includes(collection)),
          ...[...new Set([...fresh, ...moved])].map((collection) => ({ collection, after: null })),
        ],
      },
    });
    return true;
  }

  #readable(permissions: readonly string[]): Pick<MirrorState, 'leftOut'> & { copied: CollectionName[] } {
    const asked = collections.filter(({ name }) => this.#asked.includes(name));
    const isReadable = ({ permission }: { readonly permission: string }) => permissions.includes(permission);
    return {
      copied: asked.filter(isReadable).map(({ name }) => name),
      leftOut: asked
        .filter((it) => !isReadable(it))
        .map(({ name, permission }) => ({ collection: name, permission })),
    };
  }

  async #latest(signal: AbortSignal | undefined): Promise<string> {
    const { data } = await this.#client.get<{ readonly cursor: string }>('/api/v1/changes/latest', {
      ...(signal && { signal }),
    });
    return data.cursor;
  }

  /** A page of a collection. It says all about the ids up to its last one: what else the copy has there is gone. */
  async #sweepPage(
    copy: Copy,
    sweep: { readonly collection: CollectionName; readonly after: string | null },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { collection, after } = sweep;
    if (after === null) await this.#beginSweep(collection, signal);
    const { data } = await this.#client.get<ShownRecord[]>(`/api/v1/records/${collection}`, {
      query: { after: after ?? undefined },
      ...(signal && { signal }),
    });
    const isLast = data.length < recordsPerPage;
    const upTo = isLast ? null : String(data.at(-1)!.id);
    const here = new Set(data.map(({ id }) => String(id)));
    const gone = (await this.#store.idsBetween(collection, after, upTo)).filter((id) => !here.has(id));
    const rest = copy.state.sweeps.slice(1);
    this.#swept += data.length;
    await this.#write(copy, {
      state: { sweeps: isLast ? rest : [{ collection, after: upTo }, ...rest] },
      records: data.map((record) => ({ collection, record })),
      deletes: gone.map((id) => ({ collection, id })),
      ended: await this.#endsOf(collection, gone, signal),
    });
    this.#onProgress({
      ...{ phase: 'copy', collection, read: this.#swept, total: this.#totals.get(collection) ?? null },
    });
  }

  /** The orders of a month, latest first, until the month before. Begins again when it is interrupted. */
  async #sweepMonth(copy: Copy, month: string, signal: AbortSignal | undefined): Promise<void> {
    const here = new Set<string>();
    for (let startingAfter: string | undefined; ; ) {
      const { data } = await this.#client.get<ShownRecord[]>('/api/v1/orders', {
        query: { startingOn: lastDayOf(month), startingAfter },
        ...(signal && { signal }),
      });
      const monthOf = (record: ShownRecord) => copy.dates.monthOf(record.createdAt as string);
      const ofMonth = data.filter((record) => monthOf(record) === month);
      for (const { id } of ofMonth) here.add(String(id));
      await this.#write(copy, { records: ofMonth.map((record) => ({ collection: 'orders', record })) });
      this.#onProgress({ phase: 'copy', collection: 'orders', read: here.size, total: null });
      startingAfter = data.at(-1)?.id as string | undefined;
      if (data.length < ordersPerPage || data.some((record) => monthOf(record) < month)) break;
    }
    const gone = (await this.#store.idsOfMonth(month)).filter((id) => !here.has(id));
    await this.#write(copy, {
      state: { sweeps: copy.state.sweeps.slice(1) },
      deletes: gone.map((id) => ({ collection: 'orders', id })),
      ended: await this.#endsOf('orders', gone, signal),
    });
  }

  async #beginSweep(collection: CollectionName, signal: AbortSignal | undefined): Promise<void> {
    this.#swept = 0;
    const { data } = await this.#client.get<{ readonly count: number }>(`/api/v1/checksums/${collection}`, {
      ...(signal && { signal }),
    });
    this.#totals.set(collection, data.count);
  }

  /** Why records are gone whose end was not among the changes. A merged customer is asked for: 410 names the other one. */
  async #endsOf(
    collection: CollectionName,
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<EndedRecord[]> {
    const at = new Date(this.#now()).toISOString();
    const ends: EndedRecord[] = [];
    for (const id of ids) {
      const intoId = collection === 'customers' ? await this.#mergedInto(id, signal) : null;
      ends.push({ collection, id, reason: intoId === null ? 'missing' : 'merged', intoId, at });
    }
    return ends;
  }

  async #mergedInto(id: string, signal: AbortSignal | undefined): Promise<string | null> {
    try {
      await this.#client.get(`/api/v1/customers/${id}`, { ...(signal && { signal }) });
      return null;
    } catch (error) {
      if (!(error instanceof CommerceError) || (error.status !== 410 && error.status !== 404)) throw error;
      return error.code === 'CUSTOMER_MERGED' ? String(error.meta.intoCustomerId) : null;
    }
  }

  /** Reads records again that show others, or whose stock moved. */
  async #refresh(
    copy: Copy,
    collection: CollectionName,
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { data } = await this.#client.get<ShownRecord[]>(`/api/v1/records/${collection}`, {
      query: { ids: ids.join() },
      ...(signal && { signal }),
    });
    const here = new Set(data.map(({ id }) => String(id)));
    await this.#write(copy, {
      records: data.map((record) => ({ collection, record })),
      deletes: ids.filter((id) => !here.has(id)).map((id) => ({ collection, id })),
    });
    this.#onProgress({ phase: 'refresh', collection, read: data.length, total: null });
  }

  /** A package that expires takes its stock off the shelf, without an event: at midnight in the organization's time zone. */
  async #expire(copy: Copy): Promise<boolean> {
    const { day } = copy.state;
    const today = copy.dates.dayOf(this.#now());
    if (today === day) return false;
    const isCopied = copy.state.collections.includes('packages');
    const expired = isCopied
      ? await this.#store.linked(
          'packages',
          'expires',
          daysBetween(...([day, today].sort() as [string, string])),
        )
      : [];
    const packages = expired.length === 0 ? [] : [...(await this.#store.read('packages', expired)).values()];
    const products = packages.flatMap((json) =>
      collectionOf('packages')
        .links(JSON.parse(json) as ShownRecord)
        .flatMap(([kind, ref]) => (kind === 'product' ? [ref] : [])),
    );
    const stale = [...new Set(products)].map((id) => ({ collection: 'products' as const, id }));
    await this.#write(copy, { state: { day: today }, stale });
    return true;
  }

  /** A page of changes. Resolves to whether there is more to do. */
  async #readChanges(copy: Copy, wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { cursor, collections: copied } = copy.state;
    let page: {
      readonly data: Change[];
      readonly meta: { readonly cursor: string; readonly hasMore: boolean };
    };
    try {
      page = (await this.#client.get<Change[]>('/api/v1/changes', {
        query: { after: cursor, include: 'data', limit: changesPerPage, wait },
        ...(signal && { signal }),
      })) as unknown as typeof page;
    } catch (error) {
      if (!(error instanceof CommerceError) || error.code !== 'CURSOR_EXPIRED') throw error;
      await this.#startOver(copy, signal);
      return true;
    }
    const { data: events, meta } = page;
    if (events.length === 0 && meta.cursor === cursor) return false;
    const plan = planChanges(events, copied);
    await this.#write(copy, {
      state: { cursor: meta.cursor, sweeps: [...copy.state.sweeps, ...plan.sweeps] },
      records: plan.upserts,
      deletes: plan.deletes,
      ended: plan.ended,
      stale: plan.stale,
      staleLinked: plan.staleLinked,
    });
    if (events.some(({ type }) => type === 'organization.updated')) await this.#readSettings(copy, signal);
    this.#sum.changes += events.length;
    this.#onProgress({ phase: 'changes', collection: null, read: this.#sum.changes, total: null });
    return events.length > 0 || meta.hasMore;
  }

  async #readSettings(copy: Copy, signal: AbortSignal | undefined): Promise<boolean> {
    const { data } = await this.#client.get<Whoami>('/api/v1/whoami', { ...(signal && { signal }) });
    return this.#adapt(copy, data);
  }

  /** The way back (410): the present cursor, then everything from the beginning. */
  async #startOver(copy: Copy, signal: AbortSignal | undefined): Promise<void> {
    const cursor = await this.#latest(signal);
    const sweeps = copy.state.collections.map((collection) => ({ collection, after: null }));
    await this.#write(copy, { state: { cursor, sweeps } });
    this.#sum.startedOver = 'cursor expired';
  }

  async #write(copy: Copy, step: Parameters<Copy['step']>[0]): Promise<void> {
    const { changed, removed } = await copy.step(step);
    this.#sum.changed += changed;
    this.#sum.removed += removed;
  }
}
