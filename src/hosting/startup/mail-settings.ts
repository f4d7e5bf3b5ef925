import { parsedUrl } from './shown-setting.ts';

interface MailReader {
  text(name: string, otherwise: string): string;
  smtpUrl(name: string): string | undefined;
  isSet(name: string): boolean;
  refuse(name: string, expected: string): void;
}

/** The mail server, and the address that mail comes from. */
export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

/** `SMTP_URL`, and `MAIL_FROM` or an address at the host of `PUBLIC_URL` or of the mail server. */
export function readMail(read: MailReader): MailSettings | undefined {
  const url = read.smtpUrl('SMTP_URL');
  if (url === undefined) {
    if (read.isSet('MAIL_FROM')) read.refuse('MAIL_FROM', 'SMTP_URL to be set too');
    return undefined;
  }
  const host = (parsedUrl(read.text('PUBLIC_URL', url)) ?? parsedUrl(url))?.hostname ?? 'localhost';
  const from = read.text('MAIL_FROM', `no-reply@${host}`);
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(from))
    read.refuse('MAIL_FROM', 'an address such as no-reply@shop.example.com');
  return Object.freeze({ url, from });
}
