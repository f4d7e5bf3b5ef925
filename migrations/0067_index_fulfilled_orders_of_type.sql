-- D14: fulfilled orders of a type, latest first. Of a type that is rare, the former index read every fulfilled order. Placing an
-- order does not write it.
create index orders_by_fulfillment_of_type on orders (organization_id, type, fulfilled_at desc, id desc)
  where status = 'fulfilled';
