import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { orderJson } from './order-document.ts';
import { selectOrderStatuses, selectShownOrders } from './order-list-queries.ts';
import { seesCustomers, withoutCustomer } from './own-order-routes.ts';

type Reader = Pick<Caller, 'integratorId' | 'permissions' | 'vouches'>;

/**
 * The JSON of orders by id, in the shape of the list. With a reader, those that the reader's integrator placed, as such a
 * caller reads them (D69).
 */
export async function shownOrdersById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly string[],
  reader: Reader | null = null,
): Promise<ReadonlyMap<string, string>> {
  const [rows, placed] = await database.read(
    organization,
    selectShownOrders({ ids }),
    reader === null ? null : selectOrderStatuses({ ids }),
  );
  if (reader === null) return new Map(rows.map((row) => [row.id, orderJson(row)]));
  const own = new Set(
    placed.flatMap(({ id, integrator_id: by }) => (by === reader.integratorId ? [id] : [])),
  );
  const jsonOf = (json: string) =>
    seesCustomers(reader) ? json : JSON.stringify(withoutCustomer(JSON.parse(json)));
  return new Map(rows.flatMap((row) => (own.has(row.id) ? [[row.id, jsonOf(orderJson(row))]] : [])));
}
