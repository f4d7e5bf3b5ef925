import { isoTimestamp } from '../../kernel/local-time.ts';
import type { AuditEntryRow } from './audit-log-queries.ts';

/** An audit entry as it is shown. */
export function shownAuditEntry(row: AuditEntryRow) {
  return {
    id: row.id,
    at: isoTimestamp(row.created_at),
    actor: row.actor,
    actorName: row.actor_name ?? programName(row.actor),
    action: row.action,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    details: row.details,
    requestId: row.request_id,
  };
}

/** `job:document-retention` → `Document retention`. */
function programName(actor: string): string {
  const words = actor.slice(actor.indexOf(':') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
