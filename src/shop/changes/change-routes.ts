import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { lazily } from '../../kernel/lazily.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type EventFeed,
  eventFeedOf,
  eventsPerRead,
  type FeedPage,
} from '../../platform/events/event-feed.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';
import { cursorText, cursorTextMax, type FeedCursor, readCursor } from '../../platform/events/feed-cursor.ts';
import { type Caller, type Endpoint, endpoint, reply, replyRawJson } from '../../platform/http/endpoint.ts';
import {
  Flag,
  List,
  Named,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { changesJson, isWanted, readerKey, readTypes } from './change-page.ts';
import { KeptChangePages } from './kept-change-pages.ts';
import { resourceTypes } from './public-events.ts';
import type { ShownResource } from './shown-resources.ts';
import { type Question, textOfPage, wokenPage } from './woken-pages.ts';

const limitDefault = 100;
const limitMax = 500;
const waitSecondsMax = 25;
/** Events that one request reads when few of them are wanted; the page then ends early, with a cursor to continue from. */
const readMax = 5_000;

const Cursor = (description: string) => Text({ min: 3, max: cursorTextMax, description });

const freeObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

const Change = Named(
  'Change',
  Type.Object({
    id: Cursor('The cursor of this event: pass it as `after` to continue after it'),
    type: Text({ max: 100, description: 'A name of [events.json](../../contract/events.json)' }),
    at: Timestamp({ description: 'When it happened' }),
    resource: Type.Object(
      {
        type: OneOf(resourceTypes, { description: 'Kind of record' }),
        id: Text({ max: 100, description: 'As the lists show it, as text' }),
      },
      { description: 'What changed' },
    ),
    facts: freeObject('Ids and states of this event; never personal data'),
    data: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
        description:
          'With `include=data`, on the last event of each resource of the page: the current resource, in the shape of its ' +
          'list; null if it no longer exists',
      }),
    ),
  }),
);

const ChangesMeta = Type.Object({
  cursor: Cursor('Cursor of the next page; it advances even if no event matches `types`'),
  hasMore: Flag({ description: 'Whether more events exist now' }),
});

/** The operations of the change feed. `types` are all events; `resources` show what events are about. */
export function changeRoutes(
  context: Context,
  types: readonly string[],
  resources: readonly ShownResource[],
): Endpoint[] {
  // The declarations are also made without a database.
  const feed = lazily(() => eventFeedOf(context.database));
  const kept = new KeptChangePages();
  return [
    endpoint({
      id: 'listChanges',
      ...{ method: 'GET', path: '/api/v1/changes', address: 'base' },
      ...{ permission: null, publishableKey: 'refused' },
      ...{ kind: 'read', readsFrom: 'standby' },
      list: { staysSmall: 'a feed, at most 5,000 events a request' },
      summary: 'List changes',
      description:
        'The changes in the organization that the key may read, in order, each once; of orders, without `analytics`, those ' +
        'of the orders that its integrator placed. Begin with ' +
        '`GET /api/v1/changes/latest`, read the lists, then read the changes `after` that cursor and continue with ' +
        '`meta.cursor`. With `wait`, the reply is held until a change occurs. Events are kept for 30 days.',
      tag: 'Changes',
      query: Type.Object({
        after: Type.Optional(
          withErrorCode(
            Cursor('The cursor of the last event read; absent: starts at the oldest event kept'),
            'INVALID_CURSOR',
          ),
        ),
        types: Type.Optional(
          Text({
            min: 1,
            max: 2_000,
            description: 'Names of events, separated by commas; `order.*`: all events of orders',
          }),
        ),
        limit: Type.Optional(
          WholeNumber({ min: 1, max: limitMax, description: `By default ${limitDefault}` }),
        ),
        wait: Type.Optional(
          WholeNumber({
            min: 0,
            max: waitSecondsMax,
            description: 'Seconds to wait for a change if there is none yet',
          }),
        ),
        include: Type.Optional(OneOf(['data'], { description: '`data`: adds the current resources' })),
      }),
      success: {
        status: 200,
        data: List(Change, { max: limitMax }),
        meta: ChangesMeta,
        description: 'A page of changes',
        example: [changeExample],
        metaExample: { cursor: changeExample.id, hasMore: false },
      },
      failures: ['INVALID_CURSOR', 'CURSOR_EXPIRED'],
      handle: async (request) => {
        const { caller, query } = request;
        const { organizationId } = caller;
        const wanted = query.types === undefined ? undefined : wantedTypes(query.types, types);
        const wants = (event: FeedEventRow) => isWanted(event, caller, wanted);
        const limit = query.limit ?? limitDefault;
        const start = await startOf(feed(), organizationId, query.after);
        const asked = { caller, after: start, limit, types: query.types };
        const mayBeKept = query.after !== undefined && query.include === undefined;
        const known = mayBeKept ? kept.get(asked) : undefined;
        if (known !== undefined && (await feed().keeps(organizationId, start))) {
          return replyRawJson(known, { isKept: true });
        }
        let page = await readWanted(feed(), organizationId, start, { limit, wants });
        const waitMs = (query.wait ?? 0) * 1_000;
        if (page.events.length === 0 && !page.hasMore && waitMs > 0) {
          const from = page.cursor;
          const key = `${limit} ${readerKey(caller)} ${query.types ?? ''}`;
          page = await request.pause((over) =>
            nextWanted(feed(), organizationId, from, { key, limit, wants, waitMs, over }),
          );
        }
        const shownFor = query.include === 'data' ? caller : null;
        const text = await textOfPage(page, formOf(shownFor), () => pageText(page, shownFor, resources));
        if (mayBeKept && page.hasMore && page.events.length === limit) kept.keep(asked, Buffer.from(text));
        return replyRawJson(text);
      },
    }),

    endpoint({
      id: 'getLatestChange',
      method: 'GET',
      path: '/api/v1/changes/latest',
      address: 'base',
      permission: null,
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      namesNoContact: true,
      summary: 'Retrieve the latest cursor',
      description:
        'The cursor after all changes so far. Take it before reading the lists: changes during the reading come after ' +
        'it.',
      tag: 'Changes',
      success: {
        status: 200,
        data: Type.Object({ cursor: Cursor('For `after`') }),
        description: 'The cursor',
        example: { cursor: changeExample.id },
      },
      failures: [],
      handle: async ({ caller }) => reply({ cursor: cursorText(await feed().latest(caller.organizationId)) }),
    }),
  ];
}

const changeExample = {
  id: '3k-2n1x',
  type: 'order.placed',
  at: '2026-03-01T17:05:09.123Z',
  resource: { type: 'order', id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37' },
  facts: {
    orderId: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
    status: 'new',
    type: 'pickup',
    source: 'open-api',
  },
} as const;

/** The form of a page for readers of the same events: with data, some see the customers of orders. */
function formOf(shownFor: Caller | null): string {
  return shownFor === null ? '' : `data ${shownFor.vouches}`;
}

/** The reply of a page. */
async function pageText(
  { events, cursor, hasMore }: FeedPage,
  caller: Caller | null,
  resources: readonly ShownResource[],
): Promise<string> {
  const json = await changesJson(events, caller, resources);
  return `{"data":[${json.join(',')}],"meta":${JSON.stringify({ cursor: cursorText(cursor), hasMore })}}`;
}

interface Wanted {
  readonly limit: number;
  readonly wants: (event: FeedEventRow) => boolean;
}

function wantedTypes(text: string, known: readonly string[]): ReadonlySet<string> {
  const read = readTypes(text, known);
  if ('types' in read) return read.types;
  throw failure(
    'INVALID_PARAMS',
    `types names "${read.unknown.slice(0, 100)}", which is no event. See contract/events.json.`,
  );
}

async function startOf(
  feed: EventFeed,
  organization: OrganizationId,
  after: string | undefined,
): Promise<FeedCursor> {
  if (after === undefined) return feed.oldest(organization);
  const cursor = readCursor(after);
  if (cursor === null)
    throw failure('INVALID_CURSOR', 'after must be the id of a change, or a cursor of changes/latest.');
  return cursor;
}

/**
 * Reads on until the page is full, the feed ends, or enough was read: at most six reads, however few events are wanted.
 * Fails with CURSOR_EXPIRED.
 */
async function readWanted(
  feed: EventFeed,
  organization: OrganizationId,
  start: FeedCursor,
  { limit, wants }: Wanted,
): Promise<FeedPage> {
  const events: FeedEventRow[] = [];
  let cursor = start;
  let hasMore = true;
  // Mostly every event is wanted, and the first read fills the page.
  let batch = limit;
  for (let read = 0; hasMore && read < readMax; batch = eventsPerRead) {
    const page = await feed.after(organization, cursor, batch);
    if (page === null) throw cursorExpired();
    events.push(...page.events.filter(wants).slice(0, limit - events.length));
    const last = events.at(-1);
    if (last !== undefined && events.length === limit) {
      const isWhole = last.position === page.cursor.position;
      const end = { position: last.position, eventId: last.id };
      return { events, cursor: end, hasMore: page.hasMore || !isWhole };
    }
    ({ cursor, hasMore } = page);
    read += Math.max(page.events.length, 1);
  }
  return { events, cursor, hasMore };
}

/** The first wanted events after a cursor, as soon as there are some; none when the time has passed or the request has ended. */
function nextWanted(
  feed: EventFeed,
  organization: OrganizationId,
  from: FeedCursor,
  { waitMs, over, ...question }: Question & { readonly waitMs: number; readonly over: AbortSignal },
): Promise<FeedPage> {
  return new Promise((resolve) => {
    let cursor = from;
    const end = (page: FeedPage) => {
      clearTimeout(timer);
      over.removeEventListener('abort', abandon);
      unfollow();
      resolve(page);
    };
    const abandon = () => end({ events: [], cursor, hasMore: false });
    const timer = setTimeout(abandon, waitMs);
    const unfollow = feed.follow(organization, from.position, {
      tell: (told) => {
        const page = wokenPage(told, question);
        ({ cursor } = page);
        if (page.events.length > 0) end(page);
      },
    });
    if (over.aborted) abandon();
    else over.addEventListener('abort', abandon, { once: true });
  });
}

function cursorExpired() {
  return failure(
    'CURSOR_EXPIRED',
    'The changes after this cursor are no longer kept. Take a cursor of GET /api/v1/changes/latest, then read the lists again.',
  );
}
