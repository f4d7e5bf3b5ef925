import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { PackageStatus } from './package-queries.ts';

/** SQL on staff operations with stock, and on the things they name. */

export type StockOperationKind = 'adjustment' | 'transfer' | 'count';

/**
 * Claims a key. Waits for a transaction that holds the same key, and then finds it taken (no row) or free (rolled
 * back).
 */
export const claimStockOperation = statement<
  { kind: StockOperationKind; idempotencyKey: string; operationId: number },
  { stock_operation_id: number }
>(
  'claim_stock_operation',
  `insert into stock_operation_keys (organization_id, kind, idempotency_key, stock_operation_id)
   values (:organizationId, :kind, :idempotencyKey, :operationId)
   on conflict do nothing returning stock_operation_id`,
);

/** The response to the first use of a key. */
export const selectClaimedStockOperation = statement<
  { kind: StockOperationKind; idempotencyKey: string },
  { result: unknown }
>(
  'select_claimed_stock_operation',
  `select s.result from stock_operation_keys k
     join stock_operations s on s.organization_id = k.organization_id and s.id = k.stock_operation_id
    where k.organization_id = :organizationId and k.kind = :kind and k.idempotency_key = :idempotencyKey`,
);

export const insertStockOperations = insertMany<{
  id: number;
  kind: StockOperationKind;
  reason: string | null;
  result: string;
  actor: string;
  createdAt: string;
}>('stock_operations', {
  id: 'id',
  kind: 'kind',
  reason: 'reason',
  result: 'result',
  actor: 'actor',
  createdAt: 'created_at',
});

export interface StockedProductRow {
  id: number;
  name: string;
  inventory_type: 'option' | 'product' | 'none';
}

/*
 * Share-locks the items and locations of a movement until it is written: changes of a product's stock tracking and
 * archiving of a location wait for it, or it waits and sees them. Always in this order, each by id.
 */

export const holdStockedProducts = statement<{ ids: readonly number[] }, StockedProductRow>(
  'hold_stocked_products',
  `select id, name, inventory_type from products
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null order by id for share`,
);

export const holdStockedOptions = statement<{ ids: readonly number[] }, { id: number; product_id: number }>(
  'hold_stocked_options',
  `select id, product_id from product_options
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null order by id for share`,
);

export interface StockedPackageRow {
  id: number;
  status: PackageStatus;
  product_id: number;
  product_option_id: number | null;
}

export const holdStockedPackages = statement<{ ids: readonly number[] }, StockedPackageRow>(
  'hold_stocked_packages',
  `select id, status, product_id, product_option_id from packages
    where organization_id = :organizationId and id = any(:ids) order by id for share`,
);

export const holdOpenLocations = statement<
  { ids: readonly number[] },
  { id: number; type: 'standard' | 'vehicle' }
>(
  'hold_open_locations',
  `select id, type from inventory_locations
    where organization_id = :organizationId and id = any(:ids) and archived_at is null order by id for share`,
);
