-- A consumer key can be rotated with an overlap, as client keys can (D9): an integrator has as many keys at a time as have
-- not ended.

create table consumer_key_digests (
  digest bytea primary key,
  integrator_id bigint not null references integrators,
  created_at timestamptz not null,
  -- Of a key that was rotated: until then both work. Null: as long as the integrator itself.
  expires_at timestamptz
);
create index consumer_key_digests_of_integrator on consumer_key_digests (integrator_id);

insert into consumer_key_digests (digest, integrator_id, created_at)
select consumer_key_digest, id, created_at from integrators;
alter table integrators drop column consumer_key_digest;
