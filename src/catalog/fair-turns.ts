import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';

export interface TurnBounds {
  readonly waitingOfOneMax: number;
  readonly waitingMax: number;
}

/**
 * Heavy work, one piece at a time in a process. The organizations that wait take turns, so that many pieces of one delay
 * another's by one. What is more than may wait is refused at once with RATE_LIMITED.
 */
export class FairTurns {
  readonly #bounds: TurnBounds;
  /** In the order in which the organizations get their turn; none of the lists is empty. */
  readonly #waiting = new Map<OrganizationId, (() => void)[]>();
  #waitingCount = 0;
  #isBusy = false;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /** Resolves to what `work` does, or fails as it does. */
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
      throw failure(
        'RATE_LIMITED',
        'Too many pictures are waiting to be worked on: send this one again later.',
      );
    }
    this.#waiting.set(organization, own);
    this.#waitingCount += 1;
    return new Promise((resolve) => own.push(resolve));
  }

  /** It stays busy while the turn goes over: what comes meanwhile does not step in. */
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
