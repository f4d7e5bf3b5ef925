-- Who sold, besides who sent: neither settles the sale. On which issue of terms: their maximum counts whatever outage a sale names.
-- Null: sales that were placed before.
alter table offline_sales
  add column seller_staff_id bigint,
  add column terms_issued_at timestamptz;
-- expand: registers sell alone for hours of a year
create index offline_sales_of_terms on offline_sales (organization_id, register_id, terms_issued_at);
