import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';

interface TurnBounds {
  readonly waitingOfOneMax: number;
  readonly waitingMax: number;
}

/**
 * Heavy work, one piece at a time per process. Waiting organizations take turns, so that many pieces of one delay
 * another's by only one. Work above the maximum of the queue is refused at once with RATE_LIMITED.
 */
export class FairTurns {
  readonly #bounds: TurnBounds;
  /** In the order of the organizations' turns; none of the lists is empty. */
  readonly #waiting = new Map<OrganizationId, (() => void)[]>();
  #waitingCount = 0;
  #isBusy = false;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /** Resolves or fails as `work` does. */
  async take<Result>(organization: OrganizationId, work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) await this.#wait(organization);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait(organization: OrganizationId): Promise<void> {
    const own = this.#waiting.get(organization) ?? [];
    const { waitingOfOneMax, waitingMax } = this.#bounds;
    if (own.length >= waitingOfOneMax || this.#waitingCount >= waitingMax) {
      throw failure('RATE_LIMITED', 'Too many pictures are waiting: send this one again later.');
    }
    this.#waiting.set(organization, own);
    this.#waitingCount += 1;
    return new Promise((resolve) => own.push(resolve));
  }

  /** It stays busy while the turn passes on, so that new work cannot jump the queue. */
  #handOn(): void {
    const [next] = this.#waiting;
    this.#isBusy = next !== undefined;
    if (next === undefined) return;
    const [organization, own] = next;
    const begin = own.shift()!;
    this.#waitingCount -= 1;
    this.#waiting.delete(organization);
    if (own.length > 0) this.#waiting.set(organization, own);
    begin();
  }
}
