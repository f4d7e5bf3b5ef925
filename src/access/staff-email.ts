import { createHash } from 'node:crypto';

/** Staff emails are compared without case and surrounding spaces. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The digest by which accounts are looked up. */
export function emailDigest(normalized: string): Buffer {
  return createHash('sha256').update(normalized).digest();
}
