import type { OrganizationId } from '../../kernel/ids.ts';
import type { Permission } from '../../kernel/permission-catalog.ts';
import type { DigestRow } from '../../platform/statements/record-digest.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';

/** A part of the sums: how a month's count and digest change, and by how many versions of records. */
export type SumPart = Required<DigestRow> & { changes: number };

/** In a collection without months, the month of all records. */
export const noMonth = '';

/** How the slice that owns a collection reads its digests (D65). */
export interface ChecksummedCollection {
  /** As the address names it. */
  readonly collection: string;
  /** The id of the operation. */
  readonly id: string;
  /** The permission of the list. */
  readonly permission: Permission;
  /** The operation that lists the collection. */
  readonly list: string;
  /** The time zone of the months, for a collection that has them. */
  readonly timeZone?: (organization: OrganizationId) => Promise<string>;
  /** The digests of all records by month, from the records themselves: slow in a large shop. */
  all(timeZone: string): BoundStatement<Required<DigestRow>>;
  /** For callers without the permission: the digests of what their own integrator placed, from the records themselves (D64a). */
  readonly own?: {
    readonly permission: Permission;
    all(integratorId: number, timeZone: string): BoundStatement<Required<DigestRow>>;
  };
  /**
   * For a collection whose changes are not in `record_changes`: what they make of the sums, and the same as a statement
   * that marks them as summed.
   */
  readonly ownChanges?: { select(): BoundStatement<SumPart>; take(): BoundStatement<SumPart> };
}
