-- Whether integrators set the stock of an organization: those whose own system counts it. Only the owner switches it on.
alter table organizations add column integrators_set_stock boolean not null default false;
