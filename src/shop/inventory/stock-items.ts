import { failure } from '../../kernel/failure.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { PackageStatus } from './package-queries.ts';
import {
  holdOpenLocations,
  holdStockedOptions,
  holdStockedPackages,
  holdStockedProducts,
  type StockedPackageRow,
  type StockedProductRow,
} from './stock-operation-queries.ts';

/** The item that a staff request names. */
export interface NamedItem {
  readonly productId: number;
  /** Null when stock is kept per product. */
  readonly productOptionId: number | null;
  /** Null: without a package. */
  readonly packageId: number | null;
}

/** The item as balances name it, with the product's name for messages. */
export interface StockItem {
  readonly productId: number;
  readonly optionId: number;
  readonly packageId: number;
  readonly productName: string;
  /** Null without a package. */
  readonly packageStatus: PackageStatus | null;
}

/** The rows of the named items. */
interface StockFacts {
  readonly products: readonly StockedProductRow[];
  readonly options: readonly { readonly id: number; readonly product_id: number }[];
  readonly packages: readonly StockedPackageRow[];
}

/** The path of a field in the body: `packageId`, `lines[2].packageId`. */
type FieldPath = (field: string) => string;

/**
 * Share-locks items and locations until the transaction ends, and checks that they exist and belong together (D13:
 * missing things first, then mismatches). `locations` are ids by the field that names them.
 */
export async function heldItems(
  tx: TenantTransaction,
  items: readonly NamedItem[],
  locations: Readonly<Record<string, number>>,
  pathOf: (index: number) => FieldPath,
): Promise<readonly StockItem[]> {
  const [products, options, packages, openLocations] = await tx.run(
    holdStockedProducts({ ids: idsOf(items.map((item) => item.productId)) }),
    holdStockedOptions({ ids: idsOf(items.map((item) => item.productOptionId)) }),
    holdStockedPackages({ ids: idsOf(items.map((item) => item.packageId)) }),
    holdOpenLocations({ ids: idsOf(Object.values(locations)) }),
  );
  for (const [field, id] of Object.entries(locations)) {
    if (openLocations.some((location) => location.id === id)) continue;
    throw failure('INVENTORY_LOCATION_NOT_FOUND', `${field} must be the id of an inventory location`);
  }
  return decideItems(items, { products, options, packages }, pathOf);
}

/** The items as balances name them, or the first refusal. */
export function decideItems(
  items: readonly NamedItem[],
  facts: StockFacts,
  pathOf: (index: number) => FieldPath,
): readonly StockItem[] {
  const productOf = new Map(facts.products.map((row) => [row.id, row]));
  const optionOf = new Map(facts.options.map((row) => [row.id, row]));
  const packageOf = new Map(facts.packages.map((row) => [row.id, row]));
  for (const [index, { productId, productOptionId, packageId }] of items.entries()) {
    const path = pathOf(index);
    if (!productOf.has(productId)) {
      throw failure('PRODUCT_NOT_FOUND', `${path('productId')} must be the id of a product`);
    }
    if (productOptionId !== null && !optionOf.has(productOptionId)) {
      throw failure('PRODUCT_OPTION_NOT_FOUND', `${path('productOptionId')} must be the id of an option`);
    }
    if (packageId !== null && !packageOf.has(packageId)) {
      throw failure('PACKAGE_NOT_FOUND', `${path('packageId')} must be the id of a package`);
    }
  }
  return items.map(({ productId, productOptionId, packageId }, index) => {
    const path = pathOf(index);
    const product = productOf.get(productId)!;
    const option = productOptionId === null ? null : optionOf.get(productOptionId)!;
    const pkg = packageId === null ? null : packageOf.get(packageId)!;
    if (option !== null && option.product_id !== productId) {
      throw failure('INVALID_CHILD_RESOURCE', `${path('productOptionId')} must be an option of that product`);
    }
    refuseOtherInventoryType(product, option !== null, path);
    if (pkg !== null && (pkg.product_id !== productId || pkg.product_option_id !== productOptionId)) {
      throw failure(
        'INVALID_CHILD_RESOURCE',
        `${path('packageId')} must be a package of that product and option`,
      );
    }
    return {
      productId,
      optionId: productOptionId ?? 0,
      packageId: packageId ?? 0,
      productName: product.name,
      packageStatus: pkg?.status ?? null,
    };
  });
}

/** D47: stock is kept per option, per product, or not at all. */
function refuseOtherInventoryType(product: StockedProductRow, namesOption: boolean, path: FieldPath): void {
  switch (product.inventory_type) {
    case 'none':
      throw failure(
        'INVALID_INVENTORY_TYPE',
        `${path('productId')} must be of a product with tracked stock: ${product.name} has none`,
      );
    case 'option':
      if (namesOption) return;
      throw failure(
        'INVALID_INVENTORY_TYPE',
        `${path('productOptionId')} must be sent: stock of ${product.name} is kept per option`,
      );
    case 'product':
      if (!namesOption) return;
      throw failure(
        'INVALID_INVENTORY_TYPE',
        `${path('productOptionId')} must be left out: stock of ${product.name} is kept per product`,
      );
  }
}

function idsOf(ids: readonly (number | null)[]): readonly number[] {
  return [...new Set(ids)].filter((id): id is number => id !== null);
}
