import { statement } from '../database/statement.ts';

/** SQL of the worker: making deliveries, claiming and recording them. */

export const selectWebhookOrganizations = statement<Record<never, never>, { id: number }>(
  'select_webhook_organizations',
  'select organization_id as id from webhook_organizations',
);

/** An endpoint is served while it is enabled and its key is good. */
const served = `e.enabled and e.deleted_at is null
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > :at)`;
const endpointAndKey = `webhook_endpoints e
       join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id`;

export interface ServedEndpointRow {
  id: number;
  types: string[];
  position: number;
  permissions: string[];
}

export const selectServedEndpoints = statement<{ at: string }, ServedEndpointRow>(
  'select_served_webhook_endpoints',
  `select e.id, e.types, e.position, k.permissions
     from ${endpointAndKey}
    where e.organization_id = :organizationId and ${served}
    order by e.position desc, e.id`,
);

/** Those of the ids that still stand at the position: another worker may have been faster. */
export const lockServedEndpoints = statement<
  { ids: readonly number[]; position: number; at: string },
  ServedEndpointRow
>(
  'lock_served_webhook_endpoints',
  `select e.id, e.types, e.position, k.permissions
     from ${endpointAndKey}
    where e.organization_id = :organizationId and e.id = any(:ids::bigint[]) and e.position = :position and ${served}
    order by e.id
      for no key update of e`,
);

export const moveWebhookEndpoints = statement<{ ids: readonly number[]; position: number }>(
  'move_webhook_endpoints',
  `update webhook_endpoints set position = :position
    where organization_id = :organizationId and id = any(:ids::bigint[])`,
);

/** An event that already has its delivery is sent again: that is what moving back the position means. */
export const makeDeliveries = statement<{ deliveries: string; at: string }>(
  'make_webhook_deliveries',
  `insert into webhook_deliveries
     (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, body, next_attempt_at, created_at)
   select :organizationId, n.id, n."endpointId", n."eventId", n.position, n."messageId", n.type, n.resource, n.body, :at, :at
     from jsonb_to_recordset(:deliveries::jsonb) as n(
       id bigint, "endpointId" bigint, "eventId" bigint, position bigint, "messageId" text, type text, resource text,
       body text)
   on conflict (organization_id, endpoint_id, event_id)
     do update set attempts = 0, next_attempt_at = excluded.next_attempt_at, delivered_at = null`,
);

export interface ClaimedDeliveryRow {
  id: number;
  message_id: string;
  type: string;
  body: string;
  attempts: number;
}

/** Due deliveries, oldest first, that no worker has claimed and that wait for none of their resource. */
export const claimDeliveries = statement<
  { endpointId: number; at: string; until: string; limit: number },
  ClaimedDeliveryRow
>(
  'claim_webhook_deliveries',
  `with due as (
     select d.id from webhook_deliveries d
       join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
       join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id
      where d.organization_id = :organizationId and d.endpoint_id = :endpointId and ${served}
        and d.next_attempt_at <= :at and (d.claimed_until is null or d.claimed_until <= :at)
        and not exists (
          select from webhook_deliveries former
           where former.organization_id = :organizationId and former.endpoint_id = :endpointId
             and former.resource = d.resource and former.next_attempt_at is not null
             and (former.position, former.id) < (d.position, d.id))
      order by d.position, d.id limit :limit
        for update of d skip locked
   )
   update webhook_deliveries d set claimed_until = :until
     from due where d.organization_id = :organizationId and d.id = due.id
   returning d.id, d.message_id, d.type, d.body, d.attempts`,
);

export interface SendingEndpointRow {
  id: number;
  url: string;
  permissions: string[];
  secret: Uint8Array;
  secret_master_key_id: string;
  former_secret: Uint8Array | null;
  former_secret_master_key_id: string | null;
  former_secret_ends_at: number | null;
}

export const selectSendingEndpoint = statement<{ id: number }, SendingEndpointRow>(
  'select_sending_webhook_endpoint',
  `select e.id, e.url, k.permissions, e.secret, e.secret_master_key_id, e.former_secret, e.former_secret_master_key_id,
          e.former_secret_ends_at
     from ${endpointAndKey}
    where e.organization_id = :organizationId and e.id = :id`,
);

/** What came of attempts. */
export const recordAttempts = statement<{ attempts: string }>(
  'record_webhook_attempts',
  `update webhook_deliveries d
      set attempts = r.attempts, next_attempt_at = r."nextAttemptAt", claimed_until = null, last_attempt_at = r.at,
          last_status = r.status, last_error = r.error, answer = r.answer, duration_ms = r.ms,
          delivered_at = r."deliveredAt"
     from jsonb_to_recordset(:attempts::jsonb) as r(
       id bigint, attempts integer, "nextAttemptAt" timestamptz, at timestamptz, status integer, error text, answer text,
       ms integer, "deliveredAt" timestamptz)
    where d.organization_id = :organizationId and d.id = r.id`,
);

/** Deliveries that the stopping worker did not send: another one may take them at once. */
export const releaseDeliveries = statement<{ ids: readonly number[] }>(
  'release_webhook_deliveries',
  `update webhook_deliveries set claimed_until = null
    where organization_id = :organizationId and id = any(:ids::bigint[])`,
);

/** The time of the success is written every ten seconds at most. */
export const endFailing = statement<{ id: number; at: string }>(
  'end_webhook_failing',
  `update webhook_endpoints set failing_since = null, last_success_at = :at
    where organization_id = :organizationId and id = :id
      and (failing_since is not null or last_success_at is null
           or last_success_at < :at::timestamptz - interval '10 seconds')`,
);

export const beginFailing = statement<{ id: number; at: string }>(
  'begin_webhook_failing',
  `update webhook_endpoints set failing_since = :at
    where organization_id = :organizationId and id = :id and failing_since is null`,
);

export const switchOffFailing = statement<
  { id: number; at: string; failingBefore: string; reason: string },
  { id: number }
>(
  'switch_off_failing_webhook',
  `update webhook_endpoints set enabled = false, switched_off_at = :at, switched_off_reason = :reason
    where organization_id = :organizationId and id = :id and enabled and failing_since <= :failingBefore
   returning id`,
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
