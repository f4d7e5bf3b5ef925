-- D69: the orders that an integrator placed itself, newest first.
create index orders_of_integrator on orders (organization_id, integrator_id, created_at desc, id desc)
  where integrator_id is not null;
