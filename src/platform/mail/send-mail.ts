import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import { type Task, TryLater } from '../jobs/job-runner.ts';
import { endMail, layMailDown, selectWaitingMail } from './mail-queries.ts';
import { openMail } from './sealed-mail.ts';
import { MailRefused, type MailTransport } from './smtp-transport.ts';

export const mailTask = 'send_mail';

interface MailJob {
  readonly mailId: number;
}

/**
 * Sends a mail, at least once: a process that dies between the mail server's answer and the commit sends it again, with the
 * same Message-ID. Without a transport it stays in the mailbox. What the mail server refuses for good is not sent again.
 */
export function mailSending(context: Context, transport: MailTransport | null): Task<MailJob> {
  return {
    name: mailTask,
    run: async ({ organization, payload: { mailId }, signal }) => {
      if (transport === null) {
        const lay = layMailDown({ id: mailId });
        await context.database.write(organization, async (tx) => tx.queue(lay), { countsAsChange: false });
        return;
      }
      const [[mail]] = await context.database.read(organization, selectWaitingMail({ id: mailId }));
      if (mail === undefined) return;
      const end = (sentAt: string | null, failure: string | null) =>
        context.database.write(organization, async (tx) => {
          tx.queue(endMail({ id: mailId, sentAt, failure }));
        });
      if (mail.expires_at !== null && mail.expires_at <= context.clock.now()) {
        await end(null, 'It expired before the mail server took it.');
        return;
      }
      const sealer = await context.sealing.load();
      const opened = openMail(sealer, organization, { id: mailId, ...mail });
      if (opened === null) {
        await end(null, 'It cannot be opened: the master key that it was sealed with is gone.');
        return;
      }
      try {
        await transport.send(
          {
            id: `${organization}.${mailId}`,
            sender: mail.sender,
            to: mail.recipient,
            subject: mail.subject,
            ...opened,
          },
          signal,
        );
      } catch (error) {
        if (!(error instanceof MailRefused)) throw new TryLater('The mail server did not take a mail.');
        await end(null, error.message);
        return;
      }
      await end(isoTimestamp(context.clock.now()), null);
    },
  };
}
