import { digestOf } from '../../kernel/api-keys.ts';

/*
 * Codes for people who have lost their second factor. 24 characters hold 120 random bits, so a plain digest is enough (OWASP
 * ASVS 5.0, 6.5.2 asks for 112).
 */

export const recoveryCodeCount = 10;

/** Crockford's Base32: without letters that look like digits, and without U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 24;
const groupLength = 4;

/** New codes, as they are shown: `AB12-…`, six groups of four. */
export function makeRecoveryCodes(randomBytes: (count: number) => Uint8Array): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    // 32 characters: five bits of each byte, without bias.
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte % 32]).join('');
    return text.match(new RegExp(`.{${groupLength}}`, 'g'))!.join('-');
  });
}

/** The digest of a code as people type it: without regard to case, spaces and dashes; null if it is none. */
export function recoveryCodeDigest(typed: string): Buffer | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (plain.length !== length || [...plain].some((character) => !alphabet.includes(character))) return null;
  return digestOf(`recovery code ${plain}`);
}
