import { equalByRange } from '../../platform/lists/equal-by-range.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import {
  groupedSales,
  isAnything,
  list,
  onDays,
  type RangeParameters,
  salesParts,
  summed,
  uncounted,
} from './report-part-queries.ts';

/** SQL of the day so far (D74, D78): a fixed number of statements, of which none reads all orders. */

/** What a day is divided by, as kept in the sums. */
export type DayPart = 'day' | 'hour' | 'payment' | 'staff' | 'location';

const parts = `array['day', 'hour', 'payment', 'staff', 'location']`;

export interface DaySalesRow {
  report: DayPart;
  key: string;
  name: string;
  orders: number;
  units: number;
  net_cents: number;
  paid_cents: number;
  refunds_cents: number;
  paid_back_cents: number;
}

const shownAmounts = ['orders', 'units', 'net_cents', 'paid_cents', 'refunds_cents', 'paid_back_cents'];
const shownOf = (row: string) => list(shownAmounts, (it) => `${row}.${it}`);

/** The sums of one day, by each part of it, with what is not in them yet. Staff and locations have their present names. */
const selectDaySales = statement<Omit<RangeParameters, 'monthsFrom' | 'monthsUntil'>, DaySalesRow>(
  'select_day_sales',
  `with ${uncounted}, ${salesParts()}, ${groupedSales()}, found as (
       select s.report, s.key, s.name, ${shownOf('s')}
         from book_sums s
        where s.organization_id = :organizationId and s.generation = (select generation from state)
          and s.report = any(${parts})
          and s.span = 'day' and s.day = :fromDay::date
        union all
       select s.report, s.key, s.name, ${shownOf('s')} from grouped s
        where s.report = any(${parts}) and ${onDays('s')}
     ), shown as (
       select report, key, max(name) as name, ${summed(shownAmounts)} from found group by report, key
     )
   select s.report, s.key, ${shownOf('s')},
          coalesce(case
            when s.report = 'staff' and s.key = '' then 'Without staff'
            when s.report = 'staff' then (
              select m.first_name || ' ' || m.last_name from staff_members m
               where m.organization_id = :organizationId and m.id = s.key::bigint)
            when s.report = 'location' and s.key = 'none' then 'Without location'
            when s.report = 'location' and s.key = 'several' then 'Several locations'
            when s.report = 'location' and s.key <> '' then (
              select l.name from inventory_locations l
               where l.organization_id = :organizationId and l.id = s.key::bigint)
          end, s.name) as name
     from shown s where ${isAnything(shownAmounts, (it) => `s.${it}`)} order by s.report, s.key`,
  { isLong: true },
);

/** The sales of the one day of a range. */
export function daySales({
  monthsFrom: _from,
  monthsUntil: _until,
  ...day
}: RangeParameters): BoundStatement<DaySalesRow> {
  return selectDaySales(day);
}

/** A location of the organization. No row: there is none of this id. */
export const selectTodayLocation = statement<{ locationId: number }, { id: number }>(
  'select_today_location',
  'select id from inventory_locations where organization_id = :organizationId and id = :locationId',
);

interface LowStockRow {
  product_id: number;
  product_option_id: number;
  product_name: string;
  option_name: string | null;
  unit: 'gram' | 'item';
  on_hand: string;
  units_sold: number;
  /** The number of all that run low, not only of those shown. */
  count: number;
}

/**
 * What sold lately and is nearly gone: what can be sold of it is enough for at most so many of its smallest option. What sold
 * is in the sums of products, so the balances of few products are read; what sold in the last half minute may be missing,
 * which only chooses the products. Best sold first; ties by product and option.
 */
export const selectLowStock = statement<
  {
    fromDay: string;
    toDay: string;
    locationId: number | null;
    unitsLeftMax: number;
    rowsMax: number;
  },
  LowStockRow
>(
  'select_low_stock_today',
  `with sold as materialized (
       select s.key::bigint as product_id, sum(s.units)::bigint as units from book_sums s
        where s.organization_id = :organizationId and s.report = 'product' and s.span = 'day' and s.key <> ''
          and s.generation = (select generation from book_states where organization_id = :organizationId)
          and s.day between :fromDay::date and :toDay::date
        group by s.key having sum(s.units) > 0
     ), held as (
       select b.product_id, b.product_option_id, max(sold.units) as units,
              sum(case when b.package_id = 0 or (k.status = 'received' and not k.on_hold and k.state_block is null and not k.trade_sample
                         and (k.expiration_date is null or k.expiration_date >= :toDay::date))
                       then b.on_hand else 0 end) as on_hand
         from sold
         join stock_balances b on b.organization_id = :organizationId and ${equalByRange('b.product_id', 'sold.product_id')}
         left join packages k on k.organization_id = :organizationId and k.id = b.package_id
        where :locationId::bigint is null or b.inventory_location_id = :locationId::bigint
        group by b.product_id, b.product_option_id
     )
   select h.product_id, h.product_option_id, p.name as product_name, o.name as option_name, p.unit,
          trim_scale(h.on_hand)::text as on_hand, h.units as units_sold, count(*) over ()::integer as count
     from held h
     join products p on p.organization_id = :organizationId and p.id = h.product_id and p.deleted_at is null
     left join product_options o on o.organization_id = :organizationId and o.id = h.product_option_id
    cross join lateral (
      select case when h.product_option_id <> 0 then 1 else coalesce((
               select min(v.amount) from product_options v
                where v.organization_id = :organizationId and v.product_id = h.product_id
                  and v.deleted_at is null), 1) end as one) smallest
    where o.deleted_at is null and h.on_hand <= :unitsLeftMax::bigint * smallest.one
    order by h.units desc, h.product_id, h.product_option_id limit :rowsMax`,
);

/**
 * The products that sold most units in a range of days, by the sums; ties to the older product. A range of the index for each
 * day, whatever the number of orders.
 */
export const selectBestSold = statement<
  { fromDay: string; toDay: string; rowsMax: number },
  { product_id: number }
>(
  'select_best_sold_products',
  `select s.key::bigint as product_id from book_sums s
    where s.organization_id = :organizationId and s.report = 'product' and s.span = 'day' and s.key <> ''
      and s.generation = (select generation from book_states where organization_id = :organizationId)
      and s.day between :fromDay::date and :toDay::date
    group by s.key having sum(s.units) > 0
    order by sum(s.units) desc, s.key::bigint limit :rowsMax`,
);

interface ExpiringRow {
  id: number;
  label: string;
  expiration_date: string;
  product_name: string;
  on_hand: string;
  unit: 'gram' | 'item';
  count: number;
}

/** Packages with stock whose last day of sale is near or past, soonest first. */
export const selectExpiringPackages = statement<
  { untilDay: string; locationId: number | null; rowsMax: number },
  ExpiringRow
>(
  'select_expiring_packages',
  `select k.id, k.label, k.expiration_date::text as expiration_date, max(p.name) as product_name, max(p.unit) as unit,
          trim_scale(sum(b.on_hand))::text as on_hand, count(*) over ()::integer as count
     from packages k
     join stock_balances b on b.organization_id = :organizationId and b.package_id = k.id and b.on_hand > 0
     join products p on p.organization_id = :organizationId and p.id = k.product_id
    where k.organization_id = :organizationId and k.status = 'received' and k.expiration_date <= :untilDay::date
      and (:locationId::bigint is null or b.inventory_location_id = :locationId::bigint)
    group by k.id, k.label, k.expiration_date
    order by k.expiration_date, k.id limit :rowsMax`,
);
