/** Two batches per group: the database works on one while the service works on the other. */
const runningMaxUsual = 2;

interface PendingBatch<Batch, Result> {
  /** The requests so far. */
  readonly batch: Batch;
  /** The result of the whole batch. */
  readonly result: Promise<Result>;
}

interface Group<Batch, Result> {
  /** The batch that has not started; new callers join it. */
  open: PendingBatch<Batch, Result> | undefined;
  /** The running batches; each promise resolves when its batch is done. */
  readonly running: Set<Promise<unknown>>;
}

/**
 * Combines the concurrent requests of a group (an organization, say) into one batch. A batch starts after all requests
 * that have arrived so far have joined it. While two batches of the group run, it waits for one of them. It never
 * returns the result of a read that started before the caller asked.
 */
export class Batcher<Key, Batch, Result> {
  readonly #groups = new Map<Key, Group<Batch, Result>>();
  readonly #newBatch: () => Batch;
  readonly #isFull: (batch: Batch) => boolean;
  readonly #run: (key: Key, batch: Batch) => Promise<Result>;
  readonly #runningMax: number;
  readonly #patienceMs: number | undefined;

  constructor(work: {
    readonly newBatch: () => Batch;
    /** A full batch accepts no more callers. */
    readonly isFull: (batch: Batch) => boolean;
    readonly run: (key: Key, batch: Batch) => Promise<Result>;
    /** How many batches of a group run at the same time. */
    readonly runningMax?: number;
    /** A batch that has waited so long starts although others run: they may wait for a lock. Default: it waits on. */
    readonly patienceMs?: number;
  }) {
    this.#newBatch = work.newBatch;
    this.#isFull = work.isFull;
    this.#run = work.run;
    this.#runningMax = work.runningMax ?? runningMaxUsual;
    this.#patienceMs = work.patienceMs;
  }

  /** Returns the next batch to start. The caller adds to it synchronously. */
  join(key: Key): PendingBatch<Batch, Result> {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { open: undefined, running: new Set() };
      this.#groups.set(key, group);
    }
    if (group.open === undefined || this.#isFull(group.open.batch)) group.open = this.#begin(key, group);
    return group.open;
  }

  #begin(key: Key, group: Group<Batch, Result>): PendingBatch<Batch, Result> {
    const { running } = group;
    const turn =
      running.size < this.#runningMax
        ? new Promise((resolve) => setImmediate(resolve))
        : this.#turnAfter([...running]);
    const pending: PendingBatch<Batch, Result> = {
      batch: this.#newBatch(),
      result: turn.then(() => {
        if (group.open === pending) group.open = undefined;
        const result = this.#run(key, pending.batch);
        const done = result
          .catch(() => {})
          .then(() => {
            running.delete(done);
            if (running.size === 0 && group.open === undefined) this.#groups.delete(key);
          });
        running.add(done);
        return result;
      }),
    };
    return pending;
  }

  /** Resolves when one of the running batches is done, or when patience ends. */
  async #turnAfter(running: readonly Promise<unknown>[]): Promise<void> {
    if (this.#patienceMs === undefined) {
      await Promise.race(running);
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#patienceMs);
    });
    await Promise.race([...running, patience]);
    clearTimeout(timer);
  }
}
