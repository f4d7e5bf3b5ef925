-- A worker leases endpoints; no delivery is claimed any more.
alter table webhook_deliveries drop column claimed_until;
