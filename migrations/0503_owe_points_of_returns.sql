-- D89: a return takes back the points that its goods earned, also those that were spent since: from the balance, which may go below zero
-- then, or from the refund. And it may take back a reward whose condition the returned goods fulfilled.

alter table organizations
  -- Cents of the refund for each point that is owed; null: the balance goes below zero.
  add column owed_point_cents integer check (owed_point_cents between 0 and 10000);

alter table loyalty_balances
  -- How far below zero returns have taken the balance; nothing else may.
  add column owed numeric not null default 0 check (owed >= 0);
-- expand: it allows more; a process of the former release lowers no balance below zero
alter table loyalty_balances drop constraint loyalty_balances_never_negative;
-- expand: as above
alter table loyalty_balances add constraint loyalty_balances_never_negative check (points + owed >= 0) not valid;

alter table order_returns
  -- Parts of the adjustment: what it takes off the refund for a reward (negative: what it gives back of that), and for points.
  add column reward_taken_back_cents bigint not null default 0,
  add column points_charged_cents bigint not null default 0;
