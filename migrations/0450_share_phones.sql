-- A phone may belong to several people of a shop (D85), and placeholders are no contacts (D84).

-- A person as an order without an email names one: phone, name and birthday. Only set while the profile stays as it was
-- made: two orders that arrive together make one profile.
alter table customers add column phone_person_key text;

-- What the shop types for customers who give no contact.
alter table organizations add column placeholder_contacts text[] not null default '{}';
