import { lazily } from '../../kernel/lazily.ts';

/** A mail as it goes to the mail server. */
interface OutgoingMail {
  /** Unique in the deployment; the same when it is sent again. */
  readonly id: string;
  /** The name in From. */
  readonly sender: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail server refuses a mail for good; the message has no personal data. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

export interface MailTransport {
  /** Resolves when the mail server has taken it. Fails with MailRefused if it never will. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const silenceMsMax = 20_000;

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * Whether the mail server refuses this recipient or this text for good. What it says of us before that, of the password, the sender's address
 * or at the connection, the operator can mend: then the mail is still to be sent.
 */
function isAboutMail({ code = '', command, responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code) && command !== 'MAIL FROM';
}

/**
 * Sends by SMTP. `url`: `smtp://user:password@host:587` (TLS as soon as the server offers it), `smtps://` (TLS from the
 * start); `from`: the address of the sender. Contents come from this service only: no file and no address is read for them.
 */
export function smtpTransport({ url, from }: { readonly url: string; readonly from: string }): MailTransport {
  // Loaded with the first mail: most processes send none.
  const transporter = lazily(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: silenceMsMax,
      greetingTimeout: silenceMsMax,
      socketTimeout: silenceMsMax,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
  let isOpen = false;
  return {
    send: async ({ id, sender: name, to, subject, text, html }, signal) => {
      signal.throwIfAborted();
      isOpen = true;
      const sender = await transporter();
      const messageId = `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`;
      try {
        // As objects: texts would be read as lists of addresses.
        const names = { from: { name, address: from }, to: { name: '', address: to } };
        await sender.sendMail({ ...names, subject, text, html, messageId });
      } catch (error) {
        if (!isAboutMail(error as SmtpError)) throw error;
        throw new MailRefused(`The mail server refused it (${(error as SmtpError).responseCode}).`);
      }
    },
    close: async () => {
      if (isOpen) (await transporter()).close();
    },
  };
}
