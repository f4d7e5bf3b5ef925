import type { Database } from './database.ts';
import { statement } from './statement.ts';

const idsPerBlock = 1000;

const takeBlock = statement<Record<never, never>, { first: number }>(
  'take_id_block',
  `select nextval('record_id_blocks') * ${idsPerBlock} as first`,
);

/**
 * Numbers for new rows, made by us so that a whole write can be sent in one round trip. They come from one
 * sequence of blocks for all kinds of rows: unique in the deployment, below 2^53, not dense, and no
 * promise about order beyond one process.
 */
export class IdSource {
  readonly #database: Database;
  #next = 0;
  #end = 0;
  #refill: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `count` fresh ids, ascending within a block. */
  async take(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#next === this.#end) {
        this.#refill ??= this.#takeBlock();
        await this.#refill;
      }
      while (this.#next < this.#end && ids.length < count) ids.push(this.#next++);
    }
    return ids;
  }

  async takeOne(): Promise<number> {
    return (await this.take(1))[0]!;
  }

  async #takeBlock(): Promise<void> {
    try {
      const rows = await this.#database.global(takeBlock({}));
      this.#next = rows[0]!.first;
      this.#end = this.#next + idsPerBlock;
    } finally {
      this.#refill = null;
    }
  }
}
