/** The cookie of a staff session over plain HTTP. */
const plainName = 'dispensary_session';

/**
 * The name of the cookie that carries a staff session. Where callers come by TLS, its prefix has browsers keep it to this
 * very host, on TLS, for all paths: neither another host of the domain nor a page without TLS can set it. Under TLS the
 * plain name is not read, or such a page could sign a browser in to a session of its own.
 */
export function sessionCookieName(publicUrl: string | undefined): string {
  return isByTls(publicUrl) ? `__Host-${plainName}` : plainName;
}

/** Whether callers reach this address by TLS. */
export function isByTls(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/**
 * The `Set-Cookie` of a session; an empty token takes the cookie away. It ends with the browser, as tills are shared; and
 * on the server, whatever a browser does. Over plain HTTP a browser would not send a cookie back that is marked Secure.
 */
export function setSessionCookie(publicUrl: string | undefined, token: string): string {
  const secure = isByTls(publicUrl) ? '; Secure' : '';
  const ended = token === '' ? '; Max-Age=0' : '';
  return `${sessionCookieName(publicUrl)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}${ended}`;
}
