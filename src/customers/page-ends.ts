import { LRUCache } from 'lru-cache';

/** After a longer pause, a reader continues from the customer's current position. */
const keptMs = 3_600_000;
const endsMax = 10_000;

/**
 * The positions at which each reader's pages of the list by change ended. The cursor of the next page is the id of the
 * last customer, who may have moved to the front meanwhile: this cache has the reader's exact position. If this
 * process does not know it (another one served the page), `listCustomersAfterByUpdate` estimates it.
 */
export class PageEnds {
  /** By reader and customer. */
  readonly #ends = new LRUCache<string, { readonly at: string; readonly untilMs: number }>({ max: endsMax });

  /** `at` is the position of the last customer of a page. */
  remember(readerId: number, customerId: number, at: string, nowMs: number): void {
    this.#ends.set(`${readerId} ${customerId}`, { at, untilMs: nowMs + keptMs });
  }

  /** The customer's position at the end of this reader's page; null if unknown. */
  placeOf(readerId: number, customerId: number, nowMs: number): string | null {
    const end = this.#ends.get(`${readerId} ${customerId}`);
    return end !== undefined && nowMs < end.untilMs ? end.at : null;
  }
}
