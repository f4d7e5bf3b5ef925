import { lazily } from '../../kernel/lazily.ts';
import { type BoundStatement, registerLater, statement } from '../statements/statement.ts';

/** SQL of the event feed (D64): publishing, and reading by position. */

/** An event that has a position in the feed. */
export interface FeedEventRow {
  position: number;
  id: number;
  type: string;
  subject_id: string;
  /** The facts of the event, as JSON. */
  facts: string;
  created_at: number;
  /** The trace of the write that the event tells of; null: it was not traced. */
  traceparent: string | null;
  /** The integrator that made what the event is about; null: staff did, or none can (`declareIntegratorOfEvent`). */
  integrator_id: number | null;
}

/** An expression on an event's `type` and `subject_id`. */
let integratorOfEvent = 'null::bigint';

/**
 * Declares whose integrator's events are: the integrator that an event is about, as SQL. The slice that owns it does so while modules
 * load.
 */
export function declareIntegratorOfEvent(expression: string): void {
  integratorOfEvent = expression;
}

const eventColumns = () => `position, id, type, subject_id, payload::text as facts, created_at, traceparent,
          ${integratorOfEvent} as integrator_id`;

export interface FeedHeadRow {
  /** The position of the newest published event; 0 when there has been none. */
  last_position: number;
  /** The position of the oldest event that is kept; null when none is. */
  oldest_position: number | null;
  /** Whether committed events wait for a position. */
  has_unpublished: boolean;
}

export const selectFeedHead = statement<Record<never, never>, FeedHeadRow>(
  'select_feed_head',
  `select coalesce((select last_position from change_feeds where organization_id = :organizationId), 0) as last_position,
          (select position from outbox_events where organization_id = :organizationId and position is not null
            order by position limit 1) as oldest_position,
          exists (select from outbox_events where organization_id = :organizationId
                     and position is null and announced is not null) as has_unpublished`,
);

/** The followed organizations that have events behind the positions, or without one. */
export const selectOrganizationsWithNews = statement<
  { organizations: readonly number[]; positions: readonly number[] },
  { id: number }
>(
  'select_organizations_with_news',
  'select id from organizations_with_news(:organizations::bigint[], :positions::bigint[])',
);

/** The last position of each feed; events without a position come behind it. */
export const selectFeedPositions = statement<
  { organizations: readonly number[] },
  { id: number; last_position: number }
>('select_feed_positions', 'select id, last_position from feed_positions(:organizations::bigint[])');

/** Locks the feed, so that one process publishes at a time. The statement behind it sees what the former one did. */
export const lockFeed = statement<Record<never, never>>(
  'lock_change_feed',
  `insert into change_feeds (organization_id, last_position) values (:organizationId, 0)
   on conflict (organization_id) do update set last_position = change_feeds.last_position`,
);

/** Events that one transaction publishes. */
export const publishedAtOnce = 5_000;

/**
 * Gives positions to committed events, in the order in which they were announced. Whatever an event depends on was
 * announced before it and has committed, so it is published before it or with it.
 */
export const publishEvents = statement<Record<never, never>, { published: number }>(
  'publish_outbox_events',
  `with unpublished as (
     select id, row_number() over (order by announced) as place
       from (select id, announced from outbox_events
              where organization_id = :organizationId and position is null and announced is not null
              order by announced limit ${publishedAtOnce}) oldest
   ), feed as (
     update change_feeds set last_position = last_position + (select count(*) from unpublished)
      where organization_id = :organizationId
      returning last_position - (select count(*) from unpublished) as before
   ), published as (
     update outbox_events e set position = feed.before + unpublished.place
       from unpublished, feed
      where e.organization_id = :organizationId and e.id = unpublished.id
      returning e.id
   )
   select count(*)::int as published from published`,
);

const eventsAfter = lazily(() =>
  statement<{ after: number; limit: number }, FeedEventRow>(
    'select_feed_events_after',
    `select ${eventColumns()} from outbox_events
      where organization_id = :organizationId and position > :after and position is not null
      order by position limit :limit`,
  ),
);

/** Events behind a position. */
export function selectEventsAfter(parameters: {
  readonly after: number;
  readonly limit: number;
}): BoundStatement<FeedEventRow> {
  return eventsAfter()(parameters);
}

const eventsById = lazily(() =>
  statement<{ ids: readonly number[] }, FeedEventRow>(
    'select_feed_events_by_id',
    `select ${eventColumns()} from outbox_events
      where organization_id = :organizationId and id = any(:ids::bigint[]) and position is not null`,
  ),
);

/** The events with these ids that are in the feed. */
export function selectEventsById(parameters: {
  readonly ids: readonly number[];
}): BoundStatement<FeedEventRow> {
  return eventsById()(parameters);
}

registerLater(() => [eventsAfter(), eventsById()]);

/** The ends of the feed, and the event at a position; its id is null where it is no longer kept, or never was. */
export const selectFeedCursor = statement<
  { position: number },
  Pick<FeedHeadRow, 'last_position' | 'oldest_position'> & { event_id: number | null }
>(
  'select_feed_cursor',
  `select coalesce((select last_position from change_feeds where organization_id = :organizationId), 0) as last_position,
          (select position from outbox_events where organization_id = :organizationId and position is not null
            order by position limit 1) as oldest_position,
          (select id from outbox_events where organization_id = :organizationId and position = :position) as event_id`,
);

/** No row: the event is no longer kept, or there has never been one. */
export const selectEventAt = statement<{ position: number }, { id: number }>(
  'select_feed_event_at',
  'select id from outbox_events where organization_id = :organizationId and position = :position',
);

/** In the order of the feed, which is that of time but for writes that took long: it reads the events before, too. */
export const selectFirstEventSince = statement<{ at: string }, { position: number }>(
  'select_first_feed_event_since',
  `select position from outbox_events
    where organization_id = :organizationId and position is not null and created_at >= :at
    order by position limit 1`,
);

/** Deletes from the beginning of the feed up to the first event of that time or later, so that no gap arises behind it. */
export const deleteEventsBefore = statement<{ before: string; limit: number }, { id: number }>(
  'delete_outbox_events_before',
  `delete from outbox_events where organization_id = :organizationId and id in (
     select id from outbox_events
      where organization_id = :organizationId and position is not null and position < least(
        (select position from outbox_events
          where organization_id = :organizationId and position is not null and created_at >= :before
          order by position limit 1), ${Number.MAX_SAFE_INTEGER})
      order by position limit :limit)
   returning id`,
);
