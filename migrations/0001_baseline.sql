-- The schema of 1.0: the tables by slice, each behind those that it refers to; then what triggers keep, the functions of the owner,
-- and the wall with the rights of the role that serves. Later changes are files of their own; this one is never edited.
--
-- Rules of this schema (each is checked by a test):
--   * A table of an organization's data has organization_id first in its primary key, in every foreign key and in every index, so that
--     the data can be distributed by organization.
--   * Row-level security is on and forced on every such table: a statement sees the organization that its transaction has entered
--     (app.organization_id), and nothing when it has entered none.
--   * Money is integer cents in bigint. Stock, rates and costs are numeric. No floats.
--   * Identifiers are made by the program, from one sequence of blocks, all below 2^53.
--   * A product-tracked stock item has product_option_id 0, stock without a package has package_id 0: zero, not null, because they are
--     part of keys.
--   * Behind row-level security PostgreSQL takes a condition to an index only if its operator is leakproof. None is that looks into a
--     text, an array or a numeric. So what lists sort or search by has a column of its own, in the C collation or as a whole number.
--   * A list is a page of an index in the list's order (D14), newest first by (time, id) where nothing else is said. Where a filter comes
--     before the time in the index and is not sent, a page of each of its few values is sorted.
--   * updated_at is what an edit is guarded by; null: not changed since it was made.
--   * A moment that is null has not come (revoked_at, ended_at, deleted_at, closed_at …), and with it who did it, and why. A description,
--     contact, measure or name that is null was not told. Where null means more, a comment says so.

-- ---------------------------------------------------------------------------------------------------------
-- Functions that tables and policies need

-- The organization that the transaction has entered; null: none.
create function current_organization_id() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::bigint;

-- A name as it is searched for: without case, accents and outer space.
create function search_key(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(btrim(name), NFD), '[\u0300-\u036f]', '', 'g'))
$$;

-- Names of people are compared folded (D85): O'Brien is found as O’Brien and OBRIEN, Łukasz as Lukasz.
-- The same as `foldName` and the suffixes of person-name.ts.
create function person_key(name text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(replace(
      regexp_replace(
        lower(translate(
          normalize(regexp_replace(btrim(name), '[\s,]+(jr|sr|junior|senior|ii|iii|iv|2nd|3rd|4th)\.?$', '', 'i'), NFKD),
          -- A database in the locale C has lower-case letters of ASCII only.
          'ÆŒÞẞÐĐØŁĦŦŊАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЈЅҺҮԜԚԀӀΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
          'æœþßðđøłħŧŋабвгдежзиклмнопрстуфхцчшщъыьэюяіјѕһүԝԛԁӏαβγδεζηθικλμνξοπρστυφχψωσ')),
        '[\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\s!-/:-@\[-`{-~\u00a0-\u00bf\u02b0-\u02ff\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\ufeff]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'ðđøłıħŧŋавсенһіјкморԛѕтуүԝхԁӏαβγεηικμνορτυχ',
    'ddolihtnabcehhijkmopqstyywxdlabyenikmvoptux')
$$;

-- Stock as a whole number of millionths, which all amounts are; one beyond all measure counts as the largest.
create function stock_millionths(amount numeric) returns bigint language sql immutable
  return round(least(coalesce(amount, 0), 9000000000000) * 1000000)::bigint;

-- The business day of a moment. A day begins at the instant that its local time of beginning says: the later one of a repeated hour.
create function business_day(at timestamptz, tz text, starts time) returns date language sql immutable
  return (at at time zone tz)::date
       - case when at < (((at at time zone tz)::date + starts) at time zone tz) then 1 else 0 end;

-- Products, packages and stock are found by a part of a name. A condition of a policy is always taken to an index, whatever its
-- operator. So what is sought is a setting of the transaction, app.sought, and a restrictive policy shows only the rows that can have it.
--
-- The parts of one, two and three characters that texts have, without case, each once, as numbers that are different in each
-- organization. `hashtextextended` is what hash partitions go by, so it stays as it is from version to version. Without a loop: they are
-- made for every product that is written.
create function search_tokens(organization_id bigint, variadic texts text[]) returns integer[]
  language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(substr(said, at, size) collate "C", organization_id)
                                      & 2147483647)::integer), '{}')
    from unnest(texts) as t(text), lower(t.text) said, generate_series(1, char_length(said)) at,
         generate_series(1, least(3, char_length(said) - at + 1)) size
$$;

-- The tokens of what is sought: of each line of it. (A line is a word, or a part of one.) None where nothing is sought, and all rows are
-- shown. Products are found by words in any order, of their name, brand, strain, SKU, options and UPCs, and one wrong letter is forgiven.
-- The tokens say which products can be meant; whether one is, its texts say.
create function sought_tokens() returns integer[] language sql stable parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(substr(said.line, at, size) collate "C",
                                                       current_organization_id()) & 2147483647)::integer), '{}')
    from (select regexp_split_to_table(lower(current_setting('app.sought', true)), E'\n') as line) said,
         least(3, char_length(said.line)) size, generate_series(1, char_length(said.line) - size + 1) at
   where said.line <> ''
$$;

-- How many requests a bucket of rate_limits has left.
create function tokens_left(full_at timestamptz, each_us bigint, burst integer) returns integer
  language sql stable
  return greatest(0, floor((burst * each_us - greatest(0, extract(epoch from full_at - now()) * 1000000)) / each_us))::integer;

-- A lease is an eighth of what is left, or what is wanted now.
create function tokens_granted(tokens_left integer, wanted integer, is_lease boolean) returns integer
  language sql immutable
  return least(tokens_left, case when is_lease then greatest(wanted, (tokens_left + 7) / 8) else wanted end);

-- Blocks of identifiers; a process makes the ids of a block without asking again.
create sequence record_id_blocks;

-- D64: the order of events. Of two transactions that change the same thing, the later one announces after the earlier one has committed, so
-- it has the larger number. Publishing goes by this number.
create sequence outbox_announcements;

-- ---------------------------------------------------------------------------------------------------------
-- Organizations, integrators and their keys

-- A shop, with its settings that are single values.
create table organizations (
  id bigint primary key,
  name text not null,
  customer_email text not null,
  customer_phone text not null,
  license_number text not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  tz text not null,
  taxes_included boolean not null default false,
  has_delivery boolean not null default true,
  has_pickup boolean not null default true,
  -- D21: whether an order of an integrator takes stock when it is placed.
  delivery_status_on_creation text not null default 'draft' check (delivery_status_on_creation in ('draft', 'new')),
  pickup_status_on_creation text not null default 'draft' check (pickup_status_on_creation in ('draft', 'new')),
  delivery_minimum_cents bigint not null default 0 check (delivery_minimum_cents >= 0),
  pickup_minimum_cents bigint not null default 0 check (pickup_minimum_cents >= 0),
  -- The most that a role may take off an order's subtotals by hand; null: no limit.
  budtender_discount_percent numeric check (budtender_discount_percent between 0 and 100),
  manager_discount_percent numeric check (manager_discount_percent between 0 and 100),
  medical_tax_exempt boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The most that discounts may take of the subtotals; null: all.
  maximum_discount_percent numeric check (maximum_discount_percent between 0 and 100),
  auto_apply_credits boolean not null default true,
  -- Least price of a unit of cannabis after discounts; null: as the state's law has it.
  free_product_floor_cents bigint check (free_product_floor_cents between 0 and 1000000),
  has_in_store boolean not null default true,
  document_retention_days integer not null default 1095
    check (document_retention_days between 1 and 36500),
  -- Mail about orders (D70): which steps of an order its customer hears of, by mail. Off until the owner says so.
  mails_receipts boolean not null default false,
  mails_ready boolean not null default false,
  mails_out_for_delivery boolean not null default false,
  mails_canceled boolean not null default false,
  -- Whether integrators set the stock of an organization: those whose own system counts it. Only the owner switches it on.
  integrators_set_stock boolean not null default false,
  -- How long a customer cancels an own order without the shop.
  customers_cancel text not null default 'until-packed'
    check (customers_cancel in ('never', 'while-draft', 'until-packed')),
  -- Whether the page of a delivery shows its customer about how far a driver is who shares it.
  shows_driver_position boolean not null default false,
  -- Whether an order of the API must choose a time slot.
  delivery_needs_time_slot boolean not null default false,
  pickup_needs_time_slot boolean not null default false,
  -- D76: how long the steps of an order's arithmetic are kept. The order, with all that its document shows, is kept for ever.
  explanation_retention_days integer not null default 365
    check (explanation_retention_days between 1 and 36500),
  -- Whether the owner has put the list of first steps away. The steps themselves are read from what the shop has.
  first_steps_hidden boolean not null default false,
  -- D76: after how many days without an order or a change a customer is erased; null: the owner keeps customers.
  customer_retention_days integer check (customer_retention_days between 30 and 36500),
  -- What the shop types for customers who give no contact: no contacts (D84).
  placeholder_contacts text[] not null default '{}',
  -- A delivery fee that an integrator passes through is added to the total and bears no tax, unless the shop says that it charges such
  -- fees itself.
  tax_pass_through_fees boolean not null default false,
  -- A state's preset leaves local taxes to the owner. Each stays a warning until it is set up, or the owner says why it is not due.
  left_taxes_dismissed jsonb not null default '[]'
    check (jsonb_typeof(left_taxes_dismissed) = 'array'),
  -- When the day of the shop begins: a sale before it belongs to the day before. For reports and lists of staff.
  business_day_starts_at time not null default '00:00' check (business_day_starts_at < '12:00'),
  -- D89: a return takes back the points that its goods earned, also those that were spent since. Cents of the refund for each point that is
  -- owed; null: the balance goes below zero.
  owed_point_cents integer check (owed_point_cents between 0 and 10000),
  -- How the shop meets the duties of its state (D93): narrower hours of sale, duties that its owner answers for with the reasons, and
  -- whether it is a shop to practice in.
  duty_settings jsonb not null default '{}' check (jsonb_typeof(duty_settings) = 'object'),
  -- Since when the operator has it suspended: reads are answered, writes are refused. Null: it trades.
  suspended_at timestamptz,
  -- 'imported': it came from another deployment, and has not begun here yet.
  suspended_because text check (suspended_because in ('operator', 'imported', 'ending')),
  -- From then on it is deleted with all that it has. Null: it stays.
  ends_at timestamptz,
  constraint organizations_suspended_because check ((suspended_at is null) = (suspended_because is null)),
  constraint organizations_end_suspended check (ends_at is null or suspended_because = 'ending')
);

-- The integrators' companies work for many organizations: they belong to none.
create table integrators (
  id bigint primary key,
  name text not null,
  consumer_key_prefix text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- A consumer key can be rotated with an overlap, as client keys can (D9): an integrator has as many keys at a time as have not ended.
-- Digests only: the text of a key is shown once.
create table consumer_key_digests (
  digest bytea primary key,
  integrator_id bigint not null references integrators,
  created_at timestamptz not null,
  -- Of a key that was rotated: until then both work. Null: as long as the integrator itself.
  expires_at timestamptz,
  -- The integrator's key for its sandboxes alone: it opens no other organization, and a rotation of the usual key leaves it.
  of_sandbox boolean not null default false
);
create index consumer_key_digests_of_integrator on consumer_key_digests (integrator_id);

-- What an integrator may do for an organization (D9).
create table client_keys (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  name text not null,
  key_prefix text not null,
  permissions text[] not null,
  strict boolean not null,
  -- Null: the limits that every key has.
  menu_requests_per_second integer check (menu_requests_per_second > 0),
  other_requests_per_second integer check (other_requests_per_second > 0),
  -- Null: it does not end.
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- Addresses and ranges that it may be used from, as text; empty: from everywhere.
  allowed_addresses text[] not null default '{}',
  -- Within a minute or so: written at most that often, and not by the request itself.
  last_used_at timestamptz,
  -- Keys of web pages (D67): a client key that is bound to origins is publishable. Its text is public, so it works without
  -- a consumer key, from pages of these origins only.
  origins text[] not null default '{}',
  -- D62: whether an integrator signs its customers in itself, so that the email it sends is theirs. A publishable key never does.
  vouches boolean not null default true,
  -- From where a secret key was used last: a few addresses, the latest first. A publishable key has none: those would be customers'.
  last_addresses text[] not null default '{}',
  -- When owners were told that a key ends soon: once for each key.
  end_told_at timestamptz,
  primary key (organization_id, id)
);

-- Finds the organization of a presented key before any organization has been entered: digests only.
create table client_key_digests (
  digest bytea primary key,
  organization_id bigint not null,
  client_key_id bigint not null,
  -- Of a key that was rotated: until then both work. Null: as long as the key itself.
  expires_at timestamptz,
  foreign key (organization_id, client_key_id) references client_keys
);
create index client_key_digests_of_key on client_key_digests (organization_id, client_key_id);

-- ---------------------------------------------------------------------------------------------------------
-- Staff and how they sign in

-- Who works for an organization. Null password_hash: none was set; they sign in by a passkey or a provider, or not yet.
create table staff_members (
  organization_id bigint not null references organizations,
  id bigint not null,
  email text not null,
  email_normalized text not null,
  first_name text not null,
  last_name text not null,
  role text not null check (role in ('owner', 'manager', 'budtender', 'inventory')),
  password_hash text,
  -- With the salt that the PINs of the organization share: whose a PIN is, is one hash and one look-up.
  pin_hash text,
  created_at timestamptz not null,
  disabled_at timestamptz,
  updated_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, email_normalized),
  constraint staff_members_pin unique (organization_id, pin_hash)
);

-- Finds the accounts of an email, of which there can be one in each organization: digests only. Kept in step
-- with staff_members by the statements that write an email there.
create table staff_email_digests (
  digest bytea not null,
  organization_id bigint not null,
  staff_id bigint not null,
  primary key (digest, organization_id),
  foreign key (organization_id, staff_id) references staff_members
);

create table staff_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  staff_id bigint not null,
  created_at timestamptz not null,
  -- Within a minute: written at most that often.
  last_used_at timestamptz not null,
  revoked_at timestamptz,
  -- D72: when the person last proved who they are in this session; null: when it began.
  proven_at timestamptz,
  -- Where it was begun, for the person and the owners.
  client_address text,
  user_agent text,
  -- The provider has taken a second factor of the person.
  has_provider_factor boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_sessions_of_member on staff_sessions (organization_id, staff_id);

-- Finds the organization of a presented token: digests only.
create table staff_session_digests (
  digest bytea primary key,
  organization_id bigint not null,
  session_id bigint not null,
  foreign key (organization_id, session_id) references staff_sessions on delete cascade
);
create index staff_session_digests_of_session on staff_session_digests (organization_id, session_id);

-- Browsers that staff have signed in with: what others try with the same email does not lock these out. Asked before any
-- organization has been entered: digests only. One browser can be that of several people.
create table staff_devices (
  digest bytea not null,
  organization_id bigint not null,
  staff_id bigint not null,
  -- The last sign-in with it.
  used_at timestamptz not null,
  primary key (digest, organization_id, staff_id),
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_devices_of_member on staff_devices (organization_id, staff_id, used_at desc);

-- Finds the member of staff whom a one-time link is for, before any organization has been entered: digests only.
create table staff_invitations (
  digest bytea primary key,
  organization_id bigint not null,
  staff_id bigint not null,
  expires_at timestamptz not null,
  -- A link that sets a password: an owner's invitation, or what a member who forgot the password asked for by mail (D70). Asking
  -- for one must not end an open invitation, so they are told apart.
  is_reset boolean not null default false,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_invitations_of_member on staff_invitations (organization_id, staff_id);

-- What an organization asks of the sign-in of its staff. No row: nothing beyond the password.
create table staff_sign_in_rules (
  organization_id bigint primary key references organizations,
  -- Roles whose people need a second factor.
  second_factor_roles text[] not null default '{}',
  -- A refund of more than this needs a recent proof; null: none does.
  refund_proof_cents bigint check (refund_proof_cents >= 0),
  updated_at timestamptz not null,
  -- Staff sign in and act from these addresses and ranges only (D72); none: from everywhere.
  allowed_addresses text[] not null default '{}'
);

-- The shared secret of an authenticator app (RFC 6238), sealed with the master key. It counts from the first code on.
create table staff_totp_secrets (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  secret bytea not null,
  secret_master_key_id text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The step of the last code that was accepted: it and those before it are not accepted again.
  last_step bigint not null default 0,
  primary key (organization_id, staff_id),
  foreign key (organization_id, staff_id) references staff_members
);

-- Each works once and is deleted by its use: digests only.
create table staff_recovery_codes (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  digest bytea not null,
  primary key (organization_id, staff_id, digest),
  foreign key (organization_id, staff_id) references staff_members
);

-- People who have given the right password and not yet the second factor. Found by the token, before an organization is known:
-- digests only.
create table staff_half_sign_ins (
  digest bytea primary key,
  organization_id bigint not null,
  staff_id bigint not null,
  expires_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_half_sign_ins_of_member on staff_half_sign_ins (organization_id, staff_id);

-- Passkeys of staff (D72): they sign in without a password, and count as both factors.
create table staff_passkeys (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  id bigint not null,
  -- As the authenticator names it.
  credential_id bytea not null,
  -- COSE. It is no secret.
  public_key bytea not null,
  -- The last one of the authenticator; 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, staff_id, id),
  unique (organization_id, staff_id, credential_id),
  foreign key (organization_id, staff_id) references staff_members
);

-- What an authenticator has to sign, once and within minutes. Of a sign-in neither organization nor member is known yet: digests
-- only, of the challenge together with the member who has to answer it.
create table staff_passkey_challenges (
  digest bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'register', 'prove')),
  organization_id bigint,
  staff_id bigint,
  expires_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_passkey_challenges_by_end on staff_passkey_challenges (expires_at);
create index staff_passkey_challenges_of_member on staff_passkey_challenges (organization_id, staff_id);

-- Sign-in of staff by an identity provider of their organization (OpenID Connect, D72).
create table staff_identity_providers (
  organization_id bigint primary key references organizations,
  issuer text not null,
  client_id text not null,
  -- Sealed with the master key.
  client_secret bytea not null,
  client_secret_master_key_id text not null,
  -- Emails of other domains do not sign in.
  email_domains text[] not null check (cardinality(email_domains) > 0),
  -- Whether its sign-in stands for both factors: never, where its answer says so (amr), or always.
  second_factor text not null check (second_factor in ('never', 'when-told', 'always')),
  updated_at timestamptz not null
);

-- Whose an account of a provider is, from the first sign-in on: by issuer and subject, whatever its email is later.
create table staff_identities (
  organization_id bigint not null references organizations,
  issuer text not null,
  subject text not null,
  staff_id bigint not null,
  linked_at timestamptz not null,
  primary key (organization_id, issuer, subject),
  -- A member has one account of a provider.
  unique (organization_id, staff_id, issuer),
  foreign key (organization_id, staff_id) references staff_members
);

-- Sign-ins that a browser has begun at a provider. Found by the token of the browser: digests only.
create table staff_identity_sign_ins (
  digest bytea primary key,
  organization_id bigint not null references organizations,
  expires_at timestamptz not null
);
create index staff_identity_sign_ins_by_end on staff_identity_sign_ins (organization_id, expires_at);

-- Sandboxes (D60): an organization that belongs to an integrator, with its own clock. A reset makes another organization
-- behind the same keys, because orders, ledger and audit are never deleted; the former one has ended.
create table sandboxes (
  organization_id bigint primary key references organizations,
  integrator_id bigint not null references integrators,
  -- Who plays the staff's steps.
  staff_id bigint not null,
  -- What the clock adds to the time of the deployment, unless it stands.
  clock_ahead_ms bigint not null default 0,
  -- Null: it runs.
  clock_stands_at timestamptz,
  -- The customers and products of the special cases, with their ids.
  special_cases jsonb not null,
  reset_asked_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);

-- ---------------------------------------------------------------------------------------------------------
-- Requests

-- What a request with the header Idempotency-Key was answered, so that it can be answered again without being done again.
create table idempotency_keys (
  organization_id bigint not null references organizations (id),
  -- Of whom: 'key:<id>' or 'staff:<id>'. Two callers may use the same key for different requests.
  caller text not null,
  -- SHA-256 of the key. The key's text is not stored: the reply can only be read by who sends it again.
  key_digest bytea not null check (octet_length(key_digest) = 32),
  -- What was asked: a keyed digest of operation, path, query and body.
  request_digest bytea not null check (octet_length(request_digest) = 32),
  -- Null only inside the transaction that does what the request asks.
  status smallint,
  -- Headers and body, encrypted under the key's text.
  sealed_reply bytea,
  created_at timestamptz not null,
  -- The ids of records that a kept reply shows: the reply itself is encrypted, and goes when such a record's data is erased.
  about bigint[],
  primary key (organization_id, caller, key_digest)
);
-- For the job that deletes the oldest.
create index idempotency_keys_by_time on idempotency_keys (organization_id, created_at);

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

-- What integrators asked in the last 30 days: written behind the replies, read by owners, deleted by a job. In rows of up to a thousand
-- requests, a column of each in an array: a row and its index entries for every request cost as much as what the database does for a
-- price. Time comes first in the key: the list, its cursor and the retention are all by time. Ids are texts: a common head with numbers
-- saved less than a tenth of what a request takes, and was hard to follow. A column from `methods` to `codes` whose elements are all the
-- same has a single one.
create table api_request_batches (
  -- Without a foreign key: to check it would cost as much as the row, and rows are many and short-lived.
  organization_id bigint not null,
  -- When its first and its last request were answered, in milliseconds since 1970 as all times here: a minute apart at
  -- most, so that a batch is found by the time of any of its requests.
  first_at_ms bigint not null,
  last_at_ms bigint not null,
  id bigint not null,
  integrator_id bigint not null,
  client_key_id bigint not null,
  -- Whether all of them got a status of 400 and above, or none did: refusals are what is looked for, and few.
  is_refused boolean not null,
  request_count integer not null,
  -- One element for each request, oldest first.
  times_ms bigint[] not null,
  methods text[] not null,
  -- As it is declared, and as it was asked for, without the query; empty where that is the same.
  path_templates text[] not null,
  paths text[] not null,
  -- 499: the caller went away before it was answered.
  statuses smallint[] not null,
  -- Of a refusal; else empty.
  codes text[] not null,
  microseconds integer[] not null,
  request_ids text[] not null,
  -- The marks of a batch, to delete them with it.
  marks bigint[] not null,
  -- The message of each refusal, as api-request-message.ts keeps it, and why keys were refused that belong to the organization.
  -- Null: a batch without any.
  messages text[],
  key_problems text[],
  check (last_at_ms between first_at_ms and first_at_ms + 60000),
  check (request_count between 1 and 1000 and cardinality(times_ms) = request_count),
  primary key (organization_id, last_at_ms, id),
  constraint api_request_batches_have_ids check (cardinality(request_ids) = request_count)
);
create index api_request_batches_of_integrator on api_request_batches (organization_id, integrator_id, last_at_ms, id);

-- What the log of requests is searched by: status, code, path, key. A batch holds up to a thousand requests, so a search for what few
-- requests have would read every batch. Each batch says what it contains, and an index finds the newest batches with it.
--
-- The kinds of requests that a key has sent, for each period of 30 days: a few hundred rows in a busy shop. A period is dropped
-- as a whole, when all its batches are gone.
create table api_request_kinds (
  organization_id bigint not null,
  -- Of `last_at_ms` of a batch: whole periods of 30 days since 1970.
  period bigint not null,
  integrator_id bigint not null,
  client_key_id bigint not null,
  path_template text not null,
  status smallint not null,
  -- Of a refusal; else empty.
  code text not null,
  primary key (organization_id, period, client_key_id, path_template, status, code)
);

-- A row for each kind in a batch, and for each kind with the first id in its paths. `mark` is a hash of the text that
-- api-request-marks.ts makes of them: two texts with one hash cost time and show nothing wrong, since requests are compared.
create table api_request_marks (
  organization_id bigint not null,
  mark bigint not null,
  last_at_ms bigint not null,
  batch_id bigint not null,
  -- Requests of the batch with this mark.
  request_count integer not null,
  -- A batch of requests with many ids has one row for them, in place of a row for each.
  -- A Bloom filter, as api-request-marks.ts writes and reads it; null: the mark stands for what its text says.
  ids bytea,
  primary key (organization_id, mark, last_at_ms, batch_id)
);

-- ---------------------------------------------------------------------------------------------------------
-- Catalog

create table brands (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  -- Names are matched without case and outer space (D43).
  name_key text not null generated always as (lower(btrim(name))) stored,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Categories and brands can go while products that were deleted long ago still point at them.
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create unique index brands_of_name on brands (organization_id, name_key) where deleted_at is null;

create table product_categories (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  display_order integer not null,
  -- What purchase limits count it as. Some states limit seeds, inhalable products, drinks of a low dose, and products that are counted by
  -- the unit apart from the rest.
  cannabis_type text not null check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids',
    'mi-infused-fluids', 'edibles', 'immature-plant', 'seeds', 'inhalables', 'low-dose-drinks', 'other-units', 'none')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create unique index product_categories_of_name on product_categories (organization_id, name_key)
  where deleted_at is null;

create table product_sub_categories (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, name_key)
);

-- What staff mark products with, for discounts and filters.
create table tags (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- THC and CBD are as the label says them, in the unit beside; null: not told.
create table products (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text not null,
  unit text not null check (unit in ('gram', 'item')),
  strain_type text not null check (strain_type in ('sativa', 'indica', 'hybrid', 'hybrid-sativa', 'hybrid-indica',
    'cbd', 'mixed', 'none')),
  -- Null: without a brand.
  brand_id bigint,
  primary_category_id bigint not null,
  sub_category_ids bigint[] not null default '{}',
  inventory_type text not null check (inventory_type in ('option', 'product', 'none')),
  is_active boolean not null default false,
  is_featured boolean not null default false,
  is_compliant boolean not null default true,
  -- Grams above a size that cost nothing more: the product is sold loose, by weight. Null: by the piece.
  weight_tolerance numeric check (weight_tolerance between 0 and 10),
  thc_amount numeric,
  thc_amount_each numeric,
  thc_amount_range_low numeric,
  thc_amount_range_high numeric,
  thc_unit text check (thc_unit in ('%', 'mg')),
  cbd_amount numeric,
  cbd_amount_each numeric,
  cbd_amount_range_low numeric,
  cbd_amount_range_high numeric,
  cbd_unit text check (cbd_unit in ('%', 'mg')),
  -- Dollars per unit, for product-tracked stock.
  moving_average_cost_per_unit numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- What describes a product beyond its potency (D71). Terpenes are objects with name and percent (a decimal as text, or null), lab
  -- results objects with lab, date and certificateUrl.
  strain text check (char_length(strain) between 1 and 200),
  sku text check (char_length(sku) between 1 and 100),
  terpenes jsonb not null default '[]' check (jsonb_typeof(terpenes) = 'array'),
  effects text[] not null default '{}',
  flavours text[] not null default '{}',
  lab_results jsonb not null default '[]' check (jsonb_typeof(lab_results) = 'array'),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands,
  foreign key (organization_id, primary_category_id) references product_categories
);
create index products_by_time on products (organization_id, created_at desc, id desc);
create index products_of_category on products (organization_id, primary_category_id, created_at desc, id desc);
create index products_shown on products (organization_id, created_at desc, id desc)
  where is_active and deleted_at is null;
create index products_hidden on products (organization_id, created_at desc, id desc)
  where not is_active and deleted_at is null;
-- Products of a brand, and the list in the order of brands.
create index products_by_brand on products (organization_id, brand_id, id);

create table product_tags (
  organization_id bigint not null references organizations,
  tag_id bigint not null,
  product_id bigint not null,
  primary key (organization_id, tag_id, product_id),
  foreign key (organization_id, tag_id) references tags,
  foreign key (organization_id, product_id) references products
);
create index product_tags_of_product on product_tags (organization_id, product_id);

create table product_options (
  organization_id bigint not null references organizations,
  id bigint not null,
  product_id bigint not null,
  position integer not null,
  -- Null: menus show a label made of amount and unit.
  name text,
  amount numeric not null check (amount > 0),
  price_cents bigint not null check (price_cents between 0 and 100000000),
  -- Null: not on sale.
  sales_price_cents bigint check (sales_price_cents between 0 and price_cents),
  upc text,
  -- In the unit of the category's cannabis type.
  content numeric check (content > 0),
  -- What one unit holds, where it differs from what the product says or is not said there. Taxes, limits and labels are made of it.
  thc_percent numeric check (thc_percent between 0 and 100),
  thc_mg numeric check (thc_mg >= 0),
  cbd_percent numeric check (cbd_percent between 0 and 100),
  cbd_mg numeric check (cbd_mg >= 0),
  -- Dollars per unit, for option-tracked stock.
  moving_average_cost_per_unit numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, product_id) references products
);
create index product_options_of_product on product_options (organization_id, product_id, position, id);
-- An import asks of every row of a file whether it is here already, by UPC, else by the texts of products: it must not read the table.
create index product_options_of_upc on product_options (organization_id, upc)
  where upc is not null and deleted_at is null;
-- Products in the order of their lowest prices.
create index product_options_by_price on product_options (organization_id, price_cents, product_id)
  where deleted_at is null;

-- D46: pictures are fetched from where they were submitted, and then kept here.
create table product_photos (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- Null: of an option.
  product_id bigint,
  position integer not null,
  -- A path of ours ("/photos/…") once the picture is stored, else the address that was submitted.
  location text not null,
  -- Where it was submitted, once it is stored here. Null: that is its location still, or staff uploaded it.
  source text,
  tries integer not null default 0 check (tries >= 0),
  last_tried_at timestamptz,
  -- Why the last try failed, in words for staff.
  failure text check (char_length(failure) <= 500),
  -- From then on it is tried again only if staff ask for that.
  gave_up_at timestamptz,
  -- What is to be seen, for people who do not see the picture. Null: not told.
  alt_text text check (char_length(alt_text) between 1 and 500),
  -- Of an option's photo, which has no product_id: it is not among those of the product.
  product_option_id bigint,
  -- The bytes of all sizes of a photo that is stored here; null: not measured yet.
  byte_count integer check (byte_count >= 0),
  primary key (organization_id, id),
  foreign key (organization_id, product_id) references products,
  constraint product_photos_product_option_fkey
    foreign key (organization_id, product_option_id) references product_options,
  constraint product_photos_owner_check check ((product_id is null) <> (product_option_id is null))
);
create index product_photos_of_product on product_photos (organization_id, product_id, position);
create index product_photos_not_stored on product_photos (organization_id, id) where location not like '/%';
create index product_photos_given_up on product_photos (organization_id, id)
  where location not like '/%' and gave_up_at is not null;
create index product_photos_waiting on product_photos (organization_id, id)
  where location not like '/%' and gave_up_at is null;
create index product_photos_of_option on product_photos (organization_id, product_option_id, position)
  where product_option_id is not null;

-- The ids that integrators have for products and options (D71): each unique for its integrator in an organization. The id of
-- what was deleted may name another product or option.
create table product_external_ids (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  external_id text not null check (char_length(external_id) between 1 and 200),
  product_id bigint not null,
  primary key (organization_id, integrator_id, external_id),
  unique (organization_id, product_id, integrator_id),
  foreign key (organization_id, product_id) references products
);

create table product_option_external_ids (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  external_id text not null check (char_length(external_id) between 1 and 200),
  product_option_id bigint not null,
  primary key (organization_id, integrator_id, external_id),
  unique (organization_id, product_option_id, integrator_id),
  foreign key (organization_id, product_option_id) references product_options
);

-- Options whose content contradicts their size (an amount of 3.5 grams, a content of 1 g): purchase limits count the content, so
-- owners are told. A write of a product says it anew.
create table content_doubts (
  organization_id bigint not null references organizations,
  product_option_id bigint not null,
  product_id bigint not null,
  primary key (organization_id, product_option_id),
  foreign key (organization_id, product_option_id) references product_options,
  foreign key (organization_id, product_id) references products
);
create index content_doubts_of_product on content_doubts (organization_id, product_id);

-- What a product is found by, without case, a line for each text: its name first. Codes are those that find it as a whole:
-- each between two line ends. Beside the tokens, whose policy would draw every reading to their index.
create table product_texts (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  created_at timestamptz not null,
  -- For lists by name: without case and accents.
  name_key text collate "C" not null,
  texts text not null,
  codes text not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products
);
create index product_texts_in_order on product_texts (organization_id, created_at desc, product_id desc);
create index product_texts_by_key on product_texts (organization_id, name_key, product_id);

-- The tokens of a product's texts, and of the names and UPCs of deleted options, which lists of stock have, too. With the time by which
-- products are listed.
create table product_searches (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  created_at timestamptz not null,
  tokens integer[] not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products
);
-- New entries wait in a list that each search reads: a short one.
create index product_searches_by_token on product_searches using gin (tokens) with (gin_pending_list_limit = 256);

-- The products of a sub-category that are not deleted, in the order of the list.
create table sub_category_products (
  organization_id bigint not null references organizations,
  sub_category_id bigint not null,
  created_at timestamptz not null,
  product_id bigint not null,
  primary key (organization_id, sub_category_id, created_at, product_id),
  foreign key (organization_id, product_id) references products
);

-- Menus that staff import: the file, how far it is, and what it has changed, so that an import that was killed goes on and
-- the last one can be undone.
create table menu_imports (
  organization_id bigint not null references organizations,
  id bigint not null,
  file_name text not null check (length(file_name) between 1 and 200),
  file_bytes integer not null check (file_bytes >= 1),
  -- The records of the file: rows of a table, or objects.
  record_count integer not null check (record_count >= 0),
  -- As people have corrected it; null: the file has our own columns.
  mapping jsonb,
  mode text not null check (mode in ('add', 'change', 'sync')),
  status text not null check (status in
    ('uploaded', 'checking', 'checked', 'importing', 'done', 'undoing', 'undone', 'failed', 'canceled')),
  created_by bigint not null,
  -- Who asked for the run that goes on, or was the last.
  run_by bigint not null,
  -- Tells jobs of an earlier run apart.
  run_number integer not null default 0,
  -- The part of the file that is done, of a thousand, and the products.
  done_share integer not null default 0 check (done_share between 0 and 1000),
  done_count integer not null default 0 check (done_count >= 0),
  created_count integer not null default 0,
  changed_count integer not null default 0,
  retired_count integer not null default 0,
  refused_count integer not null default 0,
  -- Why the file could not be read on.
  failure text check (length(failure) <= 1000),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  -- The process that does the run, and when it last said so; null: none.
  process_id uuid,
  alive_at timestamptz,
  -- Tries that failed since the run last moved on, and a digest of the last error. A run whose process has died ends with a reason: what
  -- killed one process would kill the next.
  failed_tries integer not null default 0,
  last_error text,
  primary key (organization_id, id)
);
-- Every few seconds a process looks for runs whose process has died, over all organizations.
create index menu_imports_alive on menu_imports (organization_id, alive_at) where alive_at is not null;

-- The content, until the import is done.
create table menu_import_files (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  content bytea not null,
  primary key (organization_id, menu_import_id),
  foreign key (organization_id, menu_import_id) references menu_imports
);

-- What an import did to each product. `seen`: nothing; kept only until the import knows what the file lacks.
create table menu_import_products (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  product_id bigint not null,
  kind text not null check (kind in ('created', 'changed', 'retired', 'seen')),
  -- The product before and after a change.
  before jsonb,
  after jsonb,
  -- Options that it gave a product that was there.
  new_option_ids bigint[] not null default '{}',
  undone_at timestamptz,
  primary key (organization_id, menu_import_id, product_id),
  foreign key (organization_id, menu_import_id) references menu_imports,
  foreign key (organization_id, product_id) references products
);

-- Refused rows of the last check or import, in order.
create table menu_import_problems (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  position integer not null,
  line integer not null,
  column_name text check (length(column_name) <= 200),
  message text not null check (length(message) <= 1000),
  -- What an import has read in another way than it is written, beside the rows that it refused.
  is_note boolean not null default false,
  primary key (organization_id, menu_import_id, position),
  foreign key (organization_id, menu_import_id) references menu_imports
);

-- ---------------------------------------------------------------------------------------------------------
-- What prices a cart, and the shop's own settings

-- A number per organization that grows with every change of what prices a cart: its own settings, catalog, taxes,
-- zones and payment types. Who holds facts of version n reads this one row to know whether they still hold; the
-- row changes in the transaction of the change, so the answer is exact whichever process has made it.
--
-- Triggers, not code: no write of these tables can forget it. One row per organization is
-- locked by a change until it commits; orders do not change these tables, so they never wait for it.
create table terms_versions (
  organization_id bigint primary key references organizations,
  version bigint not null
);

-- Settings that price a cart
create table taxes (
  organization_id bigint not null references organizations,
  id bigint not null,
  description text not null,
  rate numeric not null check (rate between 0 and 100),
  tier text not null check (tier in ('1', '2', '3', '4', '5')),
  type text not null check (type in ('standard', 'excise', 'california-excise')),
  included boolean not null,
  encompass boolean not null,
  exemptable boolean not null,
  applies_to_fees boolean not null,
  rounding text not null check (rounding in ('half-up', 'up')),
  excluded_category_ids bigint[] not null default '{}',
  non_exemptable_category_ids bigint[] not null default '{}',
  -- What it is charged on, where that is not one percentage of the price: percentages by potency, or cents for each milligram of THC or
  -- gram. Null: the rate, of the price.
  basis jsonb check (jsonb_typeof(basis) = 'object'),
  -- A rate is never edited: the tax ends and another begins.
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null,
  -- Charged on deliveries to the zones that name it, and on nothing else: the tax of the next town.
  only_in_zones boolean not null default false,
  updated_at timestamptz,
  -- Whose purchases a tax is charged on, and what the law was read to say of patients, with the owner's decision where it
  -- was not known (D35). A tax that was set up by hand has no reading.
  customer_type text not null default 'all' check (customer_type in ('all', 'adult-use', 'medical')),
  patients jsonb check (jsonb_typeof(patients) = 'object'),
  -- Carts read this and nothing else of the reading.
  patients_undecided boolean not null generated always as (
    coalesce(patients ->> 'rule' = 'not-known' and patients -> 'decision' = 'null'::jsonb, false)
  ) stored,
  -- In which city, county or district it holds, and where that is written. Null: everywhere, without a source.
  locality jsonb check (jsonb_typeof(locality) = 'object'),
  source jsonb check (jsonb_typeof(source) = 'object'),
  primary key (organization_id, id)
);

create table delivery_zones (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  order_minimum_cents bigint not null check (order_minimum_cents >= 0),
  delivery_fee_cents bigint not null check (delivery_fee_cents >= 0),
  delivery_fee_description text,
  -- Empty: the locations of delivery orders (D48).
  inventory_location_ids bigint[] not null default '{}',
  created_at timestamptz not null,
  -- Null: the organization's taxes but for those of zones only. Else exactly these, for deliveries to the zone.
  tax_ids bigint[],
  updated_at timestamptz,
  primary key (organization_id, id)
);

-- A postal code ("94607") or a prefix ("946*") belongs to one zone. The zone of an address is that of the
-- longest pattern that fits, found by looking up the code and its prefixes: no scan.
create table delivery_zone_postal_codes (
  organization_id bigint not null references organizations,
  pattern text not null check (pattern ~ '^[0-9A-Z]{1,10}\*?$'),
  delivery_zone_id bigint not null,
  primary key (organization_id, pattern),
  foreign key (organization_id, delivery_zone_id) references delivery_zones
);

-- A window for pickup or delivery that customers choose, on days of the week: so many orders, placed so long before it begins.
create table time_slots (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  order_type text not null check (order_type in ('delivery', 'pickup')),
  -- Empty: all zones.
  delivery_zone_ids bigint[] not null default '{}',
  -- 1 (Monday) to 7 (Sunday).
  days bigint[] not null,
  -- Local times, `HH:MM`, of the same day.
  starts_at text not null check (starts_at ~ '^[0-2][0-9]:[0-5][0-9]$'),
  ends_at text not null check (ends_at ~ '^[0-2][0-9]:[0-5][0-9]$'),
  capacity integer not null check (capacity > 0),
  lead_minutes integer not null check (lead_minutes >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  check (starts_at < ends_at)
);

-- A day without time slots.
create table closed_days (
  organization_id bigint not null references organizations,
  id bigint not null,
  day date not null,
  -- Null: pickup and delivery.
  order_type text check (order_type in ('delivery', 'pickup')),
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index closed_days_by_day on closed_days (organization_id, day);

create table payment_types (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  fee_cents bigint not null check (fee_cents >= 0),
  fee_description text,
  fee_percent numeric not null check (fee_percent between 0 and 100),
  method text not null check (method in ('cash', 'debit', 'other', 'processor')),
  available_delivery boolean not null,
  created_at timestamptz not null,
  archived_at timestamptz,
  updated_at timestamptz,
  -- How a payment in cash is rounded to five cents; of no meaning for other methods. Null: as the state says.
  cash_rounding text check (cash_rounding in ('off', 'symmetric', 'down')),
  -- Payments by it come from gift cards of the shop.
  takes_gift_cards boolean not null default false,
  -- What the provider may keep of a payment, as the shop agreed with it. Both 0: nothing was agreed, and nothing is compared.
  agreed_fee_cents bigint not null default 0 check (agreed_fee_cents >= 0),
  agreed_fee_percent numeric not null default 0 check (agreed_fee_percent between 0 and 100),
  primary key (organization_id, id)
);

-- D36: limits that an organization sets beside those of its state. A state's own limits are data of the program, never rows.
create table purchase_limit_rules (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  -- Whose purchases it limits.
  customer_type text not null check (customer_type in ('all', 'adult-use', 'medical')),
  cannabis_type text not null check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids',
    'mi-infused-fluids', 'edibles', 'immature-plant', 'seeds', 'inhalables', 'low-dose-drinks', 'other-units')),
  limit_amount numeric not null check (limit_amount >= 0),
  limit_unit text not null check (limit_unit in ('mg', 'g', 'oz', 'fl oz', 'count')),
  limit_window text not null check (limit_window in ('transaction', 'local-day', 'rolling-days', 'calendar-month')),
  window_days integer check (window_days between 1 and 366),
  -- {cannabisType: 'one-to-one' | {amount: {amount, unit}, uses: {amount, unit}}}
  counts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- In which city, county or district it holds, and where that is written. Null: everywhere, without a source.
  locality jsonb check (jsonb_typeof(locality) = 'object'),
  source jsonb check (jsonb_typeof(source) = 'object'),
  -- The first and the last day; null: at all times.
  starts_on date,
  ends_on date,
  primary key (organization_id, id),
  constraint purchase_limit_rules_window_days check ((limit_window = 'rolling-days') = (window_days is not null)),
  constraint purchase_limit_rules_days check (ends_on >= starts_on)
);

-- D68: what a web shop shows of the organization besides its name: where it is, when it is open, its logo.
create table shop_profiles (
  organization_id bigint primary key references organizations,
  -- {street1, street2, city, postalCode}; the state is the organization's. Null: not told.
  address jsonb check (jsonb_typeof(address) = 'object'),
  -- [{day, opensAt, closesAt}], by day and time; empty: not told.
  hours jsonb not null check (jsonb_typeof(hours) = 'array'),
  -- Of the largest size, as of a product's photo.
  logo_location text check (length(logo_location) <= 200),
  updated_at timestamptz not null,
  -- What the labels of the shop say: {exit: {fields, notice}, shelf: {fields, notice}}. Null: every field, without a notice.
  labels jsonb
);

-- How many photos and customers' documents an organization may keep: its own limits, set by the operator. No row, or null: those of
-- the deployment's settings. An upload locks its row, so that uploads that come at once do not take the same room.
create table file_quotas (
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('photos', 'documents')),
  files_max integer check (files_max >= 0),
  bytes_max bigint check (bytes_max >= 0),
  primary key (organization_id, kind)
);

-- Files of photos and documents that no row names any more, since when. Only the owner's connection uses it.
create table stray_files (
  store text not null check (store in ('photos', 'documents')),
  name text not null check (length(name) <= 120),
  seen_at timestamptz not null,
  primary key (store, name)
);

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

-- ---------------------------------------------------------------------------------------------------------
-- Customers

create table customers (
  organization_id bigint not null references organizations,
  id bigint not null,
  hash_id text not null,
  first_name text not null,
  last_name text not null,
  -- As shown; the normalized ones identify (D32): trimmed lower case, and E.164.
  email text,
  email_normalized text,
  phone text,
  phone_normalized text,
  birthday date,
  sex text check (sex in ('male', 'female', 'tertiary')),
  zip text,
  license_expiry date,
  medical_expiration date,
  -- Where the person lives (D94), in two letters; null: not asked.
  residence text check (residence ~ '^[A-Z]{2}$'),
  -- Of staff, for staff: what helps to serve the person.
  notes text check (char_length(notes) <= 2000),
  -- The state that keeps the patient's number, which is sealed with a master key: no copy of the database contains that.
  patient_state text check (patient_state ~ '^[A-Z]{2}$'),
  patient_number_sealed bytea,
  patient_number_key_id text,
  patient_number_last_four text,
  -- An HMAC under the master key, in hexadecimal: the exact number finds its patient, and nothing else does.
  patient_number_digest text check (patient_number_digest ~ '^[0-9a-f]{64}$'),
  marketing_opt_in boolean not null default false,
  marketing_opt_in_at timestamptz,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  -- D35; null: as the card and the organization's settings say.
  tax_exempt boolean,
  erased_at timestamptz,
  -- For the list in the order of names, without case and accents.
  first_name_key text collate "C" not null generated always as (search_key(first_name)) stored,
  last_name_key text collate "C" not null generated always as (search_key(last_name)) stored,
  -- The phone is there because an unknown visitor, or the owner of the email, said so. It is no way in: the owner of the phone
  -- may be another person.
  phone_is_claimed boolean not null default false,
  -- By which way consent was recorded; null: without consent.
  marketing_opt_in_source text,
  -- A person as an order without an email names one: phone, name and birthday (D85: several people of a shop may share a phone). Only set
  -- while the profile stays as it was made: two orders that arrive together make one profile.
  phone_person_key text,
  -- For searches by name, folded (D85). Columns and no indexes on expressions: a function of a row's value is not leakproof.
  first_name_folded text collate "C" not null generated always as (person_key(first_name)) stored,
  last_name_folded text collate "C" not null generated always as (person_key(last_name)) stored,
  primary key (organization_id, id),
  unique (organization_id, hash_id),
  unique (organization_id, email_normalized)
);
-- The lists of customers: newest first, or latest change first, or by name, erased ones too.
create index customers_by_time on customers (organization_id, joined_at desc, id desc);
create index customers_by_update on customers (organization_id, updated_at desc, id desc);
-- Searches by the beginning of what a customer says of themselves.
create index customers_by_email_prefix on customers (organization_id, email_normalized text_pattern_ops)
  include (joined_at, id) where erased_at is null;
create index customers_by_phone_prefix on customers (organization_id, phone_normalized text_pattern_ops)
  include (joined_at, id) where erased_at is null;
create index customers_by_hash_prefix on customers (organization_id, hash_id text_pattern_ops)
  include (joined_at, id) where erased_at is null;
create index customers_in_order_of_names on customers
  (organization_id, last_name_key collate "C", first_name_key collate "C", id);
-- Who has a phone; several people may have it.
create index customers_by_phone on customers (organization_id, phone_normalized);
create unique index customers_one_of_phone_person on customers (organization_id, phone_person_key);
create index customers_by_folded_last_name on customers
  (organization_id, last_name_folded, first_name_folded) include (joined_at, id) where erased_at is null;
create index customers_by_folded_first_name on customers
  (organization_id, first_name_folded, last_name_folded) include (joined_at, id) where erased_at is null;
-- The people of one birthday, among whom a card looks, and the list of duplicates, which reads birthdays and last names of a shop from
-- the index alone.
create index customers_by_birthday_and_name on customers
  (organization_id, birthday, last_name_folded, id) where erased_at is null and birthday is not null;

-- A patient by the exact number.
create index customers_by_patient_number on customers (organization_id, patient_number_digest) include (joined_at, id)
  where patient_number_digest is not null and erased_at is null;

-- A number per organization that grows with every change of a customer's profile. Orders are shown with their
-- customers as they are now: a process that holds a page of orders reads this one row, not the rows of fifty customers, to
-- know whether they still look as they did. New customers do not count: no order that was shown before is theirs. Points do not either:
-- a sale would wait for all others of the organization, on its one counter.
--
-- Counted at the end of the changing transaction, when it waits for nothing any more: what it holds then, it holds
-- until it is durable and no longer, and it can be part of no deadlock. Once for each transaction.
create table customer_versions (
  organization_id bigint primary key references organizations,
  version bigint not null
);

-- Where customers stood in the list by change before they moved to its front. A cursor names a customer, and that
-- one may have moved since its page was read; for ten minutes it can still be told from where the reader goes on.
-- A trigger, because no write of a customer must forget it; per statement, because a group's end changes
-- all of its members.
create table customer_past_places (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  updated_at timestamptz not null,
  left_at timestamptz not null,
  primary key (organization_id, user_id, updated_at),
  foreign key (organization_id, user_id) references customers
);

-- The customers who were merged into another one, with the customer that has their data now.
create table merged_customers (
  organization_id bigint not null references organizations,
  id bigint not null,
  into_id bigint not null,
  merged_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, into_id) references customers (organization_id, id)
);
create index merged_customers_of_target on merged_customers (organization_id, into_id);

-- The history of consent: what was said, when, and by which way it was recorded. It moves with a merged customer, and goes with an erased
-- one.
create table customer_consents (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  purpose text not null check (purpose in ('marketing')),
  -- False: withdrawn.
  is_given boolean not null,
  source text not null check (source in ('staff', 'integrator', 'import')),
  -- Who recorded it.
  actor text not null,
  -- Of which customer it was, if that one was merged into this one; consent itself is not copied.
  merged_from_id bigint,
  recorded_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers (organization_id, id)
);
create index customer_consents_of_customer on customer_consents (organization_id, user_id, recorded_at, id);

-- Which driver's licenses belong to which customer, so that a scan finds the customer again. The number itself is not kept: only
-- a digest of it under the deployment's master key, which no copy of the database contains.
create table customer_licenses (
  organization_id bigint not null references organizations,
  -- SHA-256 as an HMAC, in hexadecimal.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  user_id bigint not null,
  recorded_at timestamptz not null,
  primary key (organization_id, digest),
  foreign key (organization_id, user_id) references customers
);
create index customer_licenses_of_customer on customer_licenses (organization_id, user_id);
-- The oldest go first, where the law lets a shop keep them for so many days.
create index customer_licenses_by_age on customer_licenses (organization_id, recorded_at, digest);

-- Who may buy for which patients, as the state has registered them (D94). Their last valid day; null: none is known.
create table customer_caregivers (
  organization_id bigint not null references organizations,
  caregiver_id bigint not null,
  patient_id bigint not null,
  expires_on date,
  added_at timestamptz not null,
  primary key (organization_id, caregiver_id, patient_id),
  check (caregiver_id <> patient_id),
  foreign key (organization_id, caregiver_id) references customers on delete cascade,
  foreign key (organization_id, patient_id) references customers on delete cascade
);
create index customer_caregivers_of_patient on customer_caregivers (organization_id, patient_id);

-- The numbers that customers had at another till, so that its old sales find them and its points come once. With what each brought
-- along: points and credit have their own ledgers, these are for the proof of the move.
create table former_customers (
  organization_id bigint not null references organizations,
  till text not null check (length(till) between 1 and 40),
  former_id text not null check (length(former_id) between 1 and 100),
  user_id bigint not null,
  points numeric not null check (points >= 0),
  credit_cents bigint not null check (credit_cents >= 0),
  imported_at timestamptz not null,
  primary key (organization_id, till, former_id),
  foreign key (organization_id, user_id) references customers
);
create index former_customers_of_customer on former_customers (organization_id, user_id);

-- Sales of another till. They are read only: purchase limits and customers' pages count them; stock, points, drawers and reports to
-- the state do not.
create table former_sales (
  organization_id bigint not null references organizations,
  id bigint not null,
  till text not null check (length(till) between 1 and 40),
  number text not null check (length(number) between 1 and 100),
  sold_at timestamptz not null,
  -- The local day of the shop when it was imported.
  local_date date not null,
  -- Null: nobody who is on file.
  user_id bigint,
  -- Sums of the lines; returned ones are below zero.
  gross_cents bigint not null,
  discount_cents bigint not null,
  net_cents bigint not null,
  tax_cents bigint not null,
  -- As the file has them, with what each counts for limits.
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- By cannabis type, in its unit, what the customer kept; as of orders.
  counted_contents jsonb not null check (jsonb_typeof(counted_contents) = 'object'),
  -- The number of the ticket of this till that it gives back, as the file has it; null: it names none. What came back counts for no
  -- limit on the day of that ticket.
  refund_of text check (length(refund_of) between 1 and 100),
  imported_at timestamptz not null,
  primary key (organization_id, id),
  -- Numbers come again at some tills, but not on the same day.
  constraint former_sales_once unique (organization_id, till, number, local_date),
  foreign key (organization_id, user_id) references customers
);
create index former_sales_of_customer on former_sales (organization_id, user_id, sold_at desc, id desc)
  where user_id is not null;
create type former_sale_row as (
  id bigint, till text, number text, sold_at timestamptz, local_date date, user_id bigint, gross_cents bigint,
  discount_cents bigint, net_cents bigint, tax_cents bigint, lines jsonb, counted_contents jsonb, refund_of text,
  imported_at timestamptz
);
-- A report adds up a year of them without reading their lines.
create index former_sales_of_days on former_sales (organization_id, local_date, till)
  include (refund_of, gross_cents, discount_cents, net_cents, tax_cents);
create index former_sales_refunds on former_sales (organization_id, till, refund_of) where refund_of is not null;
create index former_sales_by_day on former_sales (organization_id, local_date);

-- The move of a shop from another till (D108): its files with their sums, the numbers of its checks, and who signed which.
create table moves (
  organization_id bigint not null references organizations,
  id bigint not null,
  till text not null check (length(till) between 1 and 40),
  status text not null check (status in ('open', 'frozen', 'live', 'returned', 'canceled')),
  files jsonb not null default '[]' check (jsonb_typeof(files) = 'array'),
  checks jsonb not null default '[]' check (jsonb_typeof(checks) = 'array'),
  -- The sandbox of the shop into which the files were loaded last, an organization of this deployment; null: none was made.
  trial_organization_id bigint,
  -- What came of it: when it began, its files and its checks.
  trial jsonb check (jsonb_typeof(trial) = 'object'),
  -- When the checks were last made.
  checked_at timestamptz,
  signatures jsonb not null default '[]' check (jsonb_typeof(signatures) = 'array'),
  created_at timestamptz not null,
  -- When the former till stopped.
  frozen_at timestamptz,
  live_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
-- One at a time.
create unique index moves_one_open on moves (organization_id) where status in ('open', 'frozen');

-- Files of a move that staff have uploaded: the content until the move is over, and how far the run under way is, so that one whose
-- process was killed goes on where it was.
create table move_files (
  organization_id bigint not null references organizations,
  id bigint not null,
  move_id bigint not null,
  kind text not null check (length(kind) between 1 and 20),
  file_name text not null check (length(file_name) between 1 and 200),
  sha256 text not null check (length(sha256) = 64),
  -- Null: the move is over.
  content bytea,
  -- What the columns mean, as JSON in their order: of two for one field the later one wins. Null: they are those of this service.
  mapping text check (length(mapping) <= 500000),
  status text not null check (status in ('ready', 'loading', 'done', 'failed')),
  -- What the last run does: nothing but this row is written, the sandbox of the shop is, or the shop; null: there was none.
  run text check (run in ('check', 'trial', 'load')),
  -- The part of the file that is done, of a thousand, and its items.
  done_share integer not null default 0 check (done_share between 0 and 1000),
  done_count integer not null default 0 check (done_count >= 0),
  created_count integer not null default 0,
  known_count integer not null default 0,
  refused_count integer not null default 0,
  sums jsonb,
  -- The first refused rows: line, column, message.
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  -- Why the file could not be read on.
  failure text check (length(failure) <= 1000),
  created_by bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, move_id) references moves,
  check ((run is null) = (status = 'ready')),
  check (content is not null or status <> 'loading')
);
-- Files are read a piece at a time, and each piece of a compressed one is read from its beginning.
alter table move_files alter column content set storage external;
-- One after the other: packages need the products.
create unique index move_files_one_loading on move_files (organization_id) where status = 'loading';

-- Customers' documents: what is known of each file, and the wrapped key that opens it. The bytes lie outside of the
-- database, encrypted.
create table customer_documents (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('license', 'recommendation')),
  mime text not null check (
    mime in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/pdf')),
  byte_count integer not null check (byte_count between 1 and 2621440),
  file_name text not null,
  -- Which master key wraps the key of the file: 16 hexadecimal digits of its digest.
  master_key_id text not null check (master_key_id ~ '^[0-9a-f]{16}$'),
  wrapped_key bytea not null check (octet_length(wrapped_key) = 60),
  status text not null check (status in ('pending', 'approved', 'rejected')),
  -- What staff read from it, while it is approved.
  expires_on date,
  review_reason text,
  reviewed_at timestamptz,
  reviewed_by text,
  uploaded_at timestamptz not null,
  uploaded_by text not null,
  -- When a newer one of the same type came.
  superseded_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  check ((status = 'approved') = (expires_on is not null)),
  check ((status = 'pending') = (reviewed_at is null))
);
create index customer_documents_of_customer on customer_documents (organization_id, user_id, uploaded_at, id);
-- One is the present one of its type, also when two are sent at once.
create unique index customer_documents_present on customer_documents (organization_id, user_id, type)
  where superseded_at is null;
-- A start looks at a few documents of each master key that is still needed, however many documents there are.
create index customer_documents_of_master_key on customer_documents (organization_id, master_key_id, id);

-- Groups that discounts ask for.
create table customer_groups (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create unique index customer_groups_of_name on customer_groups (organization_id, name_key) where deleted_at is null;

create table customer_group_members (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  customer_group_id bigint not null,
  added_at timestamptz not null,
  primary key (organization_id, user_id, customer_group_id),
  foreign key (organization_id, user_id) references customers,
  foreign key (organization_id, customer_group_id) references customer_groups
);
create index customer_group_members_of_group on customer_group_members (organization_id, customer_group_id, user_id);

-- Customers prove that an email or a phone is theirs (D62). Rows are by contact and not by customer: a code is sent to every address in
-- the same way, whether the organization knows it or not. A contact is an email (normalized) or a phone number (E.164, so it has no @).
--
-- The open code of a contact at an integrator, and how often codes were sent and guessed within an hour. The code of a phone goes to an
-- endpoint of the shop, which sends it as a message (D70).
create table customer_codes (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  contact text not null check (length(contact) <= 254),
  hour_started_at timestamptz not null,
  sends integer not null,
  tries integer not null,
  -- A code under the master key: six digits alone could be found from their digest. Null: used.
  code_digest bytea,
  code_expires_at timestamptz,
  -- The delivery with the last code of a phone: the code in it goes when it is used or replaced.
  delivery_id bigint,
  primary key (organization_id, integrator_id, contact)
);
create index customer_codes_by_hour on customer_codes (organization_id, hour_started_at);

-- Of a customer who has proved a contact.
create table customer_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  contact text not null check (length(contact) <= 254),
  digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index customer_sessions_by_digest on customer_sessions (organization_id, digest);
create index customer_sessions_by_contact on customer_sessions (organization_id, contact, id);
-- For the job that deletes sessions that have ended.
create index customer_sessions_by_end on customer_sessions (organization_id, expires_at);

-- Who is waiting in the shop (D55). Those who have left stay, so that leaving twice is harmless; they go with the person when that one is erased.
create table queue_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  line text not null check (line in ('intake', 'pos')),
  checked_in_at timestamptz not null,
  -- Since when in this line: what it is ordered by.
  since timestamptz not null,
  called_at timestamptz,
  left_at timestamptz,
  left_reason text,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers
);
-- A customer has one place in all lines.
create unique index queue_entries_one_place on queue_entries (organization_id, user_id) where left_at is null;
create index queue_entries_in_line on queue_entries (organization_id, line, since, id) where left_at is null;
create index queue_entries_of_customer on queue_entries (organization_id, user_id, id);
-- Visits that ended long ago are found without reading all of them (D76).
create index queue_entries_to_prune on queue_entries (organization_id, left_at) where left_at is not null;

-- ---------------------------------------------------------------------------------------------------------
-- Promotions

create table discounts (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  -- The program has the list of kinds (discount-kinds.ts), and only its validated values reach the table. The table checks the shape of the
  -- name, so a new kind needs no migration.
  kind text not null check (kind ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' and length(kind) <= 40),
  type text not null check (type in ('flat', 'percent')),
  -- Whole cents when flat, percent when percent.
  amount numeric not null check (amount >= 0),
  per_unit boolean not null default false,
  -- Of each line, or of the order; null: no limit.
  maximum_amount_cents bigint check (maximum_amount_cents >= 0),
  -- Targets: a line matches when any list names it; five empty lists match every line.
  product_ids bigint[] not null default '{}',
  product_option_ids bigint[] not null default '{}',
  category_ids bigint[] not null default '{}',
  brand_ids bigint[] not null default '{}',
  tag_ids bigint[] not null default '{}',
  -- Conditions: all must hold; an empty list, null or false asks nothing.
  order_types text[] not null default '{}' check (order_types <@ array['delivery', 'pickup', 'in-store']),
  customer_group_ids bigint[] not null default '{}',
  minimum_subtotal_cents bigint check (minimum_subtotal_cents >= 0),
  first_order boolean not null default false,
  birthday_month boolean not null default false,
  -- [{days: [1..7], fromMinute, toMinute}] by the organization's clock.
  schedule jsonb not null default '[]',
  starts_at timestamptz,
  ends_at timestamptz,
  trigger text not null check (trigger in ('automatic', 'code', 'manual')),
  stackable boolean not null,
  priority integer not null,
  -- Null: no limit.
  uses_per_order integer check (uses_per_order > 0),
  uses_per_customer integer check (uses_per_customer > 0),
  uses_total integer check (uses_total > 0),
  -- For buy-x-get-y.
  buy_quantity integer check (buy_quantity > 0),
  get_quantity integer check (get_quantity > 0),
  -- {productIds, optionIds, categoryIds, brandIds, tagIds}; null: the discount's own targets have to be bought.
  buy_targets jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Further conditions. The minimums count the lines that the discount touches, unless they count the whole cart.
  customer_type text check (customer_type in ('adult-use', 'medical')),
  minimum_quantity integer check (minimum_quantity > 0),
  counts_whole_cart boolean not null default true,
  exclude_sale_items boolean not null default false,
  -- For bundle.
  bundle_quantity integer check (bundle_quantity > 0),
  primary key (organization_id, id),
  constraint discounts_percent_of_a_hundred check (type = 'flat' or amount <= 100),
  constraint discounts_flat_in_whole_cents check (type = 'percent' or amount = trunc(amount)),
  constraint discounts_quantities_of_buy_x_get_y
    check ((kind = 'buy-x-get-y') = (buy_quantity is not null and get_quantity is not null)),
  constraint discounts_quantity_of_bundle check ((kind = 'bundle') = (bundle_quantity is not null))
);

-- Codes are compared without case and outer space; what case is, the program says, not the locale of the database.
-- Of discounts that have not ended only one has a code.
create table discount_codes (
  organization_id bigint not null references organizations,
  code_key text not null check (code_key <> '' and code_key = btrim(code_key) and code_key !~ '[A-Z]'),
  discount_id bigint not null,
  code text not null,
  primary key (organization_id, code_key, discount_id),
  foreign key (organization_id, discount_id) references discounts
);
create index discount_codes_of_discount on discount_codes (organization_id, discount_id);

-- How many placed, not canceled orders used a discount; only of discounts that limit their uses, so that orders
-- do not queue for a row that limits nothing. An order adds one without looking, and the check refuses one too
-- many, as with stock.
create table discount_uses (
  organization_id bigint not null references organizations,
  discount_id bigint not null,
  used bigint not null,
  -- Null: no limit.
  uses_max bigint,
  primary key (organization_id, discount_id),
  foreign key (organization_id, discount_id) references discounts,
  constraint discount_uses_within_limit check (used >= 0 and (uses_max is null or used <= uses_max))
);

-- The same for each customer, of discounts that limit the uses of a customer.
create table discount_customer_uses (
  organization_id bigint not null references organizations,
  discount_id bigint not null,
  user_id bigint not null,
  used bigint not null,
  -- Null: no limit.
  uses_max bigint,
  primary key (organization_id, discount_id, user_id),
  foreign key (organization_id, discount_id) references discounts,
  foreign key (organization_id, user_id) references customers,
  constraint discount_customer_uses_within_limit check (used >= 0 and (uses_max is null or used <= uses_max))
);
create index discount_customer_uses_of_customer on discount_customer_uses (organization_id, user_id);

-- Credits on a customer's account: so many cents, or (promo codes only) a percent of one order.
create table customer_credits (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('promo-code', 'store-credit')),
  description text not null,
  amount_cents bigint check (amount_cents > 0),
  -- Of amount_cents; an order takes from it without looking, and the check refuses what is not there.
  remaining_cents bigint,
  percent numeric check (percent > 0 and percent <= 100),
  -- Orders that may still use a percentage.
  remaining_uses integer,
  -- Null: it does not end.
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  constraint customer_credits_amount_or_percent check (
    (amount_cents is not null and remaining_cents is not null and percent is null and remaining_uses is null)
    or (type = 'promo-code' and amount_cents is null and remaining_cents is null and percent is not null
      and remaining_uses is not null)),
  constraint customer_credits_never_negative
    check (coalesce(remaining_cents, 0) between 0 and coalesce(amount_cents, 0) and coalesce(remaining_uses, 0) >= 0)
);
create index customer_credits_of_customer on customer_credits (organization_id, user_id);

-- The earning rule of points; no row: nothing is earned.
create table loyalty_programs (
  organization_id bigint primary key references organizations,
  points_per_dollar numeric not null check (points_per_dollar >= 0),
  updated_at timestamptz not null
);

create table loyalty_rewards (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  type text not null check (type in ('cash-back', 'flat', 'percent', 'free-product')),
  points_requirement numeric not null check (points_requirement >= 0),
  -- Cents per point (cash-back), cents (flat), percent (percent).
  discount_amount numeric check (discount_amount >= 0),
  product_option_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, product_option_id) references product_options,
  constraint loyalty_rewards_of_a_type check (
    (type = 'free-product' and product_option_id is not null and discount_amount is null)
    or (type <> 'free-product' and product_option_id is null and discount_amount is not null)),
  constraint loyalty_rewards_percent check (type <> 'percent' or discount_amount <= 100)
);

-- Append-only: the truth about points. One cause has one effect, whatever is retried.
create table loyalty_events (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('open-api', 'earned', 'redeemed', 'given-back', 'taken-back', 'adjusted')),
  points_amount numeric not null check (points_amount <> 0),
  reason text not null,
  -- The order, or the return, that it came with.
  order_id uuid,
  cause_id bigint,
  integrator_id bigint references integrators,
  idempotency_key uuid,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  constraint loyalty_events_one_effect_per_cause unique (organization_id, cause_id, type),
  constraint loyalty_events_one_per_key unique (organization_id, integrator_id, idempotency_key)
);
create index loyalty_events_of_customer on loyalty_events (organization_id, user_id, created_at desc, id desc);

-- Derived from the events.
create table loyalty_balances (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  points numeric not null,
  updated_at timestamptz not null,
  -- How far below zero returns have taken the balance; nothing else may.
  owed numeric not null default 0 check (owed >= 0),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references customers,
  constraint loyalty_balances_never_negative check (points + owed >= 0)
);

-- ---------------------------------------------------------------------------------------------------------
-- Stock

create table inventory_locations (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text,
  type text not null check (type in ('standard', 'vehicle')),
  created_at timestamptz not null,
  updated_at timestamptz,
  -- Gone from everything that is chosen from; the ledger still names it.
  archived_at timestamptz,
  -- Returned cannabis goes to a location of its own, from which nothing is sold.
  is_quarantine boolean not null default false,
  primary key (organization_id, id)
);
create unique index inventory_locations_one_quarantine on inventory_locations (organization_id)
  where is_quarantine and archived_at is null;

-- D48: where each order type draws from, in order.
create table order_type_locations (
  organization_id bigint not null references organizations,
  order_type text not null check (order_type in ('delivery', 'pickup', 'in-store')),
  position integer not null,
  inventory_location_id bigint not null,
  primary key (organization_id, order_type, position),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

-- Deliveries of packages that a state's system tells of, by their manifests.
create table compliance_transfers (
  organization_id bigint not null references organizations,
  id bigint not null,
  type text not null check (type in ('metrc')),
  external_id text,
  manifest_number text not null,
  shipper_name text not null,
  shipper_license_number text not null,
  created_at timestamptz not null,
  -- The number without leading zeros: 418901 and 0000418901 are one manifest.
  manifest_key text,
  primary key (organization_id, id),
  constraint compliance_transfers_of_manifest unique (organization_id, type, manifest_number)
);
create index compliance_transfers_by_time on compliance_transfers (organization_id, created_at desc, id desc);
create index compliance_transfers_by_manifest on compliance_transfers (organization_id, manifest_number collate "C", id);
create unique index compliance_transfers_of_manifest_key on compliance_transfers (organization_id, type, manifest_key);

create table packages (
  organization_id bigint not null references organizations,
  id bigint not null,
  label text not null,
  -- Null, as is cost_per_unit, until staff say what is in it, and what it cost: it is received then.
  product_id bigint,
  -- Null: its stock is that of the product.
  product_option_id bigint,
  status text not null check (status in ('ready', 'received', 'finished', 'shipped', 'transferred',
    'transfer-returned', 'syncing')),
  -- Of the closed list of units, as the state's system names them: Each, Grams …
  unit text not null,
  initial_amount numeric not null,
  -- Dollars per unit.
  cost_per_unit numeric,
  on_hold boolean not null default false,
  -- Why it is on hold, in the words of staff.
  hold_reason text check (hold_reason is null or on_hold),
  trade_sample boolean not null default false,
  received_at timestamptz,
  expiration_date date,
  created_at timestamptz not null,
  type text not null default 'metrc' check (type in ('metrc')),
  external_id text,
  external_product_name text,
  -- Units of stock in one unit of the package.
  multiplier numeric not null default 1 check (multiplier > 0),
  finished_at timestamptz,
  transferred_at timestamptz,
  transfer_returned_at timestamptz,
  shipped_at timestamptz,
  void_reason text,
  thc_percent numeric,
  thc_mg numeric,
  cbd_percent numeric,
  cbd_mg numeric,
  producer_name text,
  producer_license text,
  harvest_date date,
  harvest_facility_name text,
  harvest_facility_license text,
  lab_name text,
  lab_license text,
  lab_date date,
  -- Where the certificate of the lab is: a web address.
  certificate_url text,
  original_source_label text,
  compliance_transfer_id bigint,
  -- What the manifest said of its amount; null: nothing.
  announced_amount numeric,
  -- What the shipper asks for all of it, by the state's system; null: unknown.
  wholesale_cents bigint check (wholesale_cents >= 0),
  -- Why the state does not let it be sold, by its system; null: it does, or is not asked.
  state_block text check (state_block in ('on-hold', 'recalled', 'lab-failed', 'not-accepted', 'sent-back')),
  primary key (organization_id, id),
  unique (organization_id, label),
  foreign key (organization_id, product_id) references products,
  constraint packages_received_whole
    check (status <> 'received' or (product_id is not null and cost_per_unit is not null and received_at is not null)),
  foreign key (organization_id, compliance_transfer_id) references compliance_transfers
);
create index packages_of_transfer on packages (organization_id, compliance_transfer_id, id)
  where compliance_transfer_id is not null;
create index packages_of_external_name on packages (organization_id, external_product_name, received_at desc, id desc)
  where product_id is not null and received_at is not null;
create index packages_of_status on packages (organization_id, status, id);
create index packages_of_product on packages (organization_id, product_id);
create index packages_by_label on packages (organization_id, label collate "C", id);
create index packages_by_expiration on packages (organization_id, expiration_date, id);
create index packages_by_reception on packages (organization_id, received_at, id);
-- Asked by each step of an order that hands goods over.
create index packages_blocked on packages (organization_id, product_id)
  where status = 'received' and (state_block is not null or on_hold);

-- When each package last changed: a field of it, or its stock. Apart from packages, so that a sale does not write
-- their wide rows anew, nor waits for a transaction that holds one. Kept by triggers.
create table package_changes (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  changed_at timestamptz not null,
  -- Each sale changes packages, and has written a row for each already. So packages keep the version that is in the sums
  -- beside the present one; where they differ, the index has the package.
  summed_at timestamptz,
  primary key (organization_id, package_id)
);
create index package_changes_in_order on package_changes (organization_id, changed_at, package_id);
create index package_changes_to_sum on package_changes (organization_id)
  where summed_at is distinct from changed_at;

-- Of a package: its label and the names of its product, here and on the manifest.
create table package_searches (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  tokens integer[] not null,
  primary key (organization_id, package_id),
  foreign key (organization_id, package_id) references packages
);
create index package_searches_by_token on package_searches using gin (tokens) with (gin_pending_list_limit = 256);

-- The staff's list of packages by their initial amount. With an index of the numeric, each page behind a cursor reads all pages before it:
-- 90,000 entries for a late page of 100,000 packages.
create table package_amounts (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  -- A whole number of millionths, as in `product_stocks`.
  initial_millionths bigint not null,
  primary key (organization_id, package_id),
  foreign key (organization_id, package_id) references packages on delete cascade
);
create index package_amounts_in_order on package_amounts (organization_id, initial_millionths, package_id);

-- What lies where. Derived from the ledger, and guarded here: a sale decrements without looking, and the
-- check refuses what is not there.
create table stock_balances (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint not null,
  on_hand numeric not null,
  primary key (organization_id, product_id, product_option_id, inventory_location_id, package_id),
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  constraint stock_balances_never_negative check (on_hand >= 0)
);
-- What lies at a location, in the order of its key. It changes no row whose amount alone changes.
create index stock_balances_of_location
  on stock_balances (organization_id, inventory_location_id, product_id, product_option_id, package_id);
create index stock_balances_of_package on stock_balances (organization_id, package_id);

-- Append-only: the truth about stock. One cause has one effect on one balance, whatever is retried.
create table stock_ledger_entries (
  organization_id bigint not null,
  id bigint not null,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint not null,
  delta numeric not null check (delta <> 0),
  cause text not null check (cause in ('received', 'taken', 'given-back', 'returned', 'wasted', 'adjusted',
    'counted', 'moved')),
  -- The row that caused it: the audit entry of an order's step, a return, a reception, an adjustment …
  cause_id bigint not null,
  -- Null: not of an order.
  order_line_item_id bigint,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint stock_ledger_one_effect_per_cause unique nulls not distinct
    (organization_id, cause_id, cause, product_id, product_option_id, inventory_location_id, package_id,
     order_line_item_id)
);
create index stock_ledger_entries_of_location
  on stock_ledger_entries (organization_id, inventory_location_id, created_at, id);
-- Of a product, of an option, and of these at a location. Where option or location is not sent, a page of each is sorted.
create index stock_ledger_entries_of_item
  on stock_ledger_entries (organization_id, product_id, product_option_id, inventory_location_id, created_at, id);
-- Of a package. The whole ledger is a page of each location, from the index of locations.
create index stock_ledger_entries_of_package
  on stock_ledger_entries (organization_id, package_id, inventory_location_id, created_at, id);

-- An adjustment, a transfer or a count: what its ledger entries name as their cause. `result` is what was answered,
-- so that a retry is answered the same.
create table stock_operations (
  organization_id bigint not null references organizations,
  id bigint not null,
  kind text not null check (kind in ('adjustment', 'transfer', 'count')),
  reason text,
  result jsonb not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- A key does one operation of its kind, whatever is retried.
create table stock_operation_keys (
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('adjustment', 'transfer', 'count')),
  idempotency_key uuid not null,
  stock_operation_id bigint not null,
  primary key (organization_id, kind, idempotency_key)
);

-- The staff's list of products by stock: what a product has over all options, locations and packages. A sale adds a short row to
-- `product_stock_changes`, in its own transaction, and waits for no other sale: no row stands for all balances of a product while
-- it runs. A job of the worker takes these rows into the sums; until then readers sum the balances of the products that they name.
create table product_stocks (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  -- What `product_stock_changes` names is not in it yet. A whole number of millionths, because no condition on a numeric
  -- reaches an index.
  on_hand_millionths bigint not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products on delete cascade
);
create index product_stocks_in_order on product_stocks (organization_id, on_hand_millionths, product_id);

create table product_stock_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  product_id bigint not null,
  id bigint generated always as identity,
  primary key (organization_id, product_id, id)
);

-- ---------------------------------------------------------------------------------------------------------
-- Purchasing

create table inventory_vendors (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  email text,
  phone text,
  notes text,
  seller_permit_number text,
  street1 text,
  street2 text,
  city text,
  state text,
  postal_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
-- The name of an archived one is free again.
create unique index inventory_vendors_of_name on inventory_vendors (organization_id, name_key)
  where archived_at is null;
create index inventory_vendors_by_time on inventory_vendors (organization_id, created_at desc, id desc);
create index inventory_vendors_in_order_of_names on inventory_vendors (organization_id, name_key collate "C", id);
create index inventory_vendors_by_change on inventory_vendors (organization_id, updated_at, id);

create table purchase_orders (
  organization_id bigint not null references organizations,
  id bigint not null,
  status text not null check (status in ('open', 'closed')),
  inventory_vendor_id bigint not null,
  -- Null: no day is known.
  expected_at date,
  notes text,
  payment_terms text check (payment_terms in ('net15', 'net30', 'net60', 'cod', 'custom')),
  payment_terms_due_date date,
  external_invoice_number text,
  shipping_handling_fee_cents bigint not null check (shipping_handling_fee_cents >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The transfer that it is of; null: of none.
  compliance_transfer_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_vendor_id) references inventory_vendors,
  foreign key (organization_id, compliance_transfer_id) references compliance_transfers
);
create unique index purchase_orders_of_transfer on purchase_orders (organization_id, compliance_transfer_id)
  where compliance_transfer_id is not null;
create index purchase_orders_by_time on purchase_orders (organization_id, created_at desc, id desc);
create index purchase_orders_by_change on purchase_orders (organization_id, updated_at, id);
create index purchase_orders_by_expected_day on purchase_orders (organization_id, expected_at, id);

create table purchase_order_lines (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  id bigint not null,
  position integer not null,
  product_id bigint not null,
  -- Null: its stock is that of the product.
  product_option_id bigint,
  amount numeric not null check (amount > 0),
  -- Dollars.
  cost_per_unit numeric not null check (cost_per_unit >= 0),
  -- amount × cost_per_unit, half-up (D49).
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Dollars for a unit, as cost_per_unit is.
  ca_excise_per_unit numeric not null default 0 check (ca_excise_per_unit >= 0),
  ca_excise_cents bigint not null default 0 check (ca_excise_cents >= 0),
  -- A line is owed for what came, at the price that was invoiced, in dollars for a unit. Null: the price as ordered.
  invoiced_cost_per_unit numeric,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders,
  foreign key (organization_id, product_id) references products,
  foreign key (organization_id, product_option_id) references product_options
);
create index purchase_order_lines_of_order on purchase_order_lines (organization_id, purchase_order_id, position, id);

-- What came in of a line; its id is the cause that the stock ledger names.
create table purchase_order_receptions (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  purchase_order_line_id bigint not null,
  id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint,
  -- Below zero: it takes another one back.
  amount numeric not null check (amount <> 0 and (amount < 0) = (undoes_id is not null)),
  actor text not null,
  created_at timestamptz not null,
  -- Dollars, where this reception was invoiced at a price of its own; null: that of the line.
  cost_per_unit numeric,
  undoes_id bigint,
  primary key (organization_id, id),
  unique (organization_id, undoes_id),
  foreign key (organization_id, undoes_id) references purchase_order_receptions,
  foreign key (organization_id, purchase_order_id) references purchase_orders,
  foreign key (organization_id, purchase_order_line_id) references purchase_order_lines,
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  foreign key (organization_id, package_id) references packages
);
create index purchase_order_receptions_of_order on purchase_order_receptions (organization_id, purchase_order_id, id);

create table purchase_order_payments (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  id bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  actor text not null,
  created_at timestamptz not null,
  -- A row with a reason is a credit of the vendor, and no payment; it may be for a package that was rejected.
  credit_reason text,
  package_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders
);
create index purchase_order_payments_of_order on purchase_order_payments (organization_id, purchase_order_id, id);

-- Keys of requests that have received goods of a purchase order, or paid it: the same key does so once.
create table purchase_order_keys (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  kind text not null check (kind in ('reception', 'payment')),
  idempotency_key uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, purchase_order_id, kind, idempotency_key),
  foreign key (organization_id, purchase_order_id) references purchase_orders
);

-- ---------------------------------------------------------------------------------------------------------
-- Orders. Orders are many and are written together. What the transaction that places an order proves is not proven again at each row: it
-- writes an order and its rows for the organization that it entered (the wall refuses any other), and all or nothing. So the tables of an
-- order refer neither to the organization, which is one row that all orders would lock, nor to the integrator, which is never deleted, nor to
-- each other. Kept are the keys that hold something which another write could take away: the customer, and what an order uses.

-- All amounts are frozen when the order is placed (D25).
create table orders (
  organization_id bigint not null,
  -- UUID v7 (D18).
  id uuid not null,
  -- Null: a customer without a profile.
  user_id bigint,
  type text not null check (type in ('delivery', 'pickup', 'in-store')),
  source text not null check (source in ('open-api', 'web-admin', 'in-store', 'kiosk', 'menu')),
  status text not null check (status in ('draft', 'new', 'packed', 'fulfilled', 'canceled')),
  -- Null: no integrator placed it.
  integrator_id bigint,
  api_consumer_name text,
  idempotency_key uuid,
  total_price_cents bigint not null check (total_price_cents >= 0),
  net_price_cents bigint not null check (net_price_cents >= 0),
  customer_grand_total_cents bigint not null check (customer_grand_total_cents >= 0),
  merchandise_cents bigint not null check (merchandise_cents >= 0),
  discounts_total_cents bigint not null check (discounts_total_cents >= 0),
  payment_fees_cents bigint not null check (payment_fees_cents >= 0),
  -- Null: no delivery.
  delivery_fee_cents bigint check (delivery_fee_cents >= 0),
  delivery_fee_description text,
  delivery_notes text,
  tax_exempt boolean not null,
  is_medical boolean not null,
  -- A name for pickup without a profile (express pickup, kiosk).
  customer_name text,
  street1 text,
  street2 text,
  city text,
  address_state text,
  postal_code text,
  placed_by_staff_id bigint,
  packed_by_staff_id bigint,
  fulfilled_by_staff_id bigint,
  cancel_admin_id bigint,
  cancelation_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  packed_at timestamptz,
  fulfilled_at timestamptz,
  canceled_at timestamptz,
  -- D18: for people; unique in the organization, not dense.
  number bigint,
  -- Only staff see them.
  internal_notes text check (char_length(internal_notes) <= 2000),
  -- Of the shift in which it was taken; a name, because shifts are no records here.
  shift_name text check (char_length(shift_name) <= 200),
  -- What was asked for beside the lines (codes, rewards, adjustments, payments …): an edit prices it again (D25).
  asked jsonb,
  -- A customer without a profile is found by the name that they left. By a trigger and not generated, because a column that may not be
  -- written stands in the way of copying rows; it costs nothing where no name was left.
  customer_name_key text collate "C",
  -- What limits count of an order (D36), by cannabis type: {"concentrated": "1.5"}. Written with its lines and its returns.
  counted_contents jsonb not null,
  -- What a receipt says of cash: what the customer got back. Null: no cash was counted.
  change_cents bigint check (change_cents >= 0),
  -- An order whose customer was only claimed was checked against its own cart alone. Until the person is known it counts for no limit
  -- and no discount of the profile that the email or phone found.
  is_unproven boolean not null default false,
  -- The caregiver who bought for the customer, a patient (D94); null: the customers bought for themselves.
  bought_by_id bigint,
  -- Who saw an ID of the buyer, when and how (D94); null: no member of staff has said so.
  id_checked_at timestamptz,
  id_checked_by_staff_id bigint,
  id_check_how text check (id_check_how in ('scan', 'eye')),
  -- The edition of the law that decided it last; null: an order that was imported.
  law_edition text,
  -- The time slot in which it is picked up or delivered; null: none was chosen. A slot may change or end afterwards.
  slot_id bigint,
  slot_from timestamptz,
  slot_to timestamptz,
  primary key (organization_id, id),
  constraint orders_slot check ((slot_id is null) = (slot_from is null) and (slot_id is null) = (slot_to is null)),
  foreign key (organization_id, user_id) references customers,
  foreign key (organization_id, bought_by_id) references customers,
  constraint orders_net_plus_fees_is_grand_total
    check (customer_grand_total_cents = net_price_cents + coalesce(delivery_fee_cents, 0) + payment_fees_cents),
  constraint orders_fulfilled_at check ((status = 'fulfilled') = (fulfilled_at is not null)),
  constraint orders_canceled_at check ((status = 'canceled') = (canceled_at is not null))
);
create index orders_by_time on orders (organization_id, created_at desc, id desc);
create unique index orders_by_number on orders (organization_id, number) where number is not null;
create index orders_by_caregiver on orders (organization_id, bought_by_id) where bought_by_id is not null;
create index orders_by_customer_name on orders (organization_id, customer_name_key)
  where customer_name_key is not null;
-- In the order of the last change, which a copy follows (D64). Type and status come first, so that each filter is a range of this index.
create index orders_by_change on orders (organization_id, type, status, updated_at desc, id desc);
-- D69: the orders that an integrator placed itself, newest first.
create index orders_of_integrator on orders (organization_id, integrator_id, created_at desc, id desc)
  where integrator_id is not null;
-- Fulfilled orders of a type, latest first. Placing an order does not write it.
create index orders_by_fulfillment_of_type on orders (organization_id, type, fulfilled_at desc, id desc)
  where status = 'fulfilled';
-- Of a type, of a status, and of both, in one index: each order placed writes it.
create index orders_by_type_and_status on orders (organization_id, type, status, created_at desc, id desc);
-- With what filters and sorts ask for: the other orders of a customer with very many are skipped, or sorted, without being read.
create index orders_of_customer on orders (organization_id, user_id, created_at desc, id desc)
  include (type, status, updated_at, fulfilled_at);
-- The places taken of a slot. Orders without one are not in it.
create index orders_by_slot on orders (organization_id, slot_from, slot_id) where slot_from is not null;
create index orders_by_amount on orders (organization_id, customer_grand_total_cents, id);

-- D22: claimed by the first statement of the transaction that writes the order; a second claim waits for it.
create table order_idempotency_keys (
  organization_id bigint not null,
  integrator_id bigint not null,
  idempotency_key uuid not null,
  order_id uuid not null,
  primary key (organization_id, integrator_id, idempotency_key)
);

create table order_line_items (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  product_option_id bigint not null,
  product_id bigint not null,
  quantity integer not null check (quantity between 1 and 10000),
  -- As they were when the order was placed.
  product_name text not null,
  product_unit text not null,
  product_strain_type text not null,
  product_is_featured boolean not null,
  product_category_id bigint not null,
  product_category_name text not null,
  product_cannabis_type text not null,
  product_sub_category_ids bigint[] not null,
  product_brand text,
  product_brand_id bigint,
  option_name text not null,
  -- Of goods sold by weight: the weight, in grams.
  option_amount numeric not null,
  option_content numeric,
  -- What one unit held by taxes and limits, by the facts of that day.
  option_thc_percent numeric,
  option_thc_mg numeric,
  option_price_cents bigint not null,
  option_sales_price_cents bigint,
  -- How stock is kept for it, and how much one unit takes (D47).
  inventory_type text not null check (inventory_type in ('option', 'product', 'none')),
  unit_price_cents bigint not null check (unit_price_cents >= 0),
  subtotal_price_cents bigint not null check (subtotal_price_cents >= 0),
  final_price_cents bigint not null check (final_price_cents >= 0),
  gross_cents bigint not null check (gross_cents >= 0),
  -- [{taxId, amountCents}]: what each tax charged on this line; returns refund shares of it.
  tax_allocations jsonb not null,
  product_moving_average_cost numeric,
  option_moving_average_cost numeric,
  package_line_cost numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Units that came back and were not voided: none is returned twice, and limits on purchases do not count them.
  returned_quantity integer not null default 0,
  -- Sold loose: the amount, content and prices of the option are those of the weight.
  is_weighed boolean not null default false,
  primary key (organization_id, order_id, id),
  constraint order_line_items_subtotal check (subtotal_price_cents = unit_price_cents * quantity),
  constraint order_line_items_never_dearer check (final_price_cents <= subtotal_price_cents),
  constraint order_line_items_returned_once check (returned_quantity between 0 and quantity)
);

-- Which stock a line holds while its order is new, packed or fulfilled.
create table order_line_fulfillments (
  organization_id bigint not null,
  order_id uuid not null,
  order_line_item_id bigint not null,
  id bigint not null,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  -- Where it was before it was loaded into a vehicle: there it goes when it comes back.
  loaded_from_location_id bigint,
  package_id bigint not null,
  package_label text,
  package_unit text,
  package_cost_per_unit numeric,
  amount numeric not null check (amount > 0),
  -- Of the order, for its lists by location. The type of an order does not change.
  order_created_at timestamptz,
  order_type text not null,
  primary key (organization_id, order_id, order_line_item_id, id),
  constraint order_line_fulfillments_order_type check (order_type in ('delivery', 'pickup', 'in-store'))
);
create index order_line_fulfillments_of_location
  on order_line_fulfillments (organization_id, inventory_location_id, order_type, order_created_at desc, order_id desc);

create table order_taxes (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  tax_id bigint not null,
  description text not null,
  rate numeric not null,
  normal_rate numeric not null,
  tier text not null,
  type text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  amount_before_exemption_cents bigint not null,
  amount_exempted_cents bigint not null,
  fee_allocation_cents bigint not null,
  included boolean not null,
  exemptable boolean not null,
  encompass boolean not null,
  excluded_category_ids bigint[] not null,
  non_exemptable_category_ids bigint[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  constraint order_taxes_exemption
    check (amount_before_exemption_cents = amount_cents + amount_exempted_cents)
);

create table order_adjustments (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  amount_cents bigint not null,
  description text not null,
  is_tax_exemption boolean not null,
  -- Of an exemption: the tax.
  tax_id bigint,
  admin_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id)
);

create table order_payments (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  payment_type_id bigint not null,
  name text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  final_amount_cents bigint not null,
  fee_cents bigint not null check (fee_cents >= 0),
  fee_percent numeric not null,
  fee_amount_cents bigint not null check (fee_amount_cents >= 0),
  fee_description text,
  created_at timestamptz not null,
  -- The cash that a customer gave for a payment, as the receipt says it. Null: not counted.
  tendered_cents bigint,
  -- What rounding added to cash: the customer pays final_amount_cents + rounding_cents.
  rounding_cents bigint not null default 0 check (rounding_cents between -4 and 4),
  -- The return whose refund is this payment: goods were exchanged, and no money moved for it. Null: the customer paid.
  order_return_id bigint,
  primary key (organization_id, order_id, id),
  constraint order_payments_final check (final_amount_cents = amount_cents + fee_amount_cents),
  constraint order_payments_tendered_check check (tendered_cents >= final_amount_cents + rounding_cents)
);

-- What an order used, frozen as it was placed (D25)
create table order_discounts (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  -- Null: a discount on the order.
  order_line_item_id bigint,
  discount_id bigint not null,
  type text not null check (type in ('flat', 'percent')),
  amount numeric not null,
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  description text not null,
  -- The staff member who gave it; null when it came by itself or by code.
  admin_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  -- Also what keeps an order and the setting of a limit on its discount apart: see recount_discount_uses.
  foreign key (organization_id, discount_id) references discounts
);
create index order_discounts_of_discount on order_discounts (organization_id, discount_id, order_id);

create table order_credits (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  customer_credit_id bigint not null,
  type text not null check (type in ('promo-code', 'store-credit')),
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  description text not null,
  percent numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, customer_credit_id) references customer_credits
);

create table order_loyalty_redemptions (
  organization_id bigint not null,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  loyalty_reward_id bigint not null,
  type text not null check (type in ('cash-back', 'flat', 'percent', 'free-product')),
  description text not null,
  points_requirement numeric not null,
  points_amount numeric not null check (points_amount >= 0),
  discount_amount numeric,
  amount_used_cents bigint not null check (amount_used_cents >= 0),
  product_option_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, loyalty_reward_id) references loyalty_rewards
);

-- D26: who brings a delivery, and how far they are. One for each order, kept as it last was.
create table order_dispatch_tasks (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  status text not null check (status in ('unassigned', 'assigned', 'active', 'completed', 'failed')),
  driver_name text check (char_length(driver_name) <= 200),
  tracking_url text check (char_length(tracking_url) <= 2000),
  estimated_arrival_at timestamptz,
  completed_at timestamptz,
  -- The last trip that took it along, and its stop there; null: none did.
  trip_id bigint,
  driver_id bigint,
  vehicle_id bigint,
  stop_position integer,
  stop_status text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id),
  foreign key (organization_id, order_id) references orders,
  constraint order_dispatch_tasks_trip check (num_nulls(trip_id, driver_id, vehicle_id, stop_position, stop_status) in (0, 5)),
  constraint order_dispatch_tasks_completed check ((status = 'completed') = (completed_at is not null))
);

-- What explains an order beside its own row: a step of an order's life changes that row, but seldom this one.
create table order_explanations (
  organization_id bigint not null,
  order_id uuid not null,
  -- D31: the steps of the arithmetic that made the order's amounts, as JSON text; lists never read it. Null: pruned.
  steps text,
  -- What lists show of lines, taxes, payments …, as JSON text that they show as it is. The rest of what they show is in the order's row.
  shown_rows text,
  -- When the steps went; null: they are there, or there were never any.
  steps_pruned_at timestamptz,
  primary key (organization_id, order_id)
);
-- Room for one change in each page.
alter table order_explanations set (fillfactor = 70);

-- How far an organization's orders have been looked at, oldest first, so that a pass reads only what has become too old since the
-- last one. An order that is edited or imported behind the mark is found when the orders are looked at from the beginning again.
create table explanation_marks (
  organization_id bigint primary key references organizations,
  -- The last order that was looked at.
  placed_at timestamptz not null,
  order_id uuid not null,
  -- When the orders were begun with.
  begun_at timestamptz not null
);

-- The staff's list of customers by what they spent, by the number of their orders and by the last one: sums that the writes of
-- orders keep, in their own transactions. An order's customer is locked when it is placed, so no other write waits.
create table customer_sums (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  -- Orders, except canceled ones.
  order_count bigint not null,
  -- The grand totals of fulfilled orders, before returns.
  spent_cents bigint not null,
  -- When the latest one was placed, except canceled ones.
  last_order_at timestamptz,
  primary key (organization_id, user_id),
  -- A merge deletes the customer whose orders have moved.
  foreign key (organization_id, user_id) references customers on delete cascade
);
create index customer_sums_by_count on customer_sums (organization_id, order_count, user_id);
create index customer_sums_by_spending on customer_sums (organization_id, spent_cents, user_id);
create index customer_sums_by_last_order on customer_sums (organization_id, last_order_at, user_id);

-- The rows of orders and what goes with them arrive as texts of these types, one text for each row: PostgreSQL reads them in half of the
-- time that JSON takes. The attributes are the columns that the program inserts, in its order. A migration never changes a type, because a
-- running process of the former release writes it: what inserts another column makes another type.
create type order_row as (
  id uuid, number bigint, user_id bigint, type text, source text, status text, integrator_id bigint,
  api_consumer_name text, idempotency_key uuid, total_price_cents bigint, net_price_cents bigint,
  customer_grand_total_cents bigint, merchandise_cents bigint, discounts_total_cents bigint, payment_fees_cents bigint,
  delivery_fee_cents bigint, delivery_fee_description text, delivery_notes text, internal_notes text, shift_name text,
  tax_exempt boolean, is_medical boolean, customer_name text, street1 text, street2 text, city text, address_state text,
  postal_code text, placed_by_staff_id bigint, packed_by_staff_id bigint, fulfilled_by_staff_id bigint,
  cancel_admin_id bigint, cancelation_reason text, created_at timestamptz, updated_at timestamptz, packed_at timestamptz,
  fulfilled_at timestamptz, canceled_at timestamptz, asked jsonb, is_unproven boolean, bought_by_id bigint,
  id_checked_at timestamptz, id_checked_by_staff_id bigint, id_check_how text, law_edition text, slot_id bigint, slot_from timestamptz, slot_to timestamptz, counted_contents jsonb
);

create type order_line_item_row as (
  order_id uuid, id bigint, position integer, product_option_id bigint, product_id bigint, quantity integer,
  product_name text, product_unit text, product_strain_type text, product_is_featured boolean,
  product_category_id bigint, product_category_name text, product_cannabis_type text,
  product_sub_category_ids bigint[], product_brand text, product_brand_id bigint, option_name text,
  option_amount numeric, option_content numeric, option_thc_percent numeric, option_thc_mg numeric, option_price_cents bigint, option_sales_price_cents bigint,
  inventory_type text, unit_price_cents bigint, subtotal_price_cents bigint, final_price_cents bigint,
  gross_cents bigint, tax_allocations jsonb, product_moving_average_cost numeric, option_moving_average_cost numeric,
  package_line_cost numeric, created_at timestamptz, updated_at timestamptz, is_weighed boolean
);

create type order_line_fulfillment_row as (
  order_id uuid, order_line_item_id bigint, id bigint, product_id bigint, product_option_id bigint,
  inventory_location_id bigint, loaded_from_location_id bigint, package_id bigint, package_label text, package_unit text,
  package_cost_per_unit numeric, amount numeric, order_created_at timestamptz, order_type text
);

create type order_tax_row as (
  order_id uuid, id bigint, position integer, tax_id bigint, description text, rate numeric, normal_rate numeric,
  tier text, type text, amount_cents bigint, amount_before_exemption_cents bigint, amount_exempted_cents bigint,
  fee_allocation_cents bigint, included boolean, exemptable boolean, encompass boolean, excluded_category_ids bigint[],
  non_exemptable_category_ids bigint[], created_at timestamptz, updated_at timestamptz
);

create type order_adjustment_row as (
  order_id uuid, id bigint, position integer, amount_cents bigint, description text, is_tax_exemption boolean,
  tax_id bigint, admin_id bigint, created_at timestamptz, updated_at timestamptz
);

create type order_payment_row as (
  order_id uuid, id bigint, position integer, payment_type_id bigint, name text, amount_cents bigint,
  final_amount_cents bigint, fee_cents bigint, fee_percent numeric, fee_amount_cents bigint, fee_description text,
  tendered_cents bigint, rounding_cents bigint, order_return_id bigint, created_at timestamptz
);

create type order_discount_row as (
  order_id uuid, id bigint, position integer, order_line_item_id bigint, discount_id bigint, type text, amount numeric,
  amount_used_cents bigint, description text, admin_id bigint, created_at timestamptz, updated_at timestamptz
);

create type order_credit_row as (
  order_id uuid, id bigint, position integer, customer_credit_id bigint, type text, amount_used_cents bigint,
  description text, percent numeric, created_at timestamptz, updated_at timestamptz
);

create type order_loyalty_redemption_row as (
  order_id uuid, id bigint, position integer, loyalty_reward_id bigint, type text, description text,
  points_requirement numeric, points_amount numeric, discount_amount numeric, amount_used_cents bigint,
  product_option_id bigint, created_at timestamptz, updated_at timestamptz
);

create type order_dispatch_task_row as (
  order_id uuid, id bigint, status text, driver_name text, tracking_url text, estimated_arrival_at timestamptz,
  completed_at timestamptz, trip_id bigint, driver_id bigint, vehicle_id bigint, stop_position integer, stop_status text,
  created_at timestamptz, updated_at timestamptz
);

create type order_explanation_row as (order_id uuid);

-- ---------------------------------------------------------------------------------------------------------
-- Returns of fulfilled orders (D39)

-- A return, and what it gave back. Of money what a customer gets is negative; what lowers that is positive.
create table order_returns (
  organization_id bigint not null references organizations,
  -- What ledgers name as the cause.
  id bigint not null,
  order_id uuid not null,
  -- A key makes one return of an order, whatever is retried.
  idempotency_key uuid,
  refund_type text not null check (refund_type in ('payment-method', 'store-credit', 'none')),
  payment_type_id bigint,
  payment_type_name text not null,
  refund_initial_cents bigint not null,
  discounts_total_cents bigint not null check (discounts_total_cents >= 0),
  loyalty_total_cents bigint not null check (loyalty_total_cents >= 0),
  credits_total_cents bigint not null check (credits_total_cents >= 0),
  taxes_total_cents bigint not null check (taxes_total_cents <= 0),
  adjustment_cents bigint not null,
  adjustment_description text not null,
  refund_total_cents bigint not null check (refund_total_cents <= 0),
  -- The store credit that it put on the customer's account, if any.
  customer_credit_id bigint,
  -- The returned goods' share of the points that the order earned and took, also where they did not move.
  earned_points numeric not null check (earned_points >= 0),
  redeemed_points numeric not null check (redeemed_points >= 0),
  -- What did move; of points that were spent already there is less to take.
  points_taken_back numeric not null check (points_taken_back between 0 and earned_points),
  points_given_back numeric not null check (points_given_back in (0, redeemed_points)),
  created_by_staff_id bigint not null,
  created_at timestamptz not null,
  voided_by_staff_id bigint,
  voided_reason text,
  voided_at timestamptz,
  -- As it is shown, in its order and in lists.
  document text not null,
  -- The places of the return and of its end among those of its order; null: no end yet.
  made_step integer,
  voided_step integer,
  -- Parts of the adjustment: what it takes off the refund for a reward (negative: what it gives back of that), and for points.
  reward_taken_back_cents bigint not null default 0,
  points_charged_cents bigint not null default 0,
  -- What rounding added to a refund in cash: the customer gets it beside -refund_total_cents. Null: not given in cash.
  cash_rounding_cents bigint,
  primary key (organization_id, id),
  unique (organization_id, order_id, idempotency_key),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, customer_credit_id) references customer_credits,
  foreign key (organization_id, created_by_staff_id) references staff_members,
  foreign key (organization_id, voided_by_staff_id) references staff_members,
  constraint order_returns_total check (refund_total_cents = refund_initial_cents + discounts_total_cents
    + loyalty_total_cents + credits_total_cents + taxes_total_cents + adjustment_cents),
  constraint order_returns_paid_somehow check ((refund_type = 'payment-method') = (payment_type_id is not null)),
  constraint order_returns_nothing_for_none check (refund_type <> 'none' or (refund_total_cents = 0
    and refund_initial_cents = 0 and credits_total_cents = 0 and customer_credit_id is null
    and points_taken_back = 0 and points_given_back = 0)),
  constraint order_returns_voided check (num_nulls(voided_at, voided_by_staff_id, voided_reason) in (0, 3))
);
create index order_returns_by_time on order_returns (organization_id, created_at desc, id desc);
create index order_returns_voided_by_time on order_returns (organization_id, created_at desc, id desc)
  where voided_at is not null;
create index order_returns_valid_by_time on order_returns (organization_id, created_at desc, id desc)
  where voided_at is null;
create index order_returns_by_amount on order_returns (organization_id, refund_total_cents, id);
-- Reports read the returns that were voided in a period.
create index order_returns_by_end on order_returns (organization_id, voided_at desc, id desc) where voided_at is not null;

-- Units of a line that came back, with their share of each part of what the line cost. The shares are used up by a
-- return of any kind, also one that refunds nothing.
create table order_return_lines (
  organization_id bigint not null references organizations,
  order_return_id bigint not null,
  position integer not null,
  order_id uuid not null,
  order_line_item_id bigint not null,
  quantity integer not null check (quantity between 1 and 10000),
  type text not null check (type in ('return', 'exchange')),
  inventory_action text not null check (inventory_action in ('inventory', 'quarantine', 'waste', 'vendor')),
  reason text not null,
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  adjustments_cents bigint not null,
  discounts_cents bigint not null check (discounts_cents >= 0),
  loyalty_cents bigint not null check (loyalty_cents >= 0),
  promo_codes_cents bigint not null check (promo_codes_cents >= 0),
  store_credits_cents bigint not null check (store_credits_cents >= 0),
  -- [{taxId, amountCents}], as on the order's line.
  tax_shares jsonb not null,
  -- [{fulfillmentId, amount}]: which of the line's stock it is, whether or not it went back on the shelf.
  fulfillment_shares jsonb not null,
  primary key (organization_id, order_return_id, position),
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, order_id, order_line_item_id) references order_line_items
);
create index order_return_lines_of_order on order_return_lines (organization_id, order_id);

-- What a return gave back of each tax; of one that is included in the price it only tells how much was in it.
create table order_return_taxes (
  organization_id bigint not null references organizations,
  order_return_id bigint not null,
  tax_id bigint not null,
  amount_cents bigint not null check (amount_cents <= 0),
  refunded boolean not null,
  primary key (organization_id, order_return_id, tax_id),
  foreign key (organization_id, order_return_id) references order_returns
);

-- ---------------------------------------------------------------------------------------------------------
-- Reports to the state's system

-- How a license reports: of the organization (no location), or of a location.
create table state_connections (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- Null: of all locations that no other connection names.
  inventory_location_id bigint,
  system text not null check (system in ('metrc', 'ccrs-file', 'by-hand')),
  state text not null check (state ~ '^[A-Z]{2}$'),
  is_sandbox boolean not null,
  license_number text not null check (octet_length(license_number) between 1 and 200),
  is_on boolean not null,
  -- The key of the license's user, sealed; null where nothing is called.
  sealed_key bytea,
  sealed_key_master_key_id text,
  -- The reasons among those of the state that adjustments name, and waste instead; null: none is chosen.
  adjustment_reason text,
  waste_reason text,
  -- That among the state's reasons which goods name that come back from a delivery; null: none is chosen.
  return_reason text,
  -- What files for the state need besides: who submits, the area, and the state's type of each category of goods.
  file_settings jsonb not null default '{}',
  -- What the last probe found: the facility, its flags, the state's reasons.
  facility_name text,
  flags jsonb not null default '{}',
  adjustment_reasons jsonb not null default '[]',
  return_reasons jsonb not null default '[]',
  probed_at timestamptz,
  -- Why the state does not let this license in; null: it does.
  problem text,
  -- When owners were told of late reports last.
  late_told_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, inventory_location_id),
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  constraint state_connections_key check ((system = 'metrc') = (sealed_key is not null)
    and (sealed_key is null) = (sealed_key_master_key_id is null))
);

-- The work of a connection: one worker at a time has it, until its lease ends.
create table state_lanes (
  organization_id bigint not null references organizations,
  connection_id bigint not null,
  worker text,
  leased_until timestamptz not null,
  -- When there is something to do besides reports that wait.
  next_at timestamptz not null,
  -- Until when receipts and packages of the state were read in; null: never.
  receipts_read_until timestamptz,
  packages_read_until timestamptz,
  primary key (organization_id, connection_id),
  foreign key (organization_id, connection_id) references state_connections
);

-- What the state is told, written with what happened. The payload never changes; a correction is a report of its own.
create table state_reports (
  organization_id bigint not null references organizations,
  id bigint not null,
  connection_id bigint not null,
  kind text not null check (kind in ('sale', 'correction', 'void', 'adjustment', 'finish', 'trip', 'departure', 'restock',
    'delivery', 'trip-end', 'trip-void')),
  order_id uuid,
  -- The trip of a vehicle that it tells of.
  trip_id bigint,
  order_number bigint,
  package_id bigint,
  revision integer not null check (revision > 0),
  external_number text not null,
  payload text not null,
  -- A pattern that counts to 64 costs ten times as much, at each of the changes of a report.
  digest text not null check (length(digest) = 64 and digest !~ '[^0-9a-f]'),
  -- Labels of the packages that it is about.
  packages text[] not null,
  state text not null check (state in ('waiting', 'sending', 'unknown', 'accepted', 'refused', 'superseded',
    'done-by-hand')),
  attempts integer not null default 0,
  -- When it is sent, or looked for, next.
  next_at timestamptz not null,
  sent_at timestamptz,
  -- The id of the receipt at the state.
  state_record_id bigint,
  -- Why it is not accepted, in the words of the state or of the service.
  problem text,
  occurred_at timestamptz not null,
  -- Null: the state's duty names no moment.
  due_at timestamptz,
  alarm_at timestamptz not null,
  settled_at timestamptz,
  settled_by_staff_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, connection_id, external_number),
  foreign key (organization_id, connection_id) references state_connections,
  foreign key (organization_id, settled_by_staff_id) references staff_members,
  constraint state_reports_settled check ((settled_at is null) = (state in ('waiting', 'sending', 'unknown', 'refused')))
);
create index state_reports_open on state_reports (organization_id, connection_id, occurred_at, id)
  where state in ('waiting', 'sending', 'unknown', 'refused');
create index state_reports_next on state_reports (organization_id, next_at)
  where state in ('waiting', 'sending', 'unknown');
create index state_reports_alarming on state_reports (organization_id, alarm_at)
  where state in ('waiting', 'sending', 'unknown', 'refused');
create index state_reports_of_order on state_reports (organization_id, order_id, revision) where order_id is not null;
create index state_reports_of_trip on state_reports (organization_id, trip_id, id) where trip_id is not null;
create index state_reports_by_time on state_reports (organization_id, occurred_at desc, id desc);
create index state_reports_of_state on state_reports (organization_id, state, occurred_at desc, id desc);
create index state_reports_of_record on state_reports (organization_id, connection_id, state_record_id)
  where state_record_id is not null;
create index state_reports_by_settlement on state_reports (organization_id, connection_id, settled_at) where settled_at is not null;

-- The life of each report, step by step.
create table state_report_steps (
  organization_id bigint not null references organizations,
  report_id bigint not null,
  id bigint not null,
  state text not null,
  words text not null,
  created_at timestamptz not null,
  primary key (organization_id, report_id, id),
  foreign key (organization_id, report_id) references state_reports
);

-- The rows of files that the state has, or may have. `pending`: uploaded, and the state has not answered; its file names what is refused.
create table state_filed_rows (
  organization_id bigint not null references organizations,
  connection_id bigint not null,
  file text not null,
  row_id text not null,
  content jsonb,
  pending jsonb,
  updated_at timestamptz not null,
  primary key (organization_id, connection_id, file, row_id),
  foreign key (organization_id, connection_id) references state_connections
);

-- The receipts of the state's system, as they were read last.
create table state_receipts (
  organization_id bigint not null references organizations,
  connection_id bigint not null,
  state_record_id bigint not null,
  external_number text,
  sold_at text,
  is_void boolean not null,
  is_final boolean not null,
  total_cents bigint,
  -- [{label, quantity, amountCents}]; null: not read yet.
  lines jsonb,
  last_modified timestamptz,
  read_at timestamptz not null,
  primary key (organization_id, connection_id, state_record_id),
  foreign key (organization_id, connection_id) references state_connections
);
create index state_receipts_by_number on state_receipts (organization_id, connection_id, external_number);

-- Trips and deliveries that the state was told of, as they were read last.
create table state_trips (
  organization_id bigint not null references organizations,
  connection_id bigint not null,
  state_record_id bigint not null,
  is_void boolean not null,
  is_completed boolean not null,
  -- What was handed over: [{label, quantity}].
  lines jsonb not null,
  read_at timestamptz not null,
  primary key (organization_id, connection_id, state_record_id),
  foreign key (organization_id, connection_id) references state_connections
);

-- The packages of the state's system that concern a license, as they were read last.
create table state_packages (
  organization_id bigint not null references organizations,
  connection_id bigint not null,
  label text not null,
  -- Null: it was looked for by its label, and the license has none.
  state_record_id bigint,
  -- 'absent': see above; 'coming': a transfer brings it.
  place text not null check (place in ('active', 'ended', 'coming', 'absent')),
  quantity numeric not null,
  unit text not null,
  item text,
  category text,
  lab_state text,
  -- [{test, passed, level, date, isReleased}]; null: not read yet.
  lab_results jsonb,
  block text check (block in ('on-hold', 'recalled', 'lab-failed', 'not-accepted', 'sent-back')),
  manifest_number text,
  received_at timestamptz,
  -- What people adjusted on the state's website: [{date, quantity, reason, note}], as a comparison read it.
  adjustments jsonb not null default '[]',
  last_modified timestamptz,
  read_at timestamptz not null,
  -- When it was read by its label; null: never.
  checked_at timestamptz,
  primary key (organization_id, connection_id, label),
  foreign key (organization_id, connection_id) references state_connections
);

-- A comparison of all that the state has with what was reported and what is in stock.
create table state_comparisons (
  organization_id bigint not null references organizations,
  id bigint not null,
  connection_id bigint not null,
  state text not null check (state in ('waiting', 'running', 'done')),
  -- Null: the night asked for it.
  asked_by_staff_id bigint,
  -- The changes that it reads, and how far it is.
  reads_from timestamptz not null,
  read_until timestamptz not null,
  packages integer not null default 0,
  receipts integer not null default 0,
  calls integer not null default 0,
  work_ms bigint not null default 0,
  -- How many differences there were at its end, by kind; null: it is under way.
  differences jsonb,
  -- Why it does not go on; null: it does.
  problem text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, connection_id) references state_connections,
  foreign key (organization_id, asked_by_staff_id) references staff_members,
  constraint state_comparisons_finished check ((finished_at is null) = (state <> 'done') and (differences is null) = (state <> 'done'))
);
create unique index state_comparisons_under_way on state_comparisons (organization_id, connection_id) where state <> 'done';
create index state_comparisons_by_time on state_comparisons (organization_id, connection_id, created_at desc, id desc);

-- What people answered to differences.
create table state_answers (
  organization_id bigint not null references organizations,
  id bigint not null,
  connection_id bigint not null,
  kind text not null,
  -- The label of the package, or the id of the state's receipt.
  subject text not null,
  -- What the difference was: a later one is none of this answer.
  ours text,
  theirs text,
  answer text not null check (answer in ('state-is-right', 'we-are-right')),
  note text not null,
  staff_id bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, connection_id) references state_connections,
  foreign key (organization_id, staff_id) references staff_members
);
create index state_answers_of_subject on state_answers (organization_id, connection_id, subject, id);

-- ---------------------------------------------------------------------------------------------------------
-- Registers and their drawers (D74)

create table registers (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  inventory_location_id bigint not null,
  -- What a cash payment does while no drawer is open: the sale is made outside a session, or refused.
  cash_without_session text not null check (cash_without_session in ('warn', 'refuse')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

create table drawer_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  register_id bigint not null,
  float_cents bigint not null check (float_cents >= 0),
  opened_at timestamptz not null,
  opened_by_staff_id bigint not null,
  closed_at timestamptz,
  closed_by_staff_id bigint,
  -- What the one who closed it said about it.
  note text,
  primary key (organization_id, id),
  unique (organization_id, register_id, id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, opened_by_staff_id) references staff_members,
  foreign key (organization_id, closed_by_staff_id) references staff_members,
  constraint drawer_sessions_closed check ((closed_at is null) = (closed_by_staff_id is null))
);
-- A drawer has one open session.
create unique index drawer_sessions_one_open on drawer_sessions (organization_id, register_id) where closed_at is null;
create index drawer_sessions_by_time on drawer_sessions (organization_id, opened_at desc, id desc);
create index drawer_sessions_of_register on drawer_sessions (organization_id, register_id, opened_at desc, id desc);

-- All money that a register took or gave: the truth, append-only. The sum of a session's rows is what its drawer should hold.
create table drawer_movements (
  organization_id bigint not null references organizations,
  id bigint not null,
  register_id bigint not null,
  -- Null: outside a session.
  session_id bigint,
  kind text not null check (kind in ('float', 'sale', 'sale-voided', 'sale-corrected', 'refund', 'refund-voided', 'gift-card',
    'paid-in', 'paid-out', 'drop')),
  -- Null: cash that no customer paid.
  payment_type_id bigint,
  is_cash boolean not null,
  amount_cents bigint not null,
  order_id uuid,
  order_return_id bigint,
  reason text,
  staff_id bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, register_id, session_id) references drawer_sessions (organization_id, register_id, id),
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, staff_id) references staff_members,
  constraint drawer_movements_sign check (case
    when kind in ('refund', 'paid-out', 'drop') then amount_cents <= 0
    -- Out of one payment type and into another; a void takes both back.
    when kind in ('sale-voided', 'sale-corrected') then true
    -- Paid onto a gift card, or paid out of it.
    when kind = 'gift-card' then payment_type_id is not null
    else amount_cents >= 0 end),
  constraint drawer_movements_named 
    check ((kind in ('sale', 'sale-voided', 'sale-corrected', 'refund', 'refund-voided')) = (order_id is not null)),
  constraint drawer_movements_by_hand check ((kind in ('paid-in', 'paid-out', 'drop')) = (reason is not null)),
  constraint drawer_movements_cash check (payment_type_id is not null or is_cash)
);
create index drawer_movements_of_session on drawer_movements (organization_id, session_id, id);
create index drawer_movements_of_register on drawer_movements (organization_id, created_at, register_id);
create index drawer_movements_of_order on drawer_movements (organization_id, order_id) where order_id is not null;

-- What was counted when a session closed, and what was expected then. A null payment type is the cash of the drawer: a bill does
-- not say by which type it was paid.
create table drawer_counts (
  organization_id bigint not null references organizations,
  session_id bigint not null,
  position integer not null,
  payment_type_id bigint,
  expected_cents bigint not null,
  counted_cents bigint not null check (counted_cents >= 0),
  primary key (organization_id, session_id, position),
  foreign key (organization_id, session_id) references drawer_sessions,
  foreign key (organization_id, payment_type_id) references payment_types
);

-- ---------------------------------------------------------------------------------------------------------
-- Trips with deliveries (D111)

-- A vehicle is a place for stock, with what a manifest says of it.
create table vehicles (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  license_plate text not null,
  make text not null,
  model text not null,
  inventory_location_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

-- A member of staff who drives. The number of the driver's license is sealed with the master key.
create table drivers (
  organization_id bigint not null references organizations,
  id bigint not null,
  staff_id bigint not null,
  -- As the state knows the employee.
  employee_number text,
  phone text,
  -- The drawer that the driver takes along; null: no cash.
  register_id bigint,
  shares_position boolean not null,
  license_sealed bytea,
  license_key_id text,
  license_last_four text,
  created_at timestamptz not null,
  updated_at timestamptz,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, staff_id) references staff_members,
  foreign key (organization_id, register_id) references registers,
  constraint drivers_license check ((license_sealed is null) = (license_key_id is null)
    and (license_sealed is null) = (license_last_four is null))
);

create table trips (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- The business day.
  day date not null,
  status text not null check (status in ('draft', 'loaded', 'out', 'back', 'closed')),
  driver_id bigint not null,
  vehicle_id bigint not null,
  planned_departure_at timestamptz,
  note text check (char_length(note) <= 1000),
  -- The session of the driver's drawer, from loading on; null: the driver has none.
  drawer_session_id bigint,
  loaded_at timestamptz,
  departed_at timestamptz,
  returned_at timestamptz,
  closed_at timestamptz,
  -- Where the driver was last, while the trip is out.
  latitude numeric(8, 6) check (latitude between -90 and 90),
  longitude numeric(9, 6) check (longitude between -180 and 180),
  position_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, driver_id) references drivers,
  foreign key (organization_id, vehicle_id) references vehicles,
  foreign key (organization_id, drawer_session_id) references drawer_sessions,
  constraint trips_position check ((position_at is null) = (latitude is null) and (latitude is null) = (longitude is null)),
  constraint trips_position_while_out check (position_at is null or status = 'out')
);
create index trips_of_positions on trips (organization_id, position_at) where position_at is not null;
create index trips_by_day on trips (organization_id, day desc, id desc);
-- A vehicle has the goods of one trip at a time.
create unique index trips_one_of_vehicle on trips (organization_id, vehicle_id) where status in ('loaded', 'out', 'back');

create table trip_stops (
  organization_id bigint not null references organizations,
  id bigint not null,
  trip_id bigint not null,
  position integer not null,
  order_id uuid not null,
  status text not null check (status in ('waiting', 'arrived', 'delivered', 'partly', 'refused', 'notHome')),
  arrived_at timestamptz,
  -- When it was delivered, refused or left.
  completed_at timestamptz,
  -- Why it was refused, or what the driver said.
  reason text check (char_length(reason) <= 500),
  id_check_how text check (id_check_how in ('scan', 'eye')),
  -- A small picture of the signature.
  signature bytea check (octet_length(signature) <= 21000),
  tip_cents bigint not null default 0 check (tip_cents >= 0),
  primary key (organization_id, id),
  foreign key (organization_id, trip_id) references trips,
  foreign key (organization_id, order_id) references orders,
  constraint trip_stops_completed check ((status in ('waiting', 'arrived')) = (completed_at is null))
);
create index trip_stops_of_trip on trip_stops (organization_id, trip_id, position);
create index trip_stops_of_order on trip_stops (organization_id, order_id);
-- An order is on one trip at a time.
create unique index trip_stops_one_of_order on trip_stops (organization_id, order_id) where status in ('waiting', 'arrived');

-- What a driver did without a line and the service then refused: a task for who dispatches.
create table trip_unsent_acts (
  organization_id bigint not null references organizations,
  id bigint not null,
  trip_id bigint not null,
  stop_id bigint,
  kind text not null,
  occurred_at timestamptz not null,
  -- The refusal, as the driver saw it.
  refusal text not null check (char_length(refusal) <= 1000),
  -- The act as it was sent, as JSON text; null once it is settled.
  act text check (char_length(act) <= 2000),
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, trip_id) references trips
);
create index trip_unsent_acts_of_trip on trip_unsent_acts (organization_id, trip_id, id);
create index trip_unsent_acts_to_settle on trip_unsent_acts (organization_id, created_at) where settled_at is null;

-- ---------------------------------------------------------------------------------------------------------
-- Money that moves by a provider (D105)

-- An account at a provider: a terminal at a counter, or pay by bank. Payments by its payment type go through it.
create table payment_connections (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  provider text not null,
  payment_type_id bigint not null,
  -- Of a terminal: the register where it stands.
  register_id bigint,
  base_url text not null,
  -- What is no secret, by the names of the provider.
  account jsonb not null,
  -- Keys, as JSON text, sealed with the master key.
  secrets bytea not null,
  secrets_master_key_id text not null,
  -- After this time an unpaid order that was to be paid by it is canceled. Null: never.
  pay_within_minutes integer check (pay_within_minutes between 5 and 10080),
  -- The batch that was seen last, and a payment that was in it.
  batch text,
  batch_reference text,
  -- The last day of which the provider has said what it paid out, or after which its batch was closed, and when it is asked again.
  settled_day date,
  settle_after timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, register_id) references registers
);
-- A payment type at a register, or online, has one account.
create unique index payment_connections_one_place
  on payment_connections (organization_id, payment_type_id, coalesce(register_id, 0)) where archived_at is null;

-- One try to get money for an order. All amounts are apart: asked, captured for the order, tip, cash back, the provider's own fee.
create table payment_intents (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- Ours, committed before the provider hears of it, and never used again.
  reference text not null,
  payment_connection_id bigint not null,
  order_id uuid not null,
  -- The intended payment that asked for it; edits of the order make new ones. Null: asked for at the counter.
  order_payment_id bigint,
  payment_type_id bigint not null,
  source text not null check (source in ('e-commerce', 'retail')),
  register_id bigint,
  staff_id bigint,
  user_id bigint,
  status text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  fee_amount_cents bigint not null check (fee_amount_cents >= 0),
  captured_cents bigint not null default 0 check (captured_cents >= 0),
  tip_cents bigint not null default 0 check (tip_cents >= 0),
  cash_back_cents bigint not null default 0 check (cash_back_cents >= 0),
  provider_fee_cents bigint not null default 0 check (provider_fee_cents >= 0),
  -- What its order counts as paid by it. What was captured beyond that is given back, or is a task.
  applied_cents bigint not null default 0 check (applied_cents >= 0),
  -- What is given back, or is on its way.
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  -- What the bank took back from the shop.
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  link text,
  expires_at timestamptz,
  -- Someone, or a change of the order, wants it ended.
  cancel_asked_at timestamptz,
  provider_id text,
  -- What else the provider said: authorization code, last four digits, batch, payer's name, code of a refusal.
  facts jsonb not null,
  -- Reads in a row that did not know it.
  absent_count integer not null default 0,
  look_count integer not null default 0,
  next_look_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  captured_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, reference),
  foreign key (organization_id, payment_connection_id) references payment_connections,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, staff_id) references staff_members,
  constraint payment_intents_given_back check (refunded_cents <= captured_cents + tip_cents),
  constraint payment_intents_applied check (applied_cents <= captured_cents),
  constraint payment_intents_status check (status in ('created', 'sending', 'waiting', 'authorized', 'captured', 'settled', 'canceled',
    'failed', 'expired', 'unknown', 'refund-pending', 'refunded', 'returned', 'disputed'))
);
-- Two counters cannot ask for the same money at once.
create unique index payment_intents_one_open on payment_intents (organization_id, order_id)
  where status in ('created', 'sending', 'waiting', 'authorized', 'unknown');
create index payment_intents_of_order on payment_intents (organization_id, order_id, id);
create index payment_intents_by_time on payment_intents (organization_id, created_at desc, id desc);
create index payment_intents_due on payment_intents (organization_id, next_look_at) where next_look_at is not null;

-- Money that goes back by the payment that it came by.
create table payment_refunds (
  organization_id bigint not null references organizations,
  id bigint not null,
  payment_intent_id bigint not null,
  -- Ours: also the key that keeps a repeated request from giving twice.
  reference text not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null check (status in ('requested', 'sending', 'unknown', 'pending', 'paid', 'failed')),
  reason text not null,
  order_return_id bigint,
  staff_id bigint,
  -- The customer is there with the card.
  has_card boolean not null,
  provider_id text,
  detail text,
  look_count integer not null default 0,
  next_look_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, reference),
  foreign key (organization_id, payment_intent_id) references payment_intents,
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, staff_id) references staff_members
);
create index payment_refunds_of_intent on payment_refunds (organization_id, payment_intent_id, id);
create index payment_refunds_of_return on payment_refunds (organization_id, order_return_id) where order_return_id is not null;
create index payment_refunds_due on payment_refunds (organization_id, next_look_at) where next_look_at is not null;

-- Each movement of money at a provider, once: append-only. What an intent has captured and given back is the sum of its rows.
create table payment_ledger_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  payment_intent_id bigint not null,
  kind text not null check (kind in ('captured', 'tip', 'cash-back', 'provider-fee', 'refund', 'refund-failed', 'returned', 'recovered')),
  -- From the customer is positive.
  amount_cents bigint not null,
  payment_refund_id bigint,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, payment_intent_id) references payment_intents,
  foreign key (organization_id, payment_refund_id) references payment_refunds
);
create index payment_ledger_entries_by_time on payment_ledger_entries (organization_id, created_at, id);
create index payment_ledger_entries_of_intent on payment_ledger_entries (organization_id, payment_intent_id, id);

-- What a provider says it paid out for a day, line by line (D107). A day that is read again is replaced. Of a terminal: what was in the
-- batches that closed on a business day, with what their own sums say beyond that.
create table payment_settlement_lines (
  organization_id bigint not null references organizations,
  payment_connection_id bigint not null,
  -- The provider's.
  day date not null,
  position integer not null,
  -- Of the payment, also for what went back of it; a terminal's return has its own.
  reference text not null,
  kind text not null check (kind in ('payment', 'refund', 'return', 'recovery')),
  amount_cents bigint not null,
  fee_cents bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, payment_connection_id, day, position),
  foreign key (organization_id, payment_connection_id) references payment_connections
);
create index payment_settlement_lines_of_reference on payment_settlement_lines (organization_id, reference);

-- What a person has to do about money.
create table payment_tasks (
  organization_id bigint not null references organizations,
  id bigint not null,
  kind text not null check (kind in ('refund', 'collect', 'unknown', 'dispute', 'cash-back', 'settlement')),
  -- Null: a provider reports a payment that is not ours.
  payment_intent_id bigint,
  order_id uuid,
  -- Of a difference: the account, and the provider's reference.
  payment_connection_id bigint,
  reference text,
  amount_cents bigint not null,
  reason text not null,
  -- The return whose money it is.
  order_return_id bigint,
  created_at timestamptz not null,
  done_at timestamptz,
  done_by_staff_id bigint,
  note text,
  primary key (organization_id, id),
  foreign key (organization_id, payment_intent_id) references payment_intents,
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, payment_connection_id) references payment_connections,
  foreign key (organization_id, done_by_staff_id) references staff_members,
  constraint payment_tasks_about check ((kind = 'settlement') = (payment_connection_id is not null and reference is not null)),
  constraint payment_tasks_of_payment check (kind = 'settlement' or (payment_intent_id is not null and order_id is not null))
);
-- A difference is told once.
create unique index payment_tasks_of_settlement on payment_tasks (organization_id, payment_connection_id, reason, reference)
  where kind = 'settlement';
create index payment_tasks_by_time on payment_tasks (organization_id, created_at desc, id desc);
create index payment_tasks_open on payment_tasks (organization_id, payment_intent_id) where done_at is null;

-- ---------------------------------------------------------------------------------------------------------
-- Gift cards (D106): value that customers have paid for ahead. It does not expire and has no fees.

create table gift_cards (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- SHA-256 of the code, which is long enough not to be guessed.
  code_digest text not null,
  last_four text not null check (char_length(last_four) = 4),
  -- The sum of its entries.
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint gift_cards_one_of_code unique (organization_id, code_digest)
);

-- Append-only: what the shop owes to holders of cards is the sum.
create table gift_card_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  gift_card_id bigint not null,
  kind text not null check (kind in ('issued', 'loaded', 'spent', 'given-back', 'refunded', 'refund-voided', 'cashed-out')),
  -- Onto the card is positive.
  amount_cents bigint not null check (amount_cents <> 0),
  order_id uuid,
  order_return_id bigint,
  -- How it was paid for, or what it paid by.
  payment_type_id bigint,
  staff_id bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, gift_card_id) references gift_cards,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, staff_id) references staff_members
);
create index gift_card_entries_of_card on gift_card_entries (organization_id, gift_card_id, id);
create index gift_card_entries_of_order on gift_card_entries (organization_id, order_id) where order_id is not null;
create index gift_card_entries_by_time on gift_card_entries (organization_id, created_at, id);

-- Carts that a register has parked, for any register of the location to take up. They are short-lived: a cart that was taken up,
-- discarded or has expired has no row. What is in it is the console's own text, without personal data.
create table parked_carts (
  organization_id bigint not null references organizations,
  id bigint not null,
  inventory_location_id bigint not null,
  name text not null,
  item_count integer not null check (item_count > 0),
  content text not null check (octet_length(content) <= 262144),
  parked_by_staff_id bigint not null,
  parked_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  foreign key (organization_id, parked_by_staff_id) references staff_members
);
create index parked_carts_by_expiry on parked_carts (organization_id, expires_at);

-- Whether registers sell on while the service cannot be reached, and within which limits: of the organization (no location), or of
-- a location. Without a row they do not.
create table offline_sale_limits (
  organization_id bigint not null references organizations,
  id bigint not null,
  -- Null: of the organization.
  inventory_location_id bigint,
  is_on boolean not null,
  hours_max integer not null check (hours_max between 1 and 72),
  sale_cents_max bigint not null check (sale_cents_max > 0),
  outage_cents_max bigint not null check (outage_cents_max > 0),
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, inventory_location_id),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

-- Sales that a register made alone and sent later. Each is one order, whatever is sent again; reasons say why it is to be reviewed.
create table offline_sales (
  organization_id bigint not null references organizations,
  id bigint not null,
  sale_id uuid not null,
  register_id bigint not null,
  number text not null check (octet_length(number) <= 160),
  outage_id uuid not null,
  order_id uuid not null,
  order_number bigint,
  sold_at timestamptz not null,
  received_at timestamptz not null,
  sent_by_staff_id bigint not null,
  total_cents bigint not null,
  -- Of what was signed.
  digest bytea not null,
  reasons text[] not null,
  details jsonb not null,
  settled_at timestamptz,
  settled_by_staff_id bigint,
  note text check (octet_length(note) <= 4000),
  -- Who sold, besides who sent: neither settles the sale. On which issue of terms: their maximum counts whatever outage a sale names.
  seller_staff_id bigint,
  terms_issued_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, sale_id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, sent_by_staff_id) references staff_members,
  foreign key (organization_id, settled_by_staff_id) references staff_members,
  check ((settled_at is null) = (settled_by_staff_id is null))
);
create index offline_sales_by_time on offline_sales (organization_id, sold_at, id);
create index offline_sales_by_arrival on offline_sales (organization_id, received_at, id);
create index offline_sales_by_total on offline_sales (organization_id, total_cents, id);
create index offline_sales_of_register on offline_sales (organization_id, register_id, sold_at, id);
create index offline_sales_of_outage on offline_sales (organization_id, outage_id);
create index offline_sales_by_number on offline_sales (organization_id, register_id, number);
create index offline_sales_to_review on offline_sales (organization_id, sold_at, id)
  where reasons <> '{}' and settled_at is null;
create index offline_sales_of_terms on offline_sales (organization_id, register_id, terms_issued_at);

-- ---------------------------------------------------------------------------------------------------------
-- What every write leaves behind: audit, events, mail

-- D58: who, what, when. The actor is "key:<id>", "staff:<id>" or "job:<name>".
create table audit_entries (
  organization_id bigint not null,
  id bigint not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  details jsonb not null,
  -- Null: a job or a command.
  request_id text,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
-- The list of what was done, newest first: whole, or of one actor.
create index audit_entries_by_time on audit_entries (organization_id, created_at desc, id desc);
create index audit_entries_of_subject
  on audit_entries (organization_id, subject_type, subject_id, created_at desc, id desc);
create index audit_entries_of_type on audit_entries (organization_id, subject_type, created_at desc, id desc);
-- Of an actor, and of its entries about one type of subject.
create index audit_entries_of_actor_and_type
  on audit_entries (organization_id, actor, subject_type, created_at desc, id desc);

-- D73: the audit log is a chain. Each entry has a hash that is made of the entry and of the hash before it, so that an entry that was
-- changed, removed or inserted later is found. The links are written behind the entries, in the order of the feed of events: a write waits
-- for nothing.
--
-- Where an organization's chain stands.
create table audit_chains (
  organization_id bigint primary key references organizations,
  -- The number of the last link; 0: none.
  entries bigint not null check (entries >= 0),
  -- Its hash.
  head bytea not null check (octet_length(head) = 32),
  -- The events up to this position of the feed are linked.
  event_position bigint not null check (event_position >= 0),
  -- The last link that an anchor outside of the database has.
  anchored bigint not null default 0 check (anchored >= 0),
  anchored_at timestamptz,
  -- The organization's id in the deployment where the chain began, if it moved; null: its own.
  began_as bigint
);

-- Links that follow each other, up to a thousand in a row: the numbers from `first_number` on, with the ids of their entries and
-- 32 bytes of hash for each.
create table audit_links (
  organization_id bigint not null references organizations,
  first_number bigint not null check (first_number > 0),
  entry_ids bigint[] not null check (cardinality(entry_ids) between 1 and 1000),
  hashes bytea not null,
  linked_at timestamptz not null,
  primary key (organization_id, first_number),
  check (octet_length(hashes) = 32 * cardinality(entry_ids))
);
-- A hash has nothing to compress.
alter table audit_links alter column hashes set storage external;

-- What was in the log before the chain began, in the order of time; it is linked step by step.
create table audit_entries_to_link (
  organization_id bigint not null references organizations,
  place bigint not null,
  entry_ids bigint[] not null,
  primary key (organization_id, place)
);

-- D56: announced in the transaction of the change. D64: an event gets its position in the feed when a reader asks, after its transaction has
-- committed. Positions have no gaps, and nothing that commits late gets a position behind a reader.
create table outbox_events (
  organization_id bigint not null,
  id bigint not null,
  type text not null,
  subject_id text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  -- Its place among the announcements; and in the feed, null until a reader asks.
  announced bigint default nextval('outbox_announcements'),
  position bigint,
  -- D59: the trace of the write that an event tells of, for webhooks (W3C Trace Context). A write that is traced says so for its
  -- transaction. No part of what readers of events are shown.
  traceparent text default nullif(current_setting('app.traceparent', true), ''),
  -- The audit entry of the same write; null: an event beside a write.
  audit_id bigint,
  primary key (organization_id, id)
);
create unique index outbox_events_in_order on outbox_events (organization_id, position) where position is not null;
create index outbox_events_to_publish on outbox_events (organization_id, announced)
  where position is null and announced is not null;

-- Publishing locks the row of the organization.
create table change_feeds (
  organization_id bigint primary key references organizations,
  last_position bigint not null
);

-- D66: the change feed is sent to addresses of integrators. This finds the organizations that have endpoints, before the worker enters one of them.
create table webhook_organizations (
  organization_id bigint primary key references organizations
);

create table webhook_endpoints (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  -- The key that made the endpoint: what it may read is what the endpoint gets.
  client_key_id bigint not null,
  url text not null,
  -- Names of events, or `order.*`; none: all events.
  types text[] not null,
  enabled boolean not null,
  -- The signing secrets are encrypted under the master key of that id.
  secret bytea not null,
  secret_master_key_id text not null,
  -- Of a rotation: both sign until its end.
  former_secret bytea,
  former_secret_master_key_id text,
  former_secret_ends_at timestamptz,
  -- Of the last event of the feed that has its delivery.
  position bigint not null,
  -- Of the first failed attempt since the last successful one.
  failing_since timestamptz,
  -- When it was switched off because it only failed.
  switched_off_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- The worker that sends to it, until then. It takes an endpoint as a whole, and writes a delivery once: when its first attempt has ended,
  -- or when the attempt takes long.
  leased_by text,
  leased_until timestamptz,
  -- Of the last successful attempt, to within some seconds.
  last_success_at timestamptz,
  -- Why it was switched off.
  switched_off_reason text check (switched_off_reason in ('failing', 'gone')),
  -- Deliveries wait until then: the fault webhook-late.
  held_until timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, client_key_id) references client_keys (organization_id, id),
  check ((former_secret is null) = (former_secret_ends_at is null)),
  check ((former_secret is null) = (former_secret_master_key_id is null)),
  check ((leased_by is null) = (leased_until is null))
);
create index webhook_endpoints_of_integrator on webhook_endpoints (organization_id, integrator_id, id);
create index webhook_endpoints_of_key on webhook_endpoints (organization_id, client_key_id);
-- A phone gets each code once, so the codes of an organization go to one endpoint.
create unique index webhook_endpoints_of_codes on webhook_endpoints (organization_id)
  where deleted_at is null and 'customer.code_requested' = any (types);

create table webhook_deliveries (
  organization_id bigint not null references organizations,
  id bigint not null,
  endpoint_id bigint not null,
  -- Of the event in the feed; a test event has its own id and the position 0.
  event_id bigint not null,
  position bigint not null,
  -- What receivers know the event by; the same in each attempt.
  message_id text not null,
  type text not null,
  -- Deliveries of one resource are sent in order.
  resource text not null,
  -- The text of a change is made of its event again; only a test event has its own.
  body text,
  attempts integer not null default 0 check (attempts >= 0),
  -- Null: delivered, or given up.
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  -- Why there was no answer.
  last_error text,
  answer text,
  duration_ms integer,
  delivered_at timestamptz,
  created_at timestamptz not null,
  -- An earlier delivery of the resource is waiting: this one is looked at when that one has ended.
  blocked boolean not null default false,
  -- A delivery with a code: its body is encrypted under the master key of that id, and is gone when the code is of no use.
  sealed_body bytea,
  sealed_body_master_key_id text,
  body_ends_at timestamptz,
  primary key (organization_id, id),
  constraint webhook_deliveries_one_per_event unique (organization_id, endpoint_id, event_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id),
  check ((sealed_body is null) = (sealed_body_master_key_id is null))
);
create index webhook_deliveries_by_time on webhook_deliveries (organization_id, endpoint_id, created_at desc, id desc);
create index webhook_deliveries_in_line on webhook_deliveries (organization_id, endpoint_id, resource, position, id)
  where next_attempt_at is not null;
create index webhook_deliveries_to_prune on webhook_deliveries (organization_id, created_at);
create index webhook_deliveries_to_send on webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  where next_attempt_at is not null and not blocked;

-- Mail of organizations (D70): written by the write that asks for it, sent by a job. Without a mail server it lies here, and
-- owners read it in the console. The text of a mail that was sent is not kept.
create table mails (
  organization_id bigint not null references organizations,
  id bigint not null,
  kind text not null,
  -- The name in From.
  sender text not null check (length(sender) <= 200),
  recipient text not null check (length(recipient) <= 254),
  subject text not null check (length(subject) <= 300),
  created_at timestamptz not null,
  -- Not sent after this: a code that has expired helps no reader.
  expires_at timestamptz,
  sent_at timestamptz,
  -- Why the mail server refused it for good; null: it did not.
  failure text check (length(failure) <= 300),
  -- What a mail is about, where there is to be one mail only: an order that is packed twice is ready once.
  cause text check (length(cause) <= 100),
  -- A full mailbox drops the oldest mail, but not mail that a mail server is still to get (D70): a receipt of a busy day must
  -- not be lost because the mail server is away.
  waits boolean not null default false,
  -- What a mail says is sealed under the master keys of documents: links and codes in it are good until they are used.
  sealed bytea check (octet_length(sealed) <= 200000),
  sealed_master_key_id text,
  primary key (organization_id, id),
  constraint mails_sealed_by_a_key check ((sealed is null) = (sealed_master_key_id is null))
);
create unique index mails_by_cause on mails (organization_id, cause) where cause is not null;

create type audit_entry_row as (
  id bigint, actor text, action text, subject_type text, subject_id text, details jsonb, request_id text,
  created_at timestamptz
);

create type outbox_event_row as (
  id bigint, type text, subject_id text, payload jsonb, created_at timestamptz, audit_id bigint
);

create type stock_ledger_entry_row as (
  id bigint, product_id bigint, product_option_id bigint, inventory_location_id bigint, package_id bigint, delta numeric,
  cause text, cause_id bigint, order_line_item_id bigint, actor text, created_at timestamptz
);

-- ---------------------------------------------------------------------------------------------------------
-- Sums that are kept

-- D65: checksums that are kept, so that reading one takes as long in a shop of a million orders as in a new one. A change
-- adds a row to `record_changes` in its own transaction, and waits for no other. Readers add these rows to `record_sums`;
-- now and then they are taken into the sums and deleted.
create table record_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  collection text not null,
  record_id text not null,
  -- Of an order: by it the month is found.
  placed_at timestamptz,
  -- `updated_at` of the record; null where it was not there before, or is not there any more.
  before timestamptz,
  after timestamptz,
  -- It makes a key that begins with the organization, and serves the collection as well.
  id bigint generated always as identity,
  primary key (organization_id, collection, id)
);

-- The state of the sums of a collection. A write of them locks this row first.
create table record_sum_states (
  organization_id bigint not null references organizations,
  collection text not null,
  -- Moves with every change of the sums.
  version bigint not null,
  -- That of the months; null where there are none.
  time_zone text,
  primary key (organization_id, collection)
);

-- Count and exclusive or of the digests of all records, without what `record_changes` has.
create table record_sums (
  organization_id bigint not null references organizations,
  collection text not null,
  -- YYYY-MM; empty in a collection without months.
  month text not null,
  count bigint not null,
  digest bit(128) not null,
  primary key (organization_id, collection, month)
);

-- D78, D87: reports read sums, so that the report of a year takes as long in a shop of a million orders as in a new one. They count a
-- return on the day it was made, and the end of a return on the day it was voided, so that a month that was filed never changes. The sums
-- are kept by day of the money, with the refunds of each day's sales beside them: the view on the sales as they turned out. They are made of
-- events: a sale, a return, the end of a return. A write adds its event here in its own transaction, and waits for no other; now and then
-- these rows are taken into the sums and deleted. What an event adds never changes, so a row says only which event it is.
create table book_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  order_id uuid not null,
  id bigint generated always as identity,
  at timestamptz not null,
  -- Of the order.
  fulfilled_at timestamptz not null,
  -- Null: the sale.
  return_id bigint,
  -- The end of that return; without a return, of the sale.
  voids boolean not null,
  -- Of a voided sale: what it had contributed, because its stock is given back.
  voided_parts jsonb,
  -- Of a sale that leaves the sums: how it was paid, if that was corrected since.
  paid_parts jsonb,
  primary key (organization_id, order_id, id)
);

-- How far the sums go. A write of them locks this row first.
create table book_states (
  organization_id bigint primary key references organizations,
  -- The sums that count: those of other days are still there, until they are deleted.
  generation integer not null,
  -- Of the days.
  time_zone text not null,
  day_starts_at time not null,
  -- Events before it are not in the sums yet.
  counted_from timestamptz not null
);

-- Which reports are mailed to whom, and when. The job alone writes due_at: -infinity is a new or changed one, whose time it reckons first.
create table report_mails (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  reports text[] not null,
  -- Null: every day.
  weekday text check (weekday in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  -- In the shop's time zone.
  hour smallint not null check (hour between 0 and 23),
  staff_ids bigint[] not null,
  due_at timestamptz not null default '-infinity',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
create unique index report_mails_of_name on report_mails (organization_id, name_key) where archived_at is null;

-- By day and by month, without what `book_changes` has.
create table book_sums (
  organization_id bigint not null references organizations,
  generation integer not null,
  -- What the sales are grouped by.
  report text not null,
  span text not null check (span in ('day', 'month')),
  -- The day, or the first of the month.
  day date not null,
  key text not null,
  name text not null,
  -- Sales of the period.
  orders bigint not null,
  units bigint not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  -- What the goods had cost the shop.
  cost_cents bigint not null,
  adjustments_cents bigint not null,
  credits_cents bigint not null,
  tax_cents bigint not null,
  paid_cents bigint not null,
  -- Returns that were made in the period, less those that were voided in it.
  returns bigint not null,
  refunds_cents bigint not null,
  refunded_adjustments_cents bigint not null,
  refunded_credits_cents bigint not null,
  refunded_tax_cents bigint not null,
  other_refunds_cents bigint not null,
  paid_back_cents bigint not null,
  -- Returns of the period's sales, whenever they were made.
  later_returns bigint not null,
  later_refunds_cents bigint not null,
  later_refunded_adjustments_cents bigint not null,
  later_refunded_credits_cents bigint not null,
  later_refunded_tax_cents bigint not null,
  later_other_refunds_cents bigint not null,
  later_paid_back_cents bigint not null,
  primary key (organization_id, generation, report, span, day, key)
);

-- The same of taxes.
create table book_taxes (
  organization_id bigint not null references organizations,
  generation integer not null,
  span text not null check (span in ('day', 'month')),
  day date not null,
  -- 0: all taxes together.
  tax_id bigint not null,
  description text not null,
  rate numeric not null,
  included boolean not null,
  orders bigint not null,
  -- What it was charged on.
  taxable_cents bigint not null,
  goods_cents bigint not null,
  fees_cents bigint not null,
  exempted_cents bigint not null,
  refunded_cents bigint not null,
  later_refunded_cents bigint not null,
  primary key (organization_id, generation, span, day, tax_id, description, rate, included)
);

-- ---------------------------------------------------------------------------------------------------------
-- Versions: whether what a process holds is still so

create function count_change_of_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (organization_id, version) values (current_organization_id(), 1)
    on conflict (organization_id) do update set version = terms_versions.version + 1;
  return null;
end
$$;

-- The operator may change an organization without entering it, so here the row says whose it is.
create function count_change_of_organization() returns trigger language plpgsql as $$
begin
  insert into terms_versions (organization_id, version) values (new.id, 1)
    on conflict (organization_id) do update set version = terms_versions.version + 1;
  return null;
end
$$;

create trigger terms_changed after insert or update on organizations
  for each row execute function count_change_of_organization();
create trigger terms_changed after insert or update or delete on purchase_limit_rules
  for each statement execute function count_change_of_terms();
-- Prices depend on the time, so a clock that is set counts as a change of the terms.
create trigger terms_changed after update on sandboxes
  for each statement execute function count_change_of_terms();

-- A tag is what a discount can be on, so which products have it is part of the terms.
do $$
declare
  terms_table text;
begin
  foreach terms_table in array array['products', 'product_options', 'brands', 'product_categories', 'product_tags', 'taxes',
    'delivery_zones', 'delivery_zone_postal_codes', 'payment_types', 'discounts', 'discount_codes', 'loyalty_rewards']
  loop
    execute format('create trigger terms_changed after insert or update or delete on %I
      for each statement execute function count_change_of_terms()', terms_table);
  end loop;
end
$$;

create function count_change_of_customers() returns trigger language plpgsql as $$
declare
  counted_in text := pg_current_xact_id()::text || ' ' || old.organization_id::text;
begin
  if current_setting('app.customers_counted_in', true) is distinct from counted_in then
    insert into customer_versions (organization_id, version) values (old.organization_id, 1)
      on conflict (organization_id) do update set version = customer_versions.version + 1;
    perform set_config('app.customers_counted_in', counted_in, true);
  end if;
  return null;
end
$$;
create constraint trigger customers_changed
  after delete or update of email, first_name, last_name, phone, hash_id, birthday, sex, zip, license_expiry, medical_expiration on customers
  deferrable initially deferred for each row execute function count_change_of_customers();

-- ---------------------------------------------------------------------------------------------------------
-- Times of change: lists by change lose and repeat nothing

-- A change always moves `updated_at` forward, also within one millisecond and where the clocks of processes differ. So a
-- record with the same `updated_at` is the same record.
create function move_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := date_trunc('milliseconds', old.updated_at) + interval '1 millisecond';
  return new;
end
$$;
create trigger updated_at_moves before update of updated_at on orders
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on customers
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on products
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on purchase_orders
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();

-- A customer counts as changed when the points do. What moves them holds the customer locked already.
create function touch_customers_of_points() returns trigger language plpgsql as $$
begin
  update customers c set updated_at = n.updated_at from is_now n
    where c.organization_id = n.organization_id and c.id = n.user_id;
  return null;
end
$$;
create trigger customers_touched after update on loyalty_balances
  referencing new table as is_now
  for each statement execute function touch_customers_of_points();

create function keep_past_places_of_customers() returns trigger language plpgsql as $$
begin
  delete from customer_past_places p using is_now n
    where p.organization_id = n.organization_id and p.user_id = n.id
      and p.left_at < n.updated_at - interval '10 minutes';
  insert into customer_past_places (organization_id, user_id, updated_at, left_at)
    select w.organization_id, w.id, w.updated_at, n.updated_at
      from was w join is_now n on n.organization_id = w.organization_id and n.id = w.id
     where n.updated_at <> w.updated_at
    on conflict do nothing;
  return null;
end
$$;
create trigger past_places_kept after update on customers
  referencing old table as was new table as is_now
  for each statement execute function keep_past_places_of_customers();

-- The list goes on from the last change that its reader has seen (D14). A change that is stamped early and committed
-- late would be passed by. So a transaction that stamps first shows since which second it has been at it, by an advisory lock
-- that ends with its transaction, and only then looks at the clock; and a reader, before it takes its snapshot, asks
-- for the oldest of these (selectSettledChanges) and is shown what is older than that. Neither waits for the other.
create function package_change_instant() returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(1885430635,
    (floor(extract(epoch from clock_timestamp())) - 1600000000)::integer);
  return clock_timestamp();
end
$$;

-- Rows in the order of their keys, so that two writers never wait for each other in a circle.
create function stamp_changed_stock() returns trigger language plpgsql as $$
declare
  instant timestamptz;
begin
  if not exists (select from changed where package_id <> 0 and (tg_op = 'UPDATE' or on_hand <> 0)) then
    return null;
  end if;
  instant := package_change_instant();
  insert into package_changes (organization_id, package_id, changed_at)
    select distinct c.organization_id, c.package_id, instant from changed c
     where c.package_id <> 0 and (tg_op = 'UPDATE' or c.on_hand <> 0)
     order by c.organization_id, c.package_id
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end
$$;
create trigger new_stock_changes_packages after insert on stock_balances
  referencing new table as changed for each statement execute function stamp_changed_stock();
create trigger stock_changes_packages after update on stock_balances
  referencing new table as changed for each statement execute function stamp_changed_stock();

create function stamp_changed_packages() returns trigger language plpgsql as $$
declare
  instant timestamptz;
begin
  if not exists (select from changed) then return null; end if;
  instant := package_change_instant();
  insert into package_changes (organization_id, package_id, changed_at)
    select c.organization_id, c.id, instant from changed c order by c.organization_id, c.id
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end
$$;
create trigger packages_created after insert on packages
  referencing new table as changed for each statement execute function stamp_changed_packages();
create trigger packages_changed after update on packages
  referencing new table as changed for each statement execute function stamp_changed_packages();

-- ---------------------------------------------------------------------------------------------------------
-- Stock

-- D44, D45: a product or an option is deleted, and the kind of its stock changed, only while no stock lies there.
-- That write locks the product, then looks at the balances. For stock that comes in at the same moment this is the
-- other half: it waits for that lock, and is refused if its place is gone. Not asked are what an order gives back,
-- because a cancelation must never fail for it, and what only moves between locations. Taking stock asks nothing
-- either, so orders pay nothing for this.
create function stock_needs_a_live_place() returns trigger language plpgsql as $$
declare
  kind text;
begin
  select inventory_type into kind from products
   where organization_id = new.organization_id and id = new.product_id and deleted_at is null
     for key share;
  if kind is null
    or kind <> (case when new.product_option_id = 0 then 'product' else 'option' end)
    or (new.product_option_id <> 0 and not exists (
      select from product_options o
       where o.organization_id = new.organization_id and o.id = new.product_option_id
         and o.product_id = new.product_id and o.deleted_at is null))
  then
    raise exception 'stock arrives where none is kept' using errcode = 'check_violation',
      constraint = 'stock_ledger_live_place', table = 'stock_ledger_entries';
  end if;
  return new;
end
$$;
create trigger stock_needs_a_live_place before insert on stock_ledger_entries
  for each row when (new.delta > 0 and new.cause in ('received', 'adjusted', 'counted'))
  execute function stock_needs_a_live_place();

create function note_changed_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stock_changes (organization_id, product_id)
    select distinct organization_id, product_id from changed where tg_op = 'UPDATE' or on_hand <> 0;
  return null;
end
$$;
create trigger new_stock_changes_products after insert on stock_balances
  referencing new table as changed for each statement execute function note_changed_product_stock();
create trigger stock_changes_products after update on stock_balances
  referencing new table as changed for each statement execute function note_changed_product_stock();

-- Every new product has a sum.
create function open_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stocks (organization_id, product_id, on_hand_millionths)
    select organization_id, id, 0 from added on conflict do nothing;
  return null;
end
$$;
create trigger product_stocks_opened after insert on products
  referencing new table as added for each statement execute function open_product_stock();

create function note_amounts_of_packages() returns trigger language plpgsql as $$
begin
  insert into package_amounts (organization_id, package_id, initial_millionths)
    select organization_id, id, stock_millionths(initial_amount) from added
  on conflict (organization_id, package_id) do update set initial_millionths = excluded.initial_millionths;
  return null;
end
$$;
create trigger package_amounts_noted after insert on packages
  referencing new table as added for each statement execute function note_amounts_of_packages();

create function note_amount_of_package() returns trigger language plpgsql as $$
begin
  insert into package_amounts (organization_id, package_id, initial_millionths)
    values (new.organization_id, new.id, stock_millionths(new.initial_amount))
  on conflict (organization_id, package_id) do update set initial_millionths = excluded.initial_millionths;
  return null;
end
$$;
create trigger package_amount_changed after update of initial_amount on packages
  for each row when (old.initial_amount is distinct from new.initial_amount) execute function note_amount_of_package();

-- ---------------------------------------------------------------------------------------------------------
-- Search

-- The name that was left without a profile.
create function key_customer_name() returns trigger language plpgsql as $$
begin
  new.customer_name_key := person_key(new.customer_name);
  return new;
end
$$;
create trigger customer_name_keyed before insert on orders
  for each row when (new.customer_name is not null) execute function key_customer_name();
create trigger customer_name_keyed_again before update of customer_name on orders
  for each row when (new.customer_name is distinct from old.customer_name) execute function key_customer_name();

-- What the triggers below do. In a language whose plans are kept: planning it took longer than the work.
-- Lists of stock also have options that were deleted: their names stay among the tokens.
-- An option without a name is found by what menus show: "3.5 grams", and as it is said, "3.5g".
create function note_product_searches(organization bigint, products bigint[]) returns void
  language plpgsql as $$
begin
  with noted as (
    insert into product_texts (organization_id, product_id, created_at, name_key, texts, codes)
    select p.organization_id, p.id, p.created_at, search_key(p.name),
           lower(concat_ws(E'\n', p.name, b.name, p.strain, p.sku, o.texts)),
           lower(concat(E'\n', p.sku, E'\n', o.codes, E'\n'))
      from products p
      left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
      cross join lateral (
        select string_agg(concat_ws(E'\n', o.name,
                            trim_scale(o.amount) || ' ' || p.unit || case when o.amount = 1 then '' else 's' end,
                            case p.unit when 'gram' then trim_scale(o.amount) || 'g' end,
                            -- As people ask for it.
                            case when p.unit = 'gram' then case o.amount
                              when 3.5 then 'eighth' when 7 then 'quarter' when 14 then 'half' when 28 then 'ounce' end end,
                            o.upc), E'\n'
                          order by o.position, o.id) as texts,
               string_agg(o.upc, E'\n' order by o.position, o.id) as codes
          from product_options o
         where o.organization_id = p.organization_id and o.product_id = p.id and o.deleted_at is null) o
     where p.organization_id = organization and p.id = any(note_product_searches.products)
    on conflict (organization_id, product_id) do update
       set name_key = excluded.name_key, texts = excluded.texts, codes = excluded.codes
     where (product_texts.name_key, product_texts.texts, product_texts.codes)
           is distinct from (excluded.name_key, excluded.texts, excluded.codes)
    returning organization_id, product_id, created_at, texts)
  insert into product_searches (organization_id, product_id, created_at, tokens)
  select n.organization_id, n.product_id, n.created_at,
         search_tokens(n.organization_id, variadic string_to_array(n.texts, E'\n') || array(
           select unnest(array[o.name, o.upc]) from product_options o
            where o.organization_id = n.organization_id and o.product_id = n.product_id
              and o.deleted_at is not null))
    from noted n
  on conflict (organization_id, product_id) do update set tokens = excluded.tokens
   where product_searches.tokens is distinct from excluded.tokens;
end
$$;

create function note_package_searches(organization bigint, packages bigint[]) returns void language plpgsql as $$
begin
  insert into package_searches (organization_id, package_id, tokens)
  select k.organization_id, k.id, search_tokens(k.organization_id, k.label, k.external_product_name, p.name)
    from packages k
    left join products p on p.organization_id = k.organization_id and p.id = k.product_id
   where k.organization_id = organization and k.id = any(note_package_searches.packages)
  on conflict (organization_id, package_id) do update set tokens = excluded.tokens
   where package_searches.tokens is distinct from excluded.tokens;
end
$$;

-- All of them, for an organization that came from another deployment.
create function note_searches_of_organization(organization bigint) returns void language plpgsql as $$
declare
  product_ids bigint[] := array(select id from products where organization_id = organization);
  package_ids bigint[] := array(select id from packages where organization_id = organization);
begin
  perform note_product_searches(organization, product_ids);
  perform note_package_searches(organization, package_ids);
end
$$;

-- Its options make the texts and tokens of a new product; a product without any has them made when its transaction ends. Made before the
-- options come as well, they are half of the database's work for a product.
create function note_searches_of_new_product() returns trigger language plpgsql as $$
begin
  if not exists (select from product_texts t
                  where t.organization_id = new.organization_id and t.product_id = new.id) then
    perform note_product_searches(new.organization_id, array[new.id]);
  end if;
  return null;
end
$$;
create constraint trigger products_searched after insert on products deferrable initially deferred
  for each row execute function note_searches_of_new_product();

-- Kept by the writes of names, which are rare; what an order changes fires none of these.
create function note_searches_of_product() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array[new.id]);
  if old.name is distinct from new.name then
    perform note_package_searches(new.organization_id, array(
      select k.id from packages k where k.organization_id = new.organization_id and k.product_id = new.id));
  end if;
  return null;
end
$$;
create trigger product_searched_anew after update of name, brand_id, strain, sku, unit on products
  for each row when (old.name is distinct from new.name or old.brand_id is distinct from new.brand_id
                     or old.strain is distinct from new.strain or old.sku is distinct from new.sku
                     or old.unit is distinct from new.unit)
  execute function note_searches_of_product();

create function note_searches_of_brand() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array(
    select p.id from products p where p.organization_id = new.organization_id and p.brand_id = new.id));
  return null;
end
$$;
create trigger brand_searched_anew after update of name on brands
  for each row when (old.name is distinct from new.name) execute function note_searches_of_brand();

-- All options of a product come in one statement, mostly.
create function note_searches_of_options() returns trigger language plpgsql as $$
begin
  perform note_product_searches(o.organization_id, o.products)
     from (select organization_id, array_agg(distinct product_id) as products from added group by organization_id) o;
  return null;
end
$$;
create trigger options_searched after insert on product_options
  referencing new table as added for each statement execute function note_searches_of_options();

create function note_searches_of_option() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array[new.product_id]);
  return null;
end
$$;
create trigger option_searched_anew after update of name, upc, amount, deleted_at on product_options
  for each row when (old.name is distinct from new.name or old.upc is distinct from new.upc
                     or old.amount is distinct from new.amount or old.deleted_at is distinct from new.deleted_at)
  execute function note_searches_of_option();

create function note_searches_of_packages() returns trigger language plpgsql as $$
begin
  perform note_package_searches(k.organization_id, k.packages)
     from (select organization_id, array_agg(id) as packages from added group by organization_id) k;
  return null;
end
$$;
create trigger packages_searched after insert on packages
  referencing new table as added for each statement execute function note_searches_of_packages();

create function note_searches_of_package() returns trigger language plpgsql as $$
begin
  perform note_package_searches(new.organization_id, array[new.id]);
  return null;
end
$$;
create trigger package_searched_anew after update of label, external_product_name, product_id on packages
  for each row when (old.label is distinct from new.label or old.product_id is distinct from new.product_id
                     or old.external_product_name is distinct from new.external_product_name)
  execute function note_searches_of_package();

create function note_sub_categories_of_product() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sub_category_products
     where organization_id = new.organization_id and sub_category_id = any(old.sub_category_ids)
       and created_at = old.created_at and product_id = new.id;
  end if;
  insert into sub_category_products (organization_id, sub_category_id, created_at, product_id)
  select distinct new.organization_id, s.id, new.created_at, new.id from unnest(new.sub_category_ids) as s(id)
   where new.deleted_at is null;
  return null;
end
$$;
create trigger product_in_sub_categories after insert on products
  for each row when (new.sub_category_ids <> '{}') execute function note_sub_categories_of_product();
create trigger product_in_other_sub_categories after update of sub_category_ids, deleted_at on products
  for each row when (old.sub_category_ids is distinct from new.sub_category_ids
                     or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_sub_categories_of_product();

-- ---------------------------------------------------------------------------------------------------------
-- Checksums

-- One statement for all orders that are placed together.
create function note_added_orders() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, placed_at, after)
    select organization_id, 'orders', id, created_at, updated_at from added;
  return null;
end
$$;
create trigger order_added after insert on orders referencing new table as added
  for each statement execute function note_added_orders();

create function note_changed_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.created_at = old.created_at then
    insert into record_changes (organization_id, collection, record_id, placed_at, before, after)
      values (new.organization_id, 'orders', new.id, new.created_at, old.updated_at, new.updated_at);
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into record_changes (organization_id, collection, record_id, placed_at, before)
      values (old.organization_id, 'orders', old.id, old.created_at, old.updated_at);
  end if;
  if tg_op <> 'DELETE' then
    insert into record_changes (organization_id, collection, record_id, placed_at, after)
      values (new.organization_id, 'orders', new.id, new.created_at, new.updated_at);
  end if;
  return null;
end
$$;
create trigger order_changed after update on orders for each row
  when (old.updated_at <> new.updated_at or old.created_at <> new.created_at)
  execute function note_changed_order();
create trigger order_removed after delete on orders for each row execute function note_changed_order();

create function note_changed_record() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, before, after)
    values (coalesce(new.organization_id, old.organization_id), tg_argv[0], coalesce(new.id, old.id),
            old.updated_at, new.updated_at);
  return null;
end
$$;
create trigger customer_added after insert on customers for each row execute function note_changed_record('customers');
create trigger customer_changed after update on customers for each row
  when (old.updated_at <> new.updated_at) execute function note_changed_record('customers');
create trigger customer_removed after delete on customers for each row execute function note_changed_record('customers');
create trigger purchase_order_added after insert on purchase_orders for each row
  execute function note_changed_record('purchase_orders');
create trigger purchase_order_changed after update on purchase_orders for each row
  when (old.updated_at <> new.updated_at) execute function note_changed_record('purchase_orders');
create trigger purchase_order_removed after delete on purchase_orders for each row
  execute function note_changed_record('purchase_orders');

-- A deleted product is in no list any more.
create function note_changed_product() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, before, after)
    values (coalesce(new.organization_id, old.organization_id), 'products', coalesce(new.id, old.id),
            case when old.deleted_at is null then old.updated_at end,
            case when new.deleted_at is null then new.updated_at end);
  return null;
end
$$;
create trigger product_added after insert on products for each row execute function note_changed_product();
create trigger product_changed after update on products for each row
  when (old.updated_at <> new.updated_at or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_changed_product();
create trigger product_removed after delete on products for each row execute function note_changed_product();

-- ---------------------------------------------------------------------------------------------------------
-- Sums of customers

-- Every new customer has sums.
create function open_customer_sums() returns trigger language plpgsql as $$
begin
  insert into customer_sums (organization_id, user_id, order_count, spent_cents)
    select organization_id, id, 0, 0 from added on conflict do nothing;
  return null;
end
$$;
create trigger customer_sums_opened after insert on customers referencing new table as added
  for each statement execute function open_customer_sums();

-- Adds to the sums of one customer. Where they are missing they are counted: by what is committed and what this transaction did, the change
-- itself included. Another transaction that does the same at once waits for this one, and adds then.
create function add_to_customer_sums(organization bigint, customer bigint, count bigint, cents bigint) returns void
  language plpgsql as $$
begin
  loop
    update customer_sums set order_count = order_count + count, spent_cents = spent_cents + cents
     where organization_id = organization and user_id = customer;
    if found then return; end if;
    insert into customer_sums (organization_id, user_id, order_count, spent_cents, last_order_at)
      select organization, customer, count(*) filter (where status <> 'canceled'),
             coalesce(sum(customer_grand_total_cents) filter (where status = 'fulfilled'), 0),
             max(created_at) filter (where status <> 'canceled')
        from orders where organization_id = organization and user_id = customer
      on conflict do nothing;
    if found then return; end if;
  end loop;
end
$$;

-- One statement for all customers of orders that are placed together, so that each row of sums is written once.
create function sum_added_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  -- What comes back is of customers without sums: they are counted here.
  for change in
    with changes as materialized (
      select organization_id, user_id, count(*) filter (where status <> 'canceled') as count,
             coalesce(sum(customer_grand_total_cents) filter (where status = 'fulfilled'), 0)::bigint as cents,
             max(created_at) filter (where status <> 'canceled') as latest
        from added where user_id is not null group by 1, 2 order by 1, 2),
    kept as (
      update customer_sums s
         set order_count = s.order_count + c.count, spent_cents = s.spent_cents + c.cents,
             last_order_at = greatest(s.last_order_at, c.latest)
        from changes c
       where s.organization_id = c.organization_id and s.user_id = c.user_id
      returning s.organization_id, s.user_id)
    select * from changes c
     where not exists (select from kept k where k.organization_id = c.organization_id and k.user_id = c.user_id)
  loop
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    update customer_sums set last_order_at = change.latest
     where organization_id = change.organization_id and user_id = change.user_id
       and (last_order_at is null or last_order_at < change.latest);
  end loop;
  return null;
end
$$;
create trigger customer_sums_of_added after insert on orders referencing new table as added
  for each statement execute function sum_added_orders();

-- Of a step, and of orders that another customer has now. The sums are locked before the latest order is sought.
create function sum_changed_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select organization_id, user_id, coalesce(sum(sign) filter (where status <> 'canceled'), 0)::bigint as count,
           coalesce(sum(sign * customer_grand_total_cents) filter (where status = 'fulfilled'), 0)::bigint as cents,
           max(created_at) filter (where status <> 'canceled' and sign > 0)
             is distinct from max(created_at) filter (where status <> 'canceled' and sign < 0) as is_other_latest
      from (select organization_id, user_id, status, customer_grand_total_cents, created_at, 1 as sign from after_it
            union all
            select organization_id, user_id, status, customer_grand_total_cents, created_at, -1 from before_it) o
     where user_id is not null group by 1, 2 order by 1, 2
  loop
    continue when change.count = 0 and change.cents = 0 and not change.is_other_latest;
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    continue when not change.is_other_latest;
    update customer_sums
       set last_order_at = (select created_at from orders
             where organization_id = change.organization_id and user_id = change.user_id and status <> 'canceled'
             order by created_at desc, id desc limit 1)
     where organization_id = change.organization_id and user_id = change.user_id;
  end loop;
  return null;
end
$$;
create trigger customer_sums_of_changed after update on orders referencing old table as before_it new table as after_it
  for each statement execute function sum_changed_orders();

-- ---------------------------------------------------------------------------------------------------------
-- Reports

create function note_booked_sale() returns trigger language plpgsql as $$
begin
  insert into book_changes (organization_id, order_id, at, fulfilled_at, voids)
    values (new.organization_id, new.id, new.fulfilled_at, new.fulfilled_at, false);
  return null;
end
$$;
-- A voided sale that is in the sums leaves them; one that waits is forgotten. It has no returns.
create function note_voided_sale() returns trigger language plpgsql as $$
declare
  parts jsonb;
begin
  delete from book_changes where organization_id = new.organization_id and order_id = new.id and not voids;
  if not found then
    select jsonb_agg(to_jsonb(p)) into parts from report_sales_of_order(new.organization_id, new.id, '{}'::bigint[]) p;
    insert into book_changes (organization_id, order_id, at, fulfilled_at, voids, voided_parts)
      values (new.organization_id, new.id, old.fulfilled_at, old.fulfilled_at, true, parts);
  end if;
  return null;
end
$$;
-- A sale whose way of payment is corrected leaves the sums as it was paid before, and comes into them again. One that waits is read when it is
-- counted; its row is written anew, so that a count that has begun does not take it. It has no returns.
create function note_corrected_payment() returns trigger language plpgsql as $$
declare
  parts jsonb;
  paid jsonb;
begin
  delete from book_changes where organization_id = new.organization_id and order_id = new.order_id and not voids;
  if not found then
    select jsonb_agg(to_jsonb(p)) into parts from report_sales_of_order(new.organization_id, new.order_id, '{}'::bigint[]) p;
    select jsonb_agg(jsonb_build_object('payment_type_id', p.payment_type_id, 'name', p.name, 'final_amount_cents', p.final_amount_cents))
      into paid
      from order_payments p where p.organization_id = new.organization_id and p.order_id = new.order_id and p.id <> new.id;
    paid := coalesce(paid, '[]') || jsonb_build_object(
      'payment_type_id', old.payment_type_id, 'name', old.name, 'final_amount_cents', old.final_amount_cents);
    insert into book_changes (organization_id, order_id, at, fulfilled_at, voids, voided_parts, paid_parts)
      select o.organization_id, o.id, o.fulfilled_at, o.fulfilled_at, true, parts, paid
        from orders o where o.organization_id = new.organization_id and o.id = new.order_id and o.status = 'fulfilled';
  end if;
  insert into book_changes (organization_id, order_id, at, fulfilled_at, voids)
    select o.organization_id, o.id, o.fulfilled_at, o.fulfilled_at, false
      from orders o where o.organization_id = new.organization_id and o.id = new.order_id and o.status = 'fulfilled';
  return null;
end
$$;
create trigger payment_corrected after update on order_payments for each row
  when (new.payment_type_id <> old.payment_type_id) execute function note_corrected_payment();

create trigger sale_booked_at_once after insert on orders for each row
  when (new.status = 'fulfilled') execute function note_booked_sale();
create trigger sale_booked after update on orders for each row
  when (new.status = 'fulfilled' and old.status <> 'fulfilled') execute function note_booked_sale();
create trigger sale_voided after update on orders for each row
  when (new.status <> 'fulfilled' and old.status = 'fulfilled') execute function note_voided_sale();

-- Before the return, or its end, is there. The order is locked, so the next event of it finds this one.
create function note_booked_return() returns trigger language plpgsql as $$
declare
  step integer := (select coalesce(max(greatest(r.made_step, r.voided_step)), 0) + 1 from order_returns r
                    where r.organization_id = new.organization_id and r.order_id = new.order_id);
  ends boolean := tg_op = 'UPDATE';
begin
  if ends then new.voided_step := step; else new.made_step := step; end if;
  if new.refund_type <> 'none' then
    insert into book_changes (organization_id, order_id, at, fulfilled_at, return_id, voids)
      select o.organization_id, o.id, case when ends then new.voided_at else new.created_at end, o.fulfilled_at, new.id, ends
        from orders o
       where o.organization_id = new.organization_id and o.id = new.order_id and o.status = 'fulfilled';
  end if;
  return new;
end
$$;
create trigger return_booked before insert on order_returns for each row execute function note_booked_return();
create trigger voided_return_booked before update on order_returns for each row
  when (old.voided_at is null and new.voided_at is not null) execute function note_booked_return();

-- What an order contributes to the reports of sales with some of its returns: to its products, to its categories, to the locations that its
-- goods were taken from, as a whole order (adjustments, credits, tax on the delivery fee, and what these returns refunded of them), and
-- together. Goods are summed over lines, which contain their shares of discounts. The amounts of a line cannot be divided among several
-- locations to the cent, so such lines stand in a row of their own; so do lines without stock.
--
-- A return's share of a tax includes the tax on the fee: the goods' part of it is the line's tax by returned units, complete with the last
-- unit, and the rest belongs to the fee.
create function report_sales_of_order(for_organization bigint, for_order uuid, with_returns bigint[])
returns table (
  report text, key text, name text, orders bigint, units bigint, gross_cents bigint, net_cents bigint, cost_cents bigint,
  adjustments_cents bigint, credits_cents bigint, tax_cents bigint, refunds_cents bigint,
  refunded_adjustments_cents bigint, refunded_credits_cents bigint, refunded_tax_cents bigint, other_refunds_cents bigint
) language sql stable as $$
  with lines as (
    select l.id, l.product_id, l.product_name, l.product_category_id, l.product_category_name, l.product_brand_id,
           l.product_brand, l.quantity,
           -- Of the packages, else by the moving average.
           round(coalesce(l.package_line_cost, l.option_moving_average_cost * l.quantity,
             l.product_moving_average_cost * l.option_amount * l.quantity, 0) * 100) as cost_cents,
           l.subtotal_price_cents, l.gross_cents, charged.tax_cents, coalesce(back.refund_cents, 0) as refund_cents,
           coalesce(least(back.tax_cents, floor(charged.tax_cents::numeric * back.quantity / l.quantity)), 0)
             as goods_tax_cents,
           back.tax_cents as back_tax_cents, back.adjustments_cents, back.credits_cents, back.other_cents
      from order_line_items l
      cross join lateral (
        select coalesce(sum((a ->> 'amountCents')::bigint), 0) as tax_cents
          from jsonb_array_elements(l.tax_allocations) a
      ) charged
      left join (
        select rl.order_line_item_id, sum(rl.quantity) as quantity,
               sum(rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents) as refund_cents,
               sum((select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                      from jsonb_array_elements(rl.tax_shares) a)) as tax_cents,
               sum(rl.adjustments_cents) as adjustments_cents,
               sum(rl.promo_codes_cents + rl.store_credits_cents) as credits_cents,
               -- Every return has a first line, so its adjustment counts once.
               sum(-r.adjustment_cents) filter (where rl.position = 0) as other_cents
          from order_return_lines rl
          join order_returns r on r.organization_id = rl.organization_id and r.id = rl.order_return_id
         where rl.organization_id = for_organization and rl.order_id = for_order
           and rl.order_return_id = any(with_returns)
         group by rl.order_line_item_id
      ) back on back.order_line_item_id = l.id
     where l.organization_id = for_organization and l.order_id = for_order
  ), whole as (
    select (select coalesce(sum(a.amount_cents), 0) from order_adjustments a
             where a.organization_id = for_organization and a.order_id = for_order) as adjustments_cents,
           (select coalesce(sum(c.amount_used_cents), 0) from order_credits c
             where c.organization_id = for_organization and c.order_id = for_order) as credits_cents,
           (select coalesce(sum(t.fee_allocation_cents), 0) from order_taxes t
             where t.organization_id = for_organization and t.order_id = for_order) as tax_cents,
           coalesce(sum(l.adjustments_cents), 0) as back_adjustments_cents,
           coalesce(sum(l.credits_cents), 0) as back_credits_cents,
           coalesce(sum(l.back_tax_cents - l.goods_tax_cents), 0) as back_tax_cents,
           coalesce(sum(l.other_cents), 0) as other_cents
      from lines l
  )
  select 'product', product_id::text, max(product_name), 1::bigint, sum(quantity)::bigint,
         sum(subtotal_price_cents)::bigint, sum(gross_cents)::bigint, sum(cost_cents)::bigint, 0::bigint, 0::bigint,
         sum(tax_cents)::bigint,
         sum(refund_cents)::bigint, 0::bigint, 0::bigint, sum(goods_tax_cents)::bigint, 0::bigint
    from lines group by product_id
  union all
  select 'category', product_category_id::text, max(product_category_name), 1, sum(quantity)::bigint,
         sum(subtotal_price_cents)::bigint, sum(gross_cents)::bigint, sum(cost_cents)::bigint, 0, 0, sum(tax_cents)::bigint,
         sum(refund_cents)::bigint, 0, 0, sum(goods_tax_cents)::bigint, 0
    from lines group by product_category_id
  union all
  select 'brand', coalesce(product_brand_id::text, 'none'), coalesce(max(product_brand), 'Without brand'), 1, sum(quantity)::bigint,
         sum(subtotal_price_cents)::bigint, sum(gross_cents)::bigint, sum(cost_cents)::bigint, 0, 0, sum(tax_cents)::bigint,
         sum(refund_cents)::bigint, 0, 0, sum(goods_tax_cents)::bigint, 0
    from lines group by product_brand_id
  union all
  select 'location', place.key, '', 1, sum(l.quantity)::bigint, sum(l.subtotal_price_cents)::bigint,
         sum(l.gross_cents)::bigint, sum(l.cost_cents)::bigint, 0, 0, sum(l.tax_cents)::bigint, sum(l.refund_cents)::bigint, 0, 0,
         sum(l.goods_tax_cents)::bigint, 0
    from lines l
    cross join lateral (
      select case count(distinct f.inventory_location_id)
               when 0 then 'none' when 1 then min(f.inventory_location_id)::text else 'several' end as key
        from order_line_fulfillments f
       where f.organization_id = for_organization and f.order_id = for_order and f.order_line_item_id = l.id
    ) place
   group by place.key
  union all
  select 'whole', '', 'Whole orders', 1, 0, 0, 0, 0, adjustments_cents::bigint, credits_cents::bigint, tax_cents::bigint, 0,
         back_adjustments_cents::bigint, back_credits_cents::bigint, back_tax_cents::bigint, other_cents::bigint
    from whole
   where tax_cents <> 0 or adjustments_cents <> 0 or credits_cents <> 0 or back_tax_cents <> 0
      or back_adjustments_cents <> 0 or back_credits_cents <> 0 or other_cents <> 0
  union all
  select 'order', '', '', 1, l.units, l.gross_cents, l.net_cents, l.cost_cents, w.adjustments_cents::bigint, w.credits_cents::bigint,
         (l.tax_cents + w.tax_cents)::bigint, l.refund_cents, w.back_adjustments_cents::bigint,
         w.back_credits_cents::bigint, (l.goods_tax_cents + w.back_tax_cents)::bigint, w.other_cents::bigint
    from whole w cross join (
      select sum(quantity)::bigint as units, sum(subtotal_price_cents)::bigint as gross_cents,
             sum(gross_cents)::bigint as net_cents, sum(cost_cents)::bigint as cost_cents, sum(tax_cents) as tax_cents, sum(refund_cents)::bigint as refund_cents,
             sum(goods_tax_cents) as goods_tax_cents, count(*) as number
        from lines
    ) l
   where l.number > 0
$$;

-- What an order contributes to the report of taxes with some of its returns: to each tax at its rate, and, as tax 0, to all of them.
create function report_taxes_of_order(for_organization bigint, for_order uuid, with_returns bigint[])
returns table (
  tax_id bigint, description text, rate numeric, included boolean, orders bigint, taxable_cents bigint, goods_cents bigint,
  fees_cents bigint, exempted_cents bigint, refunded_cents bigint
) language sql stable as $$
  with allocated as (
    -- What each tax charged on each line, which is without the taxes that its price includes.
    select l.id as line_id, (a ->> 'taxId')::bigint as tax_id, (a ->> 'amountCents')::bigint as cents, x.tier,
           l.gross_cents - sum((a ->> 'amountCents')::bigint) filter (where x.included) over (partition by l.id) as net_cents,
           l.gross_cents
      from order_line_items l
     cross join lateral jsonb_array_elements(l.tax_allocations) a
      join order_taxes x on x.organization_id = l.organization_id and x.order_id = l.order_id
                        and x.tax_id = (a ->> 'taxId')::bigint
     where l.organization_id = for_organization and l.order_id = for_order
  ), charged as (
    select t.tax_id, t.description, t.rate, t.included, t.amount_cents, t.fee_allocation_cents, t.amount_exempted_cents,
           coalesce(back.refunded_cents, 0) as refunded_cents,
           (select coalesce(sum(coalesce(a.net_cents, a.gross_cents) + case when t.encompass then (
                     select coalesce(sum(b.cents), 0) from allocated b where b.line_id = a.line_id and b.tier < t.tier
                   ) else 0 end), 0)
              from allocated a where a.tax_id = t.tax_id and a.cents <> 0)
           + case when t.fee_allocation_cents = 0 then 0 else o.delivery_fee_cents + case when t.encompass then (
               select coalesce(sum(b.fee_allocation_cents), 0) from order_taxes b
                where b.organization_id = t.organization_id and b.order_id = t.order_id and b.tier < t.tier
             ) else 0 end end as taxable_cents
      from order_taxes t
      join orders o on o.organization_id = t.organization_id and o.id = t.order_id
      left join (
        select rt.tax_id, sum(-rt.amount_cents) as refunded_cents
          from order_returns r
          join order_return_taxes rt on rt.organization_id = r.organization_id and rt.order_return_id = r.id
         where r.organization_id = for_organization and r.order_id = for_order and r.id = any(with_returns)
         group by rt.tax_id
      ) back on back.tax_id = t.tax_id
     where t.organization_id = for_organization and t.order_id = for_order
  )
  select tax_id, description, rate, included, 1::bigint, sum(taxable_cents)::bigint,
         sum(amount_cents - fee_allocation_cents)::bigint, sum(fee_allocation_cents)::bigint, sum(amount_exempted_cents)::bigint, sum(refunded_cents)::bigint
    from charged group by tax_id, description, rate, included
  union all
  select 0, '', 0, false, 1, (
           (select coalesce(sum(taxed.cents), 0)
              from (select min(coalesce(a.net_cents, a.gross_cents)) as cents from allocated a where a.cents <> 0 group by a.line_id) taxed)
           + case when sum(fee_allocation_cents) = 0 then 0 else (
               select o.delivery_fee_cents from orders o where o.organization_id = for_organization and o.id = for_order
             ) end)::bigint,
         sum(amount_cents - fee_allocation_cents)::bigint, sum(fee_allocation_cents)::bigint,
         sum(amount_exempted_cents)::bigint, sum(refunded_cents)::bigint
    from charged having count(*) > 0
$$;

-- ---------------------------------------------------------------------------------------------------------
-- Functions of the owner over all organizations

-- Background work of ten thousand organizations: one statement says which of them have something to do, and only those are entered. It
-- answers with ids of organizations, and with nothing of theirs. A distributed database plans these functions, too: no sub-select stands
-- beside a table of another kind, or depends on a function that returns rows; where that cannot be, distributed/schema.sql has a form.
--
-- Which organizations have work of a kind; of what has an age, older than `before`.
create function organizations_with_work(work text, before timestamptz) returns table (id bigint)
  language sql stable as $$
  select o.id from organizations o
   where case work
     when 'idempotency_keys' then exists (
       select from idempotency_keys k where k.organization_id = o.id and k.created_at < before)
     when 'outbox_events' then exists (
       select from outbox_events e where e.organization_id = o.id and e.position is null and e.announced is not null)
       or before > (select e.created_at from outbox_events e
                     where e.organization_id = o.id and e.position is not null order by e.position limit 1)
     when 'book_changes' then exists (select from book_changes c where c.organization_id = o.id)
       or not exists (select from book_states s where s.organization_id = o.id and s.counted_from = '-infinity'
                         and s.time_zone = o.tz and s.day_starts_at = o.business_day_starts_at)
       or exists (select from book_sums f join book_states s on s.organization_id = f.organization_id
                   where f.organization_id = o.id and f.generation < s.generation)
     when 'product_stock_changes' then exists (select from product_stock_changes c where c.organization_id = o.id)
     when 'state_lanes' then exists (
       select from state_lanes l join state_connections c on c.organization_id = l.organization_id and c.id = l.connection_id
        where l.organization_id = o.id and c.is_on and l.next_at <= before)
       -- Files and books are made when staff ask for them.
       or exists (select from state_connections c where c.organization_id = o.id and c.is_on and c.system = 'metrc')
         and exists (select from state_reports r
                      where r.organization_id = o.id and r.state in ('waiting', 'sending', 'unknown') and r.next_at <= before)
     when 'late_state_reports' then exists (
       select from state_reports r
        where r.organization_id = o.id and r.state in ('waiting', 'sending', 'unknown', 'refused')
          and (r.alarm_at <= before or r.state = 'refused'))
     when 'former_organizations' then o.ends_at <= before or exists (
       select from sandboxes s where s.organization_id = o.id and s.ended_at < before - interval '7 days')
     when 'product_photos' then exists (
       select from product_photos h
        where h.organization_id = o.id and h.location like '/%' and h.byte_count is null)
       or exists (
       select from product_photos h
         left join product_options v on v.organization_id = h.organization_id and v.id = h.product_option_id
         join products p on p.organization_id = h.organization_id and p.id = coalesce(h.product_id, v.product_id)
        where h.organization_id = o.id and (p.deleted_at < before or v.deleted_at < before))
   end
   order by o.id
$$;

-- Which of the followed organizations have events behind these positions, or without one.
create function organizations_with_news(organizations bigint[], positions bigint[]) returns table (id bigint)
  language sql stable as $$
  select f.id from unnest(organizations, positions) as f(id, after)
   where exists (select from change_feeds c where c.organization_id = f.id and c.last_position > f.after)
      or exists (select from outbox_events e
                  where e.organization_id = f.id and e.position is null and e.announced is not null)
$$;

-- The last position of each feed, 0 for one without events.
create function feed_positions(organizations bigint[]) returns table (id bigint, last_position bigint)
  language sql stable as $$
  select f.id, coalesce(c.last_position, 0)
    from unnest(organizations) as f(id) left join change_feeds c on c.organization_id = f.id
$$;

-- Where an endpoint that is served has events behind its position, or a delivery that is due.
create function organizations_with_webhooks(at timestamptz) returns table (id bigint)
  language sql stable as $$
  select distinct e.organization_id
    from webhook_endpoints e
    join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id
    left join change_feeds c on c.organization_id = e.organization_id
   where e.enabled and e.deleted_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
     and (e.held_until is null or e.held_until <= at)
     and (e.position < c.last_position
          or exists (select from webhook_deliveries d where d.organization_id = e.organization_id
                        and d.endpoint_id = e.id and not d.blocked and d.next_attempt_at <= at))
$$;

-- Where a payment at a provider, or money that goes back, is to be looked at.
create function organizations_with_payments(at timestamptz) returns table (id bigint)
  language sql stable as $$
  select i.organization_id from payment_intents i where i.next_look_at <= at
  union
  select r.organization_id from payment_refunds r where r.next_look_at <= at
  union
  select c.organization_id from payment_connections c where c.provider = 'terminal' and c.archived_at is null and c.settle_after <= at
$$;

-- Which organizations have a collection without sums, or changes that its sums lack.
create function organizations_with_unsummed(collections text[]) returns table (id bigint) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select o.id from organizations o
      left join (select s.organization_id, count(*) as known from record_sum_states s
                  where s.collection = any(collections) group by s.organization_id) k on k.organization_id = o.id
     where coalesce(k.known, 0) < cardinality(collections)
    union
    select c.organization_id from record_changes c
    union
    select g.organization_id from package_changes g where g.summed_at is distinct from g.changed_at;
end $$;

-- The organizations with audit entries to link.
create function organizations_to_link() returns table (id bigint)
  language sql stable as $$
  select o.id
    from organizations o
    left join audit_chains c on c.organization_id = o.id
   where c.organization_id is null
      or exists (select from audit_entries_to_link l where l.organization_id = o.id)
      or exists (select from outbox_events e
                  where e.organization_id = o.id and e.position is null and e.announced is not null)
      or c.event_position < (select f.last_position from change_feeds f where f.organization_id = o.id)
   order by o.id
$$;

-- Those whose chain has grown since its last anchor, which is from before that time, or has none.
create function organizations_to_anchor(before timestamptz) returns table (id bigint)
  language sql stable as $$
  select c.organization_id from audit_chains c
   where c.entries > c.anchored and (c.anchored_at is null or c.anchored_at <= before) order by 1
$$;

-- Where owners are to be told of keys that end within so many days.
create function organizations_with_ending_keys(at timestamptz, days integer) returns table (id bigint)
  language sql stable as $$
  select distinct k.organization_id from client_keys k
   where k.revoked_at is null and k.end_told_at is null and k.expires_at > at
     and k.expires_at <= at + make_interval(days => days) and k.created_at < k.expires_at - make_interval(days => days)
$$;

-- Which organizations have a menu import whose process has said nothing for so long.
create function organizations_with_silent_imports(silence interval) returns table (id bigint) language sql stable as $$
  select distinct i.organization_id from menu_imports i where i.alive_at < clock_timestamp() - silence
$$;

-- D76: rows that expire. Of each organization that has rows of a kind: how many are from before a time, counted up to
-- `row_limit`; the oldest row; and whether there is something to do.
create function retention_backlog(kind text, at timestamptz, before timestamptz, row_limit integer)
  returns table (id bigint, overdue bigint, oldest timestamptz, is_due boolean)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  aged text[];
  first_id bigint;
begin
  -- Kinds that are a table with the time of each row.
  aged := case retention_backlog.kind
    when 'webhook_deliveries' then array['webhook_deliveries', 'created_at']
    when 'idempotency_keys' then array['idempotency_keys', 'created_at']
    when 'mails' then array['mails', 'created_at']
    when 'customer_codes' then array['customer_codes', 'hour_started_at']
    when 'customer_sessions' then array['customer_sessions', 'expires_at']
    when 'staff_sessions' then array['staff_sessions', 'created_at']
    when 'staff_links' then array['staff_invitations', 'expires_at']
    when 'staff_devices' then array['staff_devices', 'used_at']
    when 'staff_half_sign_ins' then array['staff_half_sign_ins', 'expires_at']
    when 'staff_identity_sign_ins' then array['staff_identity_sign_ins', 'expires_at']
    when 'parked_carts' then array['parked_carts', 'expires_at']
    when 'queue_visits' then array['queue_entries', 'left_at']
  end;
  if aged is not null then
    return query execute format(
      'select o.id, a.overdue, f.%2$I, a.overdue > 0
         from organizations o
        cross join lateral (
          select t.%2$I from %1$I t where t.organization_id = o.id order by t.%2$I limit 1) f
        cross join lateral (
          select count(*) as overdue from (
            select from %1$I t where t.organization_id = o.id and t.%2$I < $1 limit $2) b) a', aged[1], aged[2])
      using retention_backlog.before, row_limit;
  elsif retention_backlog.kind = 'staff_passkey_challenges' then
    -- Of a sign-in no organization is known: the first one's turn deletes them.
    select min(o.id) into first_id from organizations o;
    return query
      select coalesce(c.organization_id, first_id),
             count(*) filter (where c.expires_at < before), min(c.expires_at), bool_or(c.expires_at < before)
        from (select t.organization_id, t.expires_at from staff_passkey_challenges t order by t.expires_at limit row_limit) c
       where first_id is not null
       group by 1;
  elsif retention_backlog.kind = 'events' then
    -- The feed is deleted from its beginning. What has no position yet gets one first.
    return query
      select o.id, a.overdue + u.overdue, least(f.created_at, u.oldest), a.overdue + u.overdue > 0
        from organizations o
        left join lateral (
          select e.created_at from outbox_events e
           where e.organization_id = o.id and e.position is not null order by e.position limit 1) f on true
       cross join lateral (
          select count(*) as overdue from (
            select e.created_at from outbox_events e
             where e.organization_id = o.id and e.position is not null and f.created_at < before
             order by e.position limit row_limit) b where b.created_at < before) a
       cross join lateral (
          select count(*) filter (where b.created_at < before) as overdue, min(b.created_at) as oldest from (
            select e.created_at from outbox_events e
             where e.organization_id = o.id and e.position is null and e.announced is not null
             order by e.announced limit row_limit) b) u
       where f.created_at is not null or u.oldest is not null;
  elsif retention_backlog.kind = 'api_requests' then
    return query
      select o.id, a.overdue, to_timestamp(f.last_at_ms / 1000.0), a.overdue > 0
        from organizations o
       cross join lateral (
         select b.last_at_ms from api_request_batches b where b.organization_id = o.id order by b.last_at_ms, b.id limit 1) f
       cross join lateral (
         select count(*) as overdue from (
           select from api_request_batches b
            where b.organization_id = o.id and b.last_at_ms < extract(epoch from before) * 1000 limit row_limit) c) a;
  elsif retention_backlog.kind = 'explanations' then
    return query
      select o.id, a.overdue, f.created_at, a.overdue > 0 or coalesce(m.begun_at < at - interval '7 days', false)
        from organizations o
        left join explanation_marks m on m.organization_id = o.id
        left join lateral (
         select r.created_at from orders r
          where r.organization_id = o.id
            and (r.created_at, r.id) > (coalesce(m.placed_at, '-infinity'),
                                        coalesce(m.order_id, '00000000-0000-0000-0000-000000000000'))
          order by r.created_at, r.id limit 1) f on true
       cross join lateral (
         select count(*) as overdue from (
           select from orders r
             join order_explanations e on e.organization_id = r.organization_id and e.order_id = r.id
            where r.organization_id = o.id and e.steps is not null
              and (r.created_at, r.id) > (coalesce(m.placed_at, '-infinity'),
                                          coalesce(m.order_id, '00000000-0000-0000-0000-000000000000'))
              and r.created_at < at - make_interval(days => o.explanation_retention_days)
            limit row_limit) b) a
       where a.overdue > 0 or f.created_at is not null or m.begun_at < at - interval '7 days';
  elsif retention_backlog.kind = 'documents' then
    -- Those of erased customers go at once: every organization with documents is looked at.
    return query
      select d.organization_id,
             count(*) filter (where d.uploaded_at <= at - make_interval(days => o.document_retention_days)),
             min(d.uploaded_at), true
        from customer_documents d join organizations o on o.id = d.organization_id
       group by d.organization_id;
  elsif retention_backlog.kind = 'scanned_licenses' then
    -- How long is in the law's data: every organization with digests is looked at.
    return query
      select o.id, 0::bigint, f.recorded_at, true
        from organizations o
       cross join lateral (
         select l.recorded_at from customer_licenses l where l.organization_id = o.id order by l.recorded_at, l.digest limit 1) f;
  elsif retention_backlog.kind = 'import_files' then
    return query
      select i.organization_id, count(*) filter (where i.created_at < before and i.status not in ('checking', 'importing')),
             min(i.created_at),
             bool_or(i.created_at < before and i.status not in ('checking', 'importing'))
        from menu_import_files f
        join menu_imports i on i.organization_id = f.organization_id and i.id = f.menu_import_id
       group by i.organization_id;
  elsif retention_backlog.kind = 'move_files' then
    return query
      select f.organization_id, count(*) filter (where f.created_at < before and f.status <> 'loading'), min(f.created_at),
             bool_or(f.created_at < before and f.status <> 'loading')
        from move_files f
       group by f.organization_id;
  elsif retention_backlog.kind = 'import_changes' then
    -- The last import can still be undone.
    return query
      select i.organization_id, sum(a.overdue)::bigint, min(i.finished_at), sum(a.overdue) > 0
        from menu_imports i
       cross join lateral (
         select count(*) as overdue from (
           select from menu_import_products p
            where p.organization_id = i.organization_id and p.menu_import_id = i.id limit row_limit) b) a
       where i.finished_at < before and i.status in ('done', 'undone', 'failed', 'canceled')
         and exists (select from menu_imports l
                      where l.organization_id = i.organization_id and l.id <> i.id and l.started_at > i.started_at
                        and l.status in ('importing', 'done', 'undoing'))
       group by i.organization_id having sum(a.overdue) > 0;
  elsif retention_backlog.kind = 'driver_positions' then
    -- They go at the end of the business day: every organization with one is looked at.
    return query
      select t.organization_id, count(*) filter (where t.position_at < before), min(t.position_at), true
        from trips t where t.position_at is not null
       group by t.organization_id;
  elsif retention_backlog.kind = 'inactive_customers' then
    -- Who has bought nothing and changed nothing for as long as the owner says, and waits for no order.
    return query
      select o.id, a.overdue, f.updated_at, a.overdue > 0
        from organizations o
       cross join lateral (
         select c.updated_at from customers c
          where c.organization_id = o.id order by c.updated_at, c.id limit 1) f
       cross join lateral (
         select count(*) as overdue from (
           select from customers c
            where c.organization_id = o.id and c.erased_at is null
              and c.updated_at < at - make_interval(days => o.customer_retention_days)
              and not exists (
                select from orders r
                 where r.organization_id = c.organization_id and r.user_id = c.id
                   and (r.created_at >= at - make_interval(days => o.customer_retention_days)
                     or r.status not in ('fulfilled', 'canceled')))
              -- Nor bought for a patient.
              and not exists (
                select from orders r
                 where r.organization_id = c.organization_id and r.bought_by_id = c.id
                   and (r.created_at >= at - make_interval(days => o.customer_retention_days)
                     or r.status not in ('fulfilled', 'canceled')))
            limit row_limit) b) a
       where o.customer_retention_days is not null;
  elsif retention_backlog.kind = 'key_addresses' then
    return query
      select k.organization_id, count(*) filter (where k.revoked_at < before), min(k.revoked_at), bool_or(k.revoked_at < before)
        from client_keys k where k.revoked_at is not null and k.last_addresses <> '{}'
       group by k.organization_id;
  else
    raise exception 'no kind of retention: %', retention_backlog.kind;
  end if;
end $$;

-- Which of some files no row of any organization names. A photo is a file for each width, whose names begin with one digest; what the last
-- import of a menu has replaced is named until it cannot be undone any more.
create function files_without_rows(store text, names text[]) returns setof text
  language plpgsql stable as $$
declare
  found text[];
  digests text[];
  named text[];
begin
  if store = 'documents' then
    select array_agg(d.file_name) into named from customer_documents d where d.file_name = any(names);
    return query select n from unnest(names) n where n <> all(coalesce(named, '{}'));
    return;
  end if;
  select array_agg(substring(n from '^[0-9a-f]+')) into digests from unnest(names) n;
  select array_agg(distinct substring(p.location from '^/photos/([0-9a-f]+)')) into named from product_photos p
   where p.location ~ '^/photos/[0-9a-f]+' and substring(p.location from '^/photos/([0-9a-f]+)') = any(digests);
  select named || array_agg(distinct substring(s.logo_location from '^/photos/([0-9a-f]+)')) into named from shop_profiles s
   where s.logo_location ~ '^/photos/[0-9a-f]+'
     and substring(s.logo_location from '^/photos/([0-9a-f]+)') = any(digests);
  select array_agg(n) into found from unnest(names) n
   where substring(n from '^[0-9a-f]+') <> all(coalesce(named, '{}'));
  if found is null then return; end if;
  select array_agg(m[1]) into digests
    from menu_import_products p
   cross join lateral regexp_matches(coalesce(p.before::text, '') || coalesce(p.after::text, ''), '/photos/([0-9a-f]+)', 'g') m
   where m[1] = any(select substring(n from '^[0-9a-f]+') from unnest(found) n);
  return query select n from unnest(found) n where substring(n from '^[0-9a-f]+') <> all(coalesce(digests, '{}'));
end $$;

-- Notes which of some files no row names, forgets those that are named again, and says which were first seen so before a time.
create function note_stray_files(store text, names text[], at timestamptz, before timestamptz) returns table (name text)
  language plpgsql as $$
#variable_conflict use_column
declare
  strays text[];
begin
  strays := array(select files_without_rows(note_stray_files.store, names));
  delete from stray_files s where s.store = note_stray_files.store and s.name = any(names) and s.name <> all(strays);
  insert into stray_files (store, name, seen_at) select note_stray_files.store, n, at from unnest(strays) n
    on conflict do nothing;
  return query select s.name from stray_files s
    where s.store = note_stray_files.store and s.name = any(strays) and s.seen_at < before;
end $$;

-- Deletes rows of an organization that is over, at most as many as row_limit in one call; resolves to how many. That is the former one
-- of a sandbox, seven days after its reset, long enough for an operator to look at what a test did, if no key opens it; or one whose
-- time the operator has set, and it has come.
-- Orders, ledger and audit of every other one are never deleted, and the serving role has no right to: so the owner runs it, and it
-- deletes only from the organization of the transaction. Rows that others refer to wait for a later call; the organization itself goes
-- last.
create function prune_former_organization(former bigint, at timestamptz, row_limit integer) returns integer
  language plpgsql set search_path from current as $$
declare
  tenant_table text;
  is_filled boolean;
  is_last boolean := false;
  found_rows integer;
  deleted integer := 0;
begin
  if former is distinct from current_organization_id() then
    return 0;
  end if;
  if not exists (select from organizations where id = former and ends_at <= at) and (
    not exists (select from sandboxes where organization_id = former and ended_at < at - interval '7 days')
    or exists (
      select from client_key_digests d
      join client_keys k on k.organization_id = d.organization_id and k.id = d.client_key_id
      where d.organization_id = former and k.revoked_at is null))
  then
    return 0;
  end if;
  -- The retention of documents deletes their files, and then their rows.
  if exists (select from customer_documents where organization_id = former) then
    update organizations set document_retention_days = 1 where id = former and document_retention_days > 1;
    return 0;
  end if;
  -- A second pass at the end: what staff_members waits for is the sandbox itself.
  for attempt in 1..2 loop
    for tenant_table in
      select c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'sandboxes'
      order by c.relname
    loop
      exit when deleted >= row_limit;
      -- Some triggers count a statement that deletes nothing as a change, in a row of their own.
      execute format('select exists (select from %I where organization_id = $1)', tenant_table)
        into is_filled using former;
      continue when not is_filled;
      begin
        execute format('delete from %I where organization_id = $1 and ctid = any(array(
          select ctid from %I where organization_id = $1 limit $2))', tenant_table, tenant_table)
          using former, row_limit - deleted;
        get diagnostics found_rows = row_count;
        deleted := deleted + found_rows;
      exception when foreign_key_violation then
        null;
      end;
    end loop;
    exit when deleted > 0 and attempt = 1;
    if attempt = 1 then
      delete from sandboxes where organization_id = former;
      is_last := true;
    end if;
  end loop;
  if is_last and deleted < row_limit then
    delete from organizations where id = former;
    deleted := deleted + 1;
  end if;
  return deleted;
end $$;

-- ---------------------------------------------------------------------------------------------------------
-- Verification

-- What `dispensary verify` asks of tables that it does not know by name. All of them only read. Each runs on the snapshot of the statement
-- that calls it, beside a service that writes.

-- The rows of a table as its pages have them.
create function count_by_table(relation regclass) returns bigint
  language plpgsql stable
  set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off
as $$
declare
  counted bigint;
begin
  execute format('select count(*) from only %s', relation) into counted;
  return counted;
end $$;

-- The same rows as the index of the primary key finds them; null for a table without one. An entry of the index that points to a
-- page that is gone is an error.
create function count_by_index(relation regclass) returns bigint
  language plpgsql stable
  set enable_seqscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
  counted bigint;
  key text;
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place) into key
    from pg_index i
   cross join lateral unnest(i.indkey::smallint[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
   where i.indrelid = relation and i.indisprimary;
  if key is null then return null; end if;
  execute format('select count(*) from (select from only %s order by %s offset 0) r', relation, key) into counted;
  return counted;
end $$;

-- Rows that refer to a row that does not exist, by the key that they refer with; at most 100.
create function broken_references(reference oid) returns setof text
  language plpgsql stable
as $$
declare
  kept pg_constraint;
  own text;
  other text;
  filled text;
begin
  select * into strict kept from pg_constraint where oid = reference and contype = 'f';
  select string_agg(format('t.%I', a.attname), ', ' order by k.place),
         string_agg(format('r.%I', b.attname), ', ' order by k.place),
         string_agg(format('t.%I is not null', a.attname), ' and ')
    into own, other, filled
    from unnest(kept.conkey, kept.confkey) with ordinality k(number, referred, place)
    join pg_attribute a on a.attrelid = kept.conrelid and a.attnum = k.number
    join pg_attribute b on b.attrelid = kept.confrelid and b.attnum = k.referred;
  return query execute format(
    'select concat_ws('' '', %s) from %s t where %s and not exists (select from %s r where (%s) = (%s)) limit 100',
    own, kept.conrelid::regclass, filled, kept.confrelid::regclass, other, own);
end $$;

-- Rows that break a condition of their table, by their primary key; at most 100.
create function broken_conditions(condition oid) returns setof text
  language plpgsql stable
as $$
declare
  kept pg_constraint;
  key text;
begin
  select * into strict kept from pg_constraint where oid = condition and contype = 'c';
  select coalesce(string_agg(format('t.%I', a.attname), ', ' order by k.place), 't.ctid') into key
    from pg_index i
   cross join lateral unnest(i.indkey::smallint[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
   where i.indrelid = kept.conrelid and i.indisprimary;
  return query execute format('select concat_ws('' '', %s) from only %s t where not (%s) limit 100',
    key, kept.conrelid::regclass, pg_get_expr(kept.conbin, kept.conrelid));
end $$;

-- ---------------------------------------------------------------------------------------------------------
-- The wall, and the rights of the role that serves

-- The wall: a tenant's rows are seen and written only in a transaction that has entered the organization. Row-level security is forced,
-- so it holds for the owner of the tables, too. The sub-select makes PostgreSQL ask once for each statement, not for each row.
do $$
declare
  tenant_table text;
begin
  for tenant_table in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      -- These find the organization of a digest before one has been entered: digests and ids only.
      and c.relname not in ('client_key_digests', 'staff_devices', 'staff_email_digests', 'staff_half_sign_ins',
        'staff_identity_sign_ins', 'staff_invitations', 'staff_passkey_challenges', 'staff_session_digests',
        'webhook_organizations')
    order by c.relname
  loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
alter table organizations enable row level security, force row level security;
create policy tenant on organizations using (id = (select current_organization_id()));

-- A search shows only the rows that have all tokens of what is sought; see search_tokens.
create policy sought on product_searches as restrictive for select using (tokens @> (select sought_tokens()));
create policy sought on package_searches as restrictive for select using (tokens @> (select sought_tokens()));

-- The owner migrates, and may list organizations, and change one without entering it, which counts as a change of its terms. It also
-- reads some tables as a whole: one statement says which of ten thousand organizations have background work, or how much is too old,
-- and only those are entered. The serving role still reads one organization only.
do $$
declare
  read_table text;
begin
  execute format('create policy operator on organizations to %I using (true) with check (true)', current_user);
  execute format('create policy operator on terms_versions to %I using (true) with check (true)', current_user);
  foreach read_table in array array['api_request_batches', 'audit_chains', 'audit_entries_to_link', 'book_changes', 'book_states',
    'book_sums', 'change_feeds', 'client_keys', 'customer_codes', 'customer_documents', 'customer_licenses', 'customer_sessions', 'customers',
    'explanation_marks', 'idempotency_keys', 'mails', 'menu_import_files', 'menu_import_products', 'menu_imports',
    'move_files', 'order_explanations', 'orders', 'outbox_events', 'package_changes', 'parked_carts', 'payment_intents', 'payment_refunds',
    'product_options', 'product_photos',
    'product_stock_changes', 'products', 'queue_entries', 'record_changes', 'record_sum_states', 'sandboxes', 'shop_profiles',
    'staff_sessions', 'state_connections', 'state_lanes', 'state_reports', 'webhook_deliveries', 'webhook_endpoints']
  loop
    execute format('create policy operator on %I for select to %I using (true)', read_table, current_user);
  end loop;
end
$$;

-- The role that serves requests. It owns nothing and cannot bypass the wall.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dispensary_app') then
    create role dispensary_app nologin nobypassrls;
  end if;
  -- Lets a deployment without a login of its own for serving step down to the serving role.
  if not pg_has_role(current_user, 'dispensary_app', 'member') then
    execute format('grant dispensary_app to %I', current_user);
  end if;
end
$$;
grant usage on schema public to dispensary_app;
grant select, insert, update, delete on all tables in schema public to dispensary_app;
grant usage on all sequences in schema public to dispensary_app;
alter default privileges in schema public grant select, insert, update, delete on tables to dispensary_app;
alter default privileges in schema public grant usage on sequences to dispensary_app;

-- The schema's own record is not the server's to change, nor is the law. Only the owner's connection uses stray_files.
revoke all on schema_migrations, stray_files from dispensary_app;
revoke insert, update, delete on law_editions, law_releases from dispensary_app;
-- History is only added to.
revoke update, delete on stock_ledger_entries, stock_operations, stock_operation_keys, audit_entries, audit_links,
  outbox_events, loyalty_events, order_return_lines, order_return_taxes, purchase_order_receptions, purchase_order_payments,
  purchase_order_keys, drawer_movements, drawer_counts, state_report_steps, state_answers, payment_ledger_entries,
  gift_card_entries from dispensary_app;
revoke delete on order_returns, registers, drawer_sessions, sandboxes, audit_chains, state_connections, state_reports,
  payment_connections, payment_intents, payment_refunds, payment_tasks, gift_cards, trips, trip_unsent_acts
  from dispensary_app;
-- These records are not changed; they are deleted when their time has come, or when their sums have them.
revoke update on api_request_batches, api_request_kinds, api_request_marks, audit_entries_to_link, record_changes, book_changes,
  customer_consents from dispensary_app;
-- The serving role publishes events, and removes what is older than 30 days (D76). It changes nothing that was announced.
grant update (position), delete on outbox_events to dispensary_app;
-- Points that were given stay as they were given; whose they are changes when two customers turn out to be one. A consent moves with a
-- merged customer, too, and goes with an erased one.
grant update (user_id) on loyalty_events to dispensary_app;
grant update (user_id, merged_from_id) on customer_consents to dispensary_app;
-- Erasure reaches the words that people typed about a customer; what else these histories say never changes.
grant update (reason) on loyalty_events, order_return_lines to dispensary_app;

-- Functions over all organizations are for the owner's connection.
revoke execute on function
  feed_positions(bigint[]), files_without_rows(text, text[]), note_stray_files(text, text[], timestamptz, timestamptz),
  organizations_to_anchor(timestamptz), organizations_to_link(), organizations_with_ending_keys(timestamptz, integer),
  organizations_with_news(bigint[], bigint[]), organizations_with_payments(timestamptz), organizations_with_unsummed(text[]),
  organizations_with_webhooks(timestamptz),
  organizations_with_work(text, timestamptz), prune_former_organization(bigint, timestamptz, integer),
  retention_backlog(text, timestamptz, timestamptz, integer)
  from public;

-- Tables whose rows come and go, or change again and again: vacuum at a fiftieth of them instead of a fifth, so that the room of what was
-- deleted is used again.
do $$
declare
  busy_table text;
begin
  foreach busy_table in array array['outbox_events', 'webhook_deliveries', 'api_request_batches', 'api_request_marks',
    'idempotency_keys', 'order_explanations', 'stock_balances', 'record_changes', 'book_changes', 'book_sums', 'book_taxes', 'mails',
    'customer_codes', 'rate_limits']
  loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05)', busy_table);
  end loop;
end
$$;

-- Compressing the steps of an order takes a third of the time with this method. A PostgreSQL that was built without it keeps its own.
do $$
begin
  alter table order_explanations alter column steps set compression lz4;
exception when feature_not_supported then
  null;
end
$$;
