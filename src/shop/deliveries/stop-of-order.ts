import { statement } from '../../platform/statements/statement.ts';

interface StopOfOrderRow {
  status: string;
  stops_before: number;
  /** Decimal text: where the driver is. Null: not known, or not for this customer. */
  latitude: string | null;
  longitude: string | null;
  position_at: number | null;
}

/**
 * Where a delivery is on its last trip, for its customer: the state of its stop, and how many stops before it are not done. The position is
 * there for the customer whose turn it is alone, from a driver who shares it: others would see at whose door the driver is. No row: the
 * order is on no trip.
 */
export const selectStopOfOrder = statement<{ orderId: string }, StopOfOrderRow>(
  'select_stop_of_order',
  `select s.status, b.stops_before, p.latitude, p.longitude, p.position_at
     from trip_stops s
    cross join lateral (
      select count(*)::integer as stops_before from trip_stops b
       where b.organization_id = s.organization_id and b.trip_id = s.trip_id
         and b.position < s.position and b.completed_at is null
         and exists (select from orders o where o.organization_id = b.organization_id and o.id = b.order_id
                        and o.status in ('new', 'packed'))) b
     left join lateral (
      select t.latitude, t.longitude, t.position_at from trips t
        join drivers d on d.organization_id = :organizationId and d.id = t.driver_id and d.shares_position
       where t.organization_id = :organizationId and t.id = s.trip_id and t.status = 'out'
         and b.stops_before = 0 and s.completed_at is null) p on true
    where s.organization_id = :organizationId and s.order_id = :orderId
    order by s.trip_id desc limit 1`,
);
