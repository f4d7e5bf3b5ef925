import { statement } from '../../platform/statements/statement.ts';

/** The organization of a client key, and the integrator of a consumer key: two point look-ups by digest. */
export const findPresentedKeys = statement<
  { clientKeyDigest: Uint8Array; consumerKeyDigest: Uint8Array },
  {
    organization_id: number;
    client_key_id: number;
    client_digest: Buffer;
    digest_expires_at: number | null;
    /** The rest is null for a consumer key that is unknown or whose integrator is revoked. */
    integrator_id: number | null;
    integrator_name: string | null;
    consumer_digest: Buffer | null;
    consumer_expires_at: number | null;
    consumer_of_sandbox: boolean | null;
  }
>(
  'find_presented_keys',
  `select d.organization_id, d.client_key_id, d.digest as client_digest, d.expires_at as digest_expires_at,
          i.id as integrator_id, i.name as integrator_name, c.digest as consumer_digest,
          c.expires_at as consumer_expires_at, c.of_sandbox as consumer_of_sandbox
     from client_key_digests d
     left join (consumer_key_digests c join integrators i on i.id = c.integrator_id and i.revoked_at is null)
       on c.digest = :consumerKeyDigest
    where d.digest = :clientKeyDigest`,
);

/** The organization of a publishable key: one look-up by digest. */
export const findPublishableKey = statement<
  { digest: Uint8Array },
  { organization_id: number; client_key_id: number; digest: Buffer; expires_at: number | null }
>(
  'find_publishable_key',
  `select organization_id, client_key_id, digest, expires_at from client_key_digests where digest = :digest`,
);

export interface ClientKeyRow {
  id: number;
  integrator_id: number;
  permissions: string[];
  strict: boolean;
  menu_requests_per_second: number | null;
  other_requests_per_second: number | null;
  allowed_addresses: string[];
  /** Empty: a secret key. */
  origins: string[];
  /** The customers that a secret key names are believed to be them (D62). */
  vouches: boolean;
  expires_at: number | null;
  revoked_at: number | null;
  /** Whether the organization is a sandbox, and how its clock is set. */
  is_sandbox: boolean;
  clock_ahead_ms: number | null;
  clock_stands_at: number | null;
  /** Writes are refused. */
  is_suspended: boolean;
}

export const findClientKey = statement<{ id: number }, ClientKeyRow>(
  'find_client_key',
  `select k.id, k.integrator_id, k.permissions, k.strict, k.menu_requests_per_second, k.other_requests_per_second,
          k.allowed_addresses, k.origins, k.vouches, k.expires_at, k.revoked_at,
          s.organization_id is not null as is_sandbox, s.clock_ahead_ms, s.clock_stands_at,
          o.suspended_at is not null as is_suspended
     from client_keys k join organizations o on o.id = k.organization_id
     left join sandboxes s on s.organization_id = k.organization_id
    where k.organization_id = :organizationId and k.id = :id`,
);

/** The same with the name of its integrator; no row if the integrator is revoked. */
export const findPublishableClientKey = statement<{ id: number }, ClientKeyRow & { integrator_name: string }>(
  'find_publishable_client_key',
  `select k.id, k.integrator_id, k.permissions, k.strict, k.menu_requests_per_second, k.other_requests_per_second,
          k.allowed_addresses, k.origins, k.vouches, k.expires_at, k.revoked_at, i.name as integrator_name,
          s.organization_id is not null as is_sandbox, s.clock_ahead_ms, s.clock_stands_at,
          o.suspended_at is not null as is_suspended
     from client_keys k join integrators i on i.id = k.integrator_id and i.revoked_at is null
     join organizations o on o.id = k.organization_id
     left join sandboxes s on s.organization_id = k.organization_id
    where k.organization_id = :organizationId and k.id = :id`,
);
