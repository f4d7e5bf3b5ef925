import { createHash } from 'node:crypto';

/** Emails of staff are compared without case and outer space. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** What the look-up of accounts keeps instead of an email. */
export function emailDigest(normalized: string): Buffer {
  return createHash('sha256').update(normalized).digest();
}
