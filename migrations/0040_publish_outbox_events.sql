-- D64: the outbox becomes a feed. An event gets its position in the feed when a reader asks, after its transaction has
-- committed. Positions have no gaps, and nothing that commits late gets a position behind a reader.

-- Of two transactions that change the same thing, the later one announces after the earlier one has committed, so it has
-- the larger number. Publishing goes by this number.
create sequence outbox_announcements;
grant usage on sequence outbox_announcements to dispensary_app;

-- Without a default for the rows that exist: older events have no number and are not published.
alter table outbox_events
  add column announced bigint,
  add column position bigint;
alter table outbox_events
  alter column announced set default nextval('outbox_announcements'),
  drop column transaction_id;

create index outbox_events_to_publish on outbox_events (organization_id, announced)
  where position is null and announced is not null;
create unique index outbox_events_in_order on outbox_events (organization_id, position) where position is not null;

-- Publishing locks the row of the organization.
create table change_feeds (
  organization_id bigint primary key references organizations,
  last_position bigint not null
);
alter table change_feeds enable row level security;
alter table change_feeds force row level security;
create policy tenant on change_feeds using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- The serving role publishes, and removes what is older than 30 days (D76). It changes nothing that was announced.
grant update (position), delete on outbox_events to dispensary_app;
