-- Registers and their drawers (D74).

create table registers (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  inventory_location_id bigint not null,
  -- What a cash payment does while no drawer is open: the sale is made outside a session, or refused.
  cash_without_session text not null check (cash_without_session in ('warn', 'refuse')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

create table drawer_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  register_id bigint not null,
  float_cents bigint not null check (float_cents >= 0),
  opened_at timestamptz not null,
  opened_by_staff_id bigint not null,
  closed_at timestamptz,
  closed_by_staff_id bigint,
  -- What the one who closed it said about it.
  note text,
  primary key (organization_id, id),
  unique (organization_id, register_id, id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, opened_by_staff_id) references staff_members,
  foreign key (organization_id, closed_by_staff_id) references staff_members,
  constraint drawer_sessions_closed check ((closed_at is null) = (closed_by_staff_id is null))
);
-- A drawer has one open session.
create unique index drawer_sessions_one_open on drawer_sessions (organization_id, register_id) where closed_at is null;
create index drawer_sessions_by_time on drawer_sessions (organization_id, opened_at desc, id desc);
create index drawer_sessions_of_register on drawer_sessions (organization_id, register_id, opened_at desc, id desc);

-- All money that a register took or gave: the truth, append-only. The sum of a session's rows is what its drawer should hold.
create table drawer_movements (
  organization_id bigint not null references organizations,
  id bigint not null,
  register_id bigint not null,
  -- Null: outside a session.
  session_id bigint,
  kind text not null check (kind in ('float', 'sale', 'refund', 'refund-voided', 'paid-in', 'paid-out', 'drop')),
  -- Null: cash that no customer paid.
  payment_type_id bigint,
  is_cash boolean not null,
  amount_cents bigint not null,
  order_id uuid,
  order_return_id bigint,
  reason text,
  staff_id bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, register_id, session_id) references drawer_sessions (organization_id, register_id, id),
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, staff_id) references staff_members,
  constraint drawer_movements_sign check (case when kind in ('refund', 'paid-out', 'drop') then amount_cents <= 0
    else amount_cents >= 0 end),
  constraint drawer_movements_named check ((kind in ('sale', 'refund', 'refund-voided')) = (order_id is not null)),
  constraint drawer_movements_by_hand check ((kind in ('paid-in', 'paid-out', 'drop')) = (reason is not null)),
  constraint drawer_movements_cash check (payment_type_id is not null or is_cash)
);
create index drawer_movements_of_session on drawer_movements (organization_id, session_id, id);
create index drawer_movements_of_register on drawer_movements (organization_id, created_at, register_id);

-- What was counted when a session closed, and what was expected then. A null payment type is the cash of the drawer: a bill does
-- not say by which type it was paid.
create table drawer_counts (
  organization_id bigint not null references organizations,
  session_id bigint not null,
  position integer not null,
  payment_type_id bigint,
  expected_cents bigint not null,
  counted_cents bigint not null check (counted_cents >= 0),
  primary key (organization_id, session_id, position),
  foreign key (organization_id, session_id) references drawer_sessions,
  foreign key (organization_id, payment_type_id) references payment_types
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['registers', 'drawer_sessions', 'drawer_movements', 'drawer_counts']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
revoke delete on registers, drawer_sessions from dispensary_app;
revoke update, delete on drawer_movements, drawer_counts from dispensary_app;
