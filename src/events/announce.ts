/**
 * The records of every write: an audit entry (D58) and an outbox event (D56), queued into the write's own transaction,
 * so that a change and its records always commit together. Owns `audit_entries` and `outbox_events`. Does not deliver
 * events.
 */
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { insertMany } from '../database/statement.ts';
import type { EventType, SubjectType } from '../kernel/event-catalogue.ts';

export interface Announcement {
  readonly event: EventType;
  /** The subject: type and id. */
  readonly subjectType: SubjectType;
  readonly subjectId: string | number;
  /** The payload for readers of the event: ids and states, never personal data. */
  readonly payload: Readonly<Record<string, unknown>>;
  /**
   * For the audit log: for an edit the result of `changesOf`, otherwise facts of the action. No secrets; personal data
   * by field names only.
   */
  readonly details?: Readonly<Record<string, unknown>>;
}

const insertAuditEntries = insertMany<{
  id: number;
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  details: string;
  requestId: string | null;
  createdAt: string;
}>('audit_entries', {
  id: 'id',
  actor: 'actor',
  action: 'action',
  subjectType: 'subject_type',
  subjectId: 'subject_id',
  details: 'details',
  requestId: 'request_id',
  createdAt: 'created_at',
});

const insertOutboxEvents = insertMany<{
  id: number;
  type: string;
  subjectId: string;
  payload: string;
  createdAt: string;
}>('outbox_events', {
  id: 'id',
  type: 'type',
  subjectId: 'subject_id',
  payload: 'payload',
  createdAt: 'created_at',
});

type Told = Omit<Announcement, 'details' | 'subjectType'>;

function outboxRows(told: readonly Told[], ids: readonly number[], createdAt: string) {
  return insertOutboxEvents(
    told.map(({ event, subjectId, payload }, index) => ({
      id: ids[index]!,
      type: event,
      subjectId: String(subjectId),
      payload: JSON.stringify(payload),
      createdAt,
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
  tx.queue(...outboxRows(told, await context.ids.take(told.length), new Date(nowMs).toISOString()));
}

/** Queues the records of one write; `nowMs` is the time that the write uses everywhere. */
export async function announce(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  origin: Origin,
  nowMs: number,
  ...announcements: readonly Announcement[]
): Promise<void> {
  const ids = await context.ids.take(announcements.length * 2);
  const createdAt = new Date(nowMs).toISOString();
  tx.queue(
    ...insertAuditEntries(
      announcements.map((announcement, index) => ({
        id: ids[index * 2]!,
        actor: origin.actor,
        action: announcement.event,
        subjectType: announcement.subjectType,
        subjectId: String(announcement.subjectId),
        details: JSON.stringify(announcement.details ?? announcement.payload),
        requestId: origin.requestId,
        createdAt,
      })),
    ),
    ...outboxRows(
      announcements,
      announcements.map((_, index) => ids[index * 2 + 1]!),
      createdAt,
    ),
  );
}
