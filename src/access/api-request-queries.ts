import { statement } from '../database/statement.ts';

/** D14. */
export const apiRequestsPerPage = 50;

/** Lists and health are of this time; what is older is deleted. */
export const apiRequestAgeMsMax = 30 * 24 * 3_600_000;

/** A log entry that is lost in a crash of the server harms nobody: the commit does not wait for the disk. */
export const commitWithoutWaiting = statement<Record<never, never>, never>(
  'commit_without_waiting',
  `select set_config('synchronous_commit', 'off', true)`,
);

/** Requests of one organization, a column each. */
export type ApiRequestColumns = {
  readonly times: readonly string[];
  readonly integratorIds: readonly number[];
  readonly clientKeyIds: readonly number[];
  readonly methods: readonly string[];
  readonly pathTemplates: readonly string[];
  readonly paths: readonly string[];
  readonly statuses: readonly number[];
  /** Empty: none. */
  readonly codes: readonly string[];
  readonly microseconds: readonly number[];
  readonly requestIds: readonly string[];
};

/** One statement for any number of rows, prepared once: these are many, and one shape of arrays fits all. */
export const insertApiRequests = statement<ApiRequestColumns & { ids: readonly number[] }, never>(
  'insert_api_requests',
  `insert into api_requests (organization_id, id, at, integrator_id, client_key_id, method, path_template, path,
     status, code, microseconds, request_id)
   select :organizationId, r.id, r.at, r.integrator_id, r.client_key_id, r.method, r.path_template, r.path,
          r.status, nullif(r.code, ''), r.microseconds, r.request_id
     from unnest(:ids::bigint[], :times::timestamptz[], :integratorIds::bigint[], :clientKeyIds::bigint[],
       :methods::text[], :pathTemplates::text[], :paths::text[], :statuses::smallint[], :codes::text[],
       :microseconds::integer[], :requestIds::text[])
       as r (id, at, integrator_id, client_key_id, method, path_template, path, status, code, microseconds, request_id)`,
);

export interface ApiRequestRow {
  id: number;
  at: number;
  integrator_id: number;
  integrator_name: string;
  client_key_id: number;
  method: string;
  path_template: string;
  path: string;
  status: number;
  code: string | null;
  microseconds: number;
  request_id: string;
}

/** What is asked for; null: whatever it is. `before` is the row of the cursor. */
export type ApiRequestFilter = {
  from: string;
  to: string | null;
  beforeAt: string | null;
  beforeId: number | null;
  clientKeyId: number | null;
  statusMin: number;
  statusMax: number;
  code: string | null;
  path: string | null;
};

/** Newest first by (time, id), which is the order of every index that it may go along. */
const page = (condition: string): string =>
  `select r.id, r.at, r.integrator_id, i.name as integrator_name, r.client_key_id, r.method, r.path_template, r.path,
          r.status, r.code, r.microseconds, r.request_id
     from api_requests r join integrators i on i.id = r.integrator_id
    where r.organization_id = :organizationId ${condition}
      and r.at >= :from and (r.at, r.id) < (
        coalesce(:beforeAt::timestamptz, :to::timestamptz, 'infinity'), coalesce(:beforeId::bigint, 0))
      and (:to::timestamptz is null or r.at < :to::timestamptz)
      and (:clientKeyId::bigint is null or r.client_key_id = :clientKeyId)
      and r.status between :statusMin and :statusMax
      and (:code::text is null or r.code = :code)
      and (:path::text is null or starts_with(r.path_template, :path) or starts_with(r.path, :path))
    order by r.at desc, r.id desc limit ${apiRequestsPerPage}`;

// One statement for each way in: a plan that is made once cannot choose between indexes by what is asked for.
export const selectApiRequests = statement<ApiRequestFilter, ApiRequestRow>('select_api_requests', page(''));

export const selectApiRequestsOfIntegrator = statement<
  ApiRequestFilter & { integratorId: number },
  ApiRequestRow
>('select_api_requests_of_integrator', page('and r.integrator_id = :integratorId'));

/** A key is one integrator's: its requests lie among that one's, without an index of their own to write. */
export const selectApiRequestsOfKey = statement<ApiRequestFilter & { clientKeyId: number }, ApiRequestRow>(
  'select_api_requests_of_key',
  page(`and r.integrator_id = (select k.integrator_id from client_keys k
                                where k.organization_id = :organizationId and k.id = :clientKeyId)`),
);

export const selectRefusedApiRequests = statement<
  ApiRequestFilter & { integratorId: number | null },
  ApiRequestRow
>(
  'select_refused_api_requests',
  page('and r.status >= 400 and (:integratorId::bigint is null or r.integrator_id = :integratorId)'),
);

export const selectApiRequestCursor = statement<{ at: string; id: number }, { id: number }>(
  'select_api_request_cursor',
  'select id from api_requests where organization_id = :organizationId and at = :at and id = :id',
);

export interface IntegratorHealthRow {
  integrator_id: number;
  integrator_name: string;
  requests: number;
  succeeded: number;
  refused: number;
  failed: number;
  median_us: number | null;
  p95_us: number | null;
  last_at: number | null;
}

/** Of whoever has, or had, a key; from an index that holds all that is asked for. */
export const selectIntegratorHealth = statement<{ since: string }, IntegratorHealthRow>(
  'select_integrator_health',
  `select i.id as integrator_id, i.name as integrator_name, h.requests, h.succeeded, h.refused, h.failed,
          h.percentiles[1] as median_us, h.percentiles[2] as p95_us,
          (select max(l.at) from api_requests l
            where l.organization_id = :organizationId and l.integrator_id = i.id) as last_at
     from (select distinct k.integrator_id from client_keys k where k.organization_id = :organizationId) k
     join integrators i on i.id = k.integrator_id
    cross join lateral (
       select count(*) as requests, count(*) filter (where r.status < 400) as succeeded,
              count(*) filter (where r.status between 400 and 499) as refused,
              count(*) filter (where r.status >= 500) as failed,
              percentile_disc(array[0.5, 0.95]) within group (order by r.microseconds) as percentiles
         from api_requests r
        where r.organization_id = :organizationId and r.integrator_id = i.id and r.at >= :since) h
    order by i.id`,
);

/** The oldest first, so many at once: no transaction that is long. */
export const deleteOldApiRequests = statement<{ before: string; limit: number }, { id: number }>(
  'delete_old_api_requests',
  `delete from api_requests
    where organization_id = :organizationId and (at, id) in (
      select o.at, o.id from api_requests o
       where o.organization_id = :organizationId and o.at < :before order by o.at, o.id limit :limit)
    returning id`,
);
