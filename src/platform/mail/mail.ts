/**
 * Front door of mail (D70). Owns `mails`. A write queues mail among its rows, so a mail exists if and only if its write
 * happened; a job sends it at least once. What it says is sealed. Without SMTP_URL it stays in the mailbox that owners see. Knows no business word:
 * who writes to whom, and what, is up to the callers.
 */

export type { MailContent, MailRow } from './mail-content.ts';
export {
  countMail,
  deleteOldMails,
  eraseMailsOf,
  selectMailsForExport,
  selectRefusedMail,
} from './mail-queries.ts';
export { type Mail, mailAgeMsMax, queueMail } from './queue-mail.ts';
export { resealMails } from './reseal-mails.ts';
export { openMail, shownMailText } from './sealed-mail.ts';
export { mailSending, mailTask } from './send-mail.ts';
export { type MailTransport, smtpTransport } from './smtp-transport.ts';
