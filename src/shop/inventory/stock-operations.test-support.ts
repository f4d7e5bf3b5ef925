import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestService } from '../../../test/harness/test-service.ts';
import type { TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

/** Staff operations on a shop's stock, and reads of their effects. `shop` and `staff` are called each time. */
export function stockOperations(service: TestService, shop: () => TestShop, staff: () => TestStaff) {
  const sql = (text: string) => tenantSql(service.context.database, shop().organizationId, text);

  /** The vault has 100,000 loose stock of the quarter. */
  const quarter = (changes: object = {}) => ({
    productId: shop().productId('Moonlit Grove'),
    productOptionId: shop().optionId('quarter'),
    ...changes,
  });

  const adjust = (changes: object = {}) =>
    staff().call('POST', '/staff/v1/inventory-adjustments', {
      ...quarter(),
      inventoryLocationId: shop().locationId('Vault'),
      delta: '-1',
      reason: 'Broken jar',
      ...changes,
    });
  const transfer = (changes: object = {}) =>
    staff().call('POST', '/staff/v1/inventory-transfers', {
      ...quarter(),
      fromInventoryLocationId: shop().locationId('Vault'),
      toInventoryLocationId: shop().locationId('Storefront'),
      amount: '12',
      ...changes,
    });
  const count = (lines: readonly object[], changes: object = {}) =>
    staff().call('POST', '/staff/v1/inventory-counts', {
      inventoryLocationId: shop().locationId('Vault'),
      lines,
      ...changes,
    });

  /** The ledger entries of operations since the shop opened. */
  const entries = () =>
    sql(`select delta, cause, cause_id, inventory_location_id, package_id, actor from stock_ledger_entries
      where cause <> 'received' order by id`);

  return { sql, quarter, adjust, transfer, count, entries };
}
