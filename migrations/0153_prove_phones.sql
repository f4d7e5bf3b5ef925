-- Customers prove a phone number as they prove an email (D62): the code goes to an endpoint of the shop, which sends it as a
-- message to the phone (D70).

-- A contact is an email (normalized) or a phone number (E.164, so it has no @).
alter table customer_codes rename column email_normalized to contact;
alter table customer_sessions rename column email_normalized to contact;
alter index customer_sessions_by_email rename to customer_sessions_by_contact;
-- The delivery with the last code of a phone: the code in it goes when it is used or replaced.
alter table customer_codes add column delivery_id bigint;

-- The phone is there because an unknown visitor, or the owner of the email, said so. It is no way in: the owner of the phone
-- may be another person.
alter table customers add column phone_is_claimed boolean not null default false;

-- A delivery with a code: its body is encrypted under the master key of that id, and is gone when the code is of no use.
alter table webhook_deliveries
  add column sealed_body bytea,
  add column sealed_body_master_key_id text,
  add column body_ends_at timestamptz,
  add check ((sealed_body is null) = (sealed_body_master_key_id is null));

-- A phone gets each code once, so the codes of an organization go to one endpoint.
create unique index webhook_endpoints_of_codes on webhook_endpoints (organization_id)
  where deleted_at is null and 'customer.code_requested' = any (types);
