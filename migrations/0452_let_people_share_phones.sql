-- contract: the former release reads one customer of a phone, and fails for two.
alter table customers drop constraint if exists customers_organization_id_phone_normalized_key;
