-- The editions of the law that releases shipped, in the order in which this deployment started with them. They belong to no
-- organization; only a start as the owner of the database writes them, once for each content. The first row is where the
-- record begins: nothing is told of it.

create table law_releases (
  number integer primary key check (number > 0),
  edition text not null,
  -- The facts as the release shipped them: what the next release is compared with.
  content bytea not null,
  digest bytea not null unique check (octet_length(digest) = 32),
  -- Whether they came into force, or an edition that the operator imported stayed.
  in_force boolean not null,
  -- By state: what it changed, in words.
  changes jsonb not null,
  started_at timestamptz not null
);
revoke insert, update, delete on law_releases from dispensary_app;
