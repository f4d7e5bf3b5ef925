import type { Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { selectOptionsOfProducts } from '../catalog/products.ts';
import { type PackageRow, selectStockOfPackages } from './package-queries.ts';
import type { Package } from './package-schemas.ts';
import { TradedGoods } from './traded-product.ts';
import { selectTradedProducts } from './traded-product-queries.ts';

/** Packages as the API shows them, in the given order: one round trip, whatever their number. */
export async function shownPackages(
  send: TenantTransaction['run'],
  rows: readonly PackageRow[],
): Promise<Static<typeof Package>[]> {
  if (rows.length === 0) return [];
  const productIds = [...new Set(rows.flatMap((row) => row.product_id ?? []))];
  const [stock, products, options] = await send(
    selectStockOfPackages({ ids: rows.map(({ id }) => id) }),
    selectTradedProducts({ ids: productIds }),
    selectOptionsOfProducts({ productIds }),
  );
  const stockOf = groupBy(stock, (row) => row.package_id);
  const goods = new TradedGoods(products, [], options);
  return rows.map((row) => ({
    ...sharedPackageView(row, goods),
    organizationId: row.organization_id,
    productOptionId: row.product_option_id,
    updatedAt: row.changed_at,
    receivedAt: isoOrNull(row.received_at),
    finishedAt: isoOrNull(row.finished_at),
    multiplier: canonicalDecimalText(row.multiplier),
    expirationDate: row.expiration_date,
    transferredAt: isoOrNull(row.transferred_at),
    transferReturnedAt: isoOrNull(row.transfer_returned_at),
    shippedAt: isoOrNull(row.shipped_at),
    costPerUnit: textOrNull(row.cost_per_unit),
    voidReason: row.void_reason,
    thcPercent: textOrNull(row.thc_percent),
    thcMg: textOrNull(row.thc_mg),
    cbdPercent: textOrNull(row.cbd_percent),
    cbdMg: textOrNull(row.cbd_mg),
    producerName: row.producer_name,
    producerLicense: row.producer_license,
    harvestDate: row.harvest_date,
    harvestFacilityName: row.harvest_facility_name,
    harvestFacilityLicense: row.harvest_facility_license,
    labName: row.lab_name,
    labLicense: row.lab_license,
    labDate: row.lab_date,
    certificateUrl: row.certificate_url,
    holdReason: row.hold_reason,
    originalSourceLabel: row.original_source_label,
    locationInventory: (stockOf.get(row.id) ?? []).map((balance) => ({
      inventoryLocationId: balance.inventory_location_id,
      amount: canonicalDecimalText(balance.on_hand),
    })),
  }));
}

/** The fields of a package that every response shows. */
export function sharedPackageView(row: PackageRow, goods: TradedGoods) {
  return {
    id: row.id,
    type: row.type,
    externalId: row.external_id,
    externalProductName: row.external_product_name,
    label: row.label,
    status: row.status,
    initialAmount: canonicalDecimalText(row.initial_amount),
    unit: row.unit,
    createdAt: isoTimestamp(row.created_at),
    onHold: row.on_hold,
    tradeSample: row.trade_sample,
    product: row.product_id === null ? null : goods.packagedProduct(row.product_id),
  };
}

function isoOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : canonicalDecimalText(text);
}
