import type { PipelineStatement } from '../connections/pipeline.ts';
import { selectServingRole } from '../connections/serving-role.ts';

/** Positions in the log are bytes from its beginning. */

/** Where the log of the primary ends on its disk: behind every commit that has been answered. */
export interface PrimaryPosition {
  readonly position: number;
  /** Grows when a standby becomes the primary; positions of different timelines do not compare. */
  readonly timeline: number;
}

/** For the primary. A standby refuses it. */
export const selectPrimaryPosition: PipelineStatement = {
  name: 'select_primary_position',
  text: `select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position,
           ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline`,
  values: [],
};

/** For the primary: which cluster it is. */
export const selectPrimaryIdentity: PipelineStatement = {
  name: 'select_primary_identity',
  text: `select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as position,
           ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline,
           (select system_identifier::text from pg_control_system()) as system`,
  values: [],
};

/** For the standby: up to where it shows the log; null if it is none. */
export const selectReplayPosition: PipelineStatement = {
  name: 'select_replay_position',
  text: `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint end as position`,
  values: [],
};

/**
 * For the standby: which cluster it is. Its timeline is that of its last restart point or of the pages it has written since: it may lag, so
 * a standby that has just changed over to another primary is not used at once, and one that has not is never used.
 */
export const selectStandbyIdentity: PipelineStatement = {
  name: 'select_standby_identity',
  text: `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint end as position,
           greatest((select timeline_id from pg_control_checkpoint()),
                    (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
           (select system_identifier::text from pg_control_system()) as system`,
  values: [],
};

/** The role of its login. */
export const selectStandbyRole: PipelineStatement = { ...selectServingRole, name: 'select_standby_role' };
