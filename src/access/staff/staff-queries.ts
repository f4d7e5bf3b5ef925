import type { StaffRole } from '../../kernel/staff-roles.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

export interface StaffRow {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: StaffRole;
  has_password: boolean;
  has_second_factor: boolean;
  created_at: number;
  updated_at: number;
  disabled_at: number | null;
}

const shownStaff = `select id, email, first_name, last_name, role, password_hash is not null as has_password,
          exists (select from staff_totp_secrets t
                   where t.organization_id = staff_members.organization_id and t.staff_id = staff_members.id
                     and t.confirmed_at is not null)
            or exists (select from staff_passkeys p
                   where p.organization_id = staff_members.organization_id and p.staff_id = staff_members.id)
              as has_second_factor,
          created_at, coalesce(updated_at, created_at) as updated_at, disabled_at
     from staff_members where organization_id = :organizationId`;

export const selectStaff = statement<Record<never, never>, StaffRow>(
  'select_staff',
  `${shownStaff} order by id`,
);

export const selectStaffMember = statement<{ id: number }, StaffRow>(
  'select_staff_member',
  `${shownStaff} and id = :id`,
);

export const findStaffByEmail = statement<{ emailNormalized: string }, { id: number }>(
  'find_staff_by_email',
  'select id from staff_members where organization_id = :organizationId and email_normalized = :emailNormalized',
);

export const selectStaffOfEmails = statement<
  { emails: readonly string[] },
  { id: number; email_normalized: string }
>(
  'select_staff_of_emails',
  `select id, email_normalized from staff_members
    where organization_id = :organizationId and email_normalized = any(:emails)`,
);

/**
 * The member and every owner who can sign in: when two owners demote each other concurrently, the second one sees the
 * first change.
 */
export const lockStaffWithOwners = statement<{ id: number }, StaffRow>(
  'lock_staff_with_owners',
  `${shownStaff}
      and (id = :id or (role = 'owner' and disabled_at is null and password_hash is not null))
    order by id for no key update`,
);

export const updateStaffMember = statement<
  { id: number; firstName: string; lastName: string; role: string; disabledAt: string | null; at: string },
  never
>(
  'update_staff_member',
  `update staff_members
      set first_name = :firstName, last_name = :lastName, role = :role, disabled_at = :disabledAt,
          updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** Not for disabled staff. Only the first password changes visible data: an invited member becomes active. */
export const setStaffPassword = statement<{ id: number; passwordHash: string; at: string }, { id: number }>(
  'set_staff_password',
  `update staff_members
      set password_hash = :passwordHash,
          updated_at = case when password_hash is null then :at else updated_at end
    where organization_id = :organizationId and id = :id and disabled_at is null returning id`,
);

export const insertStaffInvitations = insertMany<{
  digest: Uint8Array;
  staffId: number;
  expiresAt: string;
  isReset: boolean;
}>('staff_invitations', {
  digest: 'digest',
  staffId: 'staff_id',
  expiresAt: 'expires_at',
  isReset: 'is_reset',
});

/** The member of a token: one point look-up by digest. */
export const findStaffInvitation = statement<
  { digest: Uint8Array },
  { organization_id: number; staff_id: number; digest: Buffer; expires_at: number; is_reset: boolean }
>(
  'find_staff_invitation',
  'select organization_id, staff_id, digest, expires_at, is_reset from staff_invitations where digest = :digest',
);

/** The second of two concurrent acceptances finds no row. */
export const deleteStaffInvitations = statement<{ staffId: number }, { digest: Buffer }>(
  'delete_staff_invitations',
  `delete from staff_invitations where organization_id = :organizationId and staff_id = :staffId returning digest`,
);

/** A new link to reset the password ends the former ones, and leaves an open invitation. */
export const deleteStaffResets = statement<{ staffId: number }, never>(
  'delete_staff_resets',
  'delete from staff_invitations where organization_id = :organizationId and staff_id = :staffId and is_reset',
);

/** The owners who can sign in: they get the notices of an organization. */
export const selectOwnerEmails = statement<{ limit: number }, { id: number; email: string }>(
  'select_owner_emails',
  `select id, email from staff_members
    where organization_id = :organizationId and role = 'owner' and disabled_at is null and password_hash is not null
    order by id limit :limit`,
);

/** One member with a password of each role that is not the owner's. */
export const selectOtherStaff = statement<Record<never, never>, { role: string; email: string }>(
  'select_other_demo_staff',
  `select distinct on (role) role, email from staff_members
    where organization_id = :organizationId and role <> 'owner' and password_hash is not null order by role, id`,
);

export const insertStaffMembers = insertMany<{
  id: number;
  email: string;
  emailNormalized: string;
  firstName: string;
  lastName: string;
  role: string;
  passwordHash: string | null;
  createdAt: string;
}>('staff_members', {
  id: 'id',
  email: 'email',
  emailNormalized: 'email_normalized',
  firstName: 'first_name',
  lastName: 'last_name',
  role: 'role',
  passwordHash: 'password_hash',
  createdAt: 'created_at',
});

/** The accounts of an email, before the organization is known. At most `limit` are tried. */
export const findStaffAccounts = statement<
  { digest: Uint8Array; only: number | null; limit: number },
  { organization_id: number; staff_id: number }
>(
  'find_staff_accounts',
  `select organization_id, staff_id from staff_email_digests
    where digest = :digest and (:only::bigint is null or organization_id = :only)
    order by organization_id limit :limit`,
);

export const insertStaffEmailDigests = insertMany<{ digest: Uint8Array; staffId: number }>(
  'staff_email_digests',
  { digest: 'digest', staffId: 'staff_id' },
);

/** One-time links of invitations and password resets that expired before that time. */
export const deleteOldLinks = statement<{ before: string; limit: number }, { staff_id: number }>(
  'delete_old_staff_links',
  `delete from staff_invitations where organization_id = :organizationId and digest in (
     select digest from staff_invitations where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning staff_id`,
);
