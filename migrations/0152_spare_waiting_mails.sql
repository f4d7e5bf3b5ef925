-- A full mailbox drops the oldest mail, but not mail that a mail server is still to get (D70): a receipt of a busy day must
-- not be lost because the mail server is away.
alter table mails add column waits boolean not null default false;
