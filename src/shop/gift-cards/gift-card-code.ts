import { createHash } from 'node:crypto';
import { failure } from '../../kernel/failure.ts';

/** Too many to be guessed: the digest of a code needs no key. */
const codeDigits = 20;
const codeLengthMin = 16;

/** A new code: digits, which every scanner and pad can type. */
export function newCode(randomBytes: (count: number) => Uint8Array): string {
  let code = '';
  while (code.length < codeDigits) {
    // Bytes above the largest multiple of ten would favor some digits.
    for (const byte of randomBytes(codeDigits)) if (byte < 250 && code.length < codeDigits) code += byte % 10;
  }
  return code;
}

/** A code as it was scanned or typed, without spaces and hyphens. Fails with INVALID_PARAMS for one that could be guessed. */
export function readCode(text: string, field = 'code'): string {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^[0-9A-Z]+$/.test(code) && code.length >= codeLengthMin) return code;
  throw failure('INVALID_PARAMS', `${field} must have at least ${codeLengthMin} letters and digits`);
}

/** What is stored instead of a code. It names no organization: cards are good after a move to another deployment, where its id is another one. */
export function codeDigest(code: string): string {
  return createHash('sha256').update(`gift card:${code}`).digest('hex');
}
