/** The page on which an invited person sets a password. */
export const invitationPath = '/console/invitation';
/** The page on which a member who forgot the password sets a new one. */
export const newPasswordPath = '/console/new-password';

/** The link for an invited person. The token follows `#`, so it does not reach server logs. */
export function invitationLink(inviteToken: string): string {
  return `${window.location.origin}${invitationPath}#${inviteToken}`;
}
