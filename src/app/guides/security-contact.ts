import type { RequestContext } from '../../platform/http/request-context.ts';
import { sendText } from './guides-pages.ts';

const dayMs = 86_400_000;
/** RFC 9116 recommends less than a year. */
const validDays = 180;

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a weakness. Nothing without a contact of the operator. */
export function securityContact(
  contact: string | undefined,
  nowMs: () => number,
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  if (contact === undefined) return {};
  const answer = async (requestContext: RequestContext) => {
    // Whole days, so that caches see few texts.
    const expires = new Date((Math.floor(nowMs() / dayMs) + validDays) * dayMs).toISOString();
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en, es'];
    sendText(requestContext, 'text/plain', `${lines.join('\n')}\n`);
  };
  return { '/.well-known/security.txt': answer };
}
