import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { orderJson } from './order-document.ts';
import { selectOrderStatuses, selectShownOrders } from './order-list-queries.ts';
import { seesCustomers, withoutCustomer } from './own-order-routes.ts';

/** The JSON of orders by id, in the shape of the list. */
export async function shownOrdersById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [rows] = await database.read(organization, selectShownOrders({ ids }));
  return new Map(rows.map((row) => [row.id, orderJson(row)]));
}

/** The same of the orders that the caller's integrator placed, as such a caller reads them (D69). */
export async function shownOwnOrdersById(
  { database }: Pick<Context, 'database'>,
  caller: Pick<Caller, 'organizationId' | 'integratorId' | 'permissions' | 'vouches'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [rows, placed] = await database.read(
    caller.organizationId,
    selectShownOrders({ ids }),
    selectOrderStatuses({ ids }),
  );
  const own = new Set(
    placed.flatMap(({ id, integrator_id: by }) => (by === caller.integratorId ? [id] : [])),
  );
  const jsonOf = (json: string) =>
    seesCustomers(caller) ? json : JSON.stringify(withoutCustomer(JSON.parse(json)));
  return new Map(rows.flatMap((row) => (own.has(row.id) ? [[row.id, jsonOf(orderJson(row))]] : [])));
}
