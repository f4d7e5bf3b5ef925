-- Keys of web pages (D67): a client key that is bound to origins is publishable. Its text is public, so it works without
-- a consumer key, from pages of these origins only.

alter table client_keys
  add column origins text[] not null default '{}';
