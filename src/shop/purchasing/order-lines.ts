import { failure } from '../../kernel/failure.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { LineCents } from './line-amounts.ts';
import {
  type OrderableProductRow,
  selectOrderableOptions,
  selectOrderableProducts,
} from './purchase-order-queries.ts';

/** The item of a line. */
interface OrderedItem {
  readonly productId: number;
  readonly productOptionId: number | null;
  /** The line's path in the request: `lineItems[2]`. */
  readonly path: string;
}

/**
 * Checks that the ordered items exist and that each line fits its product's stock tracking (D13: missing things first,
 * then mismatches). Fails with PRODUCT_NOT_FOUND, PRODUCT_OPTION_NOT_FOUND, INVALID_CHILD_RESOURCE and
 * INVALID_INVENTORY_TYPE.
 */
export async function checkOrderedItems(tx: TenantTransaction, items: readonly OrderedItem[]): Promise<void> {
  if (items.length === 0) return;
  const [products, options] = await tx.run(
    selectOrderableProducts({ ids: [...new Set(items.map((item) => item.productId))] }),
    selectOrderableOptions({ ids: [...new Set(items.flatMap((item) => item.productOptionId ?? []))] }),
  );
  const productOf = new Map(products.map((row) => [row.id, row]));
  const optionOf = new Map(options.map((row) => [row.id, row]));
  for (const { productId, productOptionId, path } of items) {
    if (!productOf.has(productId)) {
      throw failure('PRODUCT_NOT_FOUND', `${path}.productId must be the id of a product.`);
    }
    if (productOptionId !== null && !optionOf.has(productOptionId)) {
      throw failure('PRODUCT_OPTION_NOT_FOUND', `${path}.productOptionId must be the id of an option.`);
    }
  }
  for (const { productId, productOptionId, path } of items) {
    const product = productOf.get(productId)!;
    refuseOtherInventoryType(product, productOptionId !== null, path);
    if (productOptionId !== null && optionOf.get(productOptionId)!.product_id !== productId) {
      throw failure('INVALID_CHILD_RESOURCE', `${path}.productOptionId must be an option of that product.`);
    }
  }
}

/** Products without stock tracking can be bought too, without an option. */
function refuseOtherInventoryType(product: OrderableProductRow, namesOption: boolean, path: string): void {
  const isByOption = product.inventory_type === 'option';
  if (isByOption === namesOption) return;
  throw failure(
    'INVALID_INVENTORY_TYPE',
    `${path}.productOptionId must be ${isByOption ? 'sent' : 'left out'}: the inventoryType of ${product.name} is ${product.inventory_type}.`,
  );
}

interface SavedLine extends Omit<OrderedItem, 'path'>, LineCents {
  readonly id: number;
  readonly position: number;
  readonly amount: string;
  readonly costPerUnit: string;
  readonly caExcisePerUnit: string;
  /** Null: as ordered. */
  readonly invoicedCostPerUnit: string | null;
}

/** The lines as `savePurchaseOrderLines` takes them. */
export function lineRowsJson(lines: readonly SavedLine[]): string {
  return JSON.stringify(
    lines.map((line) => ({
      id: line.id,
      position: line.position,
      product_id: line.productId,
      product_option_id: line.productOptionId,
      amount: line.amount,
      cost_per_unit: line.costPerUnit,
      subtotal_cents: line.subtotalCents,
      ca_excise_per_unit: line.caExcisePerUnit,
      ca_excise_cents: line.caExciseCents,
      invoiced_cost_per_unit: line.invoicedCostPerUnit,
    })),
  );
}
