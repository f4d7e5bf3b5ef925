-- When owners were told that a key ends soon: once for each key.
alter table client_keys add column end_told_at timestamptz;
