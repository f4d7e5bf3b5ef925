import { LRUCache } from 'lru-cache';
import { lazily } from '../../kernel/lazily.ts';

/** After a longer pause, a reader continues from the current position of the last row. */
const keptMs = 3_600_000;
const endsMax = 10_000;

/**
 * The positions at which each reader's pages of a list by change ended. The cursor of the next page is the id of the
 * last row, which may have moved to the front meanwhile: this cache has the reader's exact position, unless another
 * process served that page.
 */
export class PageEnds {
  /** By reader and row. Such a cache reserves its places when it is made, which takes milliseconds. */
  readonly #ends = lazily(
    () => new LRUCache<string, { readonly at: string; readonly untilMs: number }>({ max: endsMax }),
  );

  /** `at` is the position of the last row of a page. */
  remember(readerId: number, rowId: number | string, at: string, nowMs: number): void {
    this.#ends().set(`${readerId} ${rowId}`, { at, untilMs: nowMs + keptMs });
  }

  /** The row's position at the end of this reader's page; null if unknown. */
  placeOf(readerId: number, rowId: number | string, nowMs: number): string | null {
    const end = this.#ends().get(`${readerId} ${rowId}`);
    return end !== undefined && nowMs < end.untilMs ? end.at : null;
  }
}
