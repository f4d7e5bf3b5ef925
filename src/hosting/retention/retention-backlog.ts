import { apiRequestAgeMsMax } from '../../access/request-log/api-request-log.ts';
import { deviceAgeMsMax, sessionAgeMsMax } from '../../access/sessions/sessions.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { eventAgeMsMax } from '../../platform/events/purge-events.ts';
import { keyAgeMsMax } from '../../platform/idempotency/kept-replies.ts';
import { mailAgeMsMax } from '../../platform/mail/mail.ts';
import { codeAgeMsMax } from '../../shop/customers/customers.ts';
import { deliveryAgeMsMax } from '../../shop/webhooks/webhooks.ts';
import { type BacklogRow, selectBacklog } from './retention-queries.ts';

const dayMs = 86_400_000;

/** Whether the owner of each organization says how long, or the law of its state. */
export type KeptMs = number | 'owner' | 'law';

/** For how long rows of each kind are kept, in milliseconds (D76). */
export const keptMsOf = {
  events: eventAgeMsMax,
  webhook_deliveries: deliveryAgeMsMax,
  api_requests: apiRequestAgeMsMax,
  idempotency_keys: keyAgeMsMax,
  explanations: 'owner',
  documents: 'owner',
  // Copies and readings of IDs (`idKeptDays`): the state's duties say how long.
  scanned_licenses: 'law',
  mails: mailAgeMsMax,
  // Since the last order or change.
  inactive_customers: 'owner',
  // Since the visit ended.
  queue_visits: 365 * dayMs,
  // From their end on, a day after they were parked.
  parked_carts: 0,
  // Until the end of the business day, if the trip does not come back before.
  driver_positions: dayMs,
  customer_codes: codeAgeMsMax,
  // From their end on.
  customer_sessions: 0,
  staff_links: 30 * dayMs,
  // From their begin on: none lasts longer.
  staff_sessions: sessionAgeMsMax,
  staff_devices: deviceAgeMsMax,
  // Since the key was revoked.
  key_addresses: 30 * dayMs,
  // From their end on, minutes after they begin.
  staff_half_sign_ins: 0,
  staff_identity_sign_ins: 0,
  staff_passkey_challenges: 0,
  import_files: 30 * dayMs,
  import_changes: 30 * dayMs,
  move_files: 30 * dayMs,
} as const satisfies Readonly<Record<string, KeptMs>>;

export type RetainedKindName = keyof typeof keptMsOf;

export const retainedKindNames = Object.keys(keptMsOf) as readonly RetainedKindName[];

/** More are counted as so many, of each organization. */
const countedMax = 10_000;

/** What is kept of a kind in all organizations. */
export interface BacklogOfKind {
  readonly kind: RetainedKindName;
  /** Rows that are older than they are kept; counted up to 10,000 in each organization. */
  readonly overdue: number;
  /** The time of the oldest row, or of the oldest that was not looked at yet; null: there is none. */
  readonly oldestMs: number | null;
  /** How long the oldest row that should be gone has stayed too long; 0: none, null: its owner or the law says how long. */
  readonly lateMs: number | null;
  /** Organizations that have something to delete. */
  readonly due: readonly number[];
}

/** One statement for any number of organizations. `operator` is connected as the owner. */
export async function readBacklog(
  operator: Pick<Database, 'global'>,
  kind: RetainedKindName,
  nowMs: number,
): Promise<BacklogOfKind> {
  const keptMs = keptMsOf[kind];
  const rows = await operator.global(
    selectBacklog({
      kind,
      at: isoTimestamp(nowMs),
      before: isoTimestamp(nowMs - (typeof keptMs === 'number' ? keptMs : 0)),
      limit: countedMax,
    }),
  );
  return backlogOf(kind, rows, nowMs);
}

/** The rows of all organizations together. */
export function backlogOf(kind: RetainedKindName, rows: readonly BacklogRow[], nowMs: number): BacklogOfKind {
  const keptMs = keptMsOf[kind];
  let overdue = 0;
  let oldestMs: number | null = null;
  for (const row of rows) {
    overdue += row.overdue;
    if (row.oldest !== null) oldestMs = Math.min(oldestMs ?? row.oldest, row.oldest);
  }
  const isLate = overdue > 0 && oldestMs !== null;
  return {
    ...{ kind, overdue, oldestMs, due: rows.filter((row) => row.is_due).map(({ id }) => id) },
    lateMs: typeof keptMs !== 'number' ? null : isLate ? Math.max(0, nowMs - keptMs - oldestMs!) : 0,
  };
}
