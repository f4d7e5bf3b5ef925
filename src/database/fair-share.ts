import { unavailable } from './database-refusals.ts';
import { DatabaseSilence, deadlines } from './deadlines.ts';

interface ShareBounds {
  /** How many pieces of work run at once. */
  readonly capacity: number;
  /** How long a piece waits for its turn. */
  readonly waitMsMax: number;
}

interface Turn {
  readonly begin: () => void;
  readonly isGivenUp: () => boolean;
}

/**
 * Shares a pool of connections fairly among organizations, in each process. One organization holds three quarters of them at
 * most, so a noisy shop never takes them all; requests that wait take turns by organization, so a long queue of one delays another
 * by one piece of work.
 */
export class FairShare<Key> {
  readonly #bounds: ShareBounds;
  readonly #ofOneMax: number;
  readonly #held = new Map<Key, number>();
  /** In the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<Key, Turn[]>();
  #heldCount = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
    this.#ofOneMax = Math.max(1, Math.ceil((bounds.capacity * 3) / 4));
  }

  /** Resolves or fails as `work` does; fails with SERVICE_UNAVAILABLE when its turn does not come in time. */
  async take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    if (this.#mayBegin(key) && !this.#waiting.has(key)) this.#hold(key);
    else await this.#turnOf(key);
    try {
      return await work();
    } finally {
      this.#release(key);
      this.#handOn();
    }
  }

  #mayBegin(key: Key): boolean {
    return this.#heldCount < this.#bounds.capacity && (this.#held.get(key) ?? 0) < this.#ofOneMax;
  }

  #hold(key: Key): void {
    this.#heldCount += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  #release(key: Key): void {
    this.#heldCount -= 1;
    const left = this.#held.get(key)! - 1;
    if (left === 0) this.#held.delete(key);
    else this.#held.set(key, left);
  }

  /** Holds a place once it resolves. */
  #turnOf(key: Key): Promise<void> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const deadline = deadlines.begin(this.#bounds.waitMsMax, () => {
        isLate = true;
        reject(
          unavailable(new DatabaseSilence(`No connection was free within ${this.#bounds.waitMsMax} ms.`)),
        );
      });
      const begin = (): void => {
        deadlines.end(deadline);
        resolve();
      };
      const own = this.#waiting.get(key);
      const turn = { begin, isGivenUp: () => isLate };
      if (own === undefined) this.#waiting.set(key, [turn]);
      else own.push(turn);
    });
  }

  /** Gives free places to those that wait: one for each organization, which then goes to the end. */
  #handOn(): void {
    for (const [key, own] of [...this.#waiting]) {
      while (own[0]?.isGivenUp()) own.shift();
      const isNext = own.length > 0 && this.#mayBegin(key);
      if (own.length === 0) this.#waiting.delete(key);
      if (!isNext) continue;
      this.#waiting.delete(key);
      const turn = own.shift()!;
      if (own.length > 0) this.#waiting.set(key, own);
      this.#hold(key);
      turn.begin();
    }
  }
}
