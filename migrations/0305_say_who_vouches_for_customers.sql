-- D62: whether an integrator signs its customers in itself, so that the email it sends is theirs. Keys from before keep being
-- believed; new ones are only when the owner says so. A publishable key never is.
alter table client_keys add column vouches boolean not null default true;
