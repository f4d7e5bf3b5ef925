import Type, { type Static } from 'typebox';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { Described, Id, List, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { selectOptionsOfProducts } from '../catalog/products.ts';
import type { ComplianceTransferRow } from './compliance-transfer-queries.ts';
import { selectPackagesOfTransfers } from './package-queries.ts';
import { packageExample, sharedPackageFields } from './package-schemas.ts';
import { sharedPackageView } from './package-view.ts';
import { TradedGoods, TradedOption, tradedOptionExample } from './traded-product.ts';
import { selectTradedOptions, selectTradedProducts } from './traded-product-queries.ts';

/** More than the packages a manifest can have. */
const packagesMax = 100_000;

export const ComplianceTransfer = Named(
  'ComplianceTransfer',
  Type.Object({
    id: Id(),
    externalId: Nullable(Text({ max: 100, description: 'Id in the external system' })),
    type: OneOf(['metrc'], { description: 'Name of the external system' }),
    manifestNumber: Text({ description: 'Number of the manifest', max: 100 }),
    shipperName: Text({ description: 'Who sent the transfer', max: 500 }),
    shipperLicenseNumber: Text({ description: "The shipper's license", max: 100 }),
    createdAt: Timestamp(),
    packages: List(
      Named(
        'TransferredPackage',
        Type.Object({
          ...sharedPackageFields,
          productOption: Described('The option; null: it is of a whole product', Nullable(TradedOption)),
        }),
      ),
      { description: 'The packages of the transfer', max: packagesMax },
    ),
  }),
);

/** Transfers as the API shows them, in the given order: two round trips, whatever their number. */
export async function shownTransfers(
  send: TenantTransaction['run'],
  rows: readonly ComplianceTransferRow[],
): Promise<Static<typeof ComplianceTransfer>[]> {
  if (rows.length === 0) return [];
  const [packages] = await send(selectPackagesOfTransfers({ transferIds: rows.map(({ id }) => id) }));
  const productIds = [...new Set(packages.flatMap((row) => row.product_id ?? []))];
  const [products, options, productOptions] = await send(
    selectTradedProducts({ ids: productIds }),
    selectTradedOptions({ ids: [...new Set(packages.flatMap((row) => row.product_option_id ?? []))] }),
    selectOptionsOfProducts({ productIds }),
  );
  const goods = new TradedGoods(products, options, productOptions);
  const packagesOf = groupBy(packages, (row) => row.compliance_transfer_id);
  return rows.map((row) => ({
    id: row.id,
    externalId: row.external_id,
    type: row.type,
    manifestNumber: row.manifest_number,
    shipperName: row.shipper_name,
    shipperLicenseNumber: row.shipper_license_number,
    createdAt: isoTimestamp(row.created_at),
    packages: (packagesOf.get(row.id) ?? []).map((pack) => ({
      ...sharedPackageView(pack, goods),
      productOption: pack.product_option_id === null ? null : goods.option(pack.product_option_id),
    })),
  }));
}

export const transferExample = {
  id: 4401,
  externalId: '5310077',
  type: 'metrc',
  manifestNumber: '0000418843',
  shipperName: 'Tidewater Distribution',
  shipperLicenseNumber: 'C11-0000512-LIC',
  createdAt: '2026-03-10T18:00:00.000Z',
  packages: [
    {
      id: packageExample.id,
      type: packageExample.type,
      externalId: packageExample.externalId,
      externalProductName: packageExample.externalProductName,
      label: packageExample.label,
      status: packageExample.status,
      initialAmount: packageExample.initialAmount,
      unit: packageExample.unit,
      createdAt: packageExample.createdAt,
      onHold: packageExample.onHold,
      tradeSample: packageExample.tradeSample,
      product: packageExample.product,
      productOption: tradedOptionExample,
    },
  ],
} as const;
