/**
 * The digest of a set of records (D65), which does not depend on their order: for each record the first 16 bytes of
 * SHA-256 over its id, a line feed and its version; all of them combined by exclusive or.
 */

/** SQL of the version of a record: a time as replies show it, in UTC to the millisecond. */
export function versionSql(time: string, fraction: 'MS' | 'US' = 'MS'): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`;
}

/** SQL of the digest of a group of rows, as a text of 128 bits; null of no rows. `version` is SQL of a text. */
export function digestSql(id: string, version: string): string {
  const hash = `encode(sha256(convert_to(${id}::text || E'\\n' || ${version}, 'UTF8')), 'hex')`;
  return `bit_xor(('x' || left(${hash}, 32))::bit(128))::text`;
}

/** A group of records. */
export interface DigestRow {
  /** YYYY-MM, of records that are kept by month. */
  month?: string;
  count: number;
  /** As `digestSql` has it. */
  digest: string | null;
}

/** The count and the digest of several groups together, the digest as 32 hexadecimal digits. */
export function joinDigests(rows: readonly Pick<DigestRow, 'count' | 'digest'>[]): {
  count: number;
  digest: string;
} {
  let digest = 0n;
  let count = 0;
  for (const row of rows) {
    digest ^= BigInt(`0b${row.digest ?? '0'}`);
    count += row.count;
  }
  return { count, digest: digest.toString(16).padStart(32, '0') };
}
