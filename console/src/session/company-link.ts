/** The page that an identity provider leads back to. */
export const companySignInPath = '/console/company-sign-in';

const place = 'console-company';

/** The link by which staff sign in with their company's account: it names the organization. */
export function companyLink(organizationId: number): string {
  return `${window.location.origin}/console/?organization=${organizationId}`;
}

/** The organization that this browser signs in to: of the link, or of the last such sign-in. */
export function knownCompany(): number | null {
  const text = new URLSearchParams(window.location.search).get('organization') ?? localStorage.getItem(place);
  return text !== null && /^[1-9]\d{0,12}$/.test(text) ? Number(text) : null;
}

/** For the next time. */
export function rememberCompany(organizationId: number): void {
  localStorage.setItem(place, String(organizationId));
}
