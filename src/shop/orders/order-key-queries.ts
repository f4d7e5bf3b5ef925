import { insertMany, statement } from '../../platform/statements/statement.ts';

/** The SQL on the idempotency keys of orders (D22). */

interface Claims {
  readonly [name: string]: readonly (string | number)[];
  readonly integratorIds: readonly number[];
  readonly idempotencyKeys: readonly string[];
}

/**
 * Claims the keys of orders, each another one, in the order of the keys. It comes before all other work of the transaction. When
 * another transaction holds a key, this one waits, and then finds the key taken (no row) or free (the other rolled back). Returns
 * the orders that have theirs.
 */
export const claimIdempotencyKeys = statement<
  Claims & { readonly orderIds: readonly string[] },
  { order_id: string }
>(
  'claim_idempotency_keys',
  `insert into order_idempotency_keys (organization_id, integrator_id, idempotency_key, order_id)
   select :organizationId, claim.integrator_id, claim.idempotency_key, claim.order_id
     from unnest(:integratorIds::bigint[], :idempotencyKeys::uuid[], :orderIds::uuid[])
            as claim(integrator_id, idempotency_key, order_id)
    order by claim.integrator_id, claim.idempotency_key
   on conflict do nothing returning order_id`,
);

/** Frees keys that this transaction claimed for orders that it does not place. */
export const releaseIdempotencyKeys = statement<Claims, never>(
  'release_idempotency_keys',
  `delete from order_idempotency_keys k
    using unnest(:integratorIds::bigint[], :idempotencyKeys::uuid[]) as claim(integrator_id, idempotency_key)
    where k.organization_id = :organizationId and k.integrator_id = claim.integrator_id
      and k.idempotency_key = claim.idempotency_key`,
);

/** For past orders, which no other transaction places at the same time. */
export const insertIdempotencyKeys = insertMany<{
  integratorId: number;
  idempotencyKey: string;
  orderId: string;
}>('order_idempotency_keys', {
  integratorId: 'integrator_id',
  idempotencyKey: 'idempotency_key',
  orderId: 'order_id',
});

export const selectClaimedOrder = statement<
  { integratorId: number; idempotencyKey: string },
  { order_id: string }
>(
  'select_claimed_order',
  `select order_id from order_idempotency_keys
    where organization_id = :organizationId and integrator_id = :integratorId
      and idempotency_key = :idempotencyKey`,
);
