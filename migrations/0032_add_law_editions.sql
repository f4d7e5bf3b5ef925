-- Editions of the law that the operator imports. They belong to no organization. Only the operator writes them, and an
-- edition is never changed: going back to a former one is a new row.

create table law_editions (
  -- The last one counts, unless the program ships a later one.
  number integer primary key check (number > 0),
  edition text not null,
  -- The later one of this edition and the one that the program shipped then: only what is later than both replaces it.
  outranks text not null,
  -- The file as it was imported.
  content bytea not null,
  digest bytea not null,
  -- Text of the signature file and the id of its key; null: imported without one.
  signature text,
  key_id text,
  -- By state: what it changed, in words.
  changes jsonb not null,
  imported_at timestamptz not null,
  imported_by text not null,
  check ((signature is null) = (key_id is null))
);
revoke insert, update, delete on law_editions from dispensary_app;
