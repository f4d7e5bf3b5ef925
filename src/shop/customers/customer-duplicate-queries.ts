import { countedMax } from '../../kernel/list-count.ts';
import { statement } from '../../platform/statements/statement.ts';
import {
  customersPerPage,
  latestDelivery,
  orderSums,
  profileColumns,
  type StaffCustomerRow,
  shownBeside,
  shownOrderSums,
} from './customer-list-queries.ts';

/** One of the two customers of a pair; a page without pairs is one row, whose `pair_id` is null. */
interface DuplicateRow extends StaffCustomerRow {
  /** The id of the later one of the two. */
  pair_id: number | null;
  /** The number of all pairs, up to one more than `countedMax`. */
  pair_count: number;
}

/** As in person-name.ts. */
const suffixOf = (name: string) =>
  `lower((regexp_match(btrim(${name}), '[\\s,]+(jr|sr|junior|senior|ii|iii|iv|2nd|3rd|4th)\\.?$', 'i'))[1])`;

/*
 * Pairs as `namesFit` has them (D85): the index alone tells who shares birthday and last name with another; of them those with
 * equal given names or an equal first one, and without different suffixes. Each customer stands beside the nearest one before
 * it, so that many people of one name are as many pairs, and not their square.
 */
const pairs = `
    alike as (
      select id from (
        select id, count(*) over (partition by birthday, last_name_folded) as people from customers
         where organization_id = :organizationId and erased_at is null and birthday is not null) p
       where people > 1),
    named as (
      select c.id, c.birthday, c.last_name_folded as last,
             min(person_key(substring(btrim(c.first_name) from '^[^\\s\\-\\u2010\\u2011\\u2013]+')))
               over (partition by c.birthday, c.last_name_folded, c.first_name_folded) as given,
             case suffix when 'junior' then 'jr' when 'senior' then 'sr' when '2nd' then 'ii' when '3rd' then 'iii'
                         when '4th' then 'iv' else suffix end as suffix
        from alike
        join customers c on c.organization_id = :organizationId and c.id = alike.id
       cross join lateral (
             select coalesce(${suffixOf('c.last_name')}, ${suffixOf('c.first_name')}, '') as suffix) s
       where c.first_name_folded <> '' or c.last_name_folded <> ''),
    pairs as materialized (
      select id, earlier_id from (
        select id, case when suffix = '' then lag(id) over person
                        else greatest(lag(id) over same_suffix, max(id) filter (where suffix = '') over before_it)
                   end as earlier_id
          from named
        window person as (partition by birthday, last, given order by id),
               before_it as (person rows between unbounded preceding and 1 preceding),
               same_suffix as (partition by birthday, last, given, suffix order by id)) p
       where earlier_id is not null)`;

/**
 * A page of pairs, the latest to be added first: two rows for each, the later customer first; without a customer of that id, none. Reads the birthdays of the shop
 * from the index.
 */
export const listCustomerDuplicates = statement<{ startingAfter: number | null }, DuplicateRow>(
  'list_customer_duplicates',
  `with ${pairs}
   select counted.pair_count, shown.*
     from (select least(count(*), ${countedMax + 1})::integer as pair_count from pairs) counted
     left join lateral (
          select page.id as pair_id, c.*, ${shownBeside}, ${shownOrderSums}
            from (select id, earlier_id from pairs
                   where :startingAfter::bigint is null
                      or id < (select id from customers where organization_id = :organizationId and id = :startingAfter)
                   order by id desc limit ${customersPerPage}) page
            cross join lateral (select ${profileColumns} from customers
                   where organization_id = :organizationId and id in (page.id, page.earlier_id)) c
            ${orderSums}
            ${latestDelivery}) shown on true
    order by shown.pair_id desc, shown.id desc`,
);
