import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { ConsentRow, ConsentSource } from './consents.ts';

/** Reads of customers: one, or a page. customer-queries.ts has the rows themselves. */

/** D14. */
export const customersPerPage = 50;

/** A customer with all shown fields; days are YYYY-MM-DD, moments milliseconds since the epoch. */
export interface ShownCustomerRow {
  id: number;
  hash_id: string;
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  joined_at: number;
  updated_at: number;
  birthday: string | null;
  sex: 'male' | 'female' | 'tertiary' | null;
  zip: string | null;
  license_expiry: string | null;
  marketing_opt_in: boolean;
  marketing_opt_in_at: number | null;
  marketing_opt_in_source: ConsentSource | null;
  medical_expiration: string | null;
  residence: string | null;
  notes: string | null;
  patient_state: string | null;
  patient_number_last_four: string | null;
  tax_exempt: boolean | null;
  erased_at: number | null;
  customer_groups: string[];
  points: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  address_state: string | null;
  postal_code: string | null;
}

/** The same for staff, with sums over the orders. */
export interface StaffCustomerRow extends ShownCustomerRow {
  /** Except canceled ones. */
  order_count: number;
  spent_cents: number;
  last_order_at: number | null;
}

/** A patient, or a caregiver; days are YYYY-MM-DD. */
interface CaredRow {
  customerId: number;
  name: string;
  expiresOn: string | null;
}

/** One customer for staff, with the history of consent. */
export interface CustomerDetailRow extends StaffCustomerRow {
  consents: readonly ConsentRow[];
  /** Whom the customer may buy for, and who may buy for the customer. */
  patients: readonly CaredRow[];
  caregivers: readonly CaredRow[];
}

interface ListedCustomerRow extends ShownCustomerRow {
  /** The row's position in its list, to the microsecond. */
  position: string;
}

export const profileColumns = `id, hash_id, first_name, last_name, email, phone, joined_at, updated_at,
          birthday::text as birthday, sex, zip, license_expiry::text as license_expiry, marketing_opt_in,
          marketing_opt_in_at, marketing_opt_in_source, medical_expiration::text as medical_expiration, residence, notes,
          patient_state, patient_number_last_four, tax_exempt, erased_at`;

/*
 * The fields beyond the profile: three lookups by key for each of at most 50 rows, so that the cost of a page does not
 * depend on the number of customers and orders. The address is that of the latest delivery.
 */
export const shownBeside = `array(
            select g.name from customer_group_members m
              join customer_groups g on g.organization_id = m.organization_id and g.id = m.customer_group_id
             where m.organization_id = :organizationId and m.user_id = c.id and g.deleted_at is null
             order by g.name_key, g.id) as customer_groups,
          (select b.points from loyalty_balances b
            where b.organization_id = :organizationId and b.user_id = c.id) as points,
          a.street1, a.street2, a.city, a.address_state, a.postal_code`;
/** What the writes of orders keep: by the key, of each row of a page. */
export const orderSums = `left join customer_sums s on s.organization_id = :organizationId and s.user_id = c.id`;
export const shownOrderSums = `coalesce(s.order_count, 0) as order_count, coalesce(s.spent_cents, 0) as spent_cents, s.last_order_at`;
export const latestDelivery = `left join lateral (
            select o.street1, o.street2, o.city, o.address_state, o.postal_code from orders o
             where o.organization_id = :organizationId and o.user_id = c.id and o.type = 'delivery'
             order by o.created_at desc, o.id desc limit 1) a on true`;

export const selectShownCustomer = statement<{ id: number }, ShownCustomerRow>(
  'select_shown_customer',
  `select c.*, ${shownBeside}
     from (select ${profileColumns} from customers
            where organization_id = :organizationId and id = :id) c
     ${latestDelivery}`,
);

export const selectShownCustomers = statement<{ ids: readonly number[] }, ShownCustomerRow>(
  'select_shown_customers',
  `select c.*, ${shownBeside}
     from (select ${profileColumns} from customers
            where organization_id = :organizationId and id = any(:ids)) c
     ${latestDelivery}`,
);

/** The start of a page. */
type PageStart = {
  /** The last local day of the list (D15), YYYY-MM-DD; null starts with the newest customer. */
  readonly startingOn: string | null;
};
type NextPageStart = PageStart & { readonly startingAfter: number };

/** The end of that day in the shop's time zone; if a clock change skips midnight, the moment of the change. */
const dayEnd = `coalesce((:startingOn::date + 1)::timestamp
             at time zone (select tz from organizations where id = :organizationId), 'infinity')`;

/*
 * The lists (D14), newest first by (time, id), each page in one statement: `bound` is one row with the start of the
 * page, below a time and, among rows with that time, below an id. A row comparison lets PostgreSQL enter the index at
 * that position and read 50 rows. Without a `bound` row the cursor is unknown, and the page is empty.
 */
function listStatement<Start extends PageStart>(
  name: string,
  time: 'joined_at' | 'updated_at',
  bound: string,
) {
  return statement<Start, ListedCustomerRow>(
    name,
    `with bound as materialized (${bound})
     select c.*, ${shownBeside}
       from (select ${profileColumns}, ${time}::text as position from customers
              where organization_id = :organizationId
                and (${time}, id) < ((select at from bound), (select id from bound))
              order by ${time} desc, id desc limit ${customersPerPage}) c
       ${latestDelivery}
      order by c.${time} desc, c.id desc`,
  );
}

const fromDayEnd = `select ${dayEnd} as at, 0::bigint as id`;

/** The start of a page after a customer: the customer's position, or the end of the day if that is lower. */
const belowPlace = (place: string) => `
    select least(p.at, d.day_end) as at,
           case when p.at < d.day_end then :startingAfter::bigint else 0 end as id
      from (${place}) p cross join (select ${dayEnd} as day_end) d`;

/** How many there are, up to the bound of counting. */
export const countCustomers = statement<Record<never, never>, { count: number }>(
  'count_customers',
  countOfRows(
    'select from customers where organization_id = :organizationId order by joined_at desc, id desc',
  ),
);

/** The sums in place of the customers, under the same name. */
const sums = `from (select organization_id, user_id as id, order_count, spent_cents, last_order_at from customer_sums) c
              where c.organization_id = :organizationId`;

/** The staff's list: by time of joining, by last and first name without case and accents, and by sums over the orders. */
export const customerList = sortedList<
  StaffCustomerRow,
  'joinedAt' | 'name' | 'orderCount' | 'spent' | 'lastOrderAt'
>({
  name: 'list_customers_by',
  rows: 'from customers c where c.organization_id = :organizationId',
  ids: ['c.id'],
  sorts: {
    joinedAt: { key: 'c.joined_at', own: 'descending' },
    name: { key: 'c.last_name_key collate "C"', thenBy: ['c.first_name_key collate "C"'], own: 'ascending' },
    orderCount: { key: 'c.order_count', own: 'descending', rows: sums },
    spent: { key: 'c.spent_cents', own: 'descending', rows: sums },
    lastOrderAt: { key: 'c.last_order_at', own: 'descending', isNullable: true, rows: sums },
  },
  rowsPerPage: customersPerPage,
  show: (page) => `select c.*, ${shownBeside}, ${shownOrderSums}
     from ${page}
     cross join lateral (select ${profileColumns} from customers
            where organization_id = :organizationId and id = page.id0 limit 1) c
     ${orderSums}
     ${latestDelivery}`,
});

/** Latest joined first. */
export const listCustomersByTime = listStatement<PageStart>(
  'list_customers_by_time',
  'joined_at',
  fromDayEnd,
);

/** Latest changed first. */
export const listCustomersByUpdate = listStatement<PageStart>(
  'list_customers_by_update',
  'updated_at',
  fromDayEnd,
);

export const listCustomersAfter = listStatement<NextPageStart>(
  'list_customers_after',
  'joined_at',
  belowPlace(
    'select joined_at as at from customers where organization_id = :organizationId and id = :startingAfter',
  ),
);

/**
 * For the list by change, where a change moves a customer to the front. `seenAt` is the position where the reader saw
 * the customer, if known. Otherwise it is estimated from the positions since `since`: the latest at which a page of 50
 * can have ended. It can be later than the true one, if 49 others changed after the customer; then rows are repeated.
 * It is never earlier for a reader who reads page by page, so no row is skipped.
 */
export const listCustomersAfterByUpdate = listStatement<
  NextPageStart & { seenAt: string | null; since: string }
>(
  'list_customers_after_by_update',
  'updated_at',
  belowPlace(
    `select at
       from (select :seenAt::timestamptz as at where :seenAt::timestamptz is not null
              union all
             select updated_at from customers
              where organization_id = :organizationId and id = :startingAfter and :seenAt::timestamptz is null
              union all
             select updated_at from customer_past_places
              where organization_id = :organizationId and user_id = :startingAfter and left_at > :since
                and :seenAt::timestamptz is null) q
      order by (select count(*) from (
                  select from customers f
                   where f.organization_id = :organizationId
                     and (f.updated_at, f.id) > (q.at, :startingAfter::bigint)
                   limit ${customersPerPage - 1}) before_it) desc, q.at desc
      limit 1`,
  ),
);

/** Whether the customer exists. */
export const selectCustomerExists = statement<{ id: number }, { found: boolean }>(
  'select_customer_exists',
  `select exists (select from customers where organization_id = :organizationId and id = :id) as found`,
);

/** The time zone of the days in `startingOn` (D15), and its list of placeholders of contacts (D84). */
export const selectShopOfCustomers = statement<
  Record<never, never>,
  { tz: string; placeholder_contacts: readonly string[] }
>(
  'select_shop_of_customers',
  'select tz, placeholder_contacts from organizations where id = :organizationId',
);
