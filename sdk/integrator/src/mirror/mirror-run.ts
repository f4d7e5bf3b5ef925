import type { PathClient } from '../client.ts';
import type { Query } from '../client-options.ts';
import type { CollectionName } from './collections.ts';
import { Copy, type CopyStep, type StepOutcome } from './copy.ts';
import type { MirrorState, MirrorStore } from './store.ts';

export interface MirrorProgress {
  /** `copy`: a collection is read from its beginning; `changes`: what happened since; `refresh`: records that show others. */
  readonly phase: 'copy' | 'changes' | 'refresh';
  readonly collection: CollectionName | null;
  /** Records of this collection, or changes, that were read so far. */
  readonly read: number;
  /** The number of records in a collection; null: unknown. */
  readonly total: number | null;
}

export interface SyncReport extends StepOutcome {
  /** Whether everything was read from the beginning, because there was no copy or its cursor had expired. */
  readonly startedOver: 'no copy' | 'cursor expired' | null;
  readonly changes: number;
}

/** What the parts of a mirror share: the service, the copy, and the sums of this `sync`. */
export class MirrorRun {
  readonly store: MirrorStore;
  readonly now: () => number;
  readonly onProgress: (progress: MirrorProgress) => void;
  readonly #client: PathClient;
  #copy: Copy | null = null;
  #sum: SyncReport = nothingYet;

  constructor(
    client: PathClient,
    store: MirrorStore,
    now: () => number,
    onProgress: (progress: MirrorProgress) => void,
  ) {
    this.#client = client;
    this.store = store;
    this.now = now;
    this.onProgress = onProgress;
  }

  /** The copy, once it is open. */
  get copy(): Copy {
    return this.#copy!;
  }

  get isOpen(): boolean {
    return this.#copy !== null;
  }

  get report(): SyncReport {
    return this.#sum;
  }

  open(state: MirrorState): void {
    this.#copy = new Copy(this.store, state);
  }

  async openNew(state: MirrorState): Promise<void> {
    this.#copy = await Copy.begin(this.store, state);
    this.note({ startedOver: 'no copy' });
  }

  beginReport(): void {
    this.#sum = nothingYet;
  }

  note(facts: Partial<SyncReport>): void {
    this.#sum = { ...this.#sum, ...facts };
  }

  async get<Data, Meta = unknown>(
    path: string,
    query: Query,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly data: Data; readonly meta: Meta }> {
    const { data, meta } = await this.#client.get<Data>(path, { query, ...(signal && { signal }) });
    return { data, meta: meta as Meta };
  }

  /** The cursor of this moment: where to begin before lists are read. */
  async latestCursor(signal: AbortSignal | undefined): Promise<string> {
    const { data } = await this.get<{ readonly cursor: string }>('/api/v1/changes/latest', {}, signal);
    return data.cursor;
  }

  /** Writes a step, and counts what it made different. */
  async write(step: CopyStep): Promise<void> {
    const { changed, removed } = await this.copy.step(step);
    this.note({ changed: this.#sum.changed + changed, removed: this.#sum.removed + removed });
  }
}

const nothingYet: SyncReport = { changed: 0, removed: 0, changes: 0, startedOver: null };
