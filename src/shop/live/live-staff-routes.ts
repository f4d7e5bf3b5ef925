import { lazily } from '../../kernel/lazily.ts';
import { staffRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { replyStream, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { LiveEvents } from './live-events.ts';

const mediaType = 'text/event-stream';

/** Live changes. */
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
      description: `Server-sent events, within a second of each change that the role may read. A message is
\`{"resource": "order", "id": "019a…", "name": "order.placed"}\`: the resource to read again, with a name of
[events.json](../../contract/events.json). The event \`ready\` comes first, \`resync\` if changes were skipped:
then read everything again. A client that reconnects with \`Last-Event-ID\` gets the changes that it
missed; a change may be sent twice. The stream ends with its session. A session can have 6 at once. Without
\`Accept: text/event-stream\`, which browsers send, it ends after the pending changes.`,
      tag: 'Staff',
      success: { status: 200, file: [mediaType], description: 'The stream of changes' },
      failures: [],
      handle: async (request) => {
        const { staff, log, clientAddress } = request;
        live().assertRoomFor(staff);
        const follow = request.asksFor(mediaType);
        // A client without an id sends an empty one.
        const lastEventId = request.lastEventId || undefined;
        return replyStream(mediaType, (stream) =>
          live().join(staff, stream, { lastEventId, follow, log, clientAddress }),
        );
      },
    }),
  ];
}
