import { statement } from '../statements/statement.ts';

/** All SQL on mail. */

/** Not inserted if there is a mail of the same cause already. */
export const insertMail = statement<
  {
    id: number;
    kind: string;
    cause: string | null;
    sender: string;
    recipient: string;
    subject: string;
    sealed: Uint8Array;
    masterKeyId: string;
    createdAt: string;
    expiresAt: string | null;
  },
  never
>(
  'insert_mail',
  `insert into mails (organization_id, id, kind, cause, sender, recipient, subject, sealed, sealed_master_key_id,
                      created_at, expires_at, waits)
   values (:organizationId, :id, :kind, :cause, :sender, :recipient, :subject, :sealed, :masterKeyId, :createdAt,
           :expiresAt, true)
   on conflict (organization_id, cause) where cause is not null do nothing`,
);

/**
 * Ids grow with time. Some go with each new one, so the mailbox stays small without a job. Mail that a mail server is still
 * to get goes only when there is very much of it, or when it is old.
 */
export const dropOldMails = statement<{ kept: number; waitingKept: number; before: string }, never>(
  'drop_old_mails',
  `delete from mails where organization_id = :organizationId and id in (
     (select id from mails where organization_id = :organizationId and not waits
       order by id desc offset :kept limit 20)
     union all
     (select id from mails where organization_id = :organizationId and waits
       order by id desc offset :waitingKept limit 20)
     union all
     (select id from mails where organization_id = :organizationId and created_at < :before order by id limit 20))`,
);

/** Some of the mails from before that time, oldest first: of a mailbox that gets no new ones. */
export const deleteOldMails = statement<{ before: string; limit: number }, { id: number }>(
  'delete_old_mails',
  `delete from mails where organization_id = :organizationId and id in (
     select id from mails where organization_id = :organizationId and created_at < :before
      order by created_at limit :limit for update skip locked)
   returning id`,
);

export interface MailRow {
  id: number;
  kind: string;
  recipient: string;
  subject: string;
  /** Null: it was sent. */
  sealed: Uint8Array | null;
  sealed_master_key_id: string | null;
  created_at: number;
  sent_at: number | null;
  failure: string | null;
}

export const selectMails = statement<{ limit: number }, MailRow>(
  'select_mails',
  `select id, kind, recipient, subject, sealed, sealed_master_key_id, created_at, sent_at, failure
     from mails where organization_id = :organizationId order by id desc limit :limit`,
);

interface WaitingMailRow {
  sender: string;
  recipient: string;
  subject: string;
  sealed: Uint8Array;
  sealed_master_key_id: string;
  expires_at: number | null;
}

/** No row: it is sent, was refused, or is gone. */
export const selectWaitingMail = statement<{ id: number }, WaitingMailRow>(
  'select_waiting_mail',
  `select sender, recipient, subject, sealed, sealed_master_key_id, expires_at from mails
    where organization_id = :organizationId and id = :id and sent_at is null and failure is null and sealed is not null`,
);

/** Gives a mail the seal of the present key. */
export const setSealOfMail = statement<{ id: number; sealed: Uint8Array; masterKeyId: string }, never>(
  'set_seal_of_mail',
  `update mails set sealed = :sealed, sealed_master_key_id = :masterKeyId
    where organization_id = :organizationId and id = :id`,
);

/** Mails that are sealed with another key; locked. */
export const selectMailsOfOtherKeys = statement<
  { masterKeyId: string; after: number; limit: number },
  { id: number; sealed: Uint8Array; sealed_master_key_id: string }
>(
  'select_mails_of_other_keys',
  `select id, sealed, sealed_master_key_id from mails
    where organization_id = :organizationId and id > :after and sealed_master_key_id <> :masterKeyId
    order by id limit :limit for update`,
);

/** The text goes: it may contain a code, and the recipient has it. */
export const endMail = statement<{ id: number; sentAt: string | null; failure: string | null }, never>(
  'end_mail',
  `update mails set sent_at = :sentAt, failure = :failure, sealed = null, sealed_master_key_id = null, waits = false
    where organization_id = :organizationId and id = :id`,
);

/** There is no mail server: the mail stays, and makes room for newer ones. */
export const layMailDown = statement<{ id: number }, never>(
  'lay_mail_down',
  'update mails set waits = false where organization_id = :organizationId and id = :id and waits',
);

/** Mail to an address, also a former one if the mail is about one of these: its cause names it. */
const toPersonOrAbout = `organization_id = :organizationId
      and (lower(recipient) = lower(:recipient::text) or split_part(cause, ':', 2) = any(:about::text[]))`;

/** All mail to an address that its owner wants to be forgotten, sent or waiting, and all mail about these. */
export const eraseMailsOf = statement<{ recipient: string | null; about: readonly string[] }, never>(
  'erase_mails',
  `delete from mails where ${toPersonOrAbout}`,
);

interface ExportedMailRow {
  id: number;
  kind: string;
  recipient: string;
  subject: string;
  sealed: Uint8Array | null;
  sealed_master_key_id: string | null;
  created_at: number;
  sent_at: number | null;
}

/** The same mail, oldest first. */
export const selectMailsForExport = statement<
  { recipient: string | null; about: readonly string[] },
  ExportedMailRow
>(
  'select_mails_for_export',
  `select id, kind, recipient, subject, sealed, sealed_master_key_id, created_at, sent_at from mails
    where ${toPersonOrAbout} order by id limit 100000`,
);

/** Mail that waits for the mail server, and mail since `since` that it refused. */
export const countMail = statement<{ since: string }, { waiting: number; refused: number }>(
  'count_mail',
  `select count(*) filter (where waits)::int as waiting,
          count(*) filter (where failure is not null and created_at >= :since::timestamptz)::int as refused
     from mails where organization_id = :organizationId`,
);

/** Mail since a moment that the mail server refused. */
export const selectRefusedMail = statement<{ since: string }, { count: number; oldest_at: number | null }>(
  'select_refused_mail',
  `select count(*)::integer as count, min(created_at) as oldest_at from mails
    where organization_id = :organizationId and failure is not null and created_at >= :since::timestamptz`,
);
