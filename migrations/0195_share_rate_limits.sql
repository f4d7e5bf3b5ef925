-- D10: limits of requests and attempts that hold for all processes of a deployment together. Of no organization: an attempt to sign
-- in is counted before anything is known about the caller. Lost in a crash of the server, when every bucket is full again.

create unlogged table rate_limits (
  -- A digest of what is counted.
  name text primary key,
  -- When all tokens are back.
  full_at timestamptz not null,
  -- Of the last request: what was asked for, and what was granted.
  each_us bigint not null check (each_us > 0),
  burst integer not null check (burst > 0),
  wanted integer not null check (wanted > 0),
  is_lease boolean not null,
  granted integer not null check (granted >= 0)
);

create function tokens_left(full_at timestamptz, each_us bigint, burst integer) returns integer
  language sql stable
  return greatest(0, floor((burst * each_us - greatest(0, extract(epoch from full_at - now()) * 1000000)) / each_us))::integer;

-- A lease is an eighth of what is left, or what is wanted now.
create function tokens_granted(tokens_left integer, wanted integer, is_lease boolean) returns integer
  language sql immutable
  return least(tokens_left, case when is_lease then greatest(wanted, (tokens_left + 7) / 8) else wanted end);

grant select, insert, update, delete on rate_limits to dispensary_app;
