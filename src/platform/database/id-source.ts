import { statement } from '../statements/statement.ts';
import type { Database } from './database.ts';

const idsPerBlock = 1000;
/**
 * A block is left after this time. An organization that moves in has ids of another deployment, and the blocks behind them are given out
 * from then on: until every process has left its former block, it stays suspended.
 */
export const blockLifeMs = 300_000;

const takeBlock = statement<Record<never, never>, { first: number }>(
  'take_id_block',
  `select nextval('record_id_blocks') * ${idsPerBlock} as first`,
);

/**
 * Ids for new rows, assigned by the service so that a whole write fits in one round trip. One sequence of blocks serves
 * all kinds of rows: ids are unique in the deployment, below 2^53, not dense, and ordered within one process only.
 */
export class IdSource {
  readonly #database: Database;
  #next = 0;
  #end = 0;
  #takenAtMs = 0;
  #refill: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns `count` new ids, ascending within a block. */
  async take(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#next === this.#end || performance.now() - this.#takenAtMs > blockLifeMs) {
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
      this.#takenAtMs = performance.now();
    } finally {
      this.#refill = null;
    }
  }
}
