import type { Database } from '../database/database.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { selectCustomerExists } from './customer-list-queries.ts';

/**
 * Refuses (INVALID_CURSOR) a page that was to follow somebody who is no customer. Such a page is empty, as the end of
 * the list is: only then it has to be asked.
 */
export async function assertPlace(
  database: Database,
  organizationId: OrganizationId,
  startingAfter: number | undefined,
  page: readonly unknown[],
): Promise<void> {
  if (startingAfter === undefined || page.length > 0) return;
  const [[customer]] = await database.read(organizationId, selectCustomerExists({ id: startingAfter }));
  if (customer?.found !== true) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a customer');
  }
}
