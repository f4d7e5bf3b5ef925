import type { CcrsRow } from '../../engines/state-reports/ccrs-columns.ts';
import type { ReportState } from '../../engines/state-reports/report-lifecycle.ts';
import { statement, type TextArray } from '../../platform/statements/statement.ts';
import type { ReportRow } from './state-report-queries.ts';

/** SQL on files that people upload to a state, and on books that they enter. */

export interface FiledRow {
  file: string;
  row_id: string;
  content: CcrsRow | null;
  pending: CcrsRow | null;
}

/** What the state has or may have of one connection. */
export const selectFiledRows = statement<{ connectionId: number }, FiledRow>(
  'select_state_filed_rows',
  `select file, row_id, content, pending from state_filed_rows
    where organization_id = :organizationId and connection_id = :connectionId`,
);

/** The reports of a connection that wait, or of which the state's answer is awaited, up to a moment. */
export const selectReportsToFile = statement<
  { connectionId: number; before: string; limit: number },
  ReportRow
>(
  'select_state_reports_to_file',
  `select * from state_reports
    where organization_id = :organizationId and connection_id = :connectionId and state in ('waiting', 'unknown')
      and occurred_at < :before order by occurred_at, id limit :limit`,
);

/** Notes rows that were uploaded; the state has not answered. */
export const keepFiledRows = statement<
  { connectionId: number; files: TextArray; ids: TextArray; contents: TextArray; at: string },
  never
>(
  'keep_state_filed_rows',
  `insert into state_filed_rows (organization_id, connection_id, file, row_id, pending, updated_at)
   select :organizationId, :connectionId, u.file, u.id, u.content::jsonb, :at
     from unnest(:files::text[], :ids::text[], :contents::text[]) as u (file, id, content)
   on conflict (organization_id, connection_id, file, row_id) do update
      set pending = excluded.pending, updated_at = excluded.updated_at`,
);

/** When rows of a file were uploaded that the state has not answered, the first upload first. */
export const selectUploads = statement<{ connectionId: number; file: string }, { uploaded_at: number }>(
  'select_state_uploads',
  `select distinct updated_at as uploaded_at from state_filed_rows
    where organization_id = :organizationId and connection_id = :connectionId and file = :file and pending is not null
    order by updated_at limit 1000`,
);

const ofUpload = '(:uploadedAt::timestamptz is null or updated_at = :uploadedAt::timestamptz)';

/** The state has the uploaded rows of a file: of one upload, or of all; with ids, only these. */
export const acceptFiledRows = statement<
  { connectionId: number; file: string; uploadedAt: string | null; ids: TextArray | null; at: string },
  never
>(
  'accept_state_filed_rows',
  `update state_filed_rows set content = pending, pending = null, updated_at = :at
    where organization_id = :organizationId and connection_id = :connectionId and file = :file
      and pending is not null and ${ofUpload} and (:ids::text[] is null or row_id = any(:ids))`,
);

/** The state has refused the uploaded rows of a file, of one upload or of all: it has what it had before. */
export const refuseFiledRows = statement<
  { connectionId: number; file: string; uploadedAt: string | null; at: string },
  never
>(
  'refuse_state_filed_rows',
  `update state_filed_rows set pending = null, updated_at = :at
    where organization_id = :organizationId and connection_id = :connectionId and file = :file
      and pending is not null and ${ofUpload}`,
);

/** The same turn of many reports; those that are elsewhere by now stay. */
export const turnReports = statement<
  {
    ids: readonly number[];
    from: ReportState;
    to: ReportState;
    problem: string | null;
    settledAt: string | null;
    staffId: number | null;
    at: string;
  },
  Pick<ReportRow, 'id' | 'order_id' | 'trip_id' | 'kind' | 'revision'>
>(
  'turn_state_reports',
  `update state_reports
      set state = :to, problem = :problem, settled_at = :settledAt, settled_by_staff_id = :staffId, updated_at = :at,
          sent_at = case when :from = 'waiting' then :at else sent_at end,
          attempts = attempts + case when :from = 'waiting' then 1 else 0 end
    where organization_id = :organizationId and id = any(:ids::bigint[]) and state = :from
   returning id, order_id, trip_id, kind, revision`,
);
