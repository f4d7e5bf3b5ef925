import { LRUCache } from 'lru-cache';
import type { FeedCursor } from '../../platform/events/feed-cursor.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { type EventReader, readerKey } from './change-page.ts';

const bytesMax = 32 * 1_048_576;

/** What a page of the feed depends on. */
interface ChangePageRequest {
  readonly caller: EventReader & Pick<Caller, 'organizationId'>;
  readonly after: FeedCursor;
  readonly limit: number;
  /** As the caller wrote them. */
  readonly types: string | undefined;
}

/**
 * Full pages of the feed with more behind them: they stay the same until retention removes them, for every caller who
 * reads the same. The caller of `get` checks that their beginning is still kept.
 */
export class KeptChangePages {
  readonly #pages = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: (page, key) => page.length + key.length,
  });

  get(request: ChangePageRequest): Buffer | undefined {
    return this.#pages.get(keyOf(request));
  }

  keep(request: ChangePageRequest, page: Buffer): void {
    this.#pages.set(keyOf(request), page);
  }
}

function keyOf({ caller, after, limit, types = '' }: ChangePageRequest): string {
  return `${caller.organizationId} ${after.position}-${after.eventId} ${limit} ${readerKey(caller)} ${types}`;
}
