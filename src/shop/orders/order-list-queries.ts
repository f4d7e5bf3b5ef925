import { assert } from '../../kernel/assert.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import {
  type BoundStatement,
  columnList,
  type SqlParameters,
  statement,
} from '../../platform/statements/statement.ts';
import { orderTypes } from '../carts/cart-schemas.ts';
import { hasProvenContact } from '../customers/customers.ts';
import { type Columns, headColumns } from './order-columns.ts';
import type { CurrentOrder, ShownHead, StoredDocument } from './order-document.ts';
import { orderStatuses } from './order-schemas.ts';

/** What readers see of orders: a status, a document, a page. order-queries.ts writes the rows. */

interface OrderStatusRow {
  id: string;
  status: string;
  /** The integrator that placed it; null: staff or a customer did. */
  integrator_id: number | null;
}

export const selectOrderStatuses = statement<{ ids: readonly string[] }, OrderStatusRow>(
  'select_order_statuses',
  `select id, status, integrator_id from orders where organization_id = :organizationId and id = any(:ids::uuid[])`,
);

/** The integrator that placed an order; null: staff or a customer did. No row: there is no such order. */
export const selectIntegratorOfOrder = statement<{ id: string }, { integrator_id: number | null }>(
  'select_integrator_of_order',
  'select integrator_id from orders where organization_id = :organizationId and id = :id',
);

/** Any order of a customer that an integrator has placed; `isProven`: only orders whose customer was proven or vouched for. */
export const selectOrderOfIntegratorFor = statement<
  { integratorId: number; customerId: number; isProven: boolean },
  { id: string }
>(
  'select_order_of_integrator_for',
  `select id from orders
    where organization_id = :organizationId and user_id = :customerId and integrator_id = :integratorId
      and not (:isProven::boolean and (is_unproven or coalesce((asked ->> 'isUnproven')::boolean, false)))
    limit 1`,
);

const { id, userId, type, source, status, taxExempt, isMedical, customerName, apiConsumerName } = headColumns;
const { totalPriceCents, netPriceCents, customerGrandTotalCents, deliveryFeeCents, deliveryFeeDescription } =
  headColumns;
const { createdAt, packedAt, fulfilledAt, canceledAt, cancelationReason, cancelAdminId } = headColumns;
const { shiftName, street1, street2, city, addressState, postalCode, slotFrom, slotTo } = headColumns;
const shownHead: Columns<ShownHead> = {
  ...{ id, userId, type, source, status, taxExempt, isMedical, customerName, apiConsumerName },
  ...{ totalPriceCents, netPriceCents, customerGrandTotalCents, deliveryFeeCents, deliveryFeeDescription },
  ...{ createdAt, packedAt, fulfilledAt, canceledAt, cancelationReason, cancelAdminId },
  ...{ shiftName, street1, street2, city, addressState, postalCode, slotFrom, slotTo },
};

const milliseconds = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;

/** What the document of an order `o` is made of; only fulfilled orders have returns, and only deliveries a task. */
export const documentColumns = `o.organization_id as "organizationId", ${columnList(shownHead, 'o')},
          kept.shown_rows as "shownRows",
          case when o.status = 'fulfilled' then (
            select json_agg(r.document::json order by r.created_at, r.id) from order_returns r
             where r.organization_id = :organizationId and r.order_id = o.id) end as returns,
          case when o.type = 'delivery' then (
            select json_build_object('id', t.id, 'status', t.status, 'driverName', t.driver_name,
                     'trackingUrl', t.tracking_url, 'estimatedArrivalAt', ${milliseconds('t.estimated_arrival_at')},
                     'completedAt', ${milliseconds('t.completed_at')}, 'tripId', t.trip_id, 'driverId', t.driver_id,
                     'vehicleId', t.vehicle_id, 'stopPosition', t.stop_position, 'stopStatus', t.stop_status)
              from order_dispatch_tasks t
             where t.organization_id = :organizationId and t.order_id = o.id) end as "dispatchTask"`;

/** The rows of `documentColumns`. */
export const withShownRows = `left join order_explanations kept
       on kept.organization_id = :organizationId and kept.order_id = o.id`;

/** What a document is made of, with the customer's current profile (D26). */
export interface ShownOrderRow extends CurrentOrder {
  /** Changes with every change of the order or of a customer. */
  version: string;
}

/** The number of changes of customer profiles; a trigger counts them. */
const customersVersion = `coalesce(
  (select version from customer_versions where organization_id = :organizationId), 0)`;

/** Orders to show, in no particular order. */
export const selectShownOrders = statement<{ ids: readonly string[] }, ShownOrderRow>(
  'select_shown_orders',
  `select ${documentColumns}, o.xmin::text || ' ' || ${customersVersion} as version, o.updated_at, c.id as customer_id,
          c.email, c.first_name, c.last_name, c.phone, c.hash_id, c.birthday, c.sex, c.zip, c.license_expiry,
          c.medical_expiration
     from orders o
     ${withShownRows}
     left join customers c on c.organization_id = o.organization_id and c.id = o.user_id
    where o.organization_id = :organizationId and o.id = any(:ids)`,
);

/** The row of a cursor. No row: the list does not contain the cursor. */
export const selectOrderCursor = statement<{ id: string; fulfilledOnly: boolean }, { id: string }>(
  'select_order_cursor',
  `select id from orders
    where organization_id = :organizationId and id = :id and (status = 'fulfilled' or not :fulfilledOnly::boolean)`,
);

/** D14. */
export const ordersPerPage = 50;

/**
 * A page as one row of text: fifty rows of two short values take longer to transfer than to read (157 µs
 * against 75, measured).
 */
export interface ListedOrdersRow {
  customers_version: string;
  /**
   * "id version,id version,…" in the order of the page, with each row's own version; null when the page is
   * empty.
   */
  orders: string | null;
}

/** A page of the list by change also says where its last order stands. */
interface OrdersByChangeRow extends ListedOrdersRow {
  last_at?: string | null;
}

/** The page where filters contradict each other. */
export const noOrders: OrdersByChangeRow = { customers_version: '', orders: null };

const listFilters = {
  type: 'and o.type = :type',
  customer: 'and o.user_id = :userId',
  key: `and o.id in (select k.order_id from order_idempotency_keys k
          where k.organization_id = :organizationId and k.integrator_id = :integratorId
            and k.idempotency_key = :idempotencyKey)`,
  status: 'and o.status = :status',
  own: 'and o.integrator_id = :integratorId',
} as const;
type ListFilter = keyof typeof listFilters;

/** Which time orders a list: latest first. */
const listTimes = { placed: 'created_at', fulfilled: 'fulfilled_at', changed: 'updated_at' } as const;
type OrderListTime = keyof typeof listTimes;

/*
 * The lists (D14). One statement for each (filters, time, cursor), so that the planner reads plain ranges of
 * the one index that serves it: a generic plan could not make a range of filter columns that may be null. The
 * id orders rows with the same time, so pages skip and repeat none: 50 rows are read whatever the size of the
 * list and the place of the cursor.
 */
function listStatement(filters: readonly ListFilter[], time: OrderListTime, hasCursor: boolean) {
  const column = listTimes[time];
  const at = time === 'changed' ? 'coalesce(:seenAt::timestamptz, c.updated_at)' : `c.${column}`;
  // One bound on one row value: only then does the scan of the index start at the cursor. With a second bound
  // on the time, PostgreSQL starts there and skips all rows up to the cursor. For a cursor after `before`,
  // (before, the least id) is the same as `before` alone. A cursor that is not in the list matches no row.
  const bound = hasCursor
    ? `(o.${column}, o.id) < (
         select least(${at}, :before),
                case when ${at} >= :before then '00000000-0000-0000-0000-000000000000'::uuid else c.id end
           from orders c where c.organization_id = :organizationId and c.id = :startingAfter
            and c.${column} is not null ${filters.includes('own') ? 'and c.integrator_id = :integratorId' : ''})`
    : `o.${column} < :before`;
  const where = [
    `o.organization_id = :organizationId`,
    ...filters.map((filter) => listFilters[filter]),
    `and ${bound}`,
    ...(time === 'fulfilled' ? [`and o.status = 'fulfilled'`] : []),
  ].join(' ');
  const order = `desc, o.id desc limit ${ordersPerPage}`;
  // The index of a customer's orders has all that a filter or a sort asks for. It has no versions: only the page's are read.
  const isOfCustomer = filters.includes('customer');
  const version = `(select v.xmin::text from orders v where v.organization_id = :organizationId and v.id = listed.id)`;
  // Each range has its own limit: PostgreSQL does not hand the limit of all of them down (measured at a million: 5 s).
  const range = (
    further: string,
  ) => `(select o.id${isOfCustomer ? '' : ', o.xmin::text as version'}, o.${column} as at
               from orders o
              where ${where} ${further}
              order by o.${column} ${order})`;
  return statement<SqlParameters, OrdersByChangeRow>(
    ['list_orders', filters.join('_') || 'all', time, ...(hasCursor ? ['after'] : [])].join('_'),
    `select ${customersVersion}::text as customers_version,
            string_agg(listed.id::text || ' ' || ${isOfCustomer ? version : 'listed.version'}, ',') as orders${
              time === 'changed' ? ', min(listed.at)::text as last_at' : ''
            }
       from (select * from (${rangesOf(filters, time).map(range).join(' union all ')}) o
              order by o.at ${order}) listed`,
  );
}

/** The ranges of an index that together are the list, as further conditions. */
function rangesOf(filters: readonly ListFilter[], time: OrderListTime): readonly string[] {
  // Indexes of their own; a key has one order.
  if ((['customer', 'key', 'own'] as const).some((filter) => filters.includes(filter))) return [''];
  const [hasType, hasStatus] = [filters.includes('type'), filters.includes('status')];
  if (time === 'placed' && !hasType && !hasStatus) return [''];
  return orderRanges({ hasType, hasStatus: hasStatus || time === 'fulfilled' });
}

/**
 * Conditions on type and status of an order `o`, one for each range of an index that begins with both: what a list does
 * not name is named in each of its ranges.
 */
export function orderRanges({ hasType, hasStatus }: { hasType: boolean; hasStatus: boolean }): string[] {
  const types = hasType ? [''] : orderTypes.map((type) => `and o.type = '${type}'`);
  const ofStatuses = hasStatus ? [''] : orderStatuses.map((status) => `and o.status = '${status}'`);
  return types.flatMap((type) => ofStatuses.map((status) => `${type} ${status}`));
}

const listStatements = new Map<string, ReturnType<typeof listStatement>>();
for (const filters of subsetsOf<ListFilter>(['type', 'customer', 'key'])) {
  for (const hasCursor of [false, true]) {
    const add = (time: OrderListTime, ...further: ListFilter[]) => {
      const all = [...filters, ...further];
      listStatements.set([...all, time, hasCursor].join(), listStatement(all, time, hasCursor));
    };
    add('placed');
    add('placed', 'status');
    add('fulfilled');
    add('changed');
    add('changed', 'status');
    if (!filters.includes('type') && !filters.includes('customer')) add('placed', 'own');
  }
}

interface OrderListFilter {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly userId?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The calling integrator; idempotency keys are scoped to it (D22). */
  readonly integratorId: number;
  /** Only orders that the calling integrator placed (D69); then no other filter but the key. */
  readonly isOwn?: boolean;
  /** By the time of fulfilment: fulfilled orders only. */
  readonly time: OrderListTime;
  readonly startingAfter?: string | undefined;
  /** Where the reader saw that order in the list by change, if known; it may have moved to the front since. */
  readonly seenAt?: string | null;
  /** Rows before this instant; Infinity: all. */
  readonly beforeMs: number;
}

/** A page of the list that a filter describes, latest first (D14). */
export function listOrdersPage(filter: OrderListFilter): BoundStatement<OrdersByChangeRow> {
  const { time, status } = filter;
  const parts = [
    filter.type !== undefined && 'type',
    filter.userId !== undefined && 'customer',
    filter.idempotencyKey !== undefined && 'key',
    status !== undefined && time !== 'fulfilled' && 'status',
    filter.isOwn && 'own',
  ].filter(Boolean);
  const list = listStatements.get([...parts, time, filter.startingAfter !== undefined].join());
  assert(list !== undefined, 'every combination of filters has its statement');
  return list({
    type: filter.type ?? null,
    status: status ?? null,
    userId: filter.userId ?? null,
    integratorId: filter.integratorId,
    idempotencyKey: filter.idempotencyKey ?? null,
    startingAfter: filter.startingAfter ?? null,
    seenAt: filter.seenAt ?? null,
    before: sqlInstant(filter.beforeMs),
  });
}

/** How long customers cancel their own orders. */
export const selectCancelSetting = statement<
  Record<never, never>,
  { customers_cancel: 'never' | 'while-draft' | 'until-packed' }
>('select_cancel_setting', 'select customers_cancel from organizations where id = :organizationId');

/** Who placed an order, and whether it is of the customer with this email or phone. */
export const selectOrderOfContact = statement<
  { id: string | null; contact: string | null },
  { integrator_id: number | null; is_of_contact: boolean }
>(
  'select_order_of_contact',
  `select o.integrator_id, coalesce(${hasProvenContact}, false) as is_of_contact
     from orders o
     left join customers c on c.organization_id = o.organization_id and c.id = o.user_id
    where o.organization_id = :organizationId and o.id = :id`,
);

/*
 * The orders that customers see (D62), newest first: of the customer with a proven email or phone, or of an integrator. Each is a
 * range of the index of a customer's or an integrator's orders, from the cursor on.
 */
function shownListStatement(name: string, whose: string, hasCursor: boolean) {
  const bound = hasCursor
    ? `and (o.created_at, o.id) < (select c.created_at, c.id from orders c
         where c.organization_id = :organizationId and c.id = :startingAfter)`
    : '';
  return statement<SqlParameters, StoredDocument>(
    hasCursor ? `${name}_after` : name,
    `select ${documentColumns} from orders o
      ${withShownRows}
      where o.organization_id = :organizationId and ${whose} ${bound}
      order by o.created_at desc, o.id desc limit ${ordersPerPage}`,
  );
}

/** A proven contact opens one profile at most. */
const ofContact = `o.user_id = (select c.id from customers c
        where c.organization_id = :organizationId and ${hasProvenContact})`;

const shownLists = {
  customer: [false, true].map((hasCursor) =>
    shownListStatement('list_orders_of_contact', ofContact, hasCursor),
  ),
  integrator: [false, true].map((hasCursor) =>
    shownListStatement('list_shown_orders_of_integrator', 'o.integrator_id = :integratorId', hasCursor),
  ),
};

/** A page of the documents of a customer's orders, or of an integrator's. */
export function listShownOrders(
  whose: { readonly contact: string } | { readonly integratorId: number },
  startingAfter: string | undefined,
): BoundStatement<StoredDocument> {
  const list =
    shownLists['contact' in whose ? 'customer' : 'integrator'][startingAfter === undefined ? 0 : 1]!;
  return list({ ...whose, ...(startingAfter !== undefined && { startingAfter }) });
}
