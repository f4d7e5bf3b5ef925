import type { Context } from '../database/context.ts';
import { replyStream, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { lazily } from '../kernel/lazily.ts';
import { staffRoles } from '../kernel/staff-roles.ts';
import { LiveEvents } from './live-events.ts';

const mediaType = 'text/event-stream';

/** What changes, while it changes. */
export function liveStaffRoutes(context: Context): StaffEndpoint[] {
  // The declarations are also made without a database.
  const live = lazily(() => new LiveEvents(context));
  return [
    staffEndpoint({
      id: 'listenToChanges',
      method: 'GET',
      path: '/staff/v1/live',
      roles: staffRoles,
      kind: 'read',
      summary: 'Listen to changes',
      description: `Server-sent events, within a second of each change that the role may read of. A message is
\`{"resource": "order", "id": "019a…", "name": "order.placed"}\`: what to read again, with a name of
[events.json](../../contract/events.json). The event \`ready\` comes first, \`resync\` where not each change can be told:
then everything is to be read again. Whoever comes back with the \`Last-Event-ID\` of the last one is told what it
missed; a change may be told twice. The stream ends with its session. A session can have 6 at once. Without
\`Accept: text/event-stream\`, which browsers send, it ends after what there is.`,
      source: ['D56'],
      tag: 'Staff',
      success: { status: 200, file: [mediaType], description: 'Changes, as they come' },
      failures: [],
      handle: async (request) => {
        const { staff, log } = request;
        live().assertRoomFor(staff);
        const follow = request.asksFor(mediaType);
        // An empty one is sent by who has had none.
        const lastEventId = request.lastEventId || undefined;
        return replyStream(mediaType, (stream) => live().join(staff, stream, { lastEventId, follow, log }));
      },
    }),
  ];
}
