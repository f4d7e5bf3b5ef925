import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectShownCustomers } from './customer-list-queries.ts';
import { shownCustomer } from './shown-customer.ts';

/** Customers in the shape of the list; merged ones are not there. */
export async function shownCustomersById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly number[],
): Promise<ReturnType<typeof shownCustomer>[]> {
  const [rows] = await database.read(organization, selectShownCustomers({ ids }));
  return rows.map(shownCustomer);
}
