/** While the database does one reading of a group, what the other one brought is worked on. */
const runningMax = 2;

export interface Gathering<Batch, Result> {
  /** What is asked for together. */
  readonly batch: Batch;
  /** Of the whole batch. */
  readonly result: Promise<Result>;
}

interface Group<Batch, Result> {
  /** That has yet to begin: whoever asks till then joins it. */
  open: Gathering<Batch, Result> | undefined;
  /** That have begun; each resolves when it is done. */
  readonly running: Set<Promise<unknown>>;
}

/**
 * Work of a group (an organization, say) that is asked for at once and done together. A gathering begins when all
 * requests that have come in by now have asked, or, while enough of its group run, when one of these is done: nobody
 * is answered by what began before they asked.
 */
export class Gatherings<Key, Batch, Result> {
  readonly #groups = new Map<Key, Group<Batch, Result>>();
  readonly #newBatch: () => Batch;
  readonly #isFull: (batch: Batch) => boolean;
  readonly #run: (key: Key, batch: Batch) => Promise<Result>;

  constructor(work: {
    readonly newBatch: () => Batch;
    /** A full batch takes no more. */
    readonly isFull: (batch: Batch) => boolean;
    readonly run: (key: Key, batch: Batch) => Promise<Result>;
  }) {
    this.#newBatch = work.newBatch;
    this.#isFull = work.isFull;
    this.#run = work.run;
  }

  /** The gathering that begins next; whoever calls adds to its batch before anything else happens. */
  join(key: Key): Gathering<Batch, Result> {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { open: undefined, running: new Set() };
      this.#groups.set(key, group);
    }
    if (group.open === undefined || this.#isFull(group.open.batch)) group.open = this.#begin(key, group);
    return group.open;
  }

  #begin(key: Key, group: Group<Batch, Result>): Gathering<Batch, Result> {
    const { running } = group;
    const turn =
      running.size < runningMax ? new Promise((resolve) => setImmediate(resolve)) : Promise.race(running);
    const gathering: Gathering<Batch, Result> = {
      batch: this.#newBatch(),
      result: turn.then(() => {
        if (group.open === gathering) group.open = undefined;
        const result = this.#run(key, gathering.batch);
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
    return gathering;
  }
}
