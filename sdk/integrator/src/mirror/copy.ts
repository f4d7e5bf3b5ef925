import { type CollectionName, collectionOf, collections, type ShownRecord } from './collections.ts';
import { LocalDates } from './local-dates.ts';
import type { EndedRecord, MirrorState, MirrorStore, RecordName, StoredRecord, StoreWrite } from './store.ts';

/** One step of the copy: records that were read, and where the mirror stands after them. */
export interface CopyStep {
  readonly state?: Partial<Omit<MirrorState, 'format' | 'revision'>>;
  readonly records?: readonly { readonly collection: CollectionName; readonly record: ShownRecord }[];
  readonly deletes?: readonly RecordName[];
  readonly ended?: readonly EndedRecord[];
  readonly stale?: readonly RecordName[];
  readonly staleLinked?: StoreWrite['staleLinked'];
  readonly fresh?: readonly RecordName[];
}

/** What a step made different. */
export interface StepOutcome {
  readonly changed: number;
  readonly removed: number;
}

/**
 * The copy with its state. A step is one transaction. Records that show another record are marked stale in the step in
 * which the copy of the other one changes: so none shows something older than the copy has.
 */
export class Copy {
  readonly store: MirrorStore;
  #state: MirrorState;
  #dates: LocalDates;

  constructor(store: MirrorStore, state: MirrorState) {
    this.store = store;
    this.#state = state;
    this.#dates = new LocalDates(state.timeZone);
  }

  get state(): MirrorState {
    return this.#state;
  }

  get dates(): LocalDates {
    return this.#dates;
  }

  /** Begins a copy in an empty store. */
  static async begin(store: MirrorStore, state: MirrorState): Promise<Copy> {
    await store.commit({
      ...{ after: null, state, upserts: [], deletes: [], ended: [], stale: [], staleLinked: [], fresh: [] },
    });
    return new Copy(store, state);
  }

  async step(step: CopyStep): Promise<StepOutcome> {
    const { records = [], deletes = [], ended = [], stale = [], staleLinked = [], fresh = [] } = step;
    const state = { ...this.#state, ...step.state, revision: this.#state.revision + 1 };
    if (state.timeZone !== this.#state.timeZone) this.#dates = new LocalDates(state.timeZone);
    const outcome = await this.store.commit({
      after: this.#state.revision,
      state,
      upserts: records.map(({ collection, record }) => this.#stored(collection, record)),
      deletes,
      ended,
      stale,
      staleLinked: [...staleLinked, ...(await this.#shownElsewhere(records, deletes))],
      fresh,
    });
    this.#state = state;
    return outcome;
  }

  #stored(collection: CollectionName, record: ShownRecord): StoredRecord {
    return {
      collection,
      id: String(record.id),
      updatedAt: record.updatedAt,
      month: collection === 'orders' ? this.#dates.monthOf(record.createdAt as string) : '',
      data: JSON.stringify(record),
      links: collectionOf(collection).links(record),
    };
  }

  /** Links to records that others show, where what they show changes. */
  async #shownElsewhere(
    records: NonNullable<CopyStep['records']>,
    deletes: readonly RecordName[],
  ): Promise<StoreWrite['staleLinked']> {
    const links: StoreWrite['staleLinked'][number][] = [];
    for (const { name, face } of collections) {
      if (face === undefined) continue;
      const read = records.filter(({ collection }) => collection === name).map(({ record }) => record);
      for (const { collection, id } of deletes)
        if (collection === name) links.push({ kind: face.kind, ref: id });
      if (read.length === 0) continue;
      const before = await this.store.read(
        name,
        read.map(({ id }) => String(id)),
      );
      for (const record of read) {
        const id = String(record.id);
        const json = before.get(id);
        const was = json === undefined ? null : stableJson(face.of(JSON.parse(json)));
        if (was !== stableJson(face.of(record))) links.push({ kind: face.kind, ref: id });
      }
    }
    return links;
  }
}

/** JSON that does not depend on the order of names: a database may have sorted them. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
