import { statement } from '../../platform/statements/statement.ts';

/**
 * Where a delivery is on its last trip, for its customer: the state of its stop, and how many stops before it are not done. No row: it
 * is on no trip.
 */
export const selectStopOfOrder = statement<{ orderId: string }, { status: string; stops_before: number }>(
  'select_stop_of_order',
  `select s.status, (select count(*)::integer from trip_stops b
                      where b.organization_id = s.organization_id and b.trip_id = s.trip_id
                        and b.position < s.position and b.completed_at is null) as stops_before
     from trip_stops s where s.organization_id = :organizationId and s.order_id = :orderId
    order by s.trip_id desc limit 1`,
);
