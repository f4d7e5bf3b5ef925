import { statement } from '../../platform/statements/statement.ts';

/** Global: every organization may create a key for each of them. */
export const selectIntegrators = statement<Record<never, never>, { id: number; name: string }>(
  'select_integrators',
  'select id, name from integrators where revoked_at is null order by id',
);

export const findIntegrator = statement<{ id: number }, { id: number; name: string }>(
  'find_integrator',
  `select id, name from integrators where id = :id and revoked_at is null`,
);

interface ListedIntegratorRow {
  id: number;
  name: string;
  key_prefix: string;
  key_created_at: number;
  previous_ends_at: number | null;
  created_at: number;
  revoked_at: number | null;
}

/** Includes revoked ones, for the operator. */
export const selectAllIntegrators = statement<{ at: string }, ListedIntegratorRow>(
  'select_all_integrators',
  `select i.id, i.name, i.consumer_key_prefix as key_prefix,
          (select max(d.created_at) from consumer_key_digests d
            where d.integrator_id = i.id and not d.of_sandbox) as key_created_at,
          (select max(d.expires_at) from consumer_key_digests d
            where d.integrator_id = i.id and not d.of_sandbox and d.expires_at > :at) as previous_ends_at,
          i.created_at, i.revoked_at
     from integrators i order by i.id`,
);

/** Serializes rotations of a key. No row: unknown, or revoked. */
export const lockIntegrator = statement<{ id: number }, { id: number }>(
  'lock_integrator',
  `select id from integrators where id = :id and revoked_at is null for no key update`,
);

export const insertIntegrator = statement<{ id: number; name: string; prefix: string; at: string }, never>(
  'insert_integrator',
  `insert into integrators (id, name, consumer_key_prefix, created_at) values (:id, :name, :prefix, :at)`,
);

/** A revoked integrator gets no key. */
export const insertConsumerKeyDigest = statement<{ id: number; digest: Uint8Array; at: string }, never>(
  'insert_consumer_key_digest',
  `insert into consumer_key_digests (digest, integrator_id, created_at)
   select :digest, id, :at from integrators where id = :id and revoked_at is null`,
);

/** The same, of a key for its sandboxes. */
export const insertSandboxKeyDigest = statement<{ id: number; digest: Uint8Array; at: string }, never>(
  'insert_sandbox_key_digest',
  `insert into consumer_key_digests (digest, integrator_id, created_at, of_sandbox)
   select :digest, id, :at, true from integrators where id = :id and revoked_at is null`,
);

/** Only shortens: a digest that a former rotation ends sooner keeps its end. */
export const endConsumerKeyDigests = statement<{ id: number; at: string }, never>(
  'end_consumer_key_digests',
  `update consumer_key_digests set expires_at = least(expires_at, :at) where integrator_id = :id and not of_sandbox`,
);

export const deleteEndedConsumerKeyDigests = statement<{ id: number; at: string }, never>(
  'delete_ended_consumer_key_digests',
  `delete from consumer_key_digests where integrator_id = :id and expires_at <= :at`,
);

export const setConsumerKeyPrefix = statement<{ id: number; prefix: string }, never>(
  'set_consumer_key_prefix',
  `update integrators set consumer_key_prefix = :prefix where id = :id and revoked_at is null`,
);

/** The first time of revocation stays. */
export const revokeIntegratorRow = statement<{ id: number; at: string }, { revoked_at: number }>(
  'revoke_integrator',
  `update integrators set revoked_at = coalesce(revoked_at, :at) where id = :id returning revoked_at`,
);

/** An organization's keys for an integrator that are not revoked. */
export const selectClientKeysOfIntegrator = statement<{ integratorId: number }, { id: number }>(
  'select_client_keys_of_integrator',
  `select id from client_keys
    where organization_id = :organizationId and integrator_id = :integratorId and revoked_at is null order by id`,
);
