import type { OrganizationId } from '../../kernel/ids.ts';
import type { SealedText, Sealer } from '../database/sealing.ts';
import { type MailContent, mailHtml, mailText } from './mail-content.ts';

/*
 * What a mail says lies sealed in the database: its link sets a password, its code signs a customer in. It is opened for the mail
 * server, and for readers of the mailbox without what is for the recipient only.
 */

interface SealedRow {
  readonly id: number;
  readonly sealed: Uint8Array | null;
  readonly sealed_master_key_id: string | null;
}

/** A mail is valid for its organization and id only. */
const labelOf = (organization: OrganizationId, id: number): string => `mail ${organization}/${id}`;

/** What a mail says, for its row. */
export function sealMail(
  sealer: Sealer,
  organization: OrganizationId,
  id: number,
  said: MailContent,
): SealedText {
  return sealer.seal(JSON.stringify(said), labelOf(organization, id));
}

/** The same mail under the present key; null: it cannot be opened. */
export function resealMail(
  sealer: Sealer,
  organization: OrganizationId,
  { id, sealed, sealed_master_key_id: masterKeyId }: SealedRow,
): SealedText | null {
  const label = labelOf(organization, id);
  const text = sealer.open({ sealed: sealed!, masterKeyId: masterKeyId! }, label);
  return text === null ? null : sealer.seal(text, label);
}

/** Both forms for the mail server; null: its key is gone. */
export function openMail(
  sealer: Sealer,
  organization: OrganizationId,
  row: SealedRow,
): { readonly text: string; readonly html: string } | null {
  const said = saidOf(sealer, organization, row);
  return said === null ? null : { text: mailText(said), html: mailHtml(said) };
}

/** What a reader may see beyond the words. */
interface MailSight {
  readonly links: boolean;
  readonly codes: boolean;
}

/** The text for a reader; null: there is none any more, or it may not be shown. */
export function shownMailText(
  sealer: Sealer,
  organization: OrganizationId,
  row: SealedRow,
  { links, codes }: MailSight,
): string | null {
  const said = saidOf(sealer, organization, row);
  if (said === null) return null;
  const { code, link, ...rest } = said;
  return mailText({
    ...rest,
    ...(code !== undefined && { code: codes ? code : '(The code is for the recipient only.)' }),
    ...(link && { link: links ? link : { ...link, url: '(The link is for the recipient only.)' } }),
  });
}

function saidOf(
  sealer: Sealer,
  organization: OrganizationId,
  { id, sealed, sealed_master_key_id: masterKeyId }: SealedRow,
): MailContent | null {
  if (sealed === null || masterKeyId === null) return null;
  const text = sealer.open({ sealed, masterKeyId }, labelOf(organization, id));
  return text === null ? null : (JSON.parse(text) as MailContent);
}
