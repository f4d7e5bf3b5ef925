import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { enqueueJobs } from '../jobs/enqueue-jobs.ts';
import type { MailContent } from './mail-content.ts';
import { dropOldMails, insertMail } from './mail-queries.ts';
import { sealMail } from './sealed-mail.ts';
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

/** Queues a mail, sealed, into the transaction of the write that asks for it; it is sent after the commit. */
export async function queueMail(
  tx: Pick<TenantTransaction, 'queue' | 'organizationId'>,
  context: Pick<Context, 'ids' | 'sealing'>,
  nowMs: number,
  { kind, to, expiresAtMs, cause, ...content }: Mail,
): Promise<void> {
  const id = await context.ids.takeOne();
  const { sealed, masterKeyId } = sealMail(await context.sealing.load(), tx.organizationId, id, content);
  tx.queue(
    dropOldMails({ kept: mailsKept - 1, waitingKept, before: isoTimestamp(nowMs - mailAgeMsMax) }),
    insertMail({
      id,
      kind,
      cause: cause ?? null,
      sender: content.from,
      recipient: to,
      subject: content.subject,
      sealed,
      masterKeyId,
      createdAt: isoTimestamp(nowMs),
      expiresAt: expiresAtMs === null ? null : isoTimestamp(expiresAtMs),
    }),
    ...enqueueJobs(mailTask, [{ key: id, payload: { mailId: id } }]),
  );
}
