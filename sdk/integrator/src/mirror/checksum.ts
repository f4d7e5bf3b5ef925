import { createHash } from 'node:crypto';

/** Count and digest of a set of records, as `GET /api/v1/checksums/{collection}` answers them. */
export interface Checksum {
  readonly count: number;
  readonly digest: string;
}

/** Adds up the digest of D65: for each record 16 bytes of SHA-256 over id, line feed and version, by exclusive or. */
export class ChecksumSum {
  #count = 0;
  readonly #digest = Buffer.alloc(16);

  add(id: string, updatedAt: string): void {
    const hash = createHash('sha256').update(`${id}\n${updatedAt}`).digest();
    for (let at = 0; at < 16; at += 1) this.#digest[at]! ^= hash[at]!;
    this.#count += 1;
  }

  get checksum(): Checksum {
    return { count: this.#count, digest: this.#digest.toString('hex') };
  }
}

/** The checksum of records, in any order. */
export function checksumOf(
  records: Iterable<{ readonly id: string | number; readonly updatedAt: string }>,
): Checksum {
  const sum = new ChecksumSum();
  for (const { id, updatedAt } of records) sum.add(String(id), updatedAt);
  return sum.checksum;
}
