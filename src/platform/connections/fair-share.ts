import { unavailable } from './database-refusals.ts';
import { DatabaseUnresponsive, deadlines } from './deadlines.ts';
import type { LoopLag } from './loop-lag.ts';

interface ShareBounds {
  /** How many pieces of work run at once. */
  readonly capacity: number;
  /** How long a piece waits for its turn. */
  readonly waitMsMax: number;
  readonly lag: LoopLag;
}

type Kind = 'read' | 'write';

interface Turn {
  readonly kind: Kind;
  readonly begin: () => void;
  readonly isGivenUp: () => boolean;
}

/** While the process is late: what is read takes it time to show, and answers of one that come together make the others wait. */
const readsWhileLateMax = 2;
/** Another one that asked so long ago counts as present. */
const presentMs = 1_000;

/**
 * Shares a pool of connections fairly among organizations, in each process. One organization holds three quarters of them at
 * most, so a noisy shop never takes them all; requests that wait take turns by organization, so a long queue of one delays another
 * by one piece of work. The time of the process is shared as well: while it has more to compute than it gets done, and others
 * ask too, an organization reads twice at once, and its writes pass its reads.
 */
export class FairShare<Key> {
  readonly #bounds: ShareBounds;
  readonly #ofOneMax: number;
  readonly #held = new Map<Key, Record<Kind, number>>();
  /** In the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<Key, Turn[]>();
  #heldCount = 0;
  /** The one that asked last, and the last other one. */
  #last: { readonly key: Key; atMs: number } | undefined;
  #lastOther: { readonly key: Key; readonly atMs: number } | undefined;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
    this.#ofOneMax = Math.max(1, Math.ceil((bounds.capacity * 3) / 4));
  }

  /** Resolves or fails as `work` does; fails with SERVICE_UNAVAILABLE when its turn does not come in time. */
  async take<Result>(key: Key, kind: Kind, work: () => Promise<Result>): Promise<Result> {
    this.#note(key);
    const isFirst = !this.#waiting.get(key)?.some((turn) => turn.kind === kind);
    if (isFirst && this.#mayBegin(key, kind)) this.#hold(key, kind);
    else await this.#turnOf(key, kind);
    try {
      return await work();
    } finally {
      this.#release(key, kind);
      this.#handOn();
    }
  }

  #note(key: Key): void {
    const atMs = performance.now();
    if (this.#last?.key === key) {
      this.#last.atMs = atMs;
      return;
    }
    this.#lastOther = this.#last;
    this.#last = { key, atMs };
  }

  #hasOthers(key: Key): boolean {
    const other = this.#last?.key === key ? this.#lastOther : this.#last;
    return other !== undefined && performance.now() - other.atMs < presentMs;
  }

  #mayBegin(key: Key, kind: Kind): boolean {
    if (this.#heldCount >= this.#bounds.capacity) return false;
    const held = this.#held.get(key);
    if (held === undefined) return true;
    if (held.read + held.write >= this.#ofOneMax) return false;
    return (
      kind === 'write' || held.read < readsWhileLateMax || !(this.#bounds.lag.isLate && this.#hasOthers(key))
    );
  }

  #hold(key: Key, kind: Kind): void {
    this.#heldCount += 1;
    const held = this.#held.get(key);
    if (held === undefined) this.#held.set(key, { read: 0, write: 0, [kind]: 1 });
    else held[kind] += 1;
  }

  #release(key: Key, kind: Kind): void {
    this.#heldCount -= 1;
    const held = this.#held.get(key)!;
    held[kind] -= 1;
    if (held.read + held.write === 0) this.#held.delete(key);
  }

  /** Holds a place once it resolves. */
  #turnOf(key: Key, kind: Kind): Promise<void> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const deadline = deadlines.begin(this.#bounds.waitMsMax, () => {
        isLate = true;
        reject(
          unavailable(
            new DatabaseUnresponsive(`No connection was free within ${this.#bounds.waitMsMax} ms.`),
          ),
        );
      });
      const begin = (): void => {
        deadlines.end(deadline);
        resolve();
      };
      const own = this.#waiting.get(key);
      const turn = { kind, begin, isGivenUp: () => isLate };
      if (own === undefined) this.#waiting.set(key, [turn]);
      else own.push(turn);
    });
  }

  /** Gives free places to those that wait: one for each organization, which then goes to the end, until none may begin. */
  #handOn(): void {
    let hasBegun = true;
    while (hasBegun && this.#waiting.size > 0) {
      hasBegun = false;
      for (const [key, own] of [...this.#waiting]) {
        while (own[0]?.isGivenUp()) own.shift();
        const at = own.findIndex((turn) => !turn.isGivenUp() && this.#mayBegin(key, turn.kind));
        if (own.length === 0) this.#waiting.delete(key);
        if (at < 0) continue;
        this.#waiting.delete(key);
        const [turn] = own.splice(at, 1);
        if (own.length > 0) this.#waiting.set(key, own);
        this.#hold(key, turn!.kind);
        turn!.begin();
        hasBegun = true;
      }
    }
  }
}
