-- What a mail says is sealed under the master keys of documents: links and codes in it are good until they are used.
-- expand: the former release writes neither
alter table mails
  add column sealed bytea check (octet_length(sealed) <= 200000),
  add column sealed_master_key_id text,
  add constraint mails_sealed_by_a_key check ((sealed is null) = (sealed_master_key_id is null)) not valid;

-- The key is not here. Mail that lies in a mailbox loses its text; mail that waits for a mail server keeps it until the process
-- that sends it has sealed it.
alter table mails no force row level security;
-- locks: at most two hundred mails of an organization, none of which is written again
update mails set body_text = null, body_html = null where not waits and body_text is not null;
alter table mails force row level security;
