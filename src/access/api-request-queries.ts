import { type IntegerArray, statement } from '../database/statement.ts';

/** D14. */
export const apiRequestsPerPage = 50;

/** The period of lists and health; older entries are deleted. */
export const apiRequestAgeMsMax = 30 * 24 * 3_600_000;

/** The maximum number of requests and time span of a row of the log, as its checks require. */
export const requestsPerBatchMax = 1000;
export const batchMsMax = 60_000;

/** The commit does not wait for the disk: losing log entries in a server crash is acceptable. */
export const commitWithoutWaiting = statement<Record<never, never>, never>(
  'commit_without_waiting',
  `select set_config('synchronous_commit', 'off', true)`,
);

/**
 * Requests of one client key, all refused or none, oldest first: an array per column. Columns that are equal for all
 * requests, from `methods` to `codes`, have a single element for every request.
 */
export type ApiRequestColumns = {
  readonly timesMs: IntegerArray;
  readonly methods: readonly string[];
  readonly pathTemplates: readonly string[];
  /** Empty: same as the template. */
  readonly paths: readonly string[];
  readonly statuses: readonly number[];
  /** Empty: no codes. */
  readonly codes: readonly string[];
  readonly microseconds: IntegerArray;
  readonly requestIds: readonly string[];
};

export const insertApiRequestBatch = statement<
  ApiRequestColumns & {
    firstAtMs: number;
    lastAtMs: number;
    id: number;
    integratorId: number;
    clientKeyId: number;
    isRefused: boolean;
    count: number;
  },
  never
>(
  'insert_api_request_batch',
  `insert into api_request_batches (organization_id, first_at_ms, last_at_ms, id, integrator_id, client_key_id,
     is_refused, request_count, times_ms, methods, path_templates, paths, statuses, codes, microseconds, request_ids)
   values (:organizationId, :firstAtMs, :lastAtMs, :id, :integratorId, :clientKeyId, :isRefused, :count,
     :timesMs, :methods, :pathTemplates, :paths, :statuses, :codes, :microseconds, :requestIds)`,
);

/** The requests of batch `b` with all their values; `unnest` returns null where a single element stands for all. */
const requestsOfBatch = `
   select u.number, u.at_ms, coalesce(u.method, b.methods[1]) as method,
          coalesce(u.path_template, b.path_templates[1]) as path_template, coalesce(u.path, b.paths[1]) as path,
          coalesce(u.status, b.statuses[1]) as status, coalesce(u.code, b.codes[1]) as code, u.microseconds,
          u.request_id
     from unnest(b.times_ms, b.methods, b.path_templates, b.paths, b.statuses, b.codes, b.microseconds, b.request_ids)
          with ordinality as u (at_ms, method, path_template, path, status, code, microseconds, request_id, number)`;

export interface ApiRequestRow {
  at_ms: number;
  batch_id: number;
  /** Position in its batch, from 1. */
  number: number;
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

/** Null: no filter. */
export type ApiRequestFilter = {
  integratorId: number | null;
  clientKeyId: number | null;
  statusMin: number;
  statusMax: number;
  code: string | null;
  path: string | null;
  fromMs: number;
  /** Exclusive end. */
  toMs: number;
  /** The request of the cursor, after which the page begins; for the first page an instant after all requests. */
  afterMs: number;
  afterBatchId: number;
  afterNumber: number;
};

/** Batches that may match, as far as the indexes tell. */
const isOfPage = `(:clientKeyId::bigint is null or b.client_key_id = :clientKeyId)
      and b.last_at_ms >= :fromMs and b.last_at_ms <= :afterMs::bigint + ${batchMsMax} and b.first_at_ms <= :afterMs`;

/**
 * The time of the newest batch that need not be read because newer ones contain `readMax` requests already, matching or
 * not; no row if there is none.
 */
const unread = (way: string): string =>
  `select last_at_ms
     from (select b.last_at_ms, sum(b.request_count) over (
                    order by b.last_at_ms desc, b.id desc rows between unbounded preceding and 1 preceding) as read
             from api_request_batches b
            where b.organization_id = :organizationId ${way} and ${isOfPage}) b
    where read >= :readMax
    order by last_at_ms desc limit 1`;

/** Newest first by (time, batch, number), after `unreadMs`; 0: all. */
const page = (way: string): string =>
  `select r.at_ms, b.id as batch_id, r.number, b.integrator_id, i.name as integrator_name, b.client_key_id, r.method,
          r.path_template, coalesce(nullif(r.path, ''), r.path_template) as path, r.status, nullif(r.code, '') as code,
          r.microseconds, r.request_id
     from api_request_batches b
     join integrators i on i.id = b.integrator_id
    cross join lateral (${requestsOfBatch}) r
    where b.organization_id = :organizationId ${way} and ${isOfPage}
      and b.last_at_ms > :unreadMs and r.at_ms > :unreadMs and r.at_ms >= :fromMs and r.at_ms < :toMs
      and (r.at_ms, b.id, r.number) < (:afterMs::bigint, :afterBatchId::bigint, :afterNumber::bigint)
      and r.status between :statusMin and :statusMax
      and (:code::text is null or r.code = :code)
      and (:path::text is null or starts_with(r.path_template, :path) or starts_with(r.path, :path))
    order by r.at_ms desc, b.id desc, r.number desc limit ${apiRequestsPerPage}`;

type UnreadParameters = ApiRequestFilter & { readMax: number };
type PageParameters = ApiRequestFilter & { unreadMs: number };
interface UnreadRow {
  last_at_ms: number;
}

// A statement for each access path: a generic plan cannot choose between indexes by the filter values.
export const anyApiRequests = {
  selectUnread: statement<UnreadParameters, UnreadRow>('select_unread_api_requests', unread('')),
  selectPage: statement<PageParameters, ApiRequestRow>('select_api_requests', page('')),
};

const ofIntegrator = 'and b.integrator_id = :integratorId';
export const apiRequestsOfIntegrator = {
  selectUnread: statement<UnreadParameters, UnreadRow>(
    'select_unread_api_requests_of_integrator',
    unread(ofIntegrator),
  ),
  selectPage: statement<PageParameters, ApiRequestRow>(
    'select_api_requests_of_integrator',
    page(ofIntegrator),
  ),
};

/** A key belongs to one integrator: its batches are found in the integrator's index, without a separate index. */
const ofKey = `and b.integrator_id = (select k.integrator_id from client_keys k
                                       where k.organization_id = :organizationId and k.id = :clientKeyId)`;
export const apiRequestsOfKey = {
  selectUnread: statement<UnreadParameters, UnreadRow>('select_unread_api_requests_of_key', unread(ofKey)),
  selectPage: statement<PageParameters, ApiRequestRow>('select_api_requests_of_key', page(ofKey)),
};

const refused = 'and b.is_refused and (:integratorId::bigint is null or b.integrator_id = :integratorId)';
export const refusedApiRequests = {
  selectUnread: statement<UnreadParameters, UnreadRow>('select_unread_refused_api_requests', unread(refused)),
  selectPage: statement<PageParameters, ApiRequestRow>('select_refused_api_requests', page(refused)),
};

export const selectApiRequestCursor = statement<
  { atMs: number; batchId: number; number: number },
  { id: number }
>(
  'select_api_request_cursor',
  `select id from api_request_batches
    where organization_id = :organizationId and last_at_ms between :atMs::bigint and :atMs::bigint + ${batchMsMax}
      and id = :batchId and times_ms[:number] = :atMs`,
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
  last_at_ms: number | null;
}

/** Integrators that have or had a key. */
export const selectIntegratorHealth = statement<{ sinceMs: number }, IntegratorHealthRow>(
  'select_integrator_health',
  `select i.id as integrator_id, i.name as integrator_name, h.requests, h.succeeded, h.refused, h.failed,
          h.percentiles[1] as median_us, h.percentiles[2] as p95_us,
          (select max(l.last_at_ms) from api_request_batches l
            where l.organization_id = :organizationId and l.integrator_id = i.id) as last_at_ms
     from (select distinct k.integrator_id from client_keys k where k.organization_id = :organizationId) k
     join integrators i on i.id = k.integrator_id
    cross join lateral (
       select count(*) as requests, count(*) filter (where r.status < 400) as succeeded,
              count(*) filter (where r.status between 400 and 499) as refused,
              count(*) filter (where r.status >= 500) as failed,
              percentile_disc(array[0.5, 0.95]) within group (order by r.microseconds) as percentiles
         from api_request_batches b
        cross join lateral (select u.at_ms, coalesce(u.status, b.statuses[1]) as status, u.microseconds
                              from unnest(b.times_ms, b.statuses, b.microseconds) as u (at_ms, status, microseconds)) r
        where b.organization_id = :organizationId and b.integrator_id = i.id and b.last_at_ms >= :sinceMs
          and r.at_ms >= :sinceMs) h
    order by i.id`,
);

/** The oldest batches first, a limited number at once, to keep transactions short. */
export const deleteOldApiRequests = statement<{ beforeMs: number; limit: number }, { request_count: number }>(
  'delete_old_api_requests',
  `delete from api_request_batches
    where organization_id = :organizationId and (last_at_ms, id) in (
      select o.last_at_ms, o.id from api_request_batches o
       where o.organization_id = :organizationId and o.last_at_ms < :beforeMs order by o.last_at_ms, o.id limit :limit)
    returning request_count`,
);
