import { insertMany, statement } from '../../platform/statements/statement.ts';

/** When the sign-in of the provider counts as both factors. */
export type ProviderFactor = 'never' | 'when-told' | 'always';

export interface IdentityProviderRow {
  issuer: string;
  client_id: string;
  client_secret: Buffer;
  client_secret_master_key_id: string;
  email_domains: string[];
  second_factor: ProviderFactor;
}

const provider = `select issuer, client_id, client_secret, client_secret_master_key_id, email_domains, second_factor
     from staff_identity_providers where organization_id = :organizationId`;

export const selectIdentityProvider = statement<Record<never, never>, IdentityProviderRow>(
  'select_identity_provider',
  provider,
);

export const lockIdentityProvider = statement<Record<never, never>, IdentityProviderRow>(
  'lock_identity_provider',
  `${provider} for update`,
);

export const upsertIdentityProvider = statement<
  {
    issuer: string;
    client: string;
    clientSecret: Uint8Array;
    masterKeyId: string;
    emailDomains: readonly string[];
    secondFactor: ProviderFactor;
    at: string;
  },
  never
>(
  'upsert_identity_provider',
  `insert into staff_identity_providers (organization_id, issuer, client_id, client_secret, client_secret_master_key_id,
                                         email_domains, second_factor, updated_at)
    values (:organizationId, :issuer, :client, :clientSecret, :masterKeyId, :emailDomains, :secondFactor, :at)
    on conflict (organization_id)
      do update set issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
                    client_secret_master_key_id = excluded.client_secret_master_key_id,
                    email_domains = excluded.email_domains, second_factor = excluded.second_factor,
                    updated_at = excluded.updated_at`,
);

export const setSealedProviderSecret = statement<{ clientSecret: Uint8Array; masterKeyId: string }, never>(
  'set_sealed_provider_secret',
  `update staff_identity_providers set client_secret = :clientSecret, client_secret_master_key_id = :masterKeyId
    where organization_id = :organizationId`,
);

export const deleteIdentityProvider = statement<Record<never, never>, { issuer: string }>(
  'delete_identity_provider',
  'delete from staff_identity_providers where organization_id = :organizationId returning issuer',
);

/** The member whom an account of the provider is linked to. */
export const findStaffIdentity = statement<{ issuer: string; subject: string }, { staff_id: number }>(
  'find_staff_identity',
  `select staff_id from staff_identities
    where organization_id = :organizationId and issuer = :issuer and subject = :subject`,
);

/** No row comes back if the account or the member is linked already. */
export const insertStaffIdentity = statement<
  { issuer: string; subject: string; staffId: number; at: string },
  { staff_id: number }
>(
  'insert_staff_identity',
  `insert into staff_identities (organization_id, issuer, subject, staff_id, linked_at)
    values (:organizationId, :issuer, :subject, :staffId, :at)
    on conflict do nothing returning staff_id`,
);

export const deleteStaffIdentities = statement<{ staffId: number }, { issuer: string }>(
  'delete_staff_identities',
  `delete from staff_identities where organization_id = :organizationId and staff_id = :staffId returning issuer`,
);

export const insertIdentitySignIns = insertMany<{ digest: Uint8Array; expiresAt: string }>(
  'staff_identity_sign_ins',
  { digest: 'digest', expiresAt: 'expires_at' },
);

/** The organization that a browser signs in to: one point look-up by digest. */
export const findIdentitySignIn = statement<
  { digest: Uint8Array },
  { organization_id: number; digest: Buffer; expires_at: number }
>(
  'find_identity_sign_in',
  'select organization_id, digest, expires_at from staff_identity_sign_ins where digest = :digest',
);

/** Each answers once: of two requests with the same token one gets the row. */
export const takeIdentitySignIn = statement<{ digest: Uint8Array }, { digest: Buffer }>(
  'take_identity_sign_in',
  `delete from staff_identity_sign_ins where organization_id = :organizationId and digest = :digest returning digest`,
);

export const deleteOldIdentitySignIns = statement<{ before: string; limit: number }, { digest: Buffer }>(
  'delete_old_identity_sign_ins',
  `delete from staff_identity_sign_ins
    where organization_id = :organizationId
      and digest in (select digest from staff_identity_sign_ins
                      where organization_id = :organizationId and expires_at < :before
                      order by expires_at limit :limit)
    returning digest`,
);
