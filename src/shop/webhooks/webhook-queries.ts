import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL of endpoints: what integrators and staff manage. */

export interface WebhookEndpointRow {
  id: number;
  integrator_id: number;
  integrator_name: string;
  client_key_id: number;
  /** What the key reads that made it, and so what it sends. */
  key_permissions: string[];
  url: string;
  types: string[];
  enabled: boolean;
  position: number;
  failing_since: number | null;
  switched_off_at: number | null;
  switched_off_reason: 'failing' | 'gone' | null;
  last_success_at: number | null;
  former_secret_ends_at: number | null;
  created_at: number;
}

/**
 * Whose endpoints are meant: those of one integrator, or null for all of the organization. The endpoint for codes is of no
 * integrator.
 */
type EndpointScope = { readonly integratorId: number | null };

const shownEndpoint = `select e.id, e.integrator_id, i.name as integrator_name, e.client_key_id, e.url, e.types, e.enabled,
          e.position, e.failing_since, e.switched_off_at, e.switched_off_reason, e.last_success_at, e.former_secret_ends_at,
          e.created_at, (select k.permissions from client_keys k
                          where k.organization_id = :organizationId and k.id = e.client_key_id) as key_permissions
     from webhook_endpoints e join integrators i on i.id = e.integrator_id
    where e.organization_id = :organizationId and e.deleted_at is null
      and (:integratorId::bigint is null
           or (e.integrator_id = :integratorId and not 'customer.code_requested' = any (e.types)))`;

export const selectWebhookEndpoints = statement<EndpointScope, WebhookEndpointRow>(
  'select_webhook_endpoints',
  `${shownEndpoint} order by e.id`,
);

export const selectWebhookEndpoint = statement<EndpointScope & { id: number }, WebhookEndpointRow>(
  'select_webhook_endpoint',
  `${shownEndpoint} and e.id = :id`,
);

/** Writes of an endpoint, and the worker that makes its deliveries, wait for each other here. */
export const lockWebhookEndpoint = statement<EndpointScope & { id: number }, WebhookEndpointRow>(
  'lock_webhook_endpoint',
  `${shownEndpoint} and e.id = :id for no key update of e`,
);

/** Creations of an organization wait for each other here, so that the count of endpoints stays true. */
export const enterWebhookOrganization = statement<Record<never, never>>(
  'enter_webhook_organization',
  `insert into webhook_organizations (organization_id) values (:organizationId)
   on conflict (organization_id) do update set organization_id = excluded.organization_id`,
);

export const countWebhookEndpoints = statement<{ integratorId: number }, { count: number }>(
  'count_webhook_endpoints',
  `select count(*)::int as count from webhook_endpoints
    where organization_id = :organizationId and integrator_id = :integratorId and deleted_at is null`,
);

export const selectHasCodeEndpoint = statement<Record<never, never>, { has_one: boolean }>(
  'select_has_webhook_endpoint_of_codes',
  `select exists (select from webhook_endpoints
                   where organization_id = :organizationId and deleted_at is null
                     and 'customer.code_requested' = any (types)) as has_one`,
);

/** A key that makes an endpoint. */
export const selectKeyOfEndpoint = statement<{ id: number; at: string }, { integrator_id: number }>(
  'select_key_of_webhook_endpoint',
  `select integrator_id from client_keys
    where organization_id = :organizationId and id = :id
      and revoked_at is null and (expires_at is null or expires_at > :at)`,
);

export const insertWebhookEndpoints = insertMany<{
  id: number;
  integratorId: number;
  clientKeyId: number;
  url: string;
  types: readonly string[];
  enabled: boolean;
  secret: Uint8Array;
  secretMasterKeyId: string;
  position: number;
  createdAt: string;
}>('webhook_endpoints', {
  id: 'id',
  integratorId: 'integrator_id',
  clientKeyId: 'client_key_id',
  url: 'url',
  types: 'types',
  enabled: 'enabled',
  secret: 'secret',
  secretMasterKeyId: 'secret_master_key_id',
  position: 'position',
  createdAt: 'created_at',
});

/** Enabling forgets that the endpoint failed. */
export const updateWebhookEndpointRow = statement<{
  id: number;
  url: string;
  types: readonly string[];
  enabled: boolean;
  failingSince: string | null;
  switchedOffAt: string | null;
}>(
  'update_webhook_endpoint',
  `update webhook_endpoints
      set url = :url, types = :types, enabled = :enabled, failing_since = :failingSince, switched_off_at = :switchedOffAt,
          switched_off_reason = case when :switchedOffAt::timestamptz is not null then switched_off_reason end
    where organization_id = :organizationId and id = :id`,
);

/** A deleted one too, until it is pruned. */
export const lockWebhookEndpointToDelete = statement<
  EndpointScope & { id: number },
  { url: string; types: string[]; deleted_at: number | null }
>(
  'lock_webhook_endpoint_to_delete',
  `select url, types, deleted_at from webhook_endpoints
    where organization_id = :organizationId and id = :id
      and (:integratorId::bigint is null
           or (integrator_id = :integratorId and not 'customer.code_requested' = any (types))) for no key update`,
);

/** Its deliveries are pruned in small steps, and then the row. */
export const deleteWebhookEndpointRow = statement<{ id: number; at: string }>(
  'delete_webhook_endpoint',
  'update webhook_endpoints set deleted_at = :at, enabled = false where organization_id = :organizationId and id = :id',
);

/** The present secret becomes the former one; an older one ends now. */
export const rotateWebhookSecretRow = statement<{
  id: number;
  secret: Uint8Array;
  secretMasterKeyId: string;
  formerEndsAt: string;
}>(
  'rotate_webhook_secret',
  `update webhook_endpoints
      set former_secret = secret, former_secret_master_key_id = secret_master_key_id,
          former_secret_ends_at = :formerEndsAt, secret = :secret, secret_master_key_id = :secretMasterKeyId
    where organization_id = :organizationId and id = :id`,
);

/** Nothing is sent to these endpoints until then; what is due waits. */
export const holdEndpointsOfIntegrator = statement<{ integratorId: number; until: string }>(
  'hold_webhook_endpoints_of_integrator',
  `update webhook_endpoints set held_until = :until
    where organization_id = :organizationId and integrator_id = :integratorId and deleted_at is null`,
);

/** The worker then makes the deliveries behind the position again. */
export const setWebhookPosition = statement<{ id: number; position: number }>(
  'set_webhook_position',
  'update webhook_endpoints set position = :position where organization_id = :organizationId and id = :id',
);

/** The endpoints that work, that fail at the moment, and that were switched off because they only failed. */
export const countEndpointStates = statement<
  Record<never, never>,
  { enabled: number; failing: number; switched_off: number }
>(
  'count_endpoint_states',
  `select count(*) filter (where enabled)::int as enabled,
          count(*) filter (where enabled and failing_since is not null)::int as failing,
          count(*) filter (where switched_off_at is not null)::int as switched_off
     from webhook_endpoints where organization_id = :organizationId and deleted_at is null`,
);

/** Endpoints that are switched off because they failed, or that have failed since before a moment. */
export const selectFailingEndpoints = statement<
  { before: string },
  { count: number; oldest_at: number | null }
>(
  'select_failing_webhook_endpoints',
  `select count(*)::integer as count, min(coalesce(e.failing_since, e.switched_off_at)) as oldest_at
     from webhook_endpoints e
    where e.organization_id = :organizationId and e.deleted_at is null
      and (e.switched_off_at is not null or e.failing_since < :before::timestamptz)`,
);
