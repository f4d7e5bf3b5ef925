/** Whether a normalized contact is a phone number; otherwise it is an email. */
export function isPhone(contact: string): boolean {
  return !contact.includes('@');
}

/** No 0/O, 1/I/L, 2/Z, 5/S, 8/B: read aloud and typed without mistakes. */
const hashAlphabet = '34679ACDEFGHJKMNPQRTUVWXY';

/** D32: 8 characters; the database keeps them unique per organization, so a rare collision is generated again. */
export function drawHashId(randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < 8) {
    for (const byte of randomBytes(16)) {
      if (byte < 250 && text.length < 8) text += hashAlphabet[byte % hashAlphabet.length];
    }
  }
  return text;
}
