import type { StopStatus } from '../../kernel/stop-statuses.ts';
import { statement } from '../../platform/statements/statement.ts';

/** SQL on what a driver needs to know of the orders at the stops. */

export interface ShownLine {
  readonly lineItemId: number;
  readonly productName: string;
  readonly optionName: string;
  readonly quantity: number;
  readonly price: number;
  readonly isCannabis: boolean;
  /** Before taxes, in cents, as the law counts what a vehicle carries. */
  readonly value: number;
}

/** An order that is to be delivered. */
export interface DeliveryRow {
  order_id: string;
  order_number: number | null;
  order_status: 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
  street1: string | null;
  street2: string | null;
  city: string | null;
  address_state: string | null;
  postal_code: string | null;
  delivery_notes: string | null;
  slot_from: number | null;
  slot_to: number | null;
  customer_name: string | null;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  birthday: string | null;
  medical_expiration: string | null;
  total_cents: number;
  fees_cents: number;
  captured_cents: number;
  lines: readonly ShownLine[];
}

export interface ShownStopRow extends DeliveryRow {
  id: number;
  trip_id: number;
  position: number;
  status: StopStatus;
  arrived_at: number | null;
  completed_at: number | null;
  reason: string | null;
  id_check_how: 'scan' | 'eye' | null;
  has_signature: boolean;
  tip_cents: number;
}

/** The name of who gets an order: that on file, or that of the order. */
export function recipientNameOf(
  row: Pick<DeliveryRow, 'first_name' | 'last_name' | 'customer_name'>,
): string {
  const name = `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim();
  return name === '' ? (row.customer_name ?? '') : name;
}

const ofOrder = `o.id as order_id, o.number as order_number, o.status as order_status, o.street1, o.street2, o.city, o.address_state,
          o.postal_code, o.delivery_notes, o.slot_from, o.slot_to, o.customer_name, c.first_name, c.last_name, c.phone, c.birthday::text as birthday,
          c.medical_expiration::text as medical_expiration, o.customer_grand_total_cents as total_cents,
          o.customer_grand_total_cents - o.net_price_cents as fees_cents,
          (select coalesce(sum(i.captured_cents - i.returned_cents), 0)::bigint from payment_intents i
            where i.organization_id = o.organization_id and i.order_id = o.id) as captured_cents,
          (select coalesce(json_agg(json_build_object('lineItemId', l.id, 'productName', l.product_name, 'optionName', l.option_name,
                    'quantity', l.quantity, 'price', l.final_price_cents, 'value', l.subtotal_price_cents, 'isCannabis', l.product_cannabis_type <> 'none')
                    order by l.position), '[]'::json)
             from order_line_items l where l.organization_id = o.organization_id and l.order_id = o.id) as lines`;
const withCustomer = `left join customers c on c.organization_id = o.organization_id and c.id = o.user_id`;

/** The stops of trips, in their order, with their orders. */
export const selectShownStops = statement<{ tripIds: readonly number[] }, ShownStopRow>(
  'select_shown_trip_stops',
  `select s.id, s.trip_id, s.position, s.status, s.arrived_at, s.completed_at, s.reason, s.id_check_how,
          s.signature is not null as has_signature, s.tip_cents, ${ofOrder}
     from trip_stops s
     join orders o on o.organization_id = :organizationId and o.id = s.order_id
     ${withCustomer}
    where s.organization_id = :organizationId and s.trip_id = any(:tripIds) order by s.trip_id, s.position`,
);

/** The ZIP code of the shop's address; no row: not told. */
export const selectShopPostalCode = statement<Record<never, never>, { postal_code: string | null }>(
  'select_shop_postal_code',
  `select address ->> 'postalCode' as postal_code from shop_profiles where organization_id = :organizationId`,
);

/** More than a shop delivers in a day. */
export const waitingDeliveriesMax = 500;

/** Open deliveries that are on no trip, oldest first. Only open orders are looked at, by their index of type and status. */
export const selectWaitingDeliveries = statement<Record<never, never>, DeliveryRow>(
  'select_waiting_deliveries',
  `select ${ofOrder}
     from orders o ${withCustomer}
    where o.organization_id = :organizationId and o.type = 'delivery' and o.status in ('new', 'packed')
      and not exists (select from trip_stops s where s.organization_id = o.organization_id and s.order_id = o.id
                         and s.status in ('waiting', 'arrived'))
    order by o.created_at, o.id limit ${waitingDeliveriesMax}`,
);

/**
 * What a manifest says of the goods at the stops: each package, its amount and value. The value of a line in several packages is split by
 * their amounts; the rounded parts add up to it.
 */
export const selectManifestGoods = statement<
  { tripId: number },
  {
    order_id: string;
    product_name: string;
    option_name: string;
    package_label: string | null;
    unit: string;
    amount: string;
    value_cents: number;
  }
>(
  'select_trip_manifest_goods',
  `select l.order_id, l.product_name, l.option_name, f.package_label,
          coalesce(f.package_unit, case when l.inventory_type = 'product' then l.product_unit else 'item' end) as unit,
          coalesce(f.amount, l.quantity)::text as amount,
          (round(l.subtotal_price_cents * coalesce(sum(f.amount) over upto / sum(f.amount) over line, 1))
            - round(l.subtotal_price_cents * coalesce((sum(f.amount) over upto - f.amount) / sum(f.amount) over line, 0)))::bigint as value_cents
     from trip_stops s
     join order_line_items l on l.organization_id = :organizationId and l.order_id = s.order_id
     left join order_line_fulfillments f
       on f.organization_id = :organizationId and f.order_id = s.order_id and f.order_line_item_id = l.id
    where s.organization_id = :organizationId and s.trip_id = :tripId
   window line as (partition by l.id), upto as (partition by l.id order by f.id)
    order by s.position, l.position, f.id`,
);
