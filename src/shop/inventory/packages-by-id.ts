import type { Static } from 'typebox';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import { type PackageRow, packagesPerPage, selectPackages } from './package-queries.ts';
import type { Package } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';

const selectPackageIdsAfter = statement<{ after: number }, { id: number }>(
  'select_package_ids_after',
  `select id from packages where organization_id = :organizationId and id > :after order by id limit ${packagesPerPage}`,
);

/**
 * The packages after an id, in the order of ids; empty at the end. For reading all packages at one moment; the list by
 * last change (D53) leaves out packages that are changing.
 */
export async function packagesById(
  send: TenantTransaction['run'],
  after: number,
): Promise<Static<typeof Package>[]> {
  const [ids] = await send(selectPackageIdsAfter({ after }));
  if (ids.length === 0) return [];
  const [rows] = await send(selectPackages({ ids: ids.map(({ id }) => id) }));
  return shownPackages(
    send,
    rows.sort((a: PackageRow, b: PackageRow) => a.id - b.id),
  );
}
