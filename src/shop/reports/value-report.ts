import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type InventoryValueRow, selectInventoryValue } from './report-queries.ts';

/** The current value of stock, by location. */
export async function valueReport({ database }: Context, organization: OrganizationId) {
  const [found] = await database.read(organization, selectInventoryValue({}));
  const total = found.find((row) => row.is_total);
  assert(total !== undefined, 'a report has a total');
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({ inventoryLocationId: row.location_id!, name: row.name!, ...amounts(row) }));
  return { rows, total: amounts(total) };
}

function amounts(row: InventoryValueRow) {
  return { value: row.value, items: row.items, itemsWithoutCost: row.without_cost };
}
