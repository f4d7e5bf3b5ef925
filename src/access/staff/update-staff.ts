import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { deleteStaffDevices, revokeSessionsOfStaff } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import { needsLongerPin, setStaffPin } from './pins.ts';
import {
  deleteStaffInvitations,
  lockStaffWithOwners,
  type StaffRow,
  updateStaffMember,
} from './staff-queries.ts';

interface StaffChanges {
  readonly role?: StaffRole;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly disabled?: boolean;
}

/**
 * Changes fields of a member of staff; disabling ends the sessions, devices and open invitations, and a role that needs a
 * longer PIN ends the PIN. One owner who can sign in always stays. Fails with STAFF_NOT_FOUND, STALE_EDIT, LAST_OWNER.
 */
export async function updateStaff(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  changes: StaffChanges,
): Promise<StaffRow> {
  refuseLookAlikes(changes);
  const nowMs = context.clock.now();
  const { row, ended } = await context.database.write(organization, async (tx) => {
    const [locked] = await tx.run(lockStaffWithOwners({ id }));
    const former = locked.find((member) => member.id === id);
    if (former === undefined) throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
    refuseStaleEdit(origin, former.updated_at);
    const row = changed(former, changes, nowMs);
    if (isOwner(former) && !isOwner(row) && !locked.some((member) => member.id !== id && isOwner(member))) {
      throw failure('LAST_OWNER', 'The only owner who can sign in cannot be demoted or disabled.');
    }
    const told = changesOf(auditedStaff(former), auditedStaff(row), ['firstName', 'lastName']);
    if (told === null) return { row: former, ended: [] };
    const isDisabledNow = former.disabled_at === null && row.disabled_at !== null;
    const [, ended] = await tx.run(
      updateStaffMember({
        id,
        firstName: row.first_name,
        lastName: row.last_name,
        role: row.role,
        disabledAt: row.disabled_at === null ? null : isoTimestamp(row.disabled_at),
        at: isoTimestamp(nowMs),
      }),
      isDisabledNow ? revokeSessionsOfStaff({ staffId: id, except: null, at: isoTimestamp(nowMs) }) : null,
      isDisabledNow ? deleteStaffInvitations({ staffId: id }) : null,
      isDisabledNow ? deleteStaffDevices({ staffId: id, except: null }) : null,
      needsLongerPin(former.role as StaffRole, row.role as StaffRole)
        ? setStaffPin({ id, pinHash: null })
        : null,
    );
    await announce(tx, context, origin, nowMs, {
      event: 'staff.updated',
      subjectType: 'staff',
      subjectId: id,
      payload: { staffId: id, role: row.role, disabled: row.disabled_at !== null },
      details: { staffId: id, ...told },
    });
    return { row, ended };
  });
  for (const session of ended) sessions.forget(session.id);
  return row;
}

/** For the audit log, with the names of the API. */
function auditedStaff({ role, first_name: firstName, last_name: lastName, disabled_at }: StaffRow) {
  return { role, firstName, lastName, disabled: disabled_at !== null };
}

function changed(former: StaffRow, changes: StaffChanges, nowMs: number): StaffRow {
  const { disabled = former.disabled_at !== null } = changes;
  return {
    ...former,
    role: changes.role ?? former.role,
    first_name: changes.firstName ?? former.first_name,
    last_name: changes.lastName ?? former.last_name,
    updated_at: nowMs,
    disabled_at: disabled ? (former.disabled_at ?? nowMs) : null,
  };
}

/** An owner who can sign in; an invited one cannot yet. */
function isOwner({ role, disabled_at, has_password }: StaffRow): boolean {
  return role === 'owner' && disabled_at === null && has_password;
}
