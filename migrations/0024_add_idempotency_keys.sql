-- What a request with the header Idempotency-Key was answered, so that it can be answered again without being done again.

create table idempotency_keys (
  organization_id bigint not null references organizations (id),
  -- Of whom: 'key:<id>' or 'staff:<id>'. Two callers may use the same key for different requests.
  caller text not null,
  -- SHA-256 of the key. The key's text is not stored: the reply can only be read by who sends it again.
  key_digest bytea not null check (octet_length(key_digest) = 32),
  -- What was asked: a keyed digest of operation, path, query and body.
  request_digest bytea not null check (octet_length(request_digest) = 32),
  -- Null only inside the transaction that does what the request asks.
  status smallint,
  -- Headers and body, encrypted under the key's text.
  sealed_reply bytea,
  created_at timestamptz not null,
  primary key (organization_id, caller, key_digest)
);
-- For the job that deletes the oldest.
create index idempotency_keys_by_time on idempotency_keys (organization_id, created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant on idempotency_keys using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
