import { endingKeyCount } from '../../access/keys/keys.ts';
import { backupConcerns, concerns } from '../../kernel/concerns.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import {
  addDays,
  businessDayAt,
  isoTimestamp,
  localDateAt,
  startOfBusinessDayMs,
} from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectRefusedMail } from '../../platform/mail/mail.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { countLackingOptions } from '../carts/carts.ts';
import { selectLostPhotos } from '../catalog/products.ts';
import { selectUnsentActsToSettle } from '../deliveries/deliveries.ts';
import { selectDocumentsToReview } from '../documents/documents.ts';
import { selectFailedImports } from '../imports/imports.ts';
import { selectOfflineSalesToReview } from '../offline-sales/offline-sales.ts';
import { selectLateOrders } from '../orders/orders.ts';
import { countOpenTasks } from '../payments/payments.ts';
import { selectDrawerDifferences, selectForgottenDrawers } from '../registers/registers.ts';
import {
  expiresWithinDays,
  selectExpiringPackages,
  selectLowStock,
  selectReportDays,
  soldWithinDays,
  unitsLeftMax,
} from '../reports/reports.ts';
import { readLeftTaxes } from '../settings/terms-of-sale.ts';
import { selectAlarmingReports } from '../traceability/traceability.ts';
import { selectFailingEndpoints } from '../webhooks/webhooks.ts';

/**
 * Front door of what needs attention: everything that waits for staff, counted by kind. Owns nothing and keeps nothing: an entry is
 * gone once its cause is, however that came about. Each kind is one statement of the slice that owns its rows;
 * warnings of the deployment are those of the process.
 */

/** An order that waits longer to be packed is late. */
export const lateAfterMinutes = 30;
/** A webhook endpoint may fail for so long before it counts: a receiver that restarts is none of the shop's business. */
export const failingAfterMinutes = 60;
/** What can only be looked at, not settled, is shown for so many days. */
export const shownForDays = 7;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** When it is, for a shop. */
interface Moment {
  readonly nowMs: number;
  /** The time of the deployment: a sandbox may have another time. */
  readonly wallMs: number;
  /** When the present business day began. */
  readonly dayStartedMs: number;
  readonly today: string;
}

/** What a statement of a kind answers; one row. */
interface Waiting {
  readonly count: number;
  readonly oldest_at?: number | null;
  /** A day instead of a moment. */
  readonly expiration_date?: string;
  readonly customer_id?: number | null;
}

interface Kind {
  /** The roles that can do something about it; an owner sees all. */
  readonly roles: readonly StaffRole[];
  /** What this process knows of its deployment instead of a shop's rows: how many there are. */
  readonly known?: () => number;
  readonly read?: (at: Moment) => BoundStatement<Waiting>;
  /** What no statement can count: how many there are. */
  readonly count?: (context: Context, organization: OrganizationId) => Promise<number>;
}

const ago = (ms: number, minutes: number) => isoTimestamp(ms - minutes * minuteMs);
const lately = (ms: number) => isoTimestamp(ms - shownForDays * dayMs);

/** The kinds, in the order in which they are shown: what keeps customers waiting first. */
const kinds = {
  'late-orders': {
    roles: ['owner', 'manager', 'budtender'],
    read: ({ nowMs }) => selectLateOrders({ before: ago(nowMs, lateAfterMinutes) }),
  },
  'state-reports': {
    roles: ['owner', 'manager'],
    read: ({ nowMs }) => selectAlarmingReports({ at: isoTimestamp(nowMs) }),
  },
  payments: { roles: ['owner', 'manager'], read: () => countOpenTasks({}) },
  documents: { roles: ['owner', 'manager', 'budtender'], read: () => selectDocumentsToReview({}) },
  'offline-sales': { roles: ['owner', 'manager'], read: () => selectOfflineSalesToReview({}) },
  'driver-acts': { roles: ['owner', 'manager'], read: () => selectUnsentActsToSettle({}) },
  'open-drawers': {
    roles: ['owner', 'manager'],
    read: ({ dayStartedMs }) => selectForgottenDrawers({ before: isoTimestamp(dayStartedMs) }),
  },
  'drawer-differences': {
    roles: ['owner', 'manager'],
    read: ({ nowMs }) => selectDrawerDifferences({ since: lately(nowMs) }),
  },
  'expiring-packages': {
    roles: ['owner', 'manager', 'inventory'],
    read: ({ today }) =>
      selectExpiringPackages({ locationId: null, rowsMax: 1, untilDay: addDays(today, expiresWithinDays) }),
  },
  'low-stock': {
    roles: ['owner', 'manager', 'inventory'],
    read: ({ today }) =>
      selectLowStock({
        ...{ locationId: null, rowsMax: 1, unitsLeftMax },
        fromDay: addDays(today, 1 - soldWithinDays),
        toDay: today,
      }),
  },
  'failed-imports': {
    roles: ['owner', 'manager', 'inventory'],
    read: ({ wallMs }) => selectFailedImports({ since: lately(wallMs) }),
  },
  'lacking-facts': { roles: ['owner', 'manager', 'inventory'], count: countLackingOptions },
  'lost-photos': { roles: ['owner', 'manager', 'inventory'], read: () => selectLostPhotos({}) },
  backups: {
    roles: ['owner'],
    known: () => concerns.names.filter((name) => backupConcerns.includes(name)).length,
  },
  webhooks: {
    roles: ['owner'],
    read: ({ wallMs }) => selectFailingEndpoints({ before: ago(wallMs, failingAfterMinutes) }),
  },
  'left-taxes': {
    roles: ['owner'],
    count: async (context, organization) => (await readLeftTaxes(context, organization)).length,
  },
  'refused-mail': { roles: ['owner'], read: ({ wallMs }) => selectRefusedMail({ since: lately(wallMs) }) },
  'ending-keys': {
    roles: ['owner'],
    read: ({ wallMs }) => endingKeyCount(wallMs),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type AttentionKind = keyof typeof kinds;
export const attentionKinds = Object.keys(kinds) as AttentionKind[];

/**
 * What waits for staff of this role: each kind with how many and since when, in the order of `attentionKinds`; kinds of which
 * nothing waits are left out. Two round trips, and one statement for each kind that the role may see, whatever there is.
 */
export async function readAttention(context: Context, organization: OrganizationId, role: StaffRole) {
  const { database, clock, wallClock } = context;
  const nowMs = clock.now();
  const [[zone]] = await database.read(organization, selectReportDays({}));
  const days = { tz: zone!.tz, dayStartsAt: zone!.day_starts_at };
  const at: Moment = {
    nowMs,
    wallMs: wallClock.now(),
    dayStartedMs: startOfBusinessDayMs(businessDayAt(nowMs, days), days),
    today: localDateAt(nowMs, days.tz),
  };
  const seen = attentionKinds.flatMap((kind) => {
    const { roles, known, read, count }: Kind = kinds[kind];
    return roles.includes(role) ? [{ kind, known, read, count }] : [];
  });
  const asked = seen.flatMap(({ kind, read }) => (read ? [{ kind, statement: read(at) }] : []));
  const found: readonly (readonly Waiting[])[] = await database.read(
    organization,
    ...asked.map(({ statement }) => statement),
  );
  const rows = new Map<AttentionKind, Waiting | undefined>(
    asked.map(({ kind }, index) => [kind, found[index]?.[0]]),
  );
  for (const { kind, count } of seen) {
    if (count !== undefined) rows.set(kind, { count: await count(context, organization) });
  }
  const items = seen.flatMap(({ kind, known }) => {
    const row: Waiting | undefined = known ? { count: known() } : rows.get(kind);
    if (!row || row.count === 0) return [];
    return [
      {
        kind,
        count: row.count,
        since: row.oldest_at == null ? null : isoTimestamp(row.oldest_at),
        day: row.expiration_date ?? null,
        customerId: row.customer_id ?? null,
      },
    ];
  });
  return { total: items.reduce((sum, { count }) => sum + count, 0), items };
}
