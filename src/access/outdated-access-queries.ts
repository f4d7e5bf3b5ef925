import { statement } from '../platform/database/statement.ts';

/** What no member of staff can sign in with any more: some rows at once, oldest first, to keep transactions short. */

type OfAge = { before: string; limit: number };

/** Sessions that ended long ago; their digests are deleted with them. */
export const deleteEndedSessions = statement<OfAge, { id: number }>(
  'delete_ended_staff_sessions',
  `delete from staff_sessions where organization_id = :organizationId and id in (
     select id from staff_sessions where organization_id = :organizationId and created_at < :before
      order by created_at limit :limit for update skip locked)
   returning id`,
);

/** One-time links of invitations and password resets that expired before that time. */
export const deleteOldLinks = statement<OfAge, { staff_id: number }>(
  'delete_old_staff_links',
  `delete from staff_invitations where organization_id = :organizationId and digest in (
     select digest from staff_invitations where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning staff_id`,
);

/** Browsers that no member of staff has signed in with since. */
export const deleteOldDevices = statement<OfAge, { staff_id: number }>(
  'delete_old_devices_of_staff',
  `delete from staff_devices where organization_id = :organizationId and (digest, staff_id) in (
     select digest, staff_id from staff_devices where organization_id = :organizationId and used_at < :before
      order by used_at limit :limit for update skip locked)
   returning staff_id`,
);

/** Sign-ins whose second step never came. */
export const deleteUnfinishedSignIns = statement<OfAge, { staff_id: number }>(
  'delete_unfinished_sign_ins',
  `delete from staff_half_sign_ins where organization_id = :organizationId and digest in (
     select digest from staff_half_sign_ins where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning staff_id`,
);

/** What no passkey has signed in time, also of sign-ins, which name no organization. */
export const deleteUnansweredChallenges = statement<OfAge, { digest: Buffer }>(
  'delete_unanswered_challenges',
  `delete from staff_passkey_challenges
    where (organization_id = :organizationId or organization_id is null) and digest in (
     select digest from staff_passkey_challenges
      where (organization_id = :organizationId or organization_id is null) and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning digest`,
);
