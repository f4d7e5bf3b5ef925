import { statement } from '../../platform/statements/statement.ts';

/** SQL on trips of the state as they were read. */

/** Which of these records of the state are trips that it was told of here. */
export const selectToldTripRecords = statement<
  { connectionId: number; recordIds: readonly number[] },
  { id: number }
>(
  'select_told_trip_records',
  `select distinct state_record_id as id from state_reports
    where organization_id = :organizationId and connection_id = :connectionId and kind = 'trip'
      and state_record_id = any(:recordIds::bigint[]) order by 1`,
);

export const keepTrips = statement<{ connectionId: number; rows: string; at: string }>(
  'keep_state_trips',
  `insert into state_trips (organization_id, connection_id, state_record_id, is_void, is_completed, lines, read_at)
   select :organizationId::bigint, :connectionId::bigint, r.id, r.is_void, r.is_completed, r.lines, :at::timestamptz
     from jsonb_to_recordset(:rows::jsonb) as r(id bigint, is_void boolean, is_completed boolean, lines jsonb)
    order by r.id
   on conflict (organization_id, connection_id, state_record_id) do update
      set is_void = excluded.is_void, is_completed = excluded.is_completed, lines = excluded.lines, read_at = excluded.read_at`,
);

export interface ToldTripRow {
  connection_id: number;
  state_record_id: number;
  is_void: boolean;
  is_completed: boolean;
  lines: readonly { readonly label: string; readonly quantity: string }[];
  read_at: number;
  report_id: number;
  trip_id: number;
}

/** What was read of the trips that the state accepted, the latest first. */
export const selectReadTrips = statement<{ limit: number }, ToldTripRow>(
  'select_read_state_trips',
  `select x.connection_id, x.state_record_id, x.is_void, x.is_completed, x.lines, x.read_at, p.id as report_id, p.trip_id
     from state_trips x
     join state_reports p on p.organization_id = :organizationId and p.connection_id = x.connection_id
      and p.state_record_id = x.state_record_id and p.kind = 'trip' and p.state = 'accepted'
    where x.organization_id = :organizationId
    order by x.state_record_id desc limit :limit`,
);
