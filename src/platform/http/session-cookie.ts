/** The plain name of the cookie that carries a staff session. */
export const sessionCookie = 'dispensary_session';

/**
 * The full name of a cookie. Over TLS its prefix makes browsers restrict it to this host, TLS and all paths: neither
 * another host of the domain nor a page without TLS can set it. With TLS the plain name is not read; otherwise such a
 * page could sign a browser in to an attacker's session.
 */
export function cookieName(plainName: string, publicUrl: string | undefined): string {
  return isByTls(publicUrl) ? `__Host-${plainName}` : plainName;
}

/** Whether callers reach this address over TLS. */
export function isByTls(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/**
 * The `Set-Cookie` of a session; an empty token deletes the cookie. It ends with the browser, because tills are shared;
 * the server ends it independently.
 */
export function setSessionCookie(publicUrl: string | undefined, token: string): string {
  return `${setCookie(sessionCookie, publicUrl, token)}; SameSite=Lax${token === '' ? '; Max-Age=0' : ''}`;
}

/** The `Set-Cookie` of a cookie, without `SameSite`. Over plain HTTP browsers do not return a Secure cookie. */
export function setCookie(plainName: string, publicUrl: string | undefined, value: string): string {
  const secure = isByTls(publicUrl) ? '; Secure' : '';
  return `${cookieName(plainName, publicUrl)}=${value}; Path=/; HttpOnly${secure}`;
}
