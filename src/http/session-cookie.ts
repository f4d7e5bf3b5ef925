/** The plain name of the cookie that carries a staff session. */
export const sessionCookie = 'dispensary_session';

/**
 * The name of a cookie as browsers keep it. Where callers come by TLS, its prefix has browsers keep it to this very host, on
 * TLS, for all paths: neither another host of the domain nor a page without TLS can set it. Under TLS the plain name is not
 * read, or such a page could sign a browser in to a session of its own.
 */
export function cookieName(plainName: string, publicUrl: string | undefined): string {
  return isByTls(publicUrl) ? `__Host-${plainName}` : plainName;
}

/** Whether callers reach this address by TLS. */
export function isByTls(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/**
 * The `Set-Cookie` of a session; an empty token takes the cookie away. It ends with the browser, as tills are shared; and
 * on the server, whatever a browser does.
 */
export function setSessionCookie(publicUrl: string | undefined, token: string): string {
  return `${setCookie(sessionCookie, publicUrl, token)}; SameSite=Lax${token === '' ? '; Max-Age=0' : ''}`;
}

/** The `Set-Cookie` of any cookie of ours, without its `SameSite`. Over plain HTTP browsers send no cookie back that is Secure. */
export function setCookie(plainName: string, publicUrl: string | undefined, value: string): string {
  const secure = isByTls(publicUrl) ? '; Secure' : '';
  return `${cookieName(plainName, publicUrl)}=${value}; Path=/; HttpOnly${secure}`;
}
