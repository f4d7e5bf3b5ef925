import type { MailContent } from '../../platform/mail/mail.ts';

/* Notices about the second factor of a member of staff (D72): who did not do it learns of it. */

export type FactorNotice =
  | 'added'
  | 'removed'
  | 'reset'
  | 'recovery-codes'
  | 'passkey-added'
  | 'passkey-removed';

const words: Readonly<Record<FactorNotice, { readonly subject: string; readonly told: string }>> = {
  added: {
    subject: 'Your sign-in has a second factor now',
    told: 'A second factor was added to your account. From now on you sign in with your password and a code.',
  },
  removed: {
    subject: 'Your second factor was removed',
    told: 'The authenticator app of your account was removed. Without a passkey your password alone signs you in.',
  },
  reset: {
    subject: 'An owner removed your second factor',
    told: 'An owner removed the second factor of your account and ended your sessions. Sign in with your password, and set it up again.',
  },
  'recovery-codes': {
    subject: 'You have new recovery codes',
    told: 'New recovery codes were made for your account. The former ones no longer work.',
  },
  'passkey-added': {
    subject: 'A passkey signs you in now',
    told: 'A passkey was added to your account. It signs you in, and other sessions of yours were ended.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed',
    told: 'A passkey of your account was removed. It no longer signs you in.',
  },
};

/** The mail to the person. */
export function factorMail(
  organization: string,
  notice: FactorNotice,
): MailContent & { readonly kind: string } {
  const { subject, told } = words[notice];
  return {
    kind: 'second-factor',
    from: organization,
    subject: `${subject}: staff console of ${organization}`,
    paragraphs: [told],
    footnote: 'If you did not expect this, tell an owner at once, and change your password.',
  };
}
