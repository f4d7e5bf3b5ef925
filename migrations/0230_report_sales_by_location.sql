-- D78: sales by the location that the goods were taken from. The amounts of a line cannot be divided among several locations to
-- the cent, so such lines stand in a row of their own; so do lines without stock.

-- What an order contributes to the reports of sales with some of its returns: to its products, to its categories, to the locations
-- that its goods were taken from, as a whole order (adjustments, credits, tax on the delivery fee, and what these returns refunded of
-- them), and together. Goods are summed over lines, which contain
-- their shares of discounts.
--
-- A return's share of a tax includes the tax on the fee: the goods' part of it is the line's tax by returned units, complete
-- with the last unit, and the rest belongs to the fee.
create or replace function report_sales_of_order(for_organization bigint, for_order uuid, with_returns bigint[])
returns table (
  report text, key text, name text, orders bigint, units bigint, gross_cents bigint, net_cents bigint,
  adjustments_cents bigint, credits_cents bigint, tax_cents bigint, refunds_cents bigint,
  refunded_adjustments_cents bigint, refunded_credits_cents bigint, refunded_tax_cents bigint, other_refunds_cents bigint
) language sql stable as $$
  with lines as (
    select l.id, l.product_id, l.product_name, l.product_category_id, l.product_category_name, l.quantity,
           l.subtotal_price_cents, l.gross_cents, charged.tax_cents, coalesce(back.refund_cents, 0) as refund_cents,
           coalesce(least(back.tax_cents, floor(charged.tax_cents::numeric * back.quantity / l.quantity)), 0)
             as goods_tax_cents,
           back.tax_cents as back_tax_cents, back.adjustments_cents, back.credits_cents, back.other_cents
      from order_line_items l
      cross join lateral (
        select coalesce(sum((a ->> 'amountCents')::bigint), 0) as tax_cents
          from jsonb_array_elements(l.tax_allocations) a
      ) charged
      left join (
        select rl.order_line_item_id, sum(rl.quantity) as quantity,
               sum(rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents) as refund_cents,
               sum((select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                      from jsonb_array_elements(rl.tax_shares) a)) as tax_cents,
               sum(rl.adjustments_cents) as adjustments_cents,
               sum(rl.promo_codes_cents + rl.store_credits_cents) as credits_cents,
               -- Every return has a first line, so its adjustment counts once.
               sum(-r.adjustment_cents) filter (where rl.position = 0) as other_cents
          from order_return_lines rl
          join order_returns r on r.organization_id = rl.organization_id and r.id = rl.order_return_id
         where rl.organization_id = for_organization and rl.order_id = for_order
           and rl.order_return_id = any(with_returns)
         group by rl.order_line_item_id
      ) back on back.order_line_item_id = l.id
     where l.organization_id = for_organization and l.order_id = for_order
  ), whole as (
    select (select coalesce(sum(a.amount_cents), 0) from order_adjustments a
             where a.organization_id = for_organization and a.order_id = for_order) as adjustments_cents,
           (select coalesce(sum(c.amount_used_cents), 0) from order_credits c
             where c.organization_id = for_organization and c.order_id = for_order) as credits_cents,
           (select coalesce(sum(t.fee_allocation_cents), 0) from order_taxes t
             where t.organization_id = for_organization and t.order_id = for_order) as tax_cents,
           coalesce(sum(l.adjustments_cents), 0) as back_adjustments_cents,
           coalesce(sum(l.credits_cents), 0) as back_credits_cents,
           coalesce(sum(l.back_tax_cents - l.goods_tax_cents), 0) as back_tax_cents,
           coalesce(sum(l.other_cents), 0) as other_cents
      from lines l
  )
  select 'product', product_id::text, max(product_name), 1::bigint, sum(quantity)::bigint,
         sum(subtotal_price_cents)::bigint, sum(gross_cents)::bigint, 0::bigint, 0::bigint, sum(tax_cents)::bigint,
         sum(refund_cents)::bigint, 0::bigint, 0::bigint, sum(goods_tax_cents)::bigint, 0::bigint
    from lines group by product_id
  union all
  select 'category', product_category_id::text, max(product_category_name), 1, sum(quantity)::bigint,
         sum(subtotal_price_cents)::bigint, sum(gross_cents)::bigint, 0, 0, sum(tax_cents)::bigint,
         sum(refund_cents)::bigint, 0, 0, sum(goods_tax_cents)::bigint, 0
    from lines group by product_category_id
  union all
  select 'location', place.key, '', 1, sum(l.quantity)::bigint, sum(l.subtotal_price_cents)::bigint,
         sum(l.gross_cents)::bigint, 0, 0, sum(l.tax_cents)::bigint, sum(l.refund_cents)::bigint, 0, 0,
         sum(l.goods_tax_cents)::bigint, 0
    from lines l
    cross join lateral (
      select case count(distinct f.inventory_location_id)
               when 0 then 'none' when 1 then min(f.inventory_location_id)::text else 'several' end as key
        from order_line_fulfillments f
       where f.organization_id = for_organization and f.order_id = for_order and f.order_line_item_id = l.id
    ) place
   group by place.key
  union all
  select 'whole', '', 'Whole orders', 1, 0, 0, 0, adjustments_cents::bigint, credits_cents::bigint, tax_cents::bigint, 0,
         back_adjustments_cents::bigint, back_credits_cents::bigint, back_tax_cents::bigint, other_cents::bigint
    from whole
   where tax_cents <> 0 or adjustments_cents <> 0 or credits_cents <> 0 or back_tax_cents <> 0
      or back_adjustments_cents <> 0 or back_credits_cents <> 0 or other_cents <> 0
  union all
  select 'order', '', '', 1, l.units, l.gross_cents, l.net_cents, w.adjustments_cents::bigint, w.credits_cents::bigint,
         (l.tax_cents + w.tax_cents)::bigint, l.refund_cents, w.back_adjustments_cents::bigint,
         w.back_credits_cents::bigint, (l.goods_tax_cents + w.back_tax_cents)::bigint, w.other_cents::bigint
    from whole w cross join (
      select sum(quantity)::bigint as units, sum(subtotal_price_cents)::bigint as gross_cents,
             sum(gross_cents)::bigint as net_cents, sum(tax_cents) as tax_cents, sum(refund_cents)::bigint as refund_cents,
             sum(goods_tax_cents) as goods_tax_cents, count(*) as number
        from lines
    ) l
   where l.number > 0
$$;

-- The sums so far have no locations: they begin again, and reports read the orders until then.
alter table report_states no force row level security;
update report_states set generation = generation + 1, counted_from = 'infinity';
alter table report_states force row level security;
