/**
 * The record of every write: an audit entry (D58) and an outbox event (D56), queued into the write's own
 * transaction. They commit together with the change, wherever in the write they are queued: no change is without
 * its record, and no record without its change.
 * Owns `audit_entries` and `outbox_events`. Does not deliver anything.
 */
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { insertMany } from '../database/statement.ts';
import type { EventType, SubjectType } from '../kernel/event-catalogue.ts';

export interface Announcement {
  readonly event: EventType;
  /** What it happened to: kind and id. */
  readonly subjectType: SubjectType;
  readonly subjectId: string | number;
  /** What readers of the event get: ids and states, never personal data. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** For the audit: of an edit what `changesOf` says, else what was done. No secrets; personal data by names only. */
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

/** Queues the records of one write; `nowMs` is the moment the write uses everywhere. */
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
    ...insertOutboxEvents(
      announcements.map((announcement, index) => ({
        id: ids[index * 2 + 1]!,
        type: announcement.event,
        subjectId: String(announcement.subjectId),
        payload: JSON.stringify(announcement.payload),
        createdAt,
      })),
    ),
  );
}
