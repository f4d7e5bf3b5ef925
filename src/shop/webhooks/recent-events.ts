import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';

/** The memory of some thousand events. */
const keptMax = 4_000;

/** The newest events of a feed as its follower was told of them: without gaps, so that readers at the end need no database. */
export class RecentEvents {
  #events: FeedEventRow[] = [];

  add(events: readonly FeedEventRow[]): void {
    const last = this.#events.at(-1);
    if (last !== undefined && events[0]!.position !== last.position + 1) this.#events = [];
    this.#events.push(...events);
    if (this.#events.length > keptMax) this.#events.splice(0, this.#events.length - keptMax / 2);
  }

  /** The events behind a position; null: they are not all here. */
  after(position: number, limit: number): readonly FeedEventRow[] | null {
    const [first] = this.#events;
    if (first === undefined || position < first.position - 1 || position > this.#events.at(-1)!.position)
      return null;
    const start = position - first.position + 1;
    return this.#events.slice(start, start + limit);
  }
}
