-- From where a secret key was used last: a few addresses, the latest first. A publishable key has none: those would be customers'.
alter table client_keys add column last_addresses text[] not null default '{}';
