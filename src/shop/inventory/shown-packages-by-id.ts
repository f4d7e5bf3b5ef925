import type { Static } from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectPackages } from './package-queries.ts';
import type { Package } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';

/** Packages in the shape of the list. */
export async function shownPackagesById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly number[],
): Promise<Static<typeof Package>[]> {
  const [rows] = await database.read(organization, selectPackages({ ids }));
  return shownPackages((...statements) => database.read(organization, ...statements), rows);
}
