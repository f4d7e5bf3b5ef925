-- Consent with its source, and its history: what was said, when, and by which way it was recorded.

-- Null: without consent, or recorded before sources were kept.
alter table customers add column marketing_opt_in_source text;

create table customer_consents (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  purpose text not null check (purpose in ('marketing')),
  -- False: withdrawn.
  is_given boolean not null,
  source text not null check (source in ('staff', 'integrator', 'import')),
  -- Who recorded it.
  actor text not null,
  -- Of which customer it was, if that one was merged into this one; consent itself is not copied.
  merged_from_id bigint,
  recorded_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers (organization_id, id)
);
create index customer_consents_of_customer on customer_consents (organization_id, user_id, recorded_at, id);
alter table customer_consents enable row level security;
alter table customer_consents force row level security;
create policy tenant on customer_consents using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
-- A history: it moves with a merged customer, and goes with an erased one.
-- expand: the table is new
revoke update on customer_consents from dispensary_app;
grant update (user_id, merged_from_id) on customer_consents to dispensary_app;
