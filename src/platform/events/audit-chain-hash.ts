import { createHash } from 'node:crypto';

/**
 * The hashes of an audit chain (D73). The hash of an entry is SHA-256 over the hash before it in hexadecimal, a line feed, and the
 * text of the entry in UTF-8. The text is a JSON array that PostgreSQL writes (`audit_entry_text`): id, actor, action, subject type,
 * subject id, details, request id, and the time in microseconds since 1970.
 */
const hashBytes = 32;

/** What the first entry of an organization follows. It names the organization, so that no chain passes for another one. */
export function chainStart(organization: number): Buffer {
  return createHash('sha256').update(`audit log of organization ${organization}`).digest();
}

/** The hash of an entry behind that hash. Null: the entry was gone before it could be linked. */
export function nextHash(before: Uint8Array, text: string | null): Buffer {
  return createHash('sha256')
    .update(`${Buffer.from(before).toString('hex')}\n${text ?? ''}`)
    .digest();
}

/** The hashes of entries that follow each other, one behind the other. */
export function hashesBehind(before: Uint8Array, texts: readonly (string | null)[]): Buffer {
  const hashes: Buffer[] = [];
  let last: Uint8Array = before;
  for (const text of texts) {
    const hash = nextHash(last, text);
    hashes.push(hash);
    last = hash;
  }
  return Buffer.concat(hashes);
}

/** The hash at a place of concatenated ones. */
export function hashAt(hashes: Uint8Array, place: number): Uint8Array {
  return hashes.subarray(place * hashBytes, (place + 1) * hashBytes);
}
