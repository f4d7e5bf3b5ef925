-- What lowers a price: discounts with their codes and uses, credits on a customer's account, loyalty points; the
-- groups that discounts ask for; and what each order used of them.

-- ---------------------------------------------------------------------------------------------------------
-- Customer groups

create table customer_groups (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create unique index customer_groups_of_name on customer_groups (organization_id, name_key) where deleted_at is null;

create table customer_group_members (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  customer_group_id bigint not null,
  added_at timestamptz not null,
  primary key (organization_id, user_id, customer_group_id),
  foreign key (organization_id, user_id) references customers,
  foreign key (organization_id, customer_group_id) references customer_groups
);
create index customer_group_members_of_group on customer_group_members (organization_id, customer_group_id, user_id);

-- ---------------------------------------------------------------------------------------------------------
-- Discounts

create table discounts (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  kind text not null check (kind in ('line', 'product', 'buy-x-get-y', 'order')),
  type text not null check (type in ('flat', 'percent')),
  -- Whole cents when flat, percent when percent.
  amount numeric not null check (amount >= 0),
  per_unit boolean not null default false,
  maximum_amount_cents bigint check (maximum_amount_cents >= 0),
  -- Targets: a line matches when any list names it; five empty lists match every line.
  product_ids bigint[] not null default '{}',
  product_option_ids bigint[] not null default '{}',
  category_ids bigint[] not null default '{}',
  brand_ids bigint[] not null default '{}',
  tag_ids bigint[] not null default '{}',
  -- Conditions: all must hold; an empty list, null or false asks nothing.
  order_types text[] not null default '{}' check (order_types <@ array['delivery', 'pickup', 'in-store']),
  customer_group_ids bigint[] not null default '{}',
  minimum_subtotal_cents bigint check (minimum_subtotal_cents >= 0),
  first_order boolean not null default false,
  birthday_month boolean not null default false,
  -- [{days: [1..7], fromMinute, toMinute}] by the organization's clock.
  schedule jsonb not null default '[]',
  starts_at timestamptz,
  ends_at timestamptz,
  trigger text not null check (trigger in ('automatic', 'code', 'manual')),
  stackable boolean not null,
  priority integer not null,
  uses_per_order integer check (uses_per_order > 0),
  uses_per_customer integer check (uses_per_customer > 0),
  uses_total integer check (uses_total > 0),
  -- For buy-x-get-y.
  buy_quantity integer check (buy_quantity > 0),
  get_quantity integer check (get_quantity > 0),
  -- {productIds, optionIds, categoryIds, brandIds, tagIds}; null: the discount's own targets have to be bought.
  buy_targets jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint discounts_percent_of_a_hundred check (type = 'flat' or amount <= 100),
  constraint discounts_flat_in_whole_cents check (type = 'percent' or amount = trunc(amount)),
  constraint discounts_quantities_of_buy_x_get_y
    check ((kind = 'buy-x-get-y') = (buy_quantity is not null and get_quantity is not null))
);

-- Codes are compared without case and outer space; what case is, the program says, not the locale of the database.
-- Of discounts that have not ended only one has a code.
create table discount_codes (
  organization_id bigint not null references organizations,
  code_key text not null check (code_key <> '' and code_key = btrim(code_key) and code_key !~ '[A-Z]'),
  discount_id bigint not null,
  code text not null,
  primary key (organization_id, code_key, discount_id),
  foreign key (organization_id, discount_id) references discounts
);
create index discount_codes_of_discount on discount_codes (organization_id, discount_id);

-- How many placed, not canceled orders used a discount; only of discounts that limit their uses, so that orders
-- do not queue for a row that limits nothing. An order adds one without looking, and the check refuses one too
-- many, as with stock.
create table discount_uses (
  organization_id bigint not null references organizations,
  discount_id bigint not null,
  used bigint not null,
  uses_max bigint,
  primary key (organization_id, discount_id),
  foreign key (organization_id, discount_id) references discounts,
  constraint discount_uses_within_limit check (used >= 0 and (uses_max is null or used <= uses_max))
);

create table discount_customer_uses (
  organization_id bigint not null references organizations,
  discount_id bigint not null,
  user_id bigint not null,
  used bigint not null,
  uses_max bigint,
  primary key (organization_id, discount_id, user_id),
  foreign key (organization_id, discount_id) references discounts,
  foreign key (organization_id, user_id) references customers,
  constraint discount_customer_uses_within_limit check (used >= 0 and (uses_max is null or used <= uses_max))
);
create index discount_customer_uses_of_customer on discount_customer_uses (organization_id, user_id);

-- ---------------------------------------------------------------------------------------------------------
-- Credits on a customer's account: so many cents, or (promo codes only) a percent of one order.

create table customer_credits (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('promo-code', 'store-credit')),
  description text not null,
  amount_cents bigint check (amount_cents > 0),
  -- Of amount_cents; an order takes from it without looking, and the check refuses what is not there.
  remaining_cents bigint,
  percent numeric check (percent > 0 and percent <= 100),
  -- Orders that may still use a percentage.
  remaining_uses integer,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  constraint customer_credits_amount_or_percent check (
    (amount_cents is not null and remaining_cents is not null and percent is null and remaining_uses is null)
    or (type = 'promo-code' and amount_cents is null and remaining_cents is null and percent is not null
      and remaining_uses is not null)),
  constraint customer_credits_never_negative
    check (coalesce(remaining_cents, 0) between 0 and coalesce(amount_cents, 0) and coalesce(remaining_uses, 0) >= 0)
);
create index customer_credits_of_customer on customer_credits (organization_id, user_id);

-- ---------------------------------------------------------------------------------------------------------
-- Loyalty

-- The earning rule; no row: nothing is earned.
create table loyalty_programs (
  organization_id bigint primary key references organizations,
  points_per_dollar numeric not null check (points_per_dollar >= 0),
  updated_at timestamptz not null
);

create table loyalty_rewards (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  type text not null check (type in ('cash-back', 'flat', 'percent', 'free-product')),
  points_requirement numeric not null check (points_requirement >= 0),
  -- Cents per point (cash-back), cents (flat), percent (percent).
  discount_amount numeric check (discount_amount >= 0),
  product_option_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, product_option_id) references product_options,
  constraint loyalty_rewards_of_a_type check (
    (type = 'free-product' and product_option_id is not null and discount_amount is null)
    or (type <> 'free-product' and product_option_id is null and discount_amount is not null)),
  constraint loyalty_rewards_percent check (type <> 'percent' or discount_amount <= 100)
);

-- Append-only: the truth about points. One cause has one effect, whatever is retried.
create table loyalty_events (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('open-api', 'earned', 'redeemed', 'given-back', 'taken-back', 'adjusted')),
  points_amount numeric not null check (points_amount <> 0),
  reason text not null,
  -- The order, or the return, that it came with.
  order_id uuid,
  cause_id bigint,
  integrator_id bigint references integrators,
  idempotency_key uuid,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  constraint loyalty_events_one_effect_per_cause unique (organization_id, cause_id, type),
  constraint loyalty_events_one_per_key unique (organization_id, integrator_id, idempotency_key)
);
create index loyalty_events_of_customer on loyalty_events (organization_id, user_id, id);

-- Derived from the events; never negative.
create table loyalty_balances (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  points numeric not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references customers,
  constraint loyalty_balances_never_negative check (points >= 0)
);

-- ---------------------------------------------------------------------------------------------------------
-- What an order used, frozen as it was placed (D25)

create table order_discounts (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  -- Null: a discount on the order.
  order_line_item_id bigint,
  discount_id bigint not null,
  type text not null check (type in ('flat', 'percent')),
  amount numeric not null,
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  description text not null,
  -- The staff member who gave it; null when it came by itself or by code.
  admin_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, order_id, order_line_item_id) references order_line_items,
  -- Also what keeps an order and the setting of a limit on its discount apart: see recount_discount_uses.
  foreign key (organization_id, discount_id) references discounts
);
create index order_discounts_of_discount on order_discounts (organization_id, discount_id, order_id);

create table order_credits (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  customer_credit_id bigint not null,
  type text not null check (type in ('promo-code', 'store-credit')),
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  description text not null,
  percent numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, customer_credit_id) references customer_credits
);

create table order_loyalty_redemptions (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  loyalty_reward_id bigint not null,
  type text not null check (type in ('cash-back', 'flat', 'percent', 'free-product')),
  description text not null,
  points_requirement numeric not null,
  points_amount numeric not null check (points_amount >= 0),
  discount_amount numeric,
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  product_option_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, loyalty_reward_id) references loyalty_rewards
);

-- D31: the steps of the arithmetic that made the order's amounts, as JSON text. Apart from the order, because
-- lists never read it.
create table order_explanations (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  steps text not null,
  primary key (organization_id, order_id),
  foreign key (organization_id, order_id) references orders
);

-- ---------------------------------------------------------------------------------------------------------
-- The organization's settings about them

alter table organizations
  -- The most that discounts may take of the subtotals; null: all.
  add column maximum_discount_percent numeric check (maximum_discount_percent between 0 and 100),
  add column auto_apply_credits boolean not null default true,
  -- Least price of a unit of cannabis after discounts; null: as the state's law has it.
  add column free_product_floor_cents bigint check (free_product_floor_cents between 0 and 1000000);

-- ---------------------------------------------------------------------------------------------------------
-- The wall, and versions of the terms

do $$
declare
  tenant_table text;
  terms_table text;
begin
  foreach tenant_table in array array['customer_groups', 'customer_group_members', 'discounts', 'discount_codes',
    'discount_uses', 'discount_customer_uses', 'customer_credits', 'loyalty_programs', 'loyalty_rewards',
    'loyalty_events', 'loyalty_balances', 'order_discounts', 'order_credits', 'order_loyalty_redemptions',
    'order_explanations']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
  -- Tags are what discounts can be on, so which products have them is part of the terms.
  foreach terms_table in array array['product_tags', 'discounts', 'discount_codes', 'loyalty_rewards']
  loop
    execute format('create trigger terms_changed after insert or update or delete on %I
      for each statement execute function count_change_of_terms()', terms_table);
  end loop;
end
$$;

revoke update, delete on loyalty_events from dispensary_app;
