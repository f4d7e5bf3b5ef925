import { CommerceError } from '../commerce-error.ts';
import type { CollectionName, ShownRecord } from './collections.ts';
import { lastDayOf } from './local-dates.ts';
import type { MirrorRun } from './mirror-run.ts';
import type { EndedRecord, Sweep } from './store.ts';

/** Records of a page of `GET /api/v1/records/{collection}`. */
export const recordsPerPage = 100;
const ordersPerPage = 50;

/** Reads collections, or months of orders, from their beginning, and removes from the copy what is gone. */
export class Sweeper {
  readonly #run: MirrorRun;
  readonly #totals = new Map<CollectionName, number>();
  #read = 0;

  constructor(run: MirrorRun) {
    this.#run = run;
  }

  /** The next part of a sweep, which is the first of the copy's state. */
  async step(sweep: Sweep, signal: AbortSignal | undefined): Promise<void> {
    await ('month' in sweep ? this.#sweepMonth(sweep.month, signal) : this.#sweepPage(sweep, signal));
  }

  /** A page of a collection. It says all about the ids up to its last one: what else the copy has there is gone. */
  async #sweepPage(
    { collection, after }: { readonly collection: CollectionName; readonly after: string | null },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { copy, store, onProgress } = this.#run;
    if (after === null) await this.#begin(collection, signal);
    const path = `/api/v1/records/${collection}`;
    const { data } = await this.#run.get<ShownRecord[]>(path, { after: after ?? undefined }, signal);
    const isLast = data.length < recordsPerPage;
    const upTo = isLast ? null : String(data.at(-1)!.id);
    const here = new Set(data.map(({ id }) => String(id)));
    const gone = (await store.idsBetween(collection, after, upTo)).filter((id) => !here.has(id));
    const rest = copy.state.sweeps.slice(1);
    this.#read += data.length;
    await this.#run.write({
      state: { sweeps: isLast ? rest : [{ collection, after: upTo }, ...rest] },
      records: data.map((record) => ({ collection, record })),
      deletes: gone.map((id) => ({ collection, id })),
      ended: await this.#endsOf(collection, gone, signal),
    });
    onProgress({ phase: 'copy', collection, read: this.#read, total: this.#totals.get(collection) ?? null });
  }

  async #begin(collection: CollectionName, signal: AbortSignal | undefined): Promise<void> {
    this.#read = 0;
    const path = `/api/v1/checksums/${collection}`;
    const { data } = await this.#run.get<{ readonly count: number }>(path, {}, signal);
    this.#totals.set(collection, data.count);
  }

  /** The orders of a month, latest first, until the month before. Begins again when it is interrupted. */
  async #sweepMonth(month: string, signal: AbortSignal | undefined): Promise<void> {
    const { copy, store, onProgress } = this.#run;
    const here = new Set<string>();
    for (let startingAfter: string | undefined; ; ) {
      const query = { startingOn: lastDayOf(month), startingAfter };
      const { data } = await this.#run.get<ShownRecord[]>('/api/v1/orders', query, signal);
      const monthOf = (record: ShownRecord) => copy.dates.monthOf(record.createdAt as string);
      const ofMonth = data.filter((record) => monthOf(record) === month);
      for (const { id } of ofMonth) here.add(String(id));
      await this.#run.write({ records: ofMonth.map((record) => ({ collection: 'orders', record })) });
      onProgress({ phase: 'copy', collection: 'orders', read: here.size, total: null });
      startingAfter = data.at(-1)?.id as string | undefined;
      if (data.length < ordersPerPage || data.some((record) => monthOf(record) < month)) break;
    }
    const gone = (await store.idsOfMonth(month)).filter((id) => !here.has(id));
    await this.#run.write({
      state: { sweeps: copy.state.sweeps.slice(1) },
      deletes: gone.map((id) => ({ collection: 'orders', id })),
      ended: await this.#endsOf('orders', gone, signal),
    });
  }

  /** Why records are gone whose end was not among the changes. A merged customer is asked for: 410 names the other one. */
  async #endsOf(
    collection: CollectionName,
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<EndedRecord[]> {
    const at = new Date(this.#run.now()).toISOString();
    const ends: EndedRecord[] = [];
    for (const id of ids) {
      const intoId = collection === 'customers' ? await this.#mergedInto(id, signal) : null;
      ends.push({ collection, id, reason: intoId === null ? 'missing' : 'merged', intoId, at });
    }
    return ends;
  }

  async #mergedInto(id: string, signal: AbortSignal | undefined): Promise<string | null> {
    try {
      await this.#run.get(`/api/v1/customers/${id}`, {}, signal);
      return null;
    } catch (error) {
      if (!(error instanceof CommerceError) || (error.status !== 410 && error.status !== 404)) throw error;
      return error.code === 'CUSTOMER_MERGED' ? String(error.meta.intoCustomerId) : null;
    }
  }
}
