import { sqlInstant } from '../database/sql-instant.ts';
import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { assert } from '../kernel/assert.ts';

/** What readers see of orders: a status, a document, a page. order-queries.ts has the statements on the rows. */

export const selectOrderStatuses = statement<{ ids: readonly string[] }, { id: string; status: string }>(
  'select_order_statuses',
  `select id, status from orders where organization_id = :organizationId and id = any(:ids::uuid[])`,
);

/** A stored document with the customer's current profile (D26). */
export interface ShownOrderRow {
  id: string;
  /** Changes with every change of the order or of a customer. */
  version: string;
  document: string;
  customer_id: number | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  hash_id: string | null;
  birthday: string | null;
  sex: string | null;
  zip: string | null;
  license_expiry: string | null;
  medical_expiration: string | null;
}

/** The number of changes of customer profiles; a trigger counts them. */
const customersVersion = `coalesce(
  (select version from customer_versions where organization_id = :organizationId), 0)`;

/** Orders to show, in no particular order. */
export const selectShownOrders = statement<{ ids: readonly string[] }, ShownOrderRow>(
  'select_shown_orders',
  `select o.id, o.xmin::text || ' ' || ${customersVersion} as version, o.document, c.id as customer_id, c.email, c.first_name, c.last_name, c.phone,
          c.hash_id, c.birthday, c.sex, c.zip, c.license_expiry, c.medical_expiration
     from orders o
     left join customers c on c.organization_id = o.organization_id and c.id = o.user_id
    where o.organization_id = :organizationId and o.id = any(:ids)`,
);

/** D31. No row: the order is older than explanations. */
export const selectExplanation = statement<{ orderId: string }, { steps: string }>(
  'select_order_explanation',
  `select steps from order_explanations where organization_id = :organizationId and order_id = :orderId`,
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

type OrderFilter = 'all' | 'type' | 'customer' | 'key';

/*
 * The lists (D14). One statement for each (filter, time, cursor), so that the planner reads a plain range of
 * the one index that serves it: a generic plan could not make a range of filter columns that may be null. The
 * id orders rows with the same time, so pages skip and repeat none: 50 rows are read whatever the size of the
 * list and the place of the cursor.
 */
const filters: Record<OrderFilter, string> = {
  all: '',
  type: 'and o.type = :type',
  customer: 'and o.user_id = :userId',
  key: `and o.id in (select k.order_id from order_idempotency_keys k
          where k.organization_id = :organizationId and k.integrator_id = :integratorId
            and k.idempotency_key = :idempotencyKey)`,
};

function listStatement(filter: string, where: string, byFulfillment: boolean, hasCursor: boolean) {
  const time = byFulfillment ? 'fulfilled_at' : 'created_at';
  // One bound on one row value: only then does the scan of the index start at the cursor. With a second bound
  // on the time, PostgreSQL starts there and skips all rows up to the cursor. For a cursor after `before`,
  // (before, the least id) is the same as `before` alone. A cursor that is not in the list matches no row.
  const bound = hasCursor
    ? `(o.${time}, o.id) < (
         select least(c.${time}, :before),
                case when c.${time} >= :before then '00000000-0000-0000-0000-000000000000'::uuid else c.id end
           from orders c where c.organization_id = :organizationId and c.id = :startingAfter
            and c.${time} is not null)`
    : `o.${time} < :before`;
  return statement<SqlParameters, ListedOrdersRow>(
    `list_orders_${filter}${byFulfillment ? '_fulfilled' : ''}${hasCursor ? '_after' : ''}`,
    `select ${customersVersion}::text as customers_version,
            string_agg(listed.id::text || ' ' || listed.version, ',') as orders
       from (select o.id, o.xmin::text as version
               from orders o
              where o.organization_id = :organizationId ${where} and ${bound}
                ${byFulfillment ? `and o.status = 'fulfilled'` : ''}
              order by o.${time} desc, o.id desc limit ${ordersPerPage}) listed`,
  );
}

const listStatements = new Map<string, ReturnType<typeof listStatement>>();
for (const types of [false, true]) {
  for (const customers of [false, true]) {
    for (const keys of [false, true]) {
      for (const byFulfillment of [false, true]) {
        for (const hasCursor of [false, true]) {
          const parts = [types && 'type', customers && 'customer', keys && 'key'].filter(
            (part): part is OrderFilter => part !== false,
          );
          const where = parts.map((part) => filters[part]).join(' ');
          const name = parts.join('_') || 'all';
          listStatements.set(
            [name, byFulfillment, hasCursor].join(),
            listStatement(name, where, byFulfillment, hasCursor),
          );
        }
      }
    }
  }
}

export interface OrderListFilter {
  readonly type?: string | undefined;
  readonly userId?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The calling integrator; idempotency keys are scoped to it (D22). */
  readonly integratorId: number;
  readonly fulfilledOnly: boolean;
  readonly startingAfter?: string | undefined;
  /** Rows before this instant; Infinity: all. */
  readonly beforeMs: number;
}

/** A page of the list with a filter, newest first (D14). */
export function listOrdersPage(filter: OrderListFilter): BoundStatement<ListedOrdersRow> {
  const parts = [
    filter.type !== undefined && 'type',
    filter.userId !== undefined && 'customer',
    filter.idempotencyKey !== undefined && 'key',
  ].filter(Boolean);
  const list = listStatements.get(
    [parts.join('_') || 'all', filter.fulfilledOnly, filter.startingAfter !== undefined].join(),
  );
  assert(list !== undefined, 'a combination of filters has no statement');
  return list({
    type: filter.type ?? null,
    userId: filter.userId ?? null,
    integratorId: filter.integratorId,
    idempotencyKey: filter.idempotencyKey ?? null,
    startingAfter: filter.startingAfter ?? null,
    before: sqlInstant(filter.beforeMs),
  });
}
