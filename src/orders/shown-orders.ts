import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { orderJson } from './order-document.ts';
import { selectShownOrders } from './order-list-queries.ts';

/** The JSON of orders by id, in the shape of the list. */
export async function shownOrdersById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [rows] = await database.read(organization, selectShownOrders({ ids }));
  return new Map(rows.map((row) => [row.id, orderJson(row)]));
}
