-- Mail about orders (D70): which steps of an order its customer hears of, by mail. Off until the owner says so.
alter table organizations
  add column mails_receipts boolean not null default false,
  add column mails_ready boolean not null default false,
  add column mails_out_for_delivery boolean not null default false,
  add column mails_canceled boolean not null default false;

-- What a receipt says of cash: what the customer got back. Null: no cash was counted.
alter table orders add column change_cents bigint check (change_cents >= 0);

-- What a mail is about, where there is to be one mail only: an order that is packed twice is ready once.
alter table mails add column cause text check (length(cause) <= 100);
create unique index mails_by_cause on mails (organization_id, cause) where cause is not null;
