import { createHash } from 'node:crypto';
import Type from 'typebox';

export const StaffEmail = Type.String({
  maxLength: 254,
  pattern: String.raw`^[^\s@\u0000\uD800-\uDFFF]+@[^\s@\u0000\uD800-\uDFFF]+$`,
  'x-expected': 'an email address of at most 254 characters',
});

/** Staff emails are compared without case and surrounding spaces. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The digest by which accounts are looked up. */
export function emailDigest(normalized: string): Buffer {
  return createHash('sha256').update(normalized).digest();
}
