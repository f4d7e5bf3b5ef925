/** Where somebody who is invited sets a password. */
export const invitationPath = '/console/invitation';

/** The link to hand to somebody who is invited. The token is behind `#`: it reaches no log. */
export function invitationLink(inviteToken: string): string {
  return `${window.location.origin}${invitationPath}#${inviteToken}`;
}
