/** What a page says of itself beyond the headers that all pages have. */
interface PageRules {
  /** The directives of its content security policy. `base-uri` and `frame-ancestors` are added: none. */
  readonly policy: readonly string[];
  readonly cacheControl: string;
  /** `same-origin` where scripts of the page call the service; otherwise `no-referrer`. */
  readonly referrerPolicy: 'same-origin' | 'no-referrer';
}

/**
 * The headers of an HTML page: browsers run only what its policy allows, never show it in a frame of another page, and keep it
 * apart from windows of other origins (OWASP ASVS 5, section 3.4). Every page is sent with them.
 */
export function pageHeaders({ policy, cacheControl, referrerPolicy }: PageRules) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': cacheControl,
    'content-security-policy': [...policy, "base-uri 'none'", "frame-ancestors 'none'"].join('; '),
    'referrer-policy': referrerPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  };
}
