import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a webhook of the bank is signed for us: hex HMAC-SHA256 over the JSON of its fields in the order received, with the
 * registered address as the last field, in the default layout of Python (a blank after comma and colon). Whether all beyond ASCII is
 * escaped there is not documented: either way is taken. Pure.
 */
export function isSignedByBank(rawBody: string, signature: string, key: string, url: string): boolean {
  let text: string;
  try {
    const body: unknown = JSON.parse(rawBody);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
    text = layout({ ...body, url });
  } catch {
    // No JSON, or nested too deeply: anyone may send it.
    return false;
  }
  const given = Buffer.from(signature, 'hex');
  return [ascii(text), text].some((signed) => {
    const expected = createHmac('sha256', key).update(signed).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Numbers keep the digits of `JSON.stringify`: the bank sends whole cents. */
function layout(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(layout).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${layout(member)}`);
  return `{${members.join(', ')}}`;
}

function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
