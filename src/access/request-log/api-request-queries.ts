import type { KeyProblem } from '../../platform/http/endpoint-requests.ts';
import { type IntegerArray, statement } from '../../platform/statements/statement.ts';

/** D14. */
export const apiRequestsPerPage = 50;

/** The period of lists and health; older entries are deleted. */
export const apiRequestAgeMsMax = 30 * 24 * 3_600_000;

/** The maximum number of requests and time span of a row of the log, as its checks require. */
export const requestsPerBatchMax = 1000;
export const batchMsMax = 60_000;

/** Kinds of requests are kept for a whole period, as the schema says. */
const kindPeriodMs = apiRequestAgeMsMax;

/** The mark that the database keeps of text `m.text`. */
const markOfText = `hashtextextended(m.text collate "C", 0)`;

/** The commit does not wait for the disk: losing log entries in a server crash is acceptable. */
export const commitWithoutWaiting = statement<Record<never, never>, never>(
  'commit_without_waiting',
  `select set_config('synchronous_commit', 'off', true)`,
);

/**
 * Requests of one client key, all refused or none, oldest first: an array per column. Columns that are equal for all
 * requests, from `methods` to `codes`, have a single element for every request.
 */
type ApiRequestColumns = {
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
  /** Empty: no message. */
  readonly messages: readonly string[];
  /** Empty: the keys were good. */
  readonly keyProblems: readonly string[];
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
    /** What the batch contains, with the number of requests of each (see api-request-marks.ts). */
    marks: readonly string[];
    markCounts: IntegerArray;
    /** Base64; empty: none. */
    markFilters: readonly string[];
  },
  never
>(
  'insert_api_request_batch',
  `with marked as (
     insert into api_request_marks (organization_id, mark, last_at_ms, batch_id, request_count, ids)
     select :organizationId, ${markOfText} as mark, :lastAtMs, :id, sum(m.count),
            decode(nullif(max(m.filter), ''), 'base64')
       from unnest(:marks::text[], :markCounts::integer[], :markFilters::text[]) as m (text, count, filter) group by mark
     returning mark)
   insert into api_request_batches (organization_id, first_at_ms, last_at_ms, id, integrator_id, client_key_id,
     is_refused, request_count, times_ms, methods, path_templates, paths, statuses, codes, microseconds, request_ids,
     messages, key_problems, marks)
   values (:organizationId, :firstAtMs, :lastAtMs, :id, :integratorId, :clientKeyId, :isRefused, :count,
     :timesMs, :methods, :pathTemplates, :paths, :statuses, :codes, :microseconds, :requestIds,
     nullif(:messages::text[], '{""}'), nullif(:keyProblems::text[], '{""}'), (select array_agg(mark) from marked))`,
  {
    onDistributed: `with marked as (
     insert into api_request_marks (organization_id, mark, last_at_ms, batch_id, request_count, ids)
     select tenant.id, ${markOfText} as mark, :lastAtMs, :id, sum(m.count), decode(nullif(max(m.filter), ''), 'base64')
       from organizations tenant
      cross join unnest(:marks::text[], :markCounts::integer[], :markFilters::text[]) as m (text, count, filter)
      where tenant.id = :organizationId group by tenant.id, mark)
   insert into api_request_batches (organization_id, first_at_ms, last_at_ms, id, integrator_id, client_key_id,
     is_refused, request_count, times_ms, methods, path_templates, paths, statuses, codes, microseconds, request_ids,
     messages, key_problems, marks)
   select tenant.id, :firstAtMs, :lastAtMs, :id, :integratorId, :clientKeyId, :isRefused, :count,
     :timesMs, :methods, :pathTemplates, :paths, :statuses, :codes, :microseconds, :requestIds,
     nullif(:messages::text[], '{""}'), nullif(:keyProblems::text[], '{""}'),
     array(select distinct ${markOfText} from unnest(:marks::text[]) as m (text))
     from organizations tenant where tenant.id = :organizationId`,
  },
);

/**
 * The kinds of the batches of a transaction, a column each, all in the same order in every process: two that insert the
 * same new kinds wait for each other, never in a circle.
 */
export const insertApiRequestKinds = statement<
  {
    lastAtMs: IntegerArray;
    integratorIds: IntegerArray;
    clientKeyIds: IntegerArray;
    pathTemplates: readonly string[];
    statuses: readonly number[];
    codes: readonly string[];
  },
  never
>(
  'insert_api_request_kinds',
  `insert into api_request_kinds (organization_id, period, integrator_id, client_key_id, path_template, status, code)
   select distinct :organizationId::bigint, k.last_at_ms / ${kindPeriodMs}, k.integrator_id, k.client_key_id, k.path_template,
          k.status, k.code
     from unnest(:lastAtMs::bigint[], :integratorIds::bigint[], :clientKeyIds::bigint[], :pathTemplates::text[],
            :statuses::smallint[], :codes::text[])
          as k (last_at_ms, integrator_id, client_key_id, path_template, status, code)
    order by 2, 4, 5, 6, 7
   on conflict do nothing`,
);

/** What requests of a key have in common: the values that the log is searched by. */
export interface RequestKind {
  readonly clientKeyId: number;
  readonly pathTemplate: string;
  readonly status: number;
  /** Empty: no code. */
  readonly code: string;
}

/** The kinds of requests that were logged in the period of a filter. */
export const selectApiRequestKinds = statement<
  Pick<
    ApiRequestFilter,
    'integratorId' | 'clientKeyId' | 'statusMin' | 'statusMax' | 'code' | 'fromMs' | 'afterMs'
  >,
  RequestKind
>(
  'select_api_request_kinds',
  `select distinct client_key_id as "clientKeyId", path_template as "pathTemplate", status, code
     from api_request_kinds
    where organization_id = :organizationId
      and period between :fromMs::bigint / ${kindPeriodMs} and (:afterMs::bigint + ${batchMsMax}) / ${kindPeriodMs}
      and (:integratorId::bigint is null or integrator_id = :integratorId)
      and (:clientKeyId::bigint is null or client_key_id = :clientKeyId)
      and status between :statusMin and :statusMax and (:code::text is null or code = :code)`,
);

/** The requests of batch `b` with all their values; `unnest` returns null where a single element stands for all. */
const requestsOfBatch = `
   select u.number, u.at_ms, coalesce(u.method, b.methods[1]) as method,
          coalesce(u.path_template, b.path_templates[1]) as path_template, coalesce(u.path, b.paths[1]) as path,
          coalesce(u.status, b.statuses[1]) as status, coalesce(u.code, b.codes[1]) as code, u.microseconds,
          u.request_id, coalesce(u.message, b.messages[1]) as message, coalesce(u.key_problem, b.key_problems[1]) as key_problem
     from unnest(b.times_ms, b.methods, b.path_templates, b.paths, b.statuses, b.codes, b.microseconds, b.request_ids,
                 b.messages, b.key_problems)
          with ordinality as u (at_ms, method, path_template, path, status, code, microseconds, request_id, message,
                                key_problem, number)`;

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
  message: string | null;
  key_prefix: string | null;
  key_problem: KeyProblem | null;
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

type UnreadParameters = ApiRequestFilter & { readMax: number };
type PageParameters = ApiRequestFilter & { unreadMs: number };
interface UnreadRow {
  last_at_ms: number;
}

/** Batches that may match, as far as their times tell. */
const isOfPage = `b.last_at_ms >= :fromMs and b.last_at_ms <= :afterMs::bigint + ${batchMsMax} and b.first_at_ms <= :afterMs`;

/**
 * The time of the newest batch that need not be read because newer ones contain `readMax` requests already, shown or not;
 * no row if there is none. `batches` are newest first.
 */
const unreadOf = (batches: string): string =>
  `select last_at_ms
     from (select b.last_at_ms, sum(b.request_count) over (
                    order by b.last_at_ms desc, b.id desc rows between unbounded preceding and 1 preceding) as read
             from (${batches}) b) b
    where read >= :readMax
    order by last_at_ms desc limit 1`;

/** Newest first by (time, batch, number), after `unreadMs`; 0: all. */
const pageOf = (batches: string, isShown: string): string =>
  `select r.at_ms, b.id as batch_id, r.number, b.integrator_id, i.name as integrator_name, b.client_key_id, r.method,
          r.path_template, coalesce(nullif(r.path, ''), r.path_template) as path, r.status, nullif(r.code, '') as code,
          r.microseconds, r.request_id, nullif(r.message, '') as message, k.key_prefix,
          nullif(r.key_problem, '') as key_problem
     from ${batches}
     join integrators i on i.id = b.integrator_id
     left join client_keys k on k.organization_id = b.organization_id and k.id = b.client_key_id
    cross join lateral (${requestsOfBatch}) r
    where b.organization_id = :organizationId and ${isOfPage}
      and b.last_at_ms > :unreadMs and r.at_ms > :unreadMs and r.at_ms >= :fromMs and r.at_ms < :toMs
      and (r.at_ms, b.id, r.number) < (:afterMs::bigint, :afterBatchId::bigint, :afterNumber::bigint) ${isShown}
    order by r.at_ms desc, b.id desc, r.number desc limit ${apiRequestsPerPage}`;

export const anyApiRequests = {
  selectUnread: statement<UnreadParameters, UnreadRow>(
    'select_unread_api_requests',
    unreadOf(`select b.last_at_ms, b.id, b.request_count from api_request_batches b
    where b.organization_id = :organizationId and ${isOfPage}`),
  ),
  selectPage: statement<PageParameters, ApiRequestRow>(
    'select_api_requests',
    pageOf('api_request_batches b', ''),
  ),
};

/** Bits that an id sets in a filter of many. */
export const placesPerId = 4;

/** The places of an id in a filter, as api-request-marks.ts sets them. */
const isInFilter = Array.from(
  { length: placesPerId },
  (_, nth) => `get_bit(m.ids, (s.first + ${nth} * s.step) % (8 * octet_length(m.ids))) = 1`,
).join(' and ');

/**
 * The newest batches with one of the marks: of each mark as many as can have `readMax` requests, and one more. A batch with
 * many ids costs a look at its filter, less than 2 µs.
 */
const markedBatches = `
   select c.last_at_ms, c.batch_id as id, c.request_count
     from (select distinct ${markOfText} as mark, first, step
             from unnest(:marks::text[], :firstHashes::bigint[], :hashSteps::bigint[]) as m (text, first, step)) s
    cross join lateral (
       select m.last_at_ms, m.batch_id, m.request_count from api_request_marks m
        where m.organization_id = :organizationId and m.mark = s.mark
          and m.last_at_ms >= :fromMs and m.last_at_ms <= :afterMs::bigint + ${batchMsMax}
          and (m.ids is null or (${isInFilter}))
        order by m.last_at_ms desc, m.batch_id desc limit :readMax::integer + 1) c`;

/** The marks that a search looks for, a column each. */
type MarkParameters = {
  marks: readonly string[];
  /** The hash of an id that is sought in the filters of a mark (api-request-marks.ts); else 0. */
  firstHashes: IntegerArray;
  hashSteps: IntegerArray;
};

/** Requests of the kinds that `marks` stand for; those of a path match it by the start of the template or by whole parts. */
export const markedApiRequests = {
  selectUnread: statement<UnreadParameters & MarkParameters, UnreadRow>(
    'select_unread_marked_api_requests',
    unreadOf(markedBatches),
  ),
  selectPage: statement<
    PageParameters & MarkParameters & { readMax: number; pathParts: string | null },
    ApiRequestRow
  >(
    'select_marked_api_requests',
    pageOf(
      `(select distinct last_at_ms, id from (${markedBatches}) c where c.last_at_ms > :unreadMs) c
     join api_request_batches b on b.organization_id = :organizationId and b.last_at_ms = c.last_at_ms and b.id = c.id`,
      `and (:integratorId::bigint is null or b.integrator_id = :integratorId)
      and (:clientKeyId::bigint is null or b.client_key_id = :clientKeyId)
      and r.status between :statusMin and :statusMax and (:code::text is null or r.code = :code)
      and (:path::text is null or starts_with(r.path_template, :path)
           or starts_with(coalesce(nullif(r.path, ''), r.path_template) || '/', :pathParts::text || '/'))`,
    ),
  ),
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
  `with batches as (
     delete from api_request_batches
      where organization_id = :organizationId and (last_at_ms, id) in (
        select o.last_at_ms, o.id from api_request_batches o
         where o.organization_id = :organizationId and o.last_at_ms < :beforeMs order by o.last_at_ms, o.id limit :limit)
      returning last_at_ms, id, request_count, marks),
   marks as (
     delete from api_request_marks m
      using batches b, unnest(b.marks) as of_batch (mark)
      where m.organization_id = :organizationId and m.mark = of_batch.mark and m.last_at_ms = b.last_at_ms
        and m.batch_id = b.id)
   select request_count from batches`,
);

/** Kinds of periods without batches. */
export const deleteOldApiRequestKinds = statement<{ beforeMs: number }, never>(
  'delete_old_api_request_kinds',
  `delete from api_request_kinds
    where organization_id = :organizationId and period < :beforeMs::bigint / ${kindPeriodMs}`,
);
