import { insertMany, statement } from '../../platform/statements/statement.ts';

interface SealedTotpRow {
  secret: Buffer;
  secret_master_key_id: string;
  confirmed_at: number | null;
  last_step: number;
}

/** A code is accepted once: who asks with it at the same time waits for the row. */
export const lockTotpSecret = statement<{ staffId: number }, SealedTotpRow>(
  'lock_totp_secret',
  `select secret, secret_master_key_id, confirmed_at, last_step
     from staff_totp_secrets where organization_id = :organizationId and staff_id = :staffId for update`,
);

/** A secret that was never confirmed is replaced; one that is in use is not: then no row comes back. */
export const upsertTotpSecret = statement<
  { staffId: number; secret: Uint8Array; masterKeyId: string; at: string },
  { staff_id: number }
>(
  'upsert_totp_secret',
  `insert into staff_totp_secrets (organization_id, staff_id, secret, secret_master_key_id, created_at)
    values (:organizationId, :staffId, :secret, :masterKeyId, :at)
    on conflict (organization_id, staff_id)
      do update set secret = excluded.secret, secret_master_key_id = excluded.secret_master_key_id,
                    created_at = excluded.created_at
      where staff_totp_secrets.confirmed_at is null
    returning staff_id`,
);

export const confirmTotpSecret = statement<{ staffId: number; step: number; at: string }, never>(
  'confirm_totp_secret',
  `update staff_totp_secrets set confirmed_at = :at, last_step = :step
    where organization_id = :organizationId and staff_id = :staffId`,
);

export const noteTotpStep = statement<{ staffId: number; step: number }, never>(
  'note_totp_step',
  `update staff_totp_secrets set last_step = :step
    where organization_id = :organizationId and staff_id = :staffId`,
);

/** With the number of those that had been in use. */
export const deleteTotpSecret = statement<{ staffId: number }, { was_confirmed: boolean }>(
  'delete_totp_secret',
  `delete from staff_totp_secrets where organization_id = :organizationId and staff_id = :staffId
    returning confirmed_at is not null as was_confirmed`,
);

export const insertRecoveryCodes = insertMany<{ staffId: number; digest: Uint8Array }>(
  'staff_recovery_codes',
  { staffId: 'staff_id', digest: 'digest' },
);

/** One of two requests with the same code gets the row. */
export const takeRecoveryCode = statement<{ staffId: number; digest: Uint8Array }, { staff_id: number }>(
  'take_recovery_code',
  `delete from staff_recovery_codes
    where organization_id = :organizationId and staff_id = :staffId and digest = :digest returning staff_id`,
);

export const deleteRecoveryCodes = statement<{ staffId: number }, never>(
  'delete_recovery_codes',
  'delete from staff_recovery_codes where organization_id = :organizationId and staff_id = :staffId',
);

interface SecondFactorRow {
  confirmed_at: number | null;
  recovery_codes: number;
}

/** The factor of a member; one row, also without a factor. */
export const selectSecondFactor = statement<{ staffId: number }, SecondFactorRow>(
  'select_second_factor',
  `select t.confirmed_at,
          (select count(*) from staff_recovery_codes r
            where r.organization_id = m.organization_id and r.staff_id = m.id)::integer as recovery_codes
     from staff_members m
     left join staff_totp_secrets t on t.organization_id = m.organization_id and t.staff_id = m.id
    where m.organization_id = :organizationId and m.id = :staffId`,
);

export const insertHalfSignIns = insertMany<{ digest: Uint8Array; staffId: number; expiresAt: string }>(
  'staff_half_sign_ins',
  { digest: 'digest', staffId: 'staff_id', expiresAt: 'expires_at' },
);

/** The member of a token: one point look-up by digest. */
export const findHalfSignIn = statement<
  { digest: Uint8Array },
  { organization_id: number; staff_id: number; digest: Buffer; expires_at: number }
>(
  'find_half_sign_in',
  'select organization_id, staff_id, digest, expires_at from staff_half_sign_ins where digest = :digest',
);

/** A token that leads to a session is used up; one of two requests with it gets the row. */
export const takeHalfSignIn = statement<{ digest: Uint8Array }, { staff_id: number }>(
  'take_half_sign_in',
  `delete from staff_half_sign_ins where organization_id = :organizationId and digest = :digest returning staff_id`,
);

export const deleteHalfSignIns = statement<{ staffId: number }, never>(
  'delete_half_sign_ins',
  'delete from staff_half_sign_ins where organization_id = :organizationId and staff_id = :staffId',
);

export const deleteOldHalfSignIns = statement<{ staffId: number; before: string }, never>(
  'delete_old_half_sign_ins',
  `delete from staff_half_sign_ins
    where organization_id = :organizationId and staff_id = :staffId and expires_at < :before`,
);

/** Secrets that another master key seals. */
export const selectTotpSecretsOfOtherKeys = statement<
  { masterKeyId: string; limit: number },
  { staff_id: number; secret: Buffer; secret_master_key_id: string }
>(
  'select_totp_secrets_of_other_keys',
  `select staff_id, secret, secret_master_key_id from staff_totp_secrets
    where organization_id = :organizationId and secret_master_key_id <> :masterKeyId
    order by staff_id limit :limit for update`,
);

export const setSealedTotpSecret = statement<
  { staffId: number; secret: Uint8Array; masterKeyId: string },
  never
>(
  'set_sealed_totp_secret',
  `update staff_totp_secrets set secret = :secret, secret_master_key_id = :masterKeyId
    where organization_id = :organizationId and staff_id = :staffId`,
);

/** Sign-ins whose second step never came. */
export const deleteUnfinishedSignIns = statement<{ before: string; limit: number }, { staff_id: number }>(
  'delete_unfinished_sign_ins',
  `delete from staff_half_sign_ins where organization_id = :organizationId and digest in (
     select digest from staff_half_sign_ins where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning staff_id`,
);
