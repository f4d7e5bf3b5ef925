import { insertMany, statement } from '../../platform/statements/statement.ts';

export interface PasskeyRow {
  id: number;
  staff_id: number;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: number;
  last_used_at: number | null;
}

const columns =
  'id, staff_id, credential_id, public_key, counter, transports, name, created_at, last_used_at';

/** The passkeys of a member, the oldest first. */
export const selectPasskeys = statement<{ staffId: number }, PasskeyRow>(
  'select_passkeys',
  `select ${columns} from staff_passkeys
    where organization_id = :organizationId and staff_id = :staffId order by created_at, id`,
);

export const findPasskey = statement<{ staffId: number; credentialId: Uint8Array }, PasskeyRow>(
  'find_passkey',
  `select ${columns} from staff_passkeys
    where organization_id = :organizationId and staff_id = :staffId and credential_id = :credentialId`,
);

/** No row: the member has this credential already. */
export const insertPasskey = statement<
  {
    id: number;
    staffId: number;
    credentialId: Uint8Array;
    publicKey: Uint8Array;
    counter: number;
    transports: readonly string[];
    name: string;
    at: string;
  },
  { id: number }
>(
  'insert_passkey',
  `insert into staff_passkeys
     (organization_id, id, staff_id, credential_id, public_key, counter, transports, name, created_at)
   values (:organizationId, :id, :staffId, :credentialId, :publicKey, :counter, :transports, :name, :at)
   on conflict (organization_id, staff_id, credential_id) do nothing returning id`,
);

/** No row: the passkey is gone, or another request has used a counter that is as high. */
export const notePasskeyUse = statement<
  { staffId: number; id: number; counter: number; at: string },
  { id: number }
>(
  'note_passkey_use',
  `update staff_passkeys set counter = :counter, last_used_at = :at
    where organization_id = :organizationId and staff_id = :staffId and id = :id
      and (counter < :counter::bigint or (counter = 0 and :counter::bigint = 0)) returning id`,
);

export const deletePasskey = statement<{ staffId: number; id: number }, { id: number }>(
  'delete_passkey',
  `delete from staff_passkeys
    where organization_id = :organizationId and staff_id = :staffId and id = :id returning id`,
);

export const deletePasskeys = statement<{ staffId: number }, { id: number }>(
  'delete_passkeys',
  'delete from staff_passkeys where organization_id = :organizationId and staff_id = :staffId returning id',
);

/** Requests that add and remove passkeys of a member do so one after the other. */
export const lockMemberForPasskeys = statement<{ staffId: number }, { id: number }>(
  'lock_member_for_passkeys',
  'select id from staff_members where organization_id = :organizationId and id = :staffId for update',
);

export type ChallengePurpose = 'sign-in' | 'register' | 'prove';

/** What a member is asked, in the transaction of the organization. */
export const insertPasskeyChallenges = insertMany<{
  digest: Uint8Array;
  purpose: ChallengePurpose;
  staffId: number;
  expiresAt: string;
}>('staff_passkey_challenges', {
  digest: 'digest',
  purpose: 'purpose',
  staffId: 'staff_id',
  expiresAt: 'expires_at',
});

/** What a sign-in is asked, before an organization is known. */
export const insertOpenChallenge = statement<{ digest: Uint8Array; expiresAt: string }, never>(
  'insert_open_passkey_challenge',
  `insert into staff_passkey_challenges (digest, purpose, expires_at) values (:digest, 'sign-in', :expiresAt)`,
);

/** A challenge is used up by the first answer, right or wrong: of two requests with it one gets the row. */
export const takePasskeyChallenge = statement<
  { digest: Uint8Array; purpose: ChallengePurpose },
  { expires_at: number }
>(
  'take_passkey_challenge',
  `delete from staff_passkey_challenges
    where digest = :digest and purpose = :purpose returning expires_at`,
);

/** Each new challenge removes some without an answer, so their number stays small. */
export const deleteOldPasskeyChallenges = statement<{ before: string; limit: number }, never>(
  'delete_old_passkey_challenges',
  `delete from staff_passkey_challenges where digest in (
     select digest from staff_passkey_challenges where expires_at < :before
      order by expires_at limit :limit for update skip locked)`,
);

/** What no passkey has signed in time, also of sign-ins, which name no organization. */
export const deleteUnansweredChallenges = statement<{ before: string; limit: number }, { digest: Buffer }>(
  'delete_unanswered_challenges',
  `delete from staff_passkey_challenges
    where (organization_id = :organizationId or organization_id is null) and digest in (
     select digest from staff_passkey_challenges
      where (organization_id = :organizationId or organization_id is null) and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning digest`,
);
