import type { DigestRow } from '../database/record-digest.ts';
import type { BoundStatement } from '../database/statement.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { Permission } from '../kernel/permission-catalogue.ts';

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
  /** Whether `select` takes a month and returns a row for each month. */
  readonly byMonth: boolean;
  select(
    organization: OrganizationId,
    month?: string,
  ): BoundStatement<DigestRow> | Promise<BoundStatement<DigestRow>>;
}
