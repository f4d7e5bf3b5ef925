/**
 * The records of every write: an audit entry (D58) and an outbox event (D56), queued into the write's own transaction,
 * so that a change and its records always commit together. Owns `audit_entries` and `outbox_events`. Does not deliver
 * events.
 */

import type { EventFacts, EventType, SubjectType } from '../../kernel/event-catalog.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { insertRows } from '../statements/statement.ts';

/** The records of one event: its payload are the facts that the catalog declares for it. */
export type Announcement<Type extends EventType = EventType> = Type extends EventType
  ? {
      readonly event: Type;
      /** The subject: type and id. */
      readonly subjectType: SubjectType;
      readonly subjectId: string | number;
      /** The payload for readers of the event: ids and states, never personal data. */
      readonly payload: EventFacts<Type>;
      /**
       * For the audit log: for an edit the result of `changesOf`, otherwise facts of the action. No secrets; personal data
       * by field names only.
       */
      readonly details?: Readonly<Record<string, unknown>>;
      /** The id of the audit entry, where ledgers name it as the cause of what they move. Default: a new one. */
      readonly auditId?: number;
    }
  : never;

const insertAuditEntries = insertRows<{
  id: number;
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  details: object;
  requestId: string | null;
  createdAt: string;
}>(
  'audit_entries',
  'audit_entry_row',
  {
    id: 'id',
    actor: 'actor',
    action: 'action',
    subjectType: 'subject_type',
    subjectId: 'subject_id',
    details: 'details',
    requestId: 'request_id',
    createdAt: 'created_at',
  },
  { structures: ['details'] },
);

const insertOutboxEvents = insertRows<{
  id: number;
  type: string;
  subjectId: string;
  payload: object;
  createdAt: string;
  auditId: number | null;
}>(
  'outbox_events',
  'outbox_event_row',
  {
    id: 'id',
    type: 'type',
    subjectId: 'subject_id',
    payload: 'payload',
    createdAt: 'created_at',
    auditId: 'audit_id',
  },
  { structures: ['payload'] },
);

type Told<Type extends EventType = EventType> = Type extends EventType
  ? Omit<Announcement<Type>, 'details' | 'subjectType' | 'auditId'> & { readonly auditId?: number }
  : never;

function outboxRows(told: readonly Told[], ids: readonly number[], createdAt: string) {
  return insertOutboxEvents(
    told.map(({ event, subjectId, payload, auditId }, index) => ({
      id: ids[index]!,
      type: event,
      subjectId: String(subjectId),
      payload,
      createdAt,
      auditId: auditId ?? null,
    })),
  );
}

/**
 * Queues only events, for what a write changes beside its subject: the audit log has the write already, and who keeps a
 * copy hears of every record that moved (D64).
 */
export async function tell(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  nowMs: number,
  ...told: readonly Told[]
): Promise<void> {
  if (told.length === 0) return;
  tx.queue(...outboxRows(told, await context.ids.take(told.length), isoTimestamp(nowMs)));
}

/** Queues the records of one write; `nowMs` is the time that the write uses everywhere. */
export async function announce(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  origin: Origin,
  nowMs: number,
  ...announcements: readonly Announcement[]
): Promise<void> {
  await announceAll(
    tx,
    context,
    nowMs,
    announcements.map((announcement) => ({ origin, announcement })),
  );
}

/** The same for the writes of several requests in one transaction. */
export async function announceAll(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  nowMs: number,
  announced: readonly { readonly origin: Origin; readonly announcement: Announcement }[],
): Promise<void> {
  const ids = await context.ids.take(announced.length * 2);
  const createdAt = isoTimestamp(nowMs);
  const entryId = ({ auditId }: Announcement, index: number) => auditId ?? ids[index * 2]!;
  tx.queue(
    ...insertAuditEntries(
      announced.map(({ origin, announcement }, index) => ({
        id: entryId(announcement, index),
        actor: origin.actor,
        action: announcement.event,
        subjectType: announcement.subjectType,
        subjectId: String(announcement.subjectId),
        details: detailsOf(origin, announcement),
        requestId: origin.requestId,
        createdAt,
      })),
    ),
    ...outboxRows(
      // The event names its entry: the chain of the audit log (D73) follows the feed.
      announced.map(({ announcement }, index) => ({
        ...announcement,
        auditId: entryId(announcement, index),
      })),
      announced.map((_, index) => ids[index * 2 + 1]!),
      createdAt,
    ),
  );
}

/** A command of the operator is named with its account: several people may be operators. */
function detailsOf({ operator, approvedByStaffId }: Origin, { details, payload }: Announcement): object {
  const own = details ?? payload;
  if (operator === undefined && approvedByStaffId === undefined) return own;
  return { ...own, ...(operator && { operator }), ...(approvedByStaffId && { approvedByStaffId }) };
}
