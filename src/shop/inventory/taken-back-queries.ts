import { statement } from '../../platform/statements/statement.ts';

/** SQL that takes receptions back. */

export interface ReceivedEntryRow {
  cause_id: number;
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  package_id: number;
  delta: string;
  created_at_text: string;
}

const receivedColumns = `e.cause_id, e.product_id, e.product_option_id, e.inventory_location_id, e.package_id, e.delta,
          e.created_at::text as created_at_text`;

/** What receptions brought, the earliest first. */
export const selectReceivedEntries = statement<{ causeIds: readonly number[] }, ReceivedEntryRow>(
  'select_received_entries',
  `select ${receivedColumns} from stock_ledger_entries e
    where e.organization_id = :organizationId and e.cause_id = any(:causeIds) and e.cause = 'received' and e.delta > 0
    order by e.created_at, e.id`,
);

/** The last time that a package came in, or was taken back. */
export const selectLastReceived = statement<{ packageId: number }, ReceivedEntryRow>(
  'select_last_received_of_package',
  `select ${receivedColumns} from stock_ledger_entries e
    where e.organization_id = :organizationId and e.package_id = :packageId and e.cause = 'received'
    order by e.created_at desc, e.id desc limit 1`,
);

/**
 * A movement of packages since an instant that is no reception: their goods were used. One of the same instant counts, whichever
 * came first.
 */
export const selectLaterMovement = statement<
  { packageIds: readonly number[]; since: string },
  { id: number }
>(
  'select_later_movement_of_packages',
  `select e.id from stock_ledger_entries e
    where e.organization_id = :organizationId and e.package_id = any(:packageIds) and e.cause <> 'received'
      and e.created_at >= nullif(:since::text, '')::timestamptz
    limit 1`,
);

export const setPackageCost = statement<{ id: number; costPerUnit: string }, never>(
  'set_package_cost',
  `update packages set cost_per_unit = :costPerUnit where organization_id = :organizationId and id = :id`,
);

/** A package that was announced is on its way again. */
export const emptyPackageRow = statement<{ id: number }, never>(
  'empty_package_row',
  `update packages
      set status = 'ready', product_id = null, product_option_id = null, cost_per_unit = null, received_at = null
    where organization_id = :organizationId and id = :id`,
);
