import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { selectCustomerExists } from './customer-list-queries.ts';

/**
 * Refuses (INVALID_CURSOR) a page whose cursor is not a customer. Such a page is empty, like the end of the list: only
 * an empty page needs this check.
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
