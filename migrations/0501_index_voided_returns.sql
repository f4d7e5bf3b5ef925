-- concurrently: reports read the returns that were voided in a period
drop index concurrently if exists order_returns_by_end;
create index concurrently order_returns_by_end on order_returns (organization_id, voided_at desc, id desc) where voided_at is not null;
