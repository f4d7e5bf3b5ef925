import { statement } from '../../platform/statements/statement.ts';
import type { ImportMode, ImportStatus } from './menu-import-queries.ts';

/** The SQL of runs: how one begins, moves on, ends, and which process does it. */

/** Begins a check, an import or an undoing. */
export const beginImportRun = statement<
  { id: number; status: ImportStatus; mode: ImportMode; by: number; at: string },
  { run_number: number }
>(
  'begin_import_run',
  `update menu_imports
      set status = :status, mode = :mode, run_by = :by, run_number = run_number + 1, done_share = 0, done_count = 0,
          created_count = case when :status = 'undoing' then created_count else 0 end,
          changed_count = case when :status = 'undoing' then changed_count else 0 end,
          retired_count = case when :status = 'undoing' then retired_count else 0 end,
          refused_count = case when :status = 'undoing' then refused_count else 0 end,
          failure = null, process_id = null, alive_at = null, failed_tries = 0, last_error = null,
          finished_at = case when :status = 'undoing' then finished_at end,
          started_at = case when :status = 'importing' then :at::timestamptz else started_at end, updated_at = :at
    where organization_id = :organizationId and id = :id
    returning run_number`,
);

/**
 * Moves on from `from` products. No row: another process has taken over, or the run was ended.
 */
export const moveImportOn = statement<
  {
    id: number;
    run: number;
    from: number;
    done: number;
    share: number;
    created: number;
    changed: number;
    retired: number;
    refused: number;
    at: string;
  },
  { id: number }
>(
  'move_import_on',
  `update menu_imports
      set done_count = :done, done_share = :share, created_count = created_count + :created,
          changed_count = changed_count + :changed, retired_count = retired_count + :retired,
          refused_count = refused_count + :refused, failed_tries = 0, last_error = null, updated_at = :at
    where organization_id = :organizationId and id = :id and run_number = :run and done_count = :from
    returning id`,
);

/** Ends a run. The counts of an import are those of what it has written. */
export const endImportRun = statement<
  { id: number; run: number; status: ImportStatus; failure: string | null; at: string },
  { id: number }
>(
  'end_import_run',
  `update menu_imports
      set status = :status, failure = :failure, done_share = case when :failure::text is null then 1000 else done_share end,
          finished_at = case when :status in ('done', 'failed') then :at::timestamptz else finished_at end, updated_at = :at,
          process_id = null, alive_at = null
    where organization_id = :organizationId and id = :id and run_number = :run
      and status in ('checking', 'importing', 'undoing')
    returning id`,
);

/** Ends whatever goes on: its job finds another number of the run. The counts stay those of what was done. */
export const cancelImport = statement<{ id: number; at: string }, never>(
  'cancel_import',
  `update menu_imports
      set status = 'canceled', run_number = run_number + 1, failure = null, process_id = null, alive_at = null,
          finished_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/**
 * Notes which process does a run; the process says all few seconds that it is alive. By the clock of the database, because processes
 * compare it. No row: the run was ended, or another process has it.
 */
export const holdImportRun = statement<{ id: number; run: number; processId: string }, { id: number }>(
  'hold_import_run',
  `update menu_imports set process_id = :processId::uuid, alive_at = statement_timestamp()
    where organization_id = :organizationId and id = :id and run_number = :run
      and status in ('checking', 'importing', 'undoing')
      and (process_id is null or process_id = :processId::uuid)
    returning id`,
);

/** Leaves a run to whichever process takes its next job. */
export const leaveImportRun = statement<{ id: number; processId: string }, never>(
  'leave_import_run',
  `update menu_imports set process_id = null, alive_at = null
    where organization_id = :organizationId and id = :id and process_id = :processId::uuid`,
);

/** Leaves a run after an error. Resolves to how often it failed since it last moved on, and whether the last error was the same. */
export const noteImportError = statement<
  { id: number; run: number; processId: string; error: string },
  { tries: number; is_same: boolean }
>(
  'note_import_error',
  `update menu_imports i
      set process_id = null, alive_at = null, failed_tries = i.failed_tries + 1, last_error = :error
     from (select organization_id, id, last_error from menu_imports
            where organization_id = :organizationId and id = :id) as former
    where i.organization_id = :organizationId and i.id = :id and i.run_number = :run
      and i.process_id = :processId::uuid and former.organization_id = i.organization_id and former.id = i.id
    returning i.failed_tries as tries, coalesce(former.last_error = :error, false) as is_same`,
);

/** Runs whose process has said nothing for so long, with its last word. */
export const selectSilentRuns = statement<
  { silentMs: number },
  {
    id: number;
    run_number: number;
    run_by: number;
    status: ImportStatus;
    process_id: string;
    alive_at: number;
  }
>(
  'select_silent_import_runs',
  `select id, run_number, run_by, status, process_id::text as process_id, alive_at from menu_imports
    where organization_id = :organizationId and process_id is not null
      and alive_at < clock_timestamp() - make_interval(secs => :silentMs::integer / 1000.0)`,
);

/** The organizations that have such runs. */
export const selectOrganizationsWithSilentRuns = statement<{ silentMs: number }, { id: number }>(
  'select_organizations_with_silent_runs',
  'select id from organizations_with_silent_imports(make_interval(secs => :silentMs::integer / 1000.0))',
);
