import { changesJson, isWanted, publicEventOf, readTypes } from '../changes/changes.ts';
import type { Context } from '../database/context.ts';
import { eventFeedOf } from '../events/event-feed.ts';
import { type FeedEventRow, selectEventsAfter } from '../events/event-feed-queries.ts';
import { cursorText } from '../events/feed-cursor.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { isPermission, type Permission } from '../kernel/permission-catalogue.ts';
import {
  lockServedEndpoints,
  makeDeliveries,
  moveWebhookEndpoints,
  type ServedEndpointRow,
  selectServedEndpoints,
} from './sending-queries.ts';

/** Events that one transaction reads. */
const eventsAtOnce = 200;

interface Options {
  readonly context: Pick<Context, 'database' | 'clock' | 'ids'>;
  /** All types of events. */
  readonly eventTypes: readonly string[];
}

/**
 * Makes the deliveries of the events behind each endpoint's position. The position moves in the same transaction, so
 * that each event gets its delivery once. Endpoints at the same position share the transaction; those at the front go
 * first, so that one that is far behind does not hold up the others. Resolves to the ids of the served endpoints.
 */
export async function makeDueDeliveries(
  options: Options,
  organization: OrganizationId,
  signal: AbortSignal,
): Promise<number[]> {
  const { database, clock } = options.context;
  await eventFeedOf(database).publish(organization);
  for (;;) {
    const at = isoTimestamp(clock.now());
    const [served] = await database.read(organization, selectServedEndpoints({ at }));
    let moved = false;
    for (const [position, ids] of byPosition(served)) {
      if (signal.aborted) return [];
      if (await makeBehind(options, organization, position, ids)) moved = true;
    }
    if (!moved) return served.map(({ id }) => id);
  }
}

function byPosition(endpoints: readonly ServedEndpointRow[]): ReadonlyMap<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const { id, position } of endpoints) groups.set(position, [...(groups.get(position) ?? []), id]);
  return groups;
}

/** Returns whether there were events behind the position. */
async function makeBehind(
  { context, eventTypes }: Options,
  organization: OrganizationId,
  position: number,
  ids: readonly number[],
): Promise<boolean> {
  const at = isoTimestamp(context.clock.now());
  return context.database.write(
    organization,
    async (tx) => {
      const [endpoints, events] = await tx.run(
        lockServedEndpoints({ ids, position, at }),
        selectEventsAfter({ after: position, limit: eventsAtOnce }),
      );
      const last = events.at(-1);
      if (last === undefined || endpoints.length === 0) return false;
      const messages = new Map<FeedEventRow, Awaited<ReturnType<typeof messageOf>>>();
      const made = [];
      for (const endpoint of endpoints) {
        const types = endpoint.types.length === 0 ? undefined : typesOf(endpoint.types.join(','), eventTypes);
        const caller = { permissions: permissionsOf(endpoint.permissions) };
        for (const event of events.filter((event) => isWanted(event, caller, types))) {
          const message = messages.get(event) ?? (await messageOf(organization, event));
          messages.set(event, message);
          made.push({ endpointId: endpoint.id, ...message });
        }
      }
      const newIds = await context.ids.take(made.length);
      if (made.length > 0) {
        const deliveries = JSON.stringify(
          made.map((delivery, index) => ({ id: newIds[index]!, ...delivery })),
        );
        tx.queue(makeDeliveries({ deliveries, at }));
      }
      tx.queue(moveWebhookEndpoints({ ids: endpoints.map(({ id }) => id), position: last.position }));
      return true;
    },
    { countsAsChange: false },
  );
}

/** What an endpoint gets of an event: the same text in each attempt. */
async function messageOf(organization: OrganizationId, event: FeedEventRow) {
  const { position, id, type, subject_id: subjectId, created_at: at } = event;
  const [change] = await changesJson([event], { organizationId: organization, permissions: new Set() }, null);
  return {
    eventId: id,
    position,
    messageId: cursorText({ position, eventId: id }),
    type,
    resource: `${publicEventOf(type)!.resource}:${subjectId}`,
    body: messageBody(type, at, change!),
  };
}

/** The body of a webhook: `data` is the change as `GET /api/v1/changes` shows it. */
export function messageBody(type: string, atMs: number, changeJson: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${isoTimestamp(atMs)}","data":${changeJson}}`;
}

/** The permissions that a key's row names. */
export function permissionsOf(names: readonly string[]): ReadonlySet<Permission> {
  return new Set(names.filter(isPermission));
}

/** Types that an endpoint names and that are no events name nothing. */
function typesOf(text: string, known: readonly string[]): ReadonlySet<string> {
  const read = readTypes(text, known);
  return 'types' in read ? read.types : new Set();
}
