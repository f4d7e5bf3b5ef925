import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  lockStanding,
  type StandingRow,
  type SuspendedBecause,
  setStanding,
} from './organization-queries.ts';

/** Whether an organization trades, and until when it is there. */
export interface Standing {
  readonly name: string;
  /** Null: it trades. */
  readonly suspendedAtMs: number | null;
  readonly because: SuspendedBecause | null;
  /** Null: it stays. */
  readonly endsAtMs: number | null;
}

interface Change {
  readonly suspendedAtMs: number | null;
  readonly because: SuspendedBecause | null;
  readonly endsAtMs: number | null;
  readonly event: Parameters<typeof announce>[4];
}

/** Reads it as it is now. */
export function standingOf(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<Standing> {
  return database.write(organization, async (tx) => standingIn((await tx.run(lockStanding({})))[0][0]), {
    countsAsChange: false,
  });
}

/** From now on, and within a second in every process, it is read and not written (operator only). */
export function suspendOrganization(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<Standing> {
  return change(context, origin, organization, (before, nowMs) =>
    before.suspendedAtMs !== null
      ? null
      : {
          ...{ suspendedAtMs: nowMs, because: 'operator', endsAtMs: null },
          event: about(organization, 'organization.suspended'),
        },
  );
}

/** It trades again; an end that was set is no longer (operator only). */
export function resumeOrganization(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<Standing> {
  return change(context, origin, organization, (before) =>
    before.suspendedAtMs === null
      ? null
      : {
          ...{ suspendedAtMs: null, because: null, endsAtMs: null },
          event: about(organization, 'organization.resumed'),
        },
  );
}

/**
 * Suspends it, and has it deleted with all that it has at that moment (operator only). An end that is set stays, however often it is
 * said: resume the organization first to set another.
 */
export function endOrganization(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  endsAtMs: number,
): Promise<Standing> {
  const endsAt = isoTimestamp(endsAtMs);
  return change(context, origin, organization, (before, nowMs) =>
    before.endsAtMs !== null
      ? null
      : {
          ...{ suspendedAtMs: before.suspendedAtMs ?? nowMs, because: 'ending', endsAtMs },
          event: {
            ...{ event: 'organization.ending', subjectType: 'organization', subjectId: organization },
            payload: { organizationId: organization, endsAt },
          },
        },
  );
}

function about(organization: OrganizationId, event: 'organization.suspended' | 'organization.resumed') {
  const payload = { organizationId: organization };
  return { event, subjectType: 'organization', subjectId: organization, payload } as const;
}

function change(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  decide: (before: Standing, nowMs: number) => Change | null,
): Promise<Standing> {
  return context.database.write(organization, async (tx) => {
    const before = standingIn((await tx.run(lockStanding({})))[0][0]);
    const nowMs = context.clock.now();
    const decided = decide(before, nowMs);
    if (decided === null) return before;
    const { suspendedAtMs, because, endsAtMs, event } = decided;
    const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
    tx.queue(setStanding({ suspendedAt: at(suspendedAtMs), because, endsAt: at(endsAtMs) }));
    await announce(tx, context, origin, nowMs, event);
    return { ...before, suspendedAtMs, because, endsAtMs };
  });
}

function standingIn(row: StandingRow | undefined): Standing {
  assert(row !== undefined, 'the organization of a command exists');
  return {
    name: row.name,
    suspendedAtMs: row.suspended_at,
    because: row.suspended_because,
    endsAtMs: row.ends_at,
  };
}
