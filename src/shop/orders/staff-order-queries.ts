import { assert } from '../../kernel/assert.ts';
import { askedSort, type SortDirection } from '../../kernel/list-sort.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import { countOfPage } from '../../platform/lists/counted-rows.ts';
import { type PageParts, type SortOf, sortedList } from '../../platform/lists/sorted-list.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import { orderTypes } from '../carts/cart-schemas.ts';
import type { SoughtCustomers } from '../customers/customer-search.ts';
import { foundCustomers, matchesMax } from '../customers/customers.ts';
import {
  documentColumns,
  orderRanges,
  ordersPerPage,
  type ShownOrderRow,
  withShownRows,
} from './order-list-queries.ts';
import type { AskedFor, IdCheckHow, OrderStatus, StaffName } from './order-record.ts';

/** What staff see of orders: the fields of integrators, and those for staff only. */

export interface StaffOrderRow extends Omit<ShownOrderRow, 'version'> {
  number: number | null;
  delivery_notes: string | null;
  internal_notes: string | null;
  idempotency_key: string | null;
  postal_code: string | null;
  is_unproven: boolean;
  discounts_total_cents: number;
  tax_exempt_reason: string | null;
  price_overrides: AskedFor['priceOverrides'] | null;
  line_reductions: AskedFor['lineReductions'] | null;
  discount_amounts: AskedFor['discountAmounts'] | null;
  typed_contact: AskedFor['contact'] | null;
  packed_by: StaffName | null;
  canceled_by: StaffName | null;
  bought_by: { readonly id: number; readonly name: string } | null;
  id_checked_at: number | null;
  id_checked_by: StaffName | null;
  id_check_how: IdCheckHow | null;
  law_edition: string | null;
  /** What came back for its goods; null: no exchange. */
  exchange: {
    readonly orderId: string;
    readonly orderNumber: number | null;
    readonly orderReturnId: number;
    readonly amount: number;
    readonly refund: number;
    readonly cashRounding: number;
    readonly goods: readonly { readonly name: string; readonly quantity: number }[];
  } | null;
  /** Whether any unit can still be returned. */
  is_returnable: boolean;
  has_returns: boolean;
  created_at: number;
  updated_at: number;
}

function staffName(idColumn: string): string {
  return `(select json_build_object('id', s.id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name)
             from staff_members s where s.organization_id = o.organization_id and s.id = ${idColumn})`;
}

/** The payment that is the refund of a return, with the goods that came back. */
const exchange = `(select json_build_object('orderId', r.order_id, 'orderNumber', sold.number, 'orderReturnId', r.id,
                       'amount', p.final_amount_cents, 'refund', -r.refund_total_cents,
                       'cashRounding', coalesce(r.cash_rounding_cents, 0),
                       'goods', (select json_agg(json_build_object('name', l.product_name || ', ' || l.option_name,
                                                                   'quantity', (back ->> 'quantity')::integer))
                                   from json_array_elements(r.document::json -> 'lineItems') back
                                   join order_line_items l on l.organization_id = r.organization_id
                                    and l.order_id = r.order_id and l.id = (back ->> 'orderLineItemId')::bigint))
             from order_payments p
             join order_returns r on r.organization_id = p.organization_id and r.id = p.order_return_id
             join orders sold on sold.organization_id = r.organization_id and sold.id = r.order_id
            where p.organization_id = o.organization_id and p.order_id = o.id and p.order_return_id is not null)`;

const columns = `${documentColumns}, o.number, o.delivery_notes, o.internal_notes, o.idempotency_key,
          o.postal_code, o.is_unproven, o.discounts_total_cents, o.asked #>> '{taxExempt,reason}' as tax_exempt_reason,
          o.asked -> 'priceOverrides' as price_overrides, o.asked -> 'lineReductions' as line_reductions,
          o.asked -> 'discountAmounts' as discount_amounts, o.asked -> 'contact' as typed_contact,
          ${staffName('o.packed_by_staff_id')} as packed_by, ${staffName('o.cancel_admin_id')} as canceled_by,
          (select json_build_object('id', b.id, 'name', btrim(b.first_name || ' ' || b.last_name))
             from customers b where b.organization_id = o.organization_id and b.id = o.bought_by_id) as bought_by,
          o.id_checked_at, ${staffName('o.id_checked_by_staff_id')} as id_checked_by, o.id_check_how, o.law_edition, ${exchange} as exchange,
          o.status = 'fulfilled' and exists (
            select from order_line_items l where l.organization_id = o.organization_id and l.order_id = o.id
               and l.returned_quantity < l.quantity) as is_returnable,
          o.status = 'fulfilled' and exists (
            select from order_returns r where r.organization_id = o.organization_id and r.order_id = o.id) as has_returns,
          o.created_at, o.updated_at, c.id as customer_id, c.email, c.first_name, c.last_name, c.phone,
          c.hash_id, c.birthday::text as birthday, c.sex, c.zip, c.license_expiry::text as license_expiry,
          c.medical_expiration::text as medical_expiration`;
const withCustomer = `${withShownRows}
     left join customers c on c.organization_id = o.organization_id and c.id = o.user_id`;

export const selectStaffOrder = statement<{ id: string }, StaffOrderRow>(
  'select_staff_order',
  `select ${columns}
     from orders o ${withCustomer}
    where o.organization_id = :organizationId and o.id = :id`,
);

/** The customers that match a search: only the latest to join, so that a search stays a few look-ups. */
const foundCustomersMax = 500;

/** The only bound of times and cursor, on an order's time and id. */
const within = (time: string, id: string): string =>
  `${time} >= :from::timestamptz
              and (${time}, ${id}) < (least(:afterAt::timestamptz, :before::timestamptz),
                    case when :afterAt::timestamptz < :before::timestamptz then :afterId::uuid
                         else '00000000-0000-0000-0000-000000000000'::uuid end)`;

const newestFirst = `order by created_at desc, id desc limit ${ordersPerPage}`;

/** Not `exists`, which is planned as a join of all orders with all lines: this is one look-up by key for each order. */
const isOfLocation = `and (
        select true from order_line_fulfillments f
         where f.organization_id = o.organization_id and f.order_id = o.id and f.inventory_location_id = :locationId
         limit 1)`;

type FilterPart = 'type' | 'search' | 'location';

/** A page of the orders of type and status; `of` has the further conditions. */
function pageOfAll(hasStatus: boolean, parts: readonly FilterPart[], of: string): string {
  const hasType = parts.includes('type');
  const ranges = hasType || hasStatus ? orderRanges({ hasType, hasStatus }) : [''];
  return ranges
    .map(
      (range) => `(select o.id, o.created_at from orders o
              where o.organization_id = :organizationId ${of} ${range} and ${within('o.created_at', 'o.id')}
              ${newestFirst})`,
    )
    .join(' union all ');
}

/** A page of the orders that took stock of a location: the index begins with location and type. `status` is SQL. */
function pageOfLocation(status: string | null, parts: readonly FilterPart[]): string {
  const types = parts.includes('type') ? [':type'] : orderTypes.map((type) => `'${type}'`);
  const ofStatus =
    status === null
      ? ''
      : `cross join lateral (select from orders o
                where o.organization_id = :organizationId and o.id = taken.id and o.status = ${status} limit 1) o`;
  return types
    .map(
      (type) => `(select taken.* from (select distinct f.order_id as id, f.order_created_at as created_at
                from order_line_fulfillments f
                where f.organization_id = :organizationId and f.inventory_location_id = :locationId
                  and f.order_type = ${type} and ${within('f.order_created_at', 'f.order_id')}
                order by f.order_created_at desc, f.order_id desc) taken
         ${ofStatus} ${newestFirst})`,
    )
    .join(' union all ');
}

/** The latest to join of the customers found. */
const latestFound = `(select f.id from found f order by f.joined_at desc, f.id desc limit ${foundCustomersMax})`;

/*
 * A search is a look-up by key in each place, never a scan of all orders: number, id, the start of the name given without a
 * profile, and a page of the orders of each matching customer.
 */
function pageOfFound(of: string): string {
  const found = (key: string, from = 'orders') => `(select o.id, o.created_at from ${from} o
            where o.organization_id = :organizationId ${key} ${of} and ${within('o.created_at', 'o.id')}`;
  // Lateral, so that it is a range of the index: as a join it reads every order with such a name.
  const named = `(select w.* from folded s cross join lateral (
                select * from orders n
                 where n.organization_id = :organizationId
                   and n.customer_name_key >= s.first_from and n.customer_name_key < s.first_to
                 limit ${matchesMax}) w)`;
  return `${found('and o.number = :number')})
        union
        ${found('and o.id = :id')})
        union
        ${found('', named)})
        union
        select o.id, o.created_at
          from ${latestFound} c
         cross join lateral ${found('and o.user_id = c.id')} ${newestFirst}) o`;
}

/** A search begins at the location for each type of which it has fewer pieces of stock taken. */
const takenMaxDefault = 500;

/**
 * The orders of a location that a search finds. Of a type with few orders there, each is compared with the search; of another
 * type, each order found is looked up in the location.
 */
function pageOfFoundAtLocation(ofOrder: string): string {
  const taken = orderTypes
    .map(
      (type) => `(select f.order_id as id, f.order_type as type from order_line_fulfillments f
              where f.organization_id = :organizationId and f.inventory_location_id = :locationId
                and f.order_type = '${type}' and ${within('f.order_created_at', 'f.order_id')}
              limit :takenMax::bigint + 1)`,
    )
    .join(' union all ');
  const isOfBusyType = `and o.type = any((select names from busy_types)::text[])`;
  return `(with taken as materialized (${taken}),
             busy_types as materialized (select array(
               select type from taken group by type having count(*) > :takenMax::bigint) as names)
        select o.id, o.created_at
          from (select distinct t.id from taken t where t.type <> all((select names from busy_types)::text[])) t
         cross join lateral (select * from orders o
             where o.organization_id = :organizationId and o.id = t.id offset 0) o
         where (o.number = :number or o.id = :id or o.user_id in ${latestFound}
                or exists (select from folded s
                            where o.customer_name_key >= s.first_from and o.customer_name_key < s.first_to)) ${ofOrder}
        union all
        select * from (${pageOfFound(`${ofOrder} ${isOfBusyType} ${isOfLocation}`)}) o
         where (select names from busy_types) <> '{}')`;
}

/** A shop has few open orders at a time, whatever its sales. */
const isOpenStatus = (status: OrderStatus): boolean => status !== 'fulfilled';

/** Drafts have not taken stock yet, and canceled orders have given theirs back. */
const holdsNoStock = (status: OrderStatus | undefined): boolean =>
  status === 'draft' || status === 'canceled';

/*
 * One statement for each combination, so that each reads ranges of one index (D14). The times are always present, by default
 * all of time; the upper time and the cursor are one bound, because with two the scan would start at the former.
 */
function listStatement(status: OrderStatus | null, parts: readonly FilterPart[]) {
  const [hasSearch, hasLocation] = [parts.includes('search'), parts.includes('location')];
  const of = [
    ...(status === null ? [] : [`and o.status = '${status}'`]),
    ...(parts.includes('type') ? ['and o.type = :type'] : []),
  ].join(' ');
  const isOpen = status !== null && isOpenStatus(status);
  const idsOf = (): string => {
    if (hasSearch) return hasLocation ? pageOfFoundAtLocation(of) : pageOfFound(of);
    if (hasLocation && !isOpen) return pageOfLocation(status === null ? null : `'${status}'`, parts);
    return pageOfAll(status !== null, parts, hasLocation ? `${of} ${isOfLocation}` : of);
  };
  const name = ['staff_list_orders', status ?? 'all', ...parts].join('_');
  const searched = hasSearch ? `with ${foundCustomers}` : '';
  const count = statement<SqlParameters, { count: number }>(
    `${name}_count`,
    `${searched} ${countOfPage(`select id from (${idsOf()}) listed ${newestFirst}`, ordersPerPage)}`,
  );
  const page = statement<SqlParameters, StaffOrderRow>(
    name,
    `${searched}
     select ${columns}
       from (select id from (${idsOf()}) listed ${newestFirst}) page
       join orders o on o.organization_id = :organizationId and o.id = page.id
       ${withCustomer}
      order by o.created_at desc, o.id desc`,
  );
  return { page, count };
}

const statuses = [null, 'draft', 'new', 'packed', 'fulfilled', 'canceled'] as const;
const listStatements = new Map<string, ReturnType<typeof listStatement>>();
for (const status of statuses) {
  for (const parts of subsetsOf<FilterPart>(['type', 'search', 'location'])) {
    if (parts.includes('location') && holdsNoStock(status ?? undefined)) continue;
    listStatements.set([status, ...parts].join(), listStatement(status, parts));
  }
}

/**
 * A status with few orders at a time, or one that they end with. The time is not said where all of it is asked for: of a range that is not
 * known beforehand PostgreSQL expects few orders, so it would read and sort all instead of a page in the order of the key.
 */
const sortFilters = {
  open: 'and o.status = :status',
  ended: 'and o.status = :status',
  type: 'and o.type = :type',
  location: isOfLocation,
  time: 'and o.created_at >= :from::timestamptz and o.created_at < :before::timestamptz',
} as const;
type SortFilter = keyof typeof sortFilters;

/**
 * The index of the last change begins with type and status: its ranges are merged in the order of the key, and only then filtered. A
 * range that has no order with a filter would be read to its end, if it were filtered by itself.
 */
function mergedRanges(page: PageParts): string {
  const { isBehindKey, inOrder, tail, named, conditions, gate, limit } = page;
  const order = inOrder('o.updated_at', ...tail);
  const ranges = orderRanges({ hasType: false, hasStatus: false }).map(
    (range) => `(select * ${allOrders} ${range} ${isBehindKey('o.updated_at', tail)} ${order})`,
  );
  return `(select ${named(tail)}, o.updated_at as sort_key
              from (select * from (${ranges.join(' union all ')}) o ${order} offset 0) o
              where true ${conditions} ${gate} ${order} ${limit})`;
}

const allOrders = 'from orders o where o.organization_id = :organizationId';

/**
 * The list in other orders, without a search. By number and by amount it goes by an index of all orders; by the last change by the
 * ranges of all types and statuses.
 */
export const staffOrderList = sortedList<
  StaffOrderRow,
  'createdAt' | 'updatedAt' | 'number' | 'customerGrandTotal',
  SortFilter
>({
  name: 'orders',
  rows: allOrders,
  ids: ['o.id'],
  sorts: {
    createdAt: { key: 'o.created_at', own: 'descending' },
    updatedAt: {
      key: 'o.updated_at',
      own: 'descending',
      byHand: { keyed: (page) => [mergedRanges(page)] },
    },
    number: { key: 'o.number', own: 'descending', isNullable: true },
    customerGrandTotal: { key: 'o.customer_grand_total_cents', own: 'descending' },
  },
  filters: sortFilters,
  isPossible: (asked) => !(asked.includes('open') && asked.includes('ended')),
  few: fewOrders,
  rowsPerPage: ordersPerPage,
  show: (page) => `select ${columns}
       from ${page}
       join orders o on o.organization_id = :organizationId and o.id = page.id0
       ${withCustomer}`,
});

/** The newest ones with these filters. */
function fewOrders(asked: readonly SortFilter[], limit: number): string {
  const parts = asked.filter((part) => part === 'type' || part === 'location');
  const hasStatus = asked.includes('open') || asked.includes('ended');
  const of = asked.map((part) => (part === 'location' || part === 'time' ? '' : sortFilters[part])).join(' ');
  const ids =
    asked.includes('location') && !asked.includes('open')
      ? pageOfLocation(hasStatus ? ':status' : null, parts)
      : pageOfAll(hasStatus, parts, asked.includes('location') ? `${of} ${isOfLocation}` : of);
  return `select id from (${ids}) listed ${newestFirst}`.replaceAll(
    `limit ${ordersPerPage}`,
    `limit ${limit}`,
  );
}

interface StaffOrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
  readonly search?: string | undefined;
  /** The customers that the search can mean. */
  readonly customers?: SoughtCustomers | undefined;
  /** The location that their stock comes from. */
  readonly inventoryLocationId?: number | undefined;
  /** When they were placed: from `fromMs` until before `untilMs`. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** The last order of the previous page. */
  readonly after?: { readonly id: string; readonly created_at: string } | undefined;
  readonly sortBy?: SortOf<typeof staffOrderList> | undefined;
  readonly sortDirection?: SortDirection | undefined;
}

/** A page of the orders with a filter, newest first unless sorted (D14); null: there are none, whatever the shop. */
export function listStaffOrders(
  filter: StaffOrderFilter,
  takenMax = takenMaxDefault,
): BoundStatement<StaffOrderRow> | null {
  const statements = statementsOf(filter);
  if (statements === null) return null;
  const values = valuesOf(filter, takenMax);
  if (filter.search !== undefined || askedSort(staffOrderList.sorts, filter).isOwn) {
    return statements.page(values);
  }
  const { status, type, inventoryLocationId, sortBy, sortDirection, after } = filter;
  const parts: (SortFilter | false)[] = [
    status !== undefined && (isOpenStatus(status) ? 'open' : 'ended'),
    type !== undefined && 'type',
    inventoryLocationId !== undefined && 'location',
    (filter.fromMs !== undefined || filter.untilMs !== undefined) && 'time',
  ];
  return staffOrderList.page(
    { sortBy, sortDirection, startingAfter: after?.id },
    // The few of a filter are those of the whole list, wherever the page starts.
    { ...values, status: status ?? null, afterAt: 'infinity', afterId: null },
    parts.filter((part) => part !== false),
  );
}

/** How many they are, wherever the page starts; null: none. */
export function countStaffOrders({ after: _, ...filter }: StaffOrderFilter): BoundStatement<{
  count: number;
}> | null {
  return statementsOf(filter)?.count(valuesOf(filter, takenMaxDefault)) ?? null;
}

function statementsOf({ status, type, search, inventoryLocationId }: StaffOrderFilter) {
  if (inventoryLocationId !== undefined && holdsNoStock(status)) return null;
  const parts = [type && 'type', search !== undefined && 'search', inventoryLocationId && 'location'].filter(
    Boolean,
  );
  const statements = listStatements.get([status ?? null, ...parts].join());
  assert(statements !== undefined, 'a combination of filters has no statement');
  return statements;
}

function valuesOf(
  {
    type,
    search,
    customers,
    inventoryLocationId,
    fromMs = 0,
    untilMs = Number.POSITIVE_INFINITY,
    after,
  }: StaffOrderFilter,
  takenMax: number,
): SqlParameters {
  return {
    type: type ?? null,
    ...customers,
    ...searchKeys(search),
    locationId: inventoryLocationId ?? null,
    takenMax,
    from: sqlInstant(fromMs),
    before: sqlInstant(untilMs),
    afterAt: after?.created_at ?? 'infinity',
    afterId: after?.id ?? null,
  };
}

/** The place of a cursor, to the microsecond. No row: the order does not exist. */
export const selectStaffCursor = statement<{ id: string }, { id: string; created_at: string }>(
  'select_staff_order_cursor',
  `select id, created_at::text as created_at from orders where organization_id = :organizationId and id = :id`,
);

/** The keys of orders that a text may match; null matches nothing. */
function searchKeys(search: string | undefined) {
  if (search === undefined) return {};
  const text = search.trim().toLowerCase();
  return {
    number: /^#?[0-9]{1,15}$/.test(text) ? Number(text.replace('#', '')) : null,
    id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null,
  };
}
