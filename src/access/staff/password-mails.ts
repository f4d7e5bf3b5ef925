import type { MailContent } from '../../platform/mail/mail.ts';

/* The mails with links that set a password (D70). */

type LinkMail = MailContent & { readonly kind: string };

/** To a person whom an owner invites. */
export function invitationMail(organization: string, url: string): LinkMail {
  return {
    kind: 'invitation',
    from: organization,
    subject: `You are invited to the staff console of ${organization}`,
    paragraphs: [
      `${organization} invites you to its staff console. Set a password to begin.`,
      'The link works once, within 7 days. Then sign in with this email address and your password.',
    ],
    link: { label: 'Set your password', url },
    footnote: 'If you do not know the shop, do nothing.',
  };
}

/** To a member of staff who asked for it. */
export function passwordResetMail(organization: string, url: string): LinkMail {
  return {
    kind: 'password-reset',
    from: organization,
    subject: `A new password for the staff console of ${organization}`,
    paragraphs: [
      `You asked for a new password for the staff console of ${organization}.`,
      'The link works once, within an hour. It ends all your sessions.',
    ],
    link: { label: 'Set a new password', url },
    footnote: 'If you did not ask for it, do nothing: your password stays as it is.',
  };
}
