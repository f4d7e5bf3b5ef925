-- Customers' documents: what is known of each file, and the wrapped key that opens it. The bytes lie outside of the
-- database, encrypted.

create table customer_documents (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('license', 'recommendation')),
  mime text not null check (
    mime in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/pdf')),
  byte_count integer not null check (byte_count between 1 and 2621440),
  file_name text not null,
  -- Which master key wraps the key of the file: 16 hexadecimal digits of its digest.
  master_key_id text not null check (master_key_id ~ '^[0-9a-f]{16}$'),
  wrapped_key bytea not null check (octet_length(wrapped_key) = 60),
  status text not null check (status in ('pending', 'approved', 'rejected')),
  -- What staff read from it, while it is approved.
  expires_on date,
  review_reason text,
  reviewed_at timestamptz,
  reviewed_by text,
  uploaded_at timestamptz not null,
  uploaded_by text not null,
  -- When a newer one of the same type came.
  superseded_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  check ((status = 'approved') = (expires_on is not null)),
  check ((status = 'pending') = (reviewed_at is null))
);
create index customer_documents_of_customer on customer_documents (organization_id, user_id, uploaded_at, id);
-- One is the present one of its type, also when two are sent at once.
create unique index customer_documents_present on customer_documents (organization_id, user_id, type)
  where superseded_at is null;

alter table customer_documents enable row level security;
alter table customer_documents force row level security;
create policy tenant on customer_documents using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
