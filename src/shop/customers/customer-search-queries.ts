import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { statement } from '../../platform/statements/statement.ts';
import { consentsOfCustomer } from './consents.ts';
import {
  type CustomerDetailRow,
  customersPerPage,
  latestDelivery,
  orderSums,
  profileColumns,
  type StaffCustomerRow,
  shownBeside,
  shownOrderSums,
} from './customer-list-queries.ts';
import type { SoughtCustomers } from './customer-search.ts';

/** Customer reads for staff only: search results, and sums of one customer. */

/*
 * A prefix is an index range: from the prefix to just below the end of all texts with that prefix. Both ends are
 * computed separately from the customers, because behind row-level security a condition with a function of another
 * table's value cannot use an index.
 */
const last = 'chr(1114111)';

/**
 * The maximum number of rows of each range: a prefix that half the shop shares would otherwise read and sort half the
 * shop.
 */
export const matchesMax = 2_000;

function prefixRange(column: string, parameter: string): string {
  return `(select joined_at, id from customers
            where organization_id = :organizationId and erased_at is null
              and ${column} ~>=~ :${parameter} and ${column} ~<~ (:${parameter} || ${last})
            limit ${matchesMax})`;
}

function nameRange(column: string): string {
  return `(select c.joined_at, c.id from folded w join customers c
              on c.organization_id = :organizationId and c.erased_at is null
             and c.${column} >= w.first_from and c.${column} < w.first_to
            limit ${matchesMax})`;
}

function bothNamesRange(first: string, second: string): string {
  return `(select c.joined_at, c.id from halves h join customers c
              on c.organization_id = :organizationId and c.erased_at is null
             and c.${first} >= h.first_from and c.${first} < h.first_to
             and c.${second} >= h.second_from and c.${second} < h.second_to
            limit ${matchesMax})`;
}

/**
 * The customers matched, names folded (D85), by the prefix of an email, a phone number, a hash id, a name, or both names in either order,
 * or by the whole number of a patient, as the tables `folded`, `halves` and `found` (joined_at, id) of a WITH: each an index range. With the
 * parameters from `seekCustomers`; null parameters match nothing.
 */
export const foundCustomers = `folded as materialized (
          select said.key as first_from, said.key || ${last} as first_to
            from (select person_key(:name) as key) said where said.key <> ''),
        halves as materialized (
          select said.first as first_from, said.first || ${last} as first_to,
                 said.second as second_from, said.second || ${last} as second_to
            from (select person_key(part) as first, person_key(other_part) as second
                    from unnest(:parts::text[], :otherParts::text[]) as words(part, other_part)) said
           where said.first <> '' and said.second <> ''),
        found as (
          ${nameRange('last_name_folded')}
           union
          ${nameRange('first_name_folded')}
           union
          ${bothNamesRange('last_name_folded', 'first_name_folded')}
           union
          ${bothNamesRange('first_name_folded', 'last_name_folded')}
           union
          ${prefixRange('email_normalized', 'email')}
           union
          ${prefixRange('phone_normalized', 'phone')}
           union
          ${prefixRange('hash_id', 'hashId')}
           union
          (select joined_at, id from customers
            where organization_id = :organizationId and erased_at is null
              and patient_number_digest is not null and patient_number_digest = any(:patientNumbers::text[])))`;

/** The matched customers, latest joined first, or the next ones after a customer. */
export const searchCustomers = statement<
  SoughtCustomers & { startingAfter: number | null },
  StaffCustomerRow & { position: string }
>(
  'search_customers',
  `with ${foundCustomers},
        bound as materialized (
          select joined_at as at, id from customers where organization_id = :organizationId and id = :startingAfter)
   select c.*, ${shownBeside}, ${shownOrderSums}
     from (select ${profileColumns}, joined_at::text as position from customers
            where organization_id = :organizationId
              and id = any(array(select f.id from found f
                                  where :startingAfter::bigint is null
                                     or (f.joined_at, f.id) < ((select at from bound), (select id from bound))
                                  order by f.joined_at desc, f.id desc limit ${customersPerPage}))) c
     ${orderSums}
     ${latestDelivery}
    order by c.joined_at desc, c.id desc`,
);

/** How many customers match, up to the bound of counting. */
export const countFoundCustomers = statement<SoughtCustomers, { count: number }>(
  'count_found_customers',
  `with ${foundCustomers} ${countOfRows('select from found')}`,
);

/** One customer, with sums over their orders: by the index of a customer's orders. */
const caredOf = (one: 'caregiver' | 'patient', other: 'caregiver' | 'patient') => `(
            select coalesce(json_agg(json_build_object('customerId', o.id, 'name', btrim(o.first_name || ' ' || o.last_name),
                     'expiresOn', l.expires_on::text) order by o.last_name_key, o.id), '[]')
              from customer_caregivers l
              join customers o on o.organization_id = l.organization_id and o.id = l.${other}_id
             where l.organization_id = :organizationId and l.${one}_id = c.id)`;

export const selectCustomerDetail = statement<{ id: number }, CustomerDetailRow>(
  'select_customer_detail',
  `select c.*, ${shownBeside}, bought.*, ${consentsOfCustomer},
          ${caredOf('caregiver', 'patient')} as patients, ${caredOf('patient', 'caregiver')} as caregivers
     from (select ${profileColumns} from customers
            where organization_id = :organizationId and id = :id) c
     cross join lateral (
            select count(*) filter (where o.status <> 'canceled') as order_count,
                   coalesce(sum(o.customer_grand_total_cents) filter (where o.status = 'fulfilled'), 0)::bigint
                     as spent_cents,
                   max(o.created_at) filter (where o.status <> 'canceled') as last_order_at
              from orders o where o.organization_id = :organizationId and o.user_id = c.id) bought
     ${latestDelivery}`,
);
