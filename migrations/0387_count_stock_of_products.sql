-- The sums of products from before. No table is locked: what changes meanwhile is named by the triggers, and summed again.
do $$
declare
  organization bigint;
begin
  -- The rows stand behind the wall, for their owner too: one organization is entered after the other.
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    insert into product_stocks (organization_id, product_id, on_hand_millionths)
    select p.organization_id, p.id, stock_millionths(b.on_hand)
      from products p
      left join (
        select product_id, sum(on_hand) as on_hand from stock_balances where organization_id = organization group by 1) b
        on b.product_id = p.id
     where p.organization_id = organization
    on conflict do nothing;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
-- Without statistics the first lists would sort all sums.
analyze product_stocks;
