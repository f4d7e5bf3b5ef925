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
  body_text text check (length(body_text) <= 20000),
  body_html text check (length(body_html) <= 40000),
  created_at timestamptz not null,
  -- Not sent after this: a code that has expired helps no reader.
  expires_at timestamptz,
  sent_at timestamptz,
  -- Why the mail server refused it for good; null: it did not.
  failure text check (length(failure) <= 300),
  primary key (organization_id, id)
);
alter table mails enable row level security;
alter table mails force row level security;
create policy tenant on mails using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
