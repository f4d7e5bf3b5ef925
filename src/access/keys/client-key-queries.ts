import { insertMany, statement, type TextArray } from '../../platform/statements/statement.ts';

export interface ShownClientKeyRow {
  id: number;
  integrator_id: number;
  integrator_name: string;
  name: string;
  key_prefix: string;
  permissions: string[];
  strict: boolean;
  allowed_addresses: string[];
  /** Empty: a secret key. */
  origins: string[];
  vouches: boolean;
  created_at: number;
  last_used_at: number | null;
  /** The latest first. */
  last_addresses: string[];
  expires_at: number | null;
  revoked_at: number | null;
  previous_ends_at: number | null;
}

/** Whose word counts for who the customer is (D62). */
export function customersOf({
  vouches,
  origins,
}: Pick<ShownClientKeyRow, 'vouches' | 'origins'>): 'vouched' | 'proven' {
  return vouches && origins.length === 0 ? 'vouched' : 'proven';
}

const shownClientKey = `select k.id, k.integrator_id, i.name as integrator_name, k.name, k.key_prefix, k.permissions,
          k.strict, k.allowed_addresses, k.origins, k.vouches, k.created_at, k.last_used_at,
          k.last_addresses, k.expires_at, k.revoked_at,
          (select max(d.expires_at) from client_key_digests d
            where d.organization_id = k.organization_id and d.client_key_id = k.id
              and d.expires_at > :at) as previous_ends_at
     from client_keys k join integrators i on i.id = k.integrator_id
    where k.organization_id = :organizationId`;

export const selectClientKeys = statement<{ at: string }, ShownClientKeyRow>(
  'select_client_keys',
  `${shownClientKey} order by k.id`,
);

export const selectClientKey = statement<{ id: number; at: string }, ShownClientKeyRow>(
  'select_client_key',
  `${shownClientKey} and k.id = :id`,
);

export interface EndingKeyRow {
  name: string;
  integrator_name: string;
  expires_at: number;
}

/** Keys that work at a time and end before another. */
export const selectEndingKeys = statement<{ at: string; before: string }, EndingKeyRow>(
  'select_ending_keys',
  `select k.name, i.name as integrator_name, k.expires_at
     from client_keys k join integrators i on i.id = k.integrator_id
    where k.organization_id = :organizationId and k.revoked_at is null and k.expires_at > :at and k.expires_at <= :before
    order by k.expires_at, k.id limit 20`,
);

export interface ToldKeyRow extends EndingKeyRow {
  id: number;
  integrator_id: number;
}

type Ending = { at: string; before: string; days: number };
/** The difference of two instants is the same in each time zone, which a distributed database asks of what a change compares. */
const isToBeTold = `k.organization_id = :organizationId and k.revoked_at is null and k.end_told_at is null
      and k.expires_at > :at and k.expires_at <= :before
      and k.expires_at - k.created_at > make_interval(days => :days::integer)`;

/** Where keys end soon, of which owners were not told yet. Runs as the owner. */
export const selectOrganizationsWithEndingKeys = statement<{ at: string; days: number }, { id: number }>(
  'select_organizations_with_ending_keys',
  'select id from organizations_with_ending_keys(:at, :days)',
);

/** Notes that owners are told of them, and answers what to tell. */
export const noteKeysTold = statement<Ending, ToldKeyRow>(
  'note_keys_told',
  `update client_keys k set end_told_at = :at from integrators i
    where i.id = k.integrator_id and ${isToBeTold}
    returning k.id, k.integrator_id, k.name, i.name as integrator_name, k.expires_at`,
);

/** Serializes rotations and revocations of a key. */
/** The keys that work, with the names of their integrators. */
export const selectClientKeysToReissue = statement<
  { at: string },
  { id: number; name: string; integrator: string }
>(
  'select_client_keys_to_reissue',
  `select k.id, k.name, i.name as integrator
     from client_keys k join integrators i on i.id = k.integrator_id and i.revoked_at is null
    where k.organization_id = :organizationId and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > :at)
    order by k.id`,
);

export const lockClientKey = statement<
  { id: number },
  { id: number; origins: string[]; expires_at: number | null; revoked_at: number | null }
>(
  'lock_client_key',
  `select id, origins, expires_at, revoked_at from client_keys
    where organization_id = :organizationId and id = :id for no key update`,
);

export const revokeClientKeyRow = statement<{ id: number; at: string }, never>(
  'revoke_client_key',
  `update client_keys set revoked_at = :at where organization_id = :organizationId and id = :id`,
);

export const setClientKeyPrefix = statement<{ id: number; keyPrefix: string }, never>(
  'set_client_key_prefix',
  `update client_keys set key_prefix = :keyPrefix where organization_id = :organizationId and id = :id`,
);

/** Only shortens: a digest that a former rotation ends sooner keeps its end. */
export const endClientKeyDigests = statement<{ id: number; at: string }, never>(
  'end_client_key_digests',
  `update client_key_digests set expires_at = least(expires_at, :at)
    where organization_id = :organizationId and client_key_id = :id`,
);

export const deleteEndedClientKeyDigests = statement<{ id: number; at: string }, never>(
  'delete_ended_client_key_digests',
  `delete from client_key_digests
    where organization_id = :organizationId and client_key_id = :id and expires_at <= :at`,
);

/** The most addresses that a key keeps. */
export const lastAddressesMax = 5;

/**
 * The time never goes back, whichever process writes last. The addresses of a key are a text with spaces, the latest first; they
 * come before those that it has.
 */
export const touchClientKeys = statement<
  { ids: readonly number[]; times: readonly string[]; addresses: TextArray },
  never
>(
  'touch_client_keys',
  `update client_keys k
      set last_used_at = greatest(k.last_used_at, used.at),
          last_addresses = array(
            select a.address from unnest(string_to_array(used.addresses, ' ') || k.last_addresses) with ordinality as a(address, n)
             where a.address <> '' group by a.address order by min(a.n) limit ${lastAddressesMax})
     from unnest(:ids::bigint[], :times::timestamptz[], :addresses::text[]) as used (id, at, addresses)
    where k.organization_id = :organizationId and k.id = used.id`,
);

export interface OpenKeyRow {
  id: number;
  integrator_id: number;
  name: string;
  key_prefix: string;
  permissions: string[];
  strict: boolean;
  menu_requests_per_second: number | null;
  other_requests_per_second: number | null;
  allowed_addresses: string[];
  origins: string[];
  vouches: boolean;
  created_at: number;
  expires_at: number | null;
}

/** The keys that some text opens. */
export const selectOpenKeysOfOrganization = statement<Record<never, never>, OpenKeyRow>(
  'select_open_keys_of_organization',
  `select id, integrator_id, name, key_prefix, permissions, strict, menu_requests_per_second,
          other_requests_per_second, allowed_addresses, origins, vouches, created_at, expires_at
     from client_keys k
    where organization_id = :organizationId and revoked_at is null
      and exists (select from client_key_digests d
                   where d.organization_id = k.organization_id and d.client_key_id = k.id)
    order by id`,
);

/** From now on the texts of these keys open the organization of the transaction. */
export const pointClientKeysHere = statement<{ from: number; ids: readonly number[] }, never>(
  'point_client_keys_here',
  `update client_key_digests set organization_id = :organizationId
    where organization_id = :from and client_key_id = any(:ids)`,
);

/** From where some keys were used that were revoked before that time (D76). */
export const forgetAddressesOfRevokedKeys = statement<{ before: string; limit: number }, { id: number }>(
  'forget_addresses_of_revoked_keys',
  `update client_keys set last_addresses = '{}'
    where organization_id = :organizationId and id in (
      select id from client_keys
       where organization_id = :organizationId and revoked_at < :before and last_addresses <> '{}'
       order by id limit :limit for update skip locked)
   returning id`,
);

/** Keys that work and end before a moment. */
export const countEndingKeys = statement<
  { at: string; until: string },
  { count: number; oldest_at: number | null }
>(
  'select_ending_client_keys',
  `select count(*)::integer as count, min(k.expires_at) as oldest_at from client_keys k
    where k.organization_id = :organizationId and k.revoked_at is null
      and k.expires_at > :at::timestamptz and k.expires_at <= :until::timestamptz`,
);

export const insertClientKeys = insertMany<{
  id: number;
  integratorId: number;
  name: string;
  keyPrefix: string;
  permissions: readonly string[];
  strict: boolean;
  menuRequestsPerSecond: number | null;
  otherRequestsPerSecond: number | null;
  allowedAddresses: readonly string[];
  origins: readonly string[];
  vouches: boolean;
  expiresAt: string | null;
  createdAt: string;
}>('client_keys', {
  id: 'id',
  integratorId: 'integrator_id',
  name: 'name',
  keyPrefix: 'key_prefix',
  permissions: 'permissions',
  strict: 'strict',
  menuRequestsPerSecond: 'menu_requests_per_second',
  otherRequestsPerSecond: 'other_requests_per_second',
  allowedAddresses: 'allowed_addresses',
  origins: 'origins',
  vouches: 'vouches',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
});

export const insertClientKeyDigests = insertMany<{ digest: Uint8Array; clientKeyId: number }>(
  'client_key_digests',
  { digest: 'digest', clientKeyId: 'client_key_id' },
);
