import { statement } from '../../platform/statements/statement.ts';

/** SQL of the worker: leases of endpoints, what is due, and the result of it. */

export const selectWebhookOrganizations = statement<Record<never, never>, { id: number }>(
  'select_webhook_organizations',
  'select organization_id as id from webhook_organizations',
);

/** The organizations that have something to send now. */
export const selectOrganizationsWithWebhooks = statement<{ at: string }, { id: number }>(
  'select_organizations_with_webhooks',
  'select id from organizations_with_webhooks(:at)',
);

export interface ServedEndpointRow {
  id: number;
  url: string;
  types: string[];
  position: number;
  permissions: string[];
  integrator_id: number;
  secret: Uint8Array;
  secret_master_key_id: string;
  former_secret: Uint8Array | null;
  former_secret_master_key_id: string | null;
  former_secret_ends_at: number | null;
  /** Whether this worker has it for long enough. */
  is_held: boolean;
  /** Whether this worker may take it, or have it for longer. */
  is_free: boolean;
  /** Whether deliveries wait for an attempt, now or later. */
  has_waiting: boolean;
  has_due: boolean;
}

/**
 * Endpoints that are enabled and whose key is good, as the worker finds them. A waiting delivery is read in the order of the
 * index of waiting ones: without statistics, as in a shop's first burst, the planner could read all deliveries instead.
 */
export const selectServedEndpoints = statement<
  { worker: string; at: string; heldUntil: string },
  ServedEndpointRow
>(
  'select_served_webhook_endpoints',
  `select e.id, e.url, e.types, e.position, k.permissions, k.integrator_id, e.secret, e.secret_master_key_id, e.former_secret,
          e.former_secret_master_key_id, e.former_secret_ends_at,
          coalesce(e.leased_by = :worker and e.leased_until > :heldUntil, false) as is_held,
          (e.leased_by is null or e.leased_by = :worker or e.leased_until <= :at) as is_free,
          coalesce((select true from webhook_deliveries d where d.organization_id = :organizationId
                       and d.endpoint_id = e.id and d.next_attempt_at is not null
                     order by d.resource, d.position, d.id limit 1), false) as has_waiting,
          exists (select from webhook_deliveries d where d.organization_id = :organizationId
                     and d.endpoint_id = e.id and not d.blocked and d.next_attempt_at <= :at) as has_due
     from webhook_endpoints e
     join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id
    where e.organization_id = :organizationId and e.enabled and e.deleted_at is null
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > :at)
      and (e.held_until is null or e.held_until <= :at)
    order by e.id`,
);

/** Takes endpoints that no other worker has. In the order of their ids, so that two workers do not wait for each other. */
export const leaseEndpoints = statement<{
  ids: readonly number[];
  worker: string;
  at: string;
  until: string;
}>(
  'lease_webhook_endpoints',
  `with free as (
     select id from webhook_endpoints
      where organization_id = :organizationId and id = any(:ids::bigint[])
        and (leased_by is null or leased_by = :worker or leased_until <= :at)
      order by id for no key update
   )
   update webhook_endpoints e set leased_by = :worker, leased_until = :until
     from free where e.organization_id = :organizationId and e.id = free.id`,
);

export const releaseEndpoints = statement<{ worker: string }>(
  'release_webhook_endpoints',
  `update webhook_endpoints set leased_by = null, leased_until = null
    where organization_id = :organizationId and leased_by = :worker`,
);

export interface DueDeliveryRow {
  id: number;
  event_id: number;
  position: number;
  message_id: string;
  type: string;
  resource: string;
  /** The body of a test event; null for other events. */
  body: string | null;
  /** The encrypted body of a code; null for other events, and when it is of no use any more. */
  sealed_body: Uint8Array | null;
  sealed_body_master_key_id: string | null;
  body_ends_at: number | null;
  attempts: number;
}

/** Deliveries whose time has come, each the first of its resource; those with the oldest events first. */
export const selectDueDeliveries = statement<
  { endpointId: number; at: string; underWay: readonly number[]; limit: number },
  DueDeliveryRow
>(
  'select_due_webhook_deliveries',
  `select d.id, d.event_id, d.position, d.message_id, d.type, d.resource, d.body, d.attempts,
          d.sealed_body, d.sealed_body_master_key_id, d.body_ends_at
     from webhook_deliveries d
    where d.organization_id = :organizationId and d.endpoint_id = :endpointId and not d.blocked
      and d.next_attempt_at <= :at and d.event_id <> all(:underWay::bigint[])
      and not exists (
        select from webhook_deliveries former
         where former.organization_id = :organizationId and former.endpoint_id = :endpointId
           and former.resource = d.resource and former.next_attempt_at is not null
           and former.position < d.position)
    order by d.position, d.id limit :limit`,
);

/** Those of the resources of which a delivery waits. */
export const selectWaitingResources = statement<
  { endpointId: number; resources: readonly string[] },
  { resource: string }
>(
  'select_waiting_webhook_resources',
  `select r.resource from unnest(:resources::text[]) as r(resource)
    where exists (select from webhook_deliveries d
                   where d.organization_id = :organizationId and d.endpoint_id = :endpointId
                     and d.resource = r.resource and d.next_attempt_at is not null)`,
);

/**
 * The result of attempts, for endpoints that the worker has. A position that a person has moved meanwhile stays where it
 * is. The time of a success is written every ten seconds at most, or with something else.
 */
export const recordEndpoints = statement<{ endpoints: string; worker: string; at: string }>(
  'record_webhook_endpoints',
  `update webhook_endpoints e
      set position = case when e.position = n."from" then n."to" else e.position end,
          failing_since = case when n."hasSucceeded" then null
                               when n."hasFailed" then coalesce(e.failing_since, :at)
                               else e.failing_since end,
          last_success_at = case when n."hasSucceeded" then :at else e.last_success_at end
     from jsonb_to_recordset(:endpoints::jsonb) as n(
       id bigint, "from" bigint, "to" bigint, "hasSucceeded" boolean, "hasFailed" boolean)
    where e.organization_id = :organizationId and e.id = n.id and e.leased_by = :worker
      and (n."from" is not null or n."hasFailed" or e.failing_since is not null or e.last_success_at is null
           or e.last_success_at < :at::timestamptz - interval '10 seconds')`,
);

/**
 * Writes deliveries with the result of their attempts; one that is there already, is waiting or is sent again gets what
 * came last. One that waits is blocked while an earlier one of its resource waits.
 */
export const recordDeliveries = statement<{ deliveries: string; worker: string; at: string }>(
  'record_webhook_deliveries',
  `insert into webhook_deliveries as d
     (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, attempts, next_attempt_at,
      blocked, last_attempt_at, last_status, last_error, answer, duration_ms, delivered_at, created_at)
   select :organizationId, n.id, n."endpointId", n."eventId", n.position, n."messageId", n.type, n.resource, n.attempts,
          n."nextAttemptAt",
          n."nextAttemptAt" is not null and (coalesce(n.blocked, false) or exists (
            select from webhook_deliveries former
             where former.organization_id = :organizationId and former.endpoint_id = n."endpointId"
               and former.resource = n.resource and former.next_attempt_at is not null
               and former.position < n.position)),
          n.at, n.status, n.error, n.answer, n.ms, n."deliveredAt", :at
     from jsonb_to_recordset(:deliveries::jsonb) as n(
       id bigint, "endpointId" bigint, "eventId" bigint, position bigint, "messageId" text, type text, resource text,
       attempts integer, "nextAttemptAt" timestamptz, blocked boolean, at timestamptz, status integer, error text,
       answer text, ms integer, "deliveredAt" timestamptz)
     join webhook_endpoints e on e.organization_id = :organizationId and e.id = n."endpointId"
      and e.leased_by = :worker and e.deleted_at is null
   on conflict (organization_id, endpoint_id, event_id) do update
      set attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, blocked = excluded.blocked,
          delivered_at = excluded.delivered_at,
          sealed_body = case when excluded.next_attempt_at is not null then d.sealed_body end,
          sealed_body_master_key_id =
            case when excluded.next_attempt_at is not null then d.sealed_body_master_key_id end,
          last_attempt_at = coalesce(excluded.last_attempt_at, d.last_attempt_at),
          last_status = case when excluded.last_attempt_at is null then d.last_status else excluded.last_status end,
          last_error = case when excluded.last_attempt_at is null then d.last_error else excluded.last_error end,
          answer = case when excluded.last_attempt_at is null then d.answer else excluded.answer end,
          duration_ms = case when excluded.last_attempt_at is null then d.duration_ms else excluded.duration_ms end
    where d.organization_id = :organizationId`,
);

/**
 * The next delivery of a resource whose delivery has ended is not blocked any more. Materialized: otherwise a plan may look
 * for the next one again for every row of the table.
 */
export const unblockDeliveries = statement<{ lines: string }>(
  'unblock_webhook_deliveries',
  `with next as materialized (
     select first.id from jsonb_to_recordset(:lines::jsonb) as line("endpointId" bigint, resource text)
      cross join lateral (
        select f.id, f.blocked from webhook_deliveries f
         where f.organization_id = :organizationId and f.endpoint_id = line."endpointId"
           and f.resource = line.resource and f.next_attempt_at is not null
         order by f.position, f.id limit 1) first
      where first.blocked
   )
   update webhook_deliveries d set blocked = false from next
    where d.organization_id = :organizationId and d.id = next.id`,
);

export const switchOffFailing = statement<
  { id: number; worker: string; at: string; failingBefore: string; reason: string },
  { id: number; url: string }
>(
  'switch_off_failing_webhook',
  `update webhook_endpoints set enabled = false, switched_off_at = :at, switched_off_reason = :reason
    where organization_id = :organizationId and id = :id and enabled and leased_by = :worker
      and failing_since <= :failingBefore
   returning id, url`,
);

/** Endpoints with a secret that is encrypted under a former master key. */
export const selectSealedSecrets = statement<
  { masterKeyId: string; limit: number },
  {
    id: number;
    secret: Uint8Array;
    secret_master_key_id: string;
    former_secret: Uint8Array | null;
    former_secret_master_key_id: string | null;
  }
>(
  'select_webhook_secrets_of_former_keys',
  `select id, secret, secret_master_key_id, former_secret, former_secret_master_key_id from webhook_endpoints
    where organization_id = :organizationId and deleted_at is null
      and (secret_master_key_id <> :masterKeyId or former_secret_master_key_id <> :masterKeyId)
    order by id limit :limit for no key update`,
);

export const setSealedSecrets = statement<{
  id: number;
  masterKeyId: string;
  secret: Uint8Array;
  formerSecret: Uint8Array | null;
  formerMasterKeyId: string | null;
}>(
  'set_sealed_webhook_secrets',
  `update webhook_endpoints
      set secret = :secret, secret_master_key_id = :masterKeyId, former_secret = :formerSecret,
          former_secret_master_key_id = :formerMasterKeyId
    where organization_id = :organizationId and id = :id`,
);

export const deleteOldDeliveries = statement<{ before: string; limit: number }, { id: number }>(
  'delete_old_webhook_deliveries',
  `delete from webhook_deliveries where organization_id = :organizationId and id in (
     select id from webhook_deliveries where organization_id = :organizationId and created_at < :before
      order by created_at limit :limit)
   returning id`,
);

export const deleteDeliveriesOfDeleted = statement<{ limit: number }, { id: number }>(
  'delete_webhook_deliveries_of_deleted',
  `delete from webhook_deliveries where organization_id = :organizationId and id in (
     select d.id from webhook_endpoints e
       join webhook_deliveries d on d.organization_id = e.organization_id and d.endpoint_id = e.id
      where e.organization_id = :organizationId and e.deleted_at is not null limit :limit)
   returning id`,
);

export const deleteEmptyEndpoints = statement<Record<never, never>>(
  'delete_empty_webhook_endpoints',
  `delete from webhook_endpoints e where e.organization_id = :organizationId and e.deleted_at is not null
      and not exists (select from webhook_deliveries d
                       where d.organization_id = :organizationId and d.endpoint_id = e.id)`,
);
