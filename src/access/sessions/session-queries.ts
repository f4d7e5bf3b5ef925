import type { StaffRole } from '../../kernel/staff-roles.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

export interface StaffAccountRow {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  password_hash: string | null;
  disabled_at: number | null;
  has_app: boolean;
  has_passkey: boolean;
  must_have_second_factor: boolean;
  allowed_addresses: string[];
}

/** The factors of the member m: an app counts from its first code on. */
const factors = `exists (select from staff_totp_secrets t
             where t.organization_id = m.organization_id and t.staff_id = m.id and t.confirmed_at is not null) as has_app,
          exists (select from staff_passkeys p
             where p.organization_id = m.organization_id and p.staff_id = m.id) as has_passkey`;

export const findStaffAccount = statement<{ id: number }, StaffAccountRow>(
  'find_staff_account',
  `select m.id, m.email, m.first_name, m.last_name, m.role, m.password_hash, m.disabled_at,
          ${factors},
          exists (select from staff_sign_in_rules r
             where r.organization_id = m.organization_id and m.role = any(r.second_factor_roles)) as must_have_second_factor,
          coalesce((select r.allowed_addresses from staff_sign_in_rules r where r.organization_id = m.organization_id),
                   '{}') as allowed_addresses
     from staff_members m where m.organization_id = :organizationId and m.id = :id`,
);

/** The organization of a token: one point look-up by digest. */
export const findSessionDigest = statement<
  { digest: Uint8Array },
  { organization_id: number; session_id: number; digest: Buffer }
>(
  'find_session_digest',
  'select organization_id, session_id, digest from staff_session_digests where digest = :digest',
);

interface StaffSessionRow extends Omit<StaffAccountRow, 'id' | 'password_hash'> {
  staff_id: number;
  created_at: number;
  last_used_at: number;
  proven_at: number;
  revoked_at: number | null;
  has_provider_factor: boolean;
  refund_proof_cents: number | null;
  is_sandbox: boolean;
  clock_ahead_ms: number | null;
  clock_stands_at: number | null;
  is_suspended: boolean;
}

export const findStaffSession = statement<{ id: number }, StaffSessionRow>(
  'find_staff_session',
  `select s.staff_id, s.created_at, s.last_used_at, coalesce(s.proven_at, s.created_at) as proven_at, s.revoked_at, s.has_provider_factor,
          m.email, m.first_name, m.last_name, m.role, m.disabled_at, ${factors},
          coalesce(m.role = any(r.second_factor_roles), false) as must_have_second_factor, r.refund_proof_cents,
          coalesce(r.allowed_addresses, '{}') as allowed_addresses,
          b.organization_id is not null as is_sandbox, b.clock_ahead_ms, b.clock_stands_at,
          o.suspended_at is not null as is_suspended
     from staff_sessions s
     join organizations o on o.id = s.organization_id
     join staff_members m on m.organization_id = s.organization_id and m.id = s.staff_id
     left join staff_sign_in_rules r on r.organization_id = s.organization_id
     left join sandboxes b on b.organization_id = s.organization_id
    where s.organization_id = :organizationId and s.id = :id`,
);

export interface OpenSessionRow {
  id: number;
  created_at: number;
  last_used_at: number;
  client_address: string | null;
  user_agent: string | null;
}

/** The sessions of a member that are still valid, the newest first. */
export const selectOpenSessions = statement<
  { staffId: number; usedAfter: string; startedAfter: string },
  OpenSessionRow
>(
  'select_open_sessions',
  `select id, created_at, last_used_at, client_address, user_agent from staff_sessions
    where organization_id = :organizationId and staff_id = :staffId and revoked_at is null
      and last_used_at > :usedAfter and created_at > :startedAfter
    order by created_at desc, id desc`,
);

/** The sessions that are still valid, with the current role of their member of staff and the addresses of staff. */
export const selectSessionsInForce = statement<
  { ids: readonly number[]; usedAfter: string; startedAfter: string },
  { id: number; role: StaffRole; allowed_addresses: string[] }
>(
  'select_sessions_in_force',
  `select s.id, m.role, coalesce(r.allowed_addresses, '{}') as allowed_addresses
     from staff_sessions s
     join staff_members m on m.organization_id = s.organization_id and m.id = s.staff_id
     left join staff_sign_in_rules r on r.organization_id = s.organization_id
    where s.organization_id = :organizationId and s.id = any(:ids) and s.revoked_at is null
      and m.disabled_at is null and s.last_used_at > :usedAfter and s.created_at > :startedAfter`,
);

export const insertStaffSessions = insertMany<{
  id: number;
  staffId: number;
  createdAt: string;
  lastUsedAt: string;
  provenAt: string;
  hasProviderFactor: boolean;
  clientAddress: string | null;
  userAgent: string | null;
}>('staff_sessions', {
  id: 'id',
  staffId: 'staff_id',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  provenAt: 'proven_at',
  hasProviderFactor: 'has_provider_factor',
  clientAddress: 'client_address',
  userAgent: 'user_agent',
});

/** The later one of two proofs counts. */
export const proveStaffSession = statement<{ id: number; at: string }, never>(
  'prove_staff_session',
  `update staff_sessions set proven_at = greatest(proven_at, :at)
    where organization_id = :organizationId and id = :id`,
);

export const insertStaffSessionDigests = insertMany<{ digest: Uint8Array; sessionId: number }>(
  'staff_session_digests',
  { digest: 'digest', sessionId: 'session_id' },
);

/** The time never goes back, whichever process writes last. */
export const touchStaffSession = statement<{ id: number; at: string }, never>(
  'touch_staff_session',
  `update staff_sessions set last_used_at = greatest(last_used_at, :at)
    where organization_id = :organizationId and id = :id`,
);

export const revokeStaffSession = statement<{ id: number; at: string }, { id: number }>(
  'revoke_staff_session',
  `update staff_sessions set revoked_at = :at
    where organization_id = :organizationId and id = :id and revoked_at is null returning id`,
);

/** Deletes sessions that ended long ago; their digests are deleted with them. */
export const deleteOldStaffSessions = statement<{ staffId: number; before: string }, never>(
  'delete_old_staff_sessions',
  `delete from staff_sessions
    where organization_id = :organizationId and staff_id = :staffId and created_at < :before`,
);

/** The open sessions of a member, except one; null: no exception. */
export const revokeSessionsOfStaff = statement<
  { staffId: number; except: number | null; at: string },
  { id: number }
>(
  'revoke_sessions_of_staff',
  `update staff_sessions set revoked_at = :at
    where organization_id = :organizationId and staff_id = :staffId and revoked_at is null
      and id is distinct from :except
    returning id`,
);

/** Sessions that ended long ago; their digests are deleted with them. */
export const deleteEndedSessions = statement<{ before: string; limit: number }, { id: number }>(
  'delete_ended_staff_sessions',
  `delete from staff_sessions where organization_id = :organizationId and id in (
     select id from staff_sessions where organization_id = :organizationId and created_at < :before
      order by created_at limit :limit for update skip locked)
   returning id`,
);

/** Browsers that no member of staff has signed in with since. */
export const deleteOldDevices = statement<{ before: string; limit: number }, { staff_id: number }>(
  'delete_old_devices_of_staff',
  `delete from staff_devices where organization_id = :organizationId and (digest, staff_id) in (
     select digest, staff_id from staff_devices where organization_id = :organizationId and used_at < :before
      order by used_at limit :limit for update skip locked)
   returning staff_id`,
);
