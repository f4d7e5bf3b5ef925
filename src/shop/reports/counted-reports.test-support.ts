import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Statement, statement } from '../../platform/statements/statement.ts';
import { type SalesRow, selectTaxes, type TaxRow } from './report-queries.ts';
import { rangeParameters } from './report-range.ts';
import { type SalesGroup, salesGroups, salesStatement } from './sales-report.ts';

/** The reports, counted from the orders themselves: what sums must equal to the cent. */

/**
 * Goods are summed over lines, which contain their shares of discounts. Amounts of a whole order (adjustments,
 * credits, tax on the delivery fee) are summed over orders, including what returns refunded of them. Every grouping
 * gives the same sums, to the cent. An order that counts in several groups counts once in the total.
 *
 * A return's share of a tax includes the tax on the fee: the goods' part of it is the line's tax by returned units,
 * complete with the last unit, and the rest belongs to the fee.
 */
const sales = (
  [key, name]: readonly [string, string],
  [keyOfWhole, nameOfWhole]: readonly [string, string],
): string =>
  `with taken as (
     select o.organization_id, o.id, o.type, o.source, o.fulfilled_at, o.fulfilled_by_staff_id,
            (select case count(distinct p.payment_type_id) when 0 then '' when 1 then min(p.payment_type_id)::text
                         else 'several' end
               from order_payments p where p.organization_id = o.organization_id and p.order_id = o.id) as payment
       from orders o
      where o.organization_id = :organizationId and o.status = 'fulfilled'
        and o.fulfilled_at >= :from and o.fulfilled_at < :until
   ), lines as (
     select o.id as order_id, ${key} as key, ${name} as name, ${keyOfWhole} as key_of_whole,
            ${nameOfWhole} as name_of_whole,
            round(100 * case when l.package_line_cost is not null then l.package_line_cost
                             when l.option_moving_average_cost is not null then l.quantity * l.option_moving_average_cost
                             when l.product_moving_average_cost is not null
                               then l.quantity * l.option_amount * l.product_moving_average_cost
                             else 0 end) as cost_cents, l.quantity, l.subtotal_price_cents, l.gross_cents, charged.tax_cents,
            coalesce(back.refund_cents, 0) as refund_cents,
            least(back.tax_cents, floor(charged.tax_cents::numeric * back.quantity / l.quantity)) as goods_tax_cents,
            back.tax_cents as back_tax_cents, back.adjustments_cents, back.credits_cents, back.other_cents
       from taken o
       join order_line_items l on l.organization_id = o.organization_id and l.order_id = o.id
       cross join lateral (
         select coalesce(sum((a ->> 'amountCents')::bigint), 0) as tax_cents
           from jsonb_array_elements(l.tax_allocations) a
       ) charged
       left join lateral (
         select sum(rl.quantity) as quantity, sum(rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents) as refund_cents,
                sum((select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                       from jsonb_array_elements(rl.tax_shares) a)) as tax_cents,
                sum(rl.adjustments_cents) as adjustments_cents,
                sum(rl.promo_codes_cents + rl.store_credits_cents) as credits_cents,
                -- Every return has a first line, so its adjustment counts once.
                sum(-r.adjustment_cents) filter (where rl.position = 0) as other_cents
           from order_return_lines rl
           join order_returns r on r.organization_id = rl.organization_id and r.id = rl.order_return_id
          where rl.organization_id = l.organization_id and rl.order_id = l.order_id
            and rl.order_line_item_id = l.id and r.voided_at is null and r.refund_type <> 'none'
       ) back on l.returned_quantity > 0
   ), wholes as (
     select b.*, fees.tax_cents, added.adjustments_cents, paid.credits_cents
       from taken o
       join (
         select order_id, min(key_of_whole) as key, min(name_of_whole) as name,
                coalesce(sum(back_tax_cents - goods_tax_cents), 0) as back_tax_cents,
                coalesce(sum(adjustments_cents), 0) as back_adjustments_cents,
                coalesce(sum(credits_cents), 0) as back_credits_cents, coalesce(sum(other_cents), 0) as other_cents
           from lines group by order_id
       ) b on b.order_id = o.id
       cross join lateral (
         select coalesce(sum(t.fee_allocation_cents), 0) as tax_cents
           from order_taxes t where t.organization_id = o.organization_id and t.order_id = o.id
       ) fees
       cross join lateral (
         select coalesce(sum(a.amount_cents), 0) as adjustments_cents
           from order_adjustments a where a.organization_id = o.organization_id and a.order_id = o.id
       ) added
       cross join lateral (
         select coalesce(sum(c.amount_used_cents), 0) as credits_cents
           from order_credits c where c.organization_id = o.organization_id and c.order_id = o.id
       ) paid
   ), sold as (
     select order_id, true as is_sale, key, name, quantity, subtotal_price_cents, gross_cents, cost_cents, tax_cents, refund_cents,
            coalesce(goods_tax_cents, 0) as refunded_tax_cents, 0 as adjustments_cents, 0 as credits_cents,
            0 as refunded_adjustments_cents, 0 as refunded_credits_cents, 0 as other_refunds_cents
       from lines
     union all
     -- An order of which only a return has cents of the whole order is no sale of them.
     select order_id, tax_cents <> 0 or adjustments_cents <> 0 or credits_cents <> 0, key, name, 0, 0, 0, 0, tax_cents, 0,
            back_tax_cents, adjustments_cents, credits_cents, back_adjustments_cents, back_credits_cents, other_cents
       from wholes
      where tax_cents <> 0 or adjustments_cents <> 0 or credits_cents <> 0 or back_tax_cents <> 0
         or back_adjustments_cents <> 0 or back_credits_cents <> 0 or other_cents <> 0
   )
   select grouping(key) = 1 as is_total, key, max(name) as name,
          count(distinct order_id) filter (where is_sale) as orders,
          coalesce(sum(quantity), 0)::bigint as units,
          coalesce(sum(subtotal_price_cents), 0)::bigint as gross_cents,
          coalesce(sum(gross_cents), 0)::bigint as net_cents,
          coalesce(sum(cost_cents), 0)::bigint as cost_cents,
          coalesce(sum(adjustments_cents), 0)::bigint as adjustments_cents,
          coalesce(sum(credits_cents), 0)::bigint as credits_cents, coalesce(sum(tax_cents), 0)::bigint as tax_cents,
          coalesce(sum(refund_cents), 0)::bigint as refunds_cents,
          coalesce(sum(refunded_adjustments_cents), 0)::bigint as refunded_adjustments_cents,
          coalesce(sum(refunded_credits_cents), 0)::bigint as refunded_credits_cents,
          coalesce(sum(refunded_tax_cents), 0)::bigint as refunded_tax_cents,
          coalesce(sum(other_refunds_cents), 0)::bigint as other_refunds_cents
     from sold group by grouping sets ((key), ()) order by is_total, key = '', key`;

/** An order that belongs to one group counts there with all amounts. */
const salesOfOrders = (key: string): string => sales([key, key], [key, key]);

/**
 * Orders have goods of several groups: amounts of the whole order belong to none of them, and are in a row without
 * key.
 */
const salesOfGoods = (key: string, name: string): string => sales([key, name], [`''`, `'Whole orders'`]);

type Range = { from: string; until: string; fromDay: string; toDay: string; tz: string; dayStartsAt: string };

/** The business day of a moment, in other words than the function of the database. */
const dayOf = (at: string): string =>
  `to_char(${at} at time zone :tz - :dayStartsAt::interval, 'YYYY-MM-DD')`;

const orderKeys = {
  day: dayOf('o.fulfilled_at'),
  hour: `to_char(o.fulfilled_at at time zone :tz, 'HH24')`,
  type: 'o.type',
  source: 'o.source',
  staff: `coalesce(o.fulfilled_by_staff_id::text, '')`,
  payment: 'o.payment',
};
const goodsKeys = {
  category: ['l.product_category_id::text', 'l.product_category_name'],
  product: ['l.product_id::text', 'l.product_name'],
  brand: [`coalesce(l.product_brand_id::text, 'none')`, `coalesce(l.product_brand, 'Without brand')`],
  location: [
    `(select case when count(*) = 0 then 'none' when min(f.inventory_location_id) = max(f.inventory_location_id)
                  then min(f.inventory_location_id)::text else 'several' end
        from order_line_fulfillments f
       where f.organization_id = l.organization_id and f.order_id = l.order_id and f.order_line_item_id = l.id)`,
    `''`,
  ],
} as const;

/** The report of sales, by each group, from the orders themselves. */
const countedSales = Object.fromEntries(
  salesGroups.map((by) => [
    by,
    statement<Range, SalesRow>(
      `test_counted_sales_by_${by}`,
      by === 'category' || by === 'product' || by === 'brand' || by === 'location'
        ? salesOfGoods(goodsKeys[by][0], goodsKeys[by][1])
        : salesOfOrders(orderKeys[by]),
      { isLong: true },
    ),
  ]),
) as Readonly<Record<SalesGroup, Statement<Range, SalesRow>>>;

/** Each return of the days once, and each end of one with the opposite sign: by the day of the money. */
const returnEvents = `events as (
     select r.*, o.type, o.source, e.at, e.sign, e.staff_id
       from order_returns r
       join orders o on o.organization_id = r.organization_id and o.id = r.order_id
      cross join lateral (values (r.created_at, 1, r.created_by_staff_id), (r.voided_at, -1, r.voided_by_staff_id))
        e(at, sign, staff_id)
      where r.organization_id = :organizationId and r.refund_type <> 'none' and e.at is not null
        and ${dayOf('e.at')} between :fromDay and :toDay
   )`;

const returnKeys: Readonly<Record<SalesGroup, string>> = {
  day: dayOf('e.at'),
  hour: `to_char(e.at at time zone :tz, 'HH24')`,
  type: 'e.type',
  source: 'e.source',
  staff: 'e.staff_id::text',
  payment: `coalesce(e.payment_type_id::text, 'store-credit')`,
  ...{ category: goodsKeys.category[0], product: goodsKeys.product[0] },
  ...{ brand: goodsKeys.brand[0], location: goodsKeys.location[0] },
};

/** What returns of the days gave back. By goods only net sales belong to a part. */
const countedReturns = Object.fromEntries(
  salesGroups.map((by) => [
    by,
    statement<Range, Record<string, string | number>>(
      `test_counted_returns_by_${by}`,
      `with ${returnEvents}
       select ${returnKeys[by]} as key,
              sum(e.sign * (rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents))::bigint as refunds_cents,
              sum(e.sign * rl.adjustments_cents)::bigint as refunded_adjustments_cents,
              sum(e.sign * (rl.promo_codes_cents + rl.store_credits_cents))::bigint as refunded_credits_cents,
              sum(e.sign * (select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                              from jsonb_array_elements(rl.tax_shares) a))::bigint as refunded_tax_cents,
              sum(case when rl.position = 0 then e.sign * -e.adjustment_cents else 0 end)::bigint as other_refunds_cents,
              sum(case when rl.position = 0 and e.payment_type_id is not null then e.sign * -e.refund_total_cents
                       else 0 end)::bigint as paid_back_cents,
              sum(case when rl.position = 0 then e.sign else 0 end)::bigint as returns
         from events e
         join order_return_lines rl on rl.organization_id = e.organization_id and rl.order_return_id = e.id
         join order_line_items l on l.organization_id = e.organization_id and l.order_id = e.order_id
          and l.id = rl.order_line_item_id
        group by 1 order by 1`,
      { isLong: true },
    ),
  ]),
) as Readonly<Record<SalesGroup, Statement<Range, Record<string, string | number>>>>;

const refundedTaxes = statement<Range, { tax_id: number; cents: number }>(
  'test_refunded_taxes',
  `with ${returnEvents}
   select t.tax_id, sum(e.sign * -t.amount_cents)::bigint as cents
     from events e
     join order_return_taxes t on t.organization_id = e.organization_id and t.order_return_id = e.id
    group by 1 having sum(e.sign * -t.amount_cents) <> 0 order by 1`,
);

/** Money by payment type: what the payments say. */
const countedPayments = statement<Range, { key: string; orders: number; cents: number }>(
  'test_counted_payments',
  `select p.payment_type_id::text as key, count(distinct o.id)::int as orders, sum(p.final_amount_cents)::bigint as cents
     from orders o
     join order_payments p on p.organization_id = o.organization_id and p.order_id = o.id
    where o.organization_id = :organizationId and o.status = 'fulfilled' and o.fulfilled_at >= :from and o.fulfilled_at < :until
    group by 1 order by 1`,
);

/** The report of taxes, from the orders themselves. */
const countedTaxes = statement<Range, Omit<TaxRow, 'taxable_cents'>>(
  'test_counted_taxes',
  `with charged as (
     select t.tax_id, t.description, t.rate, t.included, t.order_id, t.amount_cents, t.fee_allocation_cents,
            t.amount_exempted_cents,
            (select coalesce(sum(-rt.amount_cents), 0)
               from order_returns r
               join order_return_taxes rt on rt.organization_id = r.organization_id and rt.order_return_id = r.id
              where r.organization_id = o.organization_id and r.order_id = o.id and rt.tax_id = t.tax_id
                and r.voided_at is null and r.refund_type <> 'none') as refunded_cents
       from orders o
       join order_taxes t on t.organization_id = o.organization_id and t.order_id = o.id
      where o.organization_id = :organizationId and o.status = 'fulfilled'
        and o.fulfilled_at >= :from and o.fulfilled_at < :until
   )
   select grouping(tax_id) = 1 as is_total, tax_id, description, trim_scale(rate)::text as rate, included,
          count(distinct order_id) as orders,
          coalesce(sum(amount_cents - fee_allocation_cents), 0)::bigint as goods_cents,
          coalesce(sum(fee_allocation_cents), 0)::bigint as fees_cents,
          coalesce(sum(amount_exempted_cents), 0)::bigint as exempted_cents,
          coalesce(sum(refunded_cents), 0)::bigint as refunded_cents
     from charged group by grouping sets ((tax_id, description, rate, included), ())
    order by is_total, tax_id, description, rate, included`,
  { isLong: true },
);

const backNames = [
  ...(['refunds_cents', 'refunded_adjustments_cents', 'refunded_credits_cents'] as const),
  ...(['refunded_tax_cents', 'other_refunds_cents'] as const),
];

/** A row of the view by the day of the sale, in the names of the former statements. */
function byDayOfSale(row: SalesRow) {
  const sold = Object.entries(row).filter(
    ([name]) => !name.startsWith('later_') && !['returns', 'paid_cents', 'paid_back_cents'].includes(name),
  );
  return {
    ...Object.fromEntries(sold),
    ...Object.fromEntries(backNames.map((it) => [it, row[`later_${it}`]])),
  };
}

function sumsOf(rows: readonly object[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (/_cents$|^returns$/.test(name)) sums[name] = (sums[name] ?? 0) + Number(value);
    }
  }
  return sums;
}

const hasAmounts = (row: object) => Object.values(sumsOf([row])).some((it) => it !== 0);

/**
 * Every report of the days, on one snapshot, read as the service reads it and counted from the orders and returns. Names are compared
 * where they are those of the sale.
 */
export async function readAndCounted(
  database: Database,
  organization: OrganizationId,
  days: { readonly from: string; readonly to: string; readonly tz: string; readonly dayStartsAt?: string },
): Promise<{ readonly read: unknown; readonly counted: unknown; readonly orders: number }> {
  const { monthsFrom, monthsUntil, ...range } = rangeParameters(days.from, days.to, {
    tz: days.tz,
    dayStartsAt: days.dayStartsAt ?? '00:00',
  });
  const rows = await database.read(
    organization,
    ...salesGroups.map((by) => salesStatement(by, { ...range, monthsFrom, monthsUntil })),
    ...salesGroups.map((by) => countedSales[by](range)),
    ...salesGroups.map((by) => countedReturns[by](range)),
    selectTaxes({ ...range, monthsFrom, monthsUntil }),
    countedTaxes(range),
    refundedTaxes(range),
    countedPayments(range),
  );
  const groups = salesGroups.length;
  const sales = rows.slice(0, groups) as unknown as SalesRow[][];
  const again = rows.slice(groups, groups * 2) as unknown as SalesRow[][];
  const returned = rows.slice(groups * 2, groups * 3) as unknown as Record<string, string | number>[][];
  const [taxes, taxesAgain, taxesBack, payments] = rows.slice(groups * 3) as unknown as [
    TaxRow[],
    TaxRow[],
    { tax_id: number; cents: number }[],
    { key: string; orders: number; cents: number }[],
  ];
  // A report without sales has a total of its own.
  const withSales = <Row extends { readonly orders: number }>(found: readonly Row[]): Row[] =>
    found.filter((row) => row.orders > 0);
  const shown = (found: readonly object[], at: number) =>
    withSales(found as readonly SalesRow[]).map(({ name, ...row }) =>
      row.is_total || at > 5 ? row : { ...row, name },
    );
  const shownTaxes = (found: readonly TaxRow[], refunded: 'refunded_cents' | 'later_refunded_cents') =>
    // What taxes were charged on is held against their rates in reports.test.ts.
    withSales(found).map(({ later_refunded_cents, taxable_cents: _, ...row }) => ({
      ...row,
      refunded_cents: refunded === 'refunded_cents' ? row.refunded_cents : later_refunded_cents,
      ...(row.is_total && { tax_id: 0, description: '', rate: '0', included: false }),
    }));
  const named = (of: (by: SalesGroup, at: number) => unknown) =>
    Object.fromEntries(salesGroups.map((by, at) => [by, of(by, at)]));
  const isByGoods = (by: SalesGroup) => by in goodsKeys;
  const partsOf = (at: number) => sales[at]!.filter((row) => !row.is_total);
  const payment = salesGroups.indexOf('payment');
  const day = salesGroups.indexOf('day');
  return {
    read: {
      bySale: named((by, at) => (by === 'payment' ? [] : shown(sales[at]!.map(byDayOfSale), at))),
      byReturn: named((by, at) =>
        partsOf(at)
          .map((row) => ({
            key: row.key,
            ...(isByGoods(by)
              ? { refunds_cents: row.refunds_cents }
              : Object.fromEntries(
                  [...backNames, 'paid_back_cents' as const, 'returns' as const].map((it) => [it, row[it]]),
                )),
          }))
          .filter(hasAmounts)
          .toSorted((one, other) => (one.key! < other.key! ? -1 : 1)),
      ),
      taxes: shownTaxes(taxes, 'later_refunded_cents'),
      taxesBack: taxes
        .filter((row) => !row.is_total && row.refunded_cents !== 0)
        .map((row) => ({ tax_id: row.tax_id, cents: row.refunded_cents }))
        .toSorted((one, other) => one.tax_id! - other.tax_id!),
      payments: partsOf(payment)
        .filter(({ paid_cents }) => paid_cents !== 0)
        .map(({ key, orders, paid_cents }) => ({ key, orders, cents: paid_cents }))
        .toSorted((one, other) => (one.key! < other.key! ? -1 : 1)),
      // The parts of every grouping add up to the days, in every column.
      sums: named((by, at) => {
        const sums = sumsOf(partsOf(at));
        // A return counts in each part that it gives something back of; no goods have a part of a payment.
        const { returns: _returns, later_returns: _later, ...cents } = sums;
        const {
          paid_cents: _paid,
          paid_back_cents: _back,
          later_paid_back_cents: _laterBack,
          ...ofGoods
        } = cents;
        return isByGoods(by) ? ofGoods : cents;
      }),
    },
    counted: {
      bySale: named((by, at) => (by === 'payment' ? [] : shown(again[at]!, at))),
      byReturn: named((by, at) =>
        returned[at]!.map((row) => (isByGoods(by) ? { key: row.key, refunds_cents: row.refunds_cents } : row))
          .filter(hasAmounts)
          .toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1)),
      ),
      taxes: shownTaxes(
        taxesAgain.map((row) => ({ ...row, later_refunded_cents: row.refunded_cents })),
        'later_refunded_cents',
      ),
      taxesBack,
      payments: payments.filter(({ cents }) => cents !== 0),
      sums: named((by) => {
        const { returns: _returns, later_returns: _later, ...cents } = sumsOf(partsOf(day));
        const {
          paid_cents: _paid,
          paid_back_cents: _back,
          later_paid_back_cents: _laterBack,
          ...ofGoods
        } = cents;
        return isByGoods(by) ? ofGoods : cents;
      }),
    },
    orders: sales[day]!.at(-1)?.orders ?? 0,
  };
}
