import type { Standing } from '../../access/organizations/suspend-organization.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import { blockLifeMs } from '../../platform/database/id-source.ts';
import { announce } from '../../platform/events/announce.ts';

/* What the commands of the operator and the operator's page have in common. */

/** Days between the order to delete an organization and its end. */
export const graceDays = { usual: 30, max: 365 } as const;

const dayMs = 86_400_000;

/** When an organization ends that is to be deleted after so many days. */
export function endAfter({ clock }: Pick<Context, 'clock'>, days: number): number {
  return clock.now() + days * dayMs;
}

/** When an organization that came in beside a running service may trade: until then processes may make ids from before it came. */
export function opensAfterImport({ because, suspendedAtMs }: Standing, nowMs: number): number | null {
  if (because !== 'imported') return null;
  const opensAtMs = suspendedAtMs! + blockLifeMs;
  return nowMs >= opensAtMs ? null : opensAtMs;
}

/** An organization as its operator sees it; times as text. */
export function shownStanding(id: OrganizationId, { name, suspendedAtMs, because, endsAtMs }: Standing) {
  const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
  return {
    ...{ organizationId: id, name, suspendedAt: at(suspendedAtMs), suspendedBecause: because },
    endsAt: at(endsAtMs),
  };
}

/** Notes in the audit log of an organization that it is written out; before it is, so that the archive says so too. */
export function announceMoveOut(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<void> {
  return context.database.write(organization, (tx) =>
    announce(tx, context, origin, context.clock.now(), {
      ...{ event: 'organization.moved_out', subjectType: 'organization', subjectId: organization },
      payload: { organizationId: organization },
    }),
  );
}

/** The login that reads and writes whole tables: the superuser of the embedded database, or the owner of another. */
export function tablesLogin({
  admin,
  owner,
}: {
  readonly admin: ConnectionConfig | null;
  readonly owner: ConnectionConfig;
}): ConnectionConfig {
  return admin === null ? owner : { ...admin, database: 'dispensary' };
}
