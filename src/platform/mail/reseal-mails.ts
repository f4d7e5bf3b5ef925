import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../database/context.ts';
import { selectMailsOfOtherKeys, setSealOfMail } from './mail-queries.ts';
import { resealMail } from './sealed-mail.ts';

const mailsPerTransaction = 100;

/** Seals mails with the present master key, so that a former one can be removed after a while. */
export async function resealMails(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
): Promise<void> {
  const sealer = await sealing.load();
  for (let after = 0; ; ) {
    const rows = await database.write(
      organization,
      async (tx) => {
        const { masterKeyId } = sealer;
        const [found] = await tx.run(
          selectMailsOfOtherKeys({ masterKeyId, after, limit: mailsPerTransaction }),
        );
        for (const row of found) {
          const renewed = resealMail(sealer, organization, row);
          // Its key is gone: it stays as it is, and its mailbox shows no text.
          if (renewed !== null) tx.queue(setSealOfMail({ id: row.id, ...renewed }));
        }
        return found;
      },
      { countsAsChange: false },
    );
    if (rows.length < mailsPerTransaction) return;
    after = rows.at(-1)!.id;
  }
}
