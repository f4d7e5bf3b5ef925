import type { Context } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { enqueueJobs } from '../jobs/enqueue-jobs.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type MailContent, mailHtml, mailText } from './mail-content.ts';
import { dropOldMails, insertMail } from './mail-queries.ts';
import { mailTask } from './send-mail.ts';

/** The mailbox of an organization keeps this many, for 30 days at most, and those that a mail server is still to get. */
export const mailsKept = 200;
/** So many orders a mail server that is away for days does not miss; a bound, so that mail cannot fill the disk. */
const waitingKept = 20_000;
export const mailAgeMsMax = 30 * 86_400_000;

export interface Mail extends MailContent {
  /** What it is for, such as `customer-code`. */
  readonly kind: string;
  readonly to: string;
  /** When it is of no use any more; null: never. */
  readonly expiresAtMs: number | null;
  /** What it is about, if there is to be one mail of it only, such as `order-ready:<order>`. */
  readonly cause?: string;
}

/** Queues a mail into the transaction of the write that asks for it; it is sent after the commit. */
export async function queueMail(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Pick<Context, 'ids'>,
  nowMs: number,
  mail: Mail,
): Promise<void> {
  const id = await context.ids.takeOne();
  tx.queue(
    dropOldMails({ kept: mailsKept - 1, waitingKept, before: isoTimestamp(nowMs - mailAgeMsMax) }),
    insertMail({
      id,
      kind: mail.kind,
      cause: mail.cause ?? null,
      sender: mail.from,
      recipient: mail.to,
      subject: mail.subject,
      bodyText: mailText(mail),
      bodyHtml: mailHtml(mail),
      createdAt: isoTimestamp(nowMs),
      expiresAt: mail.expiresAtMs === null ? null : isoTimestamp(mail.expiresAtMs),
    }),
    ...enqueueJobs(mailTask, [{ key: id, payload: { mailId: id } }]),
  );
}
