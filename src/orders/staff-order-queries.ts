import type { OrderType } from '../carts/carts.ts';
import { foundCustomers, matchesMax, readSearch } from '../customers/customers.ts';
import { sqlInstant } from '../database/sql-instant.ts';
import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { assert } from '../kernel/assert.ts';
import { subsetsOf } from '../kernel/subsets-of.ts';
import { ordersPerPage, type ShownOrderRow } from './order-list-queries.ts';
import type { OrderStatus, StaffName } from './order-record.ts';

/** What staff see of orders: the fields of integrators, and those for staff only. */

export interface StaffOrderRow extends Omit<ShownOrderRow, 'version'> {
  number: number | null;
  status: OrderStatus;
  type: OrderType;
  delivery_notes: string | null;
  internal_notes: string | null;
  idempotency_key: string | null;
  postal_code: string | null;
  discounts_total_cents: number;
  tax_exempt_reason: string | null;
  packed_by: StaffName | null;
  canceled_by: StaffName | null;
  /** Whether any unit can still be returned. */
  is_returnable: boolean;
  created_at: number;
  updated_at: number;
}

function staffName(idColumn: string): string {
  return `(select json_build_object('id', s.id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name)
             from staff_members s where s.organization_id = o.organization_id and s.id = ${idColumn})`;
}

const columns = `o.id, o.number, o.status, o.type, o.document, o.delivery_notes, o.internal_notes, o.idempotency_key,
          o.postal_code, o.discounts_total_cents, o.asked #>> '{taxExempt,reason}' as tax_exempt_reason,
          ${staffName('o.packed_by_staff_id')} as packed_by, ${staffName('o.cancel_admin_id')} as canceled_by,
          o.status = 'fulfilled' and exists (
            select from order_line_items l where l.organization_id = o.organization_id and l.order_id = o.id
               and l.returned_quantity < l.quantity) as is_returnable,
          o.created_at, o.updated_at, c.id as customer_id, c.email, c.first_name, c.last_name, c.phone,
          c.hash_id, c.birthday::text as birthday, c.sex, c.zip, c.license_expiry::text as license_expiry,
          c.medical_expiration::text as medical_expiration`;
const withCustomer = `left join customers c on c.organization_id = o.organization_id and c.id = o.user_id`;

export const selectStaffOrder = statement<{ id: string }, StaffOrderRow>(
  'select_staff_order',
  `select ${columns}
     from orders o ${withCustomer}
    where o.organization_id = :organizationId and o.id = :id`,
);

/** The customers that match a search: only the latest to join, so that a search stays a few look-ups. */
const foundCustomersMax = 500;

/*
 * A search is a look-up by key in each place, never a scan of all orders: number, id, the start of the name
 * given without a profile, and the matching customers. As an array: PostgreSQL may estimate a set as so large
 * that it scans every order (measured at a million: 16 s).
 */
const found = `and o.id = any(array(
        select n.id from orders n where n.organization_id = :organizationId and n.number = :number
        union
        select i.id from orders i where i.organization_id = :organizationId and i.id = :id
        union
        (select w.id from whole s join orders w
            on w.organization_id = :organizationId
           and w.customer_name_key >= s.first_from and w.customer_name_key < s.first_to
          limit ${matchesMax})
        union
        select b.id from orders b
         where b.organization_id = :organizationId and b.user_id = any(array(
           select f.id from found f order by f.joined_at desc, f.id desc limit ${foundCustomersMax}))))`;

/** The only bound of times and cursor, on an order's time and id. */
const within = (time: string, id: string): string =>
  `${time} >= :from::timestamptz
                and (${time}, ${id}) < (least(:afterAt::timestamptz, :before::timestamptz),
                      case when :afterAt::timestamptz < :before::timestamptz then :afterId::uuid
                           else '00000000-0000-0000-0000-000000000000'::uuid end)`;

/** A shop has few open orders at a time, whatever its sales. */
const isOpen = (status: OrderStatus | null): boolean =>
  status === 'draft' || status === 'new' || status === 'packed';

/*
 * One statement for each combination, so that each reads a range of one index (D14). The status is part of the
 * text, because the index of unfulfilled orders serves only statements that name such a status. The times are always
 * present, by default all of time; the upper time and the cursor are one bound, because with two the scan would
 * start at the former.
 */
/** Canceled orders are read by their status only for a location with more stock taken than this: they are rarer then. */
const quietLocationMax = 1000;
const locationUse = `location_use as materialized (
       select count(*) > ${quietLocationMax} as is_busy
         from (select from order_line_fulfillments u
                where u.organization_id = :organizationId and u.inventory_location_id = :locationId
                limit ${quietLocationMax + 1}) u)`;

function listStatement(status: OrderStatus | null, parts: readonly FilterPart[]) {
  const ofStatus = status === null ? '' : `and o.status = '${status}'`;
  const ofParts = (chosen: readonly FilterPart[]): string => chosen.map((part) => filters[part]).join(' ');
  const isOfLocation = parts.includes('location') && !parts.includes('search') && !isOpen(status);
  const isOfRarer = isOfLocation && status === 'canceled';
  // A condition without columns: a page is not read where it is false.
  const pageByStatus = `select * from orders o
              where o.organization_id = :organizationId ${ofStatus} ${ofParts(parts)} and ${within('o.created_at', 'o.id')}
                ${isOfRarer ? 'and (select is_busy from location_use)' : ''}
              order by o.created_at desc, o.id desc limit ${ordersPerPage}`;
  const pageByLocation = `select o.* from (select distinct f.order_created_at, f.order_id from order_line_fulfillments f
                where f.organization_id = :organizationId and f.inventory_location_id = :locationId
                  and ${within('f.order_created_at', 'f.order_id')}
                  ${isOfRarer ? 'and not (select is_busy from location_use)' : ''}
                order by f.order_created_at desc, f.order_id desc) taken
         cross join lateral (select * from orders o
                where o.organization_id = :organizationId and o.id = taken.order_id ${ofStatus}
                  ${ofParts(parts.filter((part) => part !== 'location'))}
                limit 1) o
         order by taken.order_created_at desc, taken.order_id desc limit ${ordersPerPage}`;
  const pageOfOne = isOfLocation ? pageByLocation : pageByStatus;
  const page = isOfRarer ? `(${pageByLocation}) union all (${pageByStatus})` : pageOfOne;
  const expressions = [
    ...(parts.includes('search') ? [foundCustomers] : []),
    ...(isOfRarer ? [locationUse] : []),
  ];
  return statement<SqlParameters, StaffOrderRow>(
    ['staff_list_orders', status ?? 'all', ...parts].join('_'),
    `${expressions.length > 0 ? `with ${expressions.join(', ')}` : ''}
     select ${columns}
       from (${page}) o
       ${withCustomer}
      order by o.created_at desc, o.id desc`,
  );
}

const filters = {
  type: 'and o.type = :type',
  search: found,
  // Filters the orders that a search or an open status leaves; the orders of a location alone are a range of
  // their own index. Not `exists`, which is planned as a join of all orders with all lines: this is one look-up
  // by key for each order.
  location: `and (
        select true from order_line_fulfillments f
         where f.organization_id = o.organization_id and f.order_id = o.id and f.inventory_location_id = :locationId
         limit 1)`,
} as const;
type FilterPart = keyof typeof filters;

const statuses = [null, 'draft', 'new', 'packed', 'fulfilled', 'canceled'] as const;
const listStatements = new Map<string, ReturnType<typeof listStatement>>();
for (const status of statuses) {
  for (const parts of subsetsOf(Object.keys(filters) as FilterPart[])) {
    listStatements.set([status, ...parts].join(), listStatement(status, parts));
  }
}

export interface StaffOrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
  readonly search?: string | undefined;
  /** The location that their stock comes from. */
  readonly inventoryLocationId?: number | undefined;
  /** When they were placed: from `fromMs` until before `untilMs`. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** The last order of the previous page. */
  readonly after?: { readonly id: string; readonly created_at: string } | undefined;
}

/** A page of the orders with a filter, newest first (D14). */
export function listStaffOrders({
  status,
  type,
  search,
  inventoryLocationId,
  fromMs = 0,
  untilMs = Number.POSITIVE_INFINITY,
  after,
}: StaffOrderFilter): BoundStatement<StaffOrderRow> {
  const parts = [type && 'type', search !== undefined && 'search', inventoryLocationId && 'location'].filter(
    Boolean,
  );
  const list = listStatements.get([status ?? null, ...parts].join());
  assert(list !== undefined, 'a combination of filters has no statement');
  return list({
    type: type ?? null,
    ...searchKeys(search),
    locationId: inventoryLocationId ?? null,
    from: sqlInstant(fromMs),
    before: sqlInstant(untilMs),
    afterAt: after?.created_at ?? 'infinity',
    afterId: after?.id ?? null,
  });
}

/** The place of a cursor, to the microsecond. No row: the order does not exist. */
export const selectStaffCursor = statement<{ id: string }, { id: string; created_at: string }>(
  'select_staff_order_cursor',
  `select id, created_at::text as created_at from orders where organization_id = :organizationId and id = :id`,
);

/** The keys that a text may match; null matches nothing. Fails with INVALID_PARAMS for a text that is too short. */
function searchKeys(search: string | undefined) {
  if (search === undefined) return {};
  const text = search.trim().toLowerCase();
  return {
    ...readSearch(search),
    number: /^#?[0-9]{1,15}$/.test(text) ? Number(text.replace('#', '')) : null,
    id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null,
  };
}
