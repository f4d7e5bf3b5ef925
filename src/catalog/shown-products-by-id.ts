import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { productStatements, type ShownProduct, showProducts } from './product-view.ts';

/** Products that are not deleted, as the operations on products answer them. */
export async function shownProductsById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly number[],
  photoUrl: (location: string) => string,
): Promise<ShownProduct[]> {
  const rows = await database.read(organization, ...productStatements(ids));
  return showProducts(ids, rows, photoUrl).filter(({ deletedAt }) => deletedAt === null);
}
