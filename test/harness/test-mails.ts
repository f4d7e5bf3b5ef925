import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { openMail } from '../../src/platform/mail/mail.ts';
import { tenantSql } from './tenant-sql.ts';

/** A mail, opened as the process that sends it does; its texts are empty once it was sent. */
interface TestMail {
  readonly id: number;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mails of an organization, oldest first; to one recipient, if one is given. */
export async function mailsOf(
  context: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
  recipient?: string,
): Promise<TestMail[]> {
  const sealer = await context.sealing.load();
  const rows = await tenantSql(
    context.database,
    organization,
    'select id, kind, recipient, subject, sealed, sealed_master_key_id from mails order by id',
  );
  return rows
    .filter((row) => recipient === undefined || row.recipient === recipient)
    .map(({ sealed, sealed_master_key_id: masterKeyId, ...row }) => {
      const id = Number(row.id);
      const said = openMail(sealer, organization, { id, sealed, sealed_master_key_id: masterKeyId });
      return { ...row, id, text: said?.text ?? '', html: said?.html ?? '' } as TestMail;
    });
}

/** The code of six digits in the last mail to a customer. */
export async function mailedCode(
  context: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
  recipient?: string,
): Promise<string> {
  const mail = (await mailsOf(context, organization, recipient)).at(-1);
  return /^\d{6}$/m.exec(mail?.text ?? '')![0];
}
