import type { Static } from 'typebox';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { selectTradedProducts, selectTransferGoods, stockAmountOf } from '../inventory/stock.ts';
import { createPurchaseOrder } from './create-purchase-order.ts';
import { purchaseOrderById } from './list-purchase-orders.ts';
import { selectOrderOfTransfer } from './purchase-order-queries.ts';
import type { PurchaseOrder } from './purchase-order-schemas.ts';

/** What a package of a transfer is. */
interface ChosenGoods {
  readonly packageId: number;
  readonly productId: number;
  readonly productOptionId?: number | null;
}

const costDecimals = 6;

/**
 * Makes the purchase order of an incoming transfer: a line for each package that is not received, at the price that the shipper told
 * the state. What is not said is as goods of the same name were received before. Of a transfer there is one order. Fails with
 * COMPLIANCE_TRANSFER_NOT_FOUND, with INVALID_PARAMS for goods that are not known, and as `createPurchaseOrder` does.
 *
 * @param needsPrices fails with INVALID_PARAMS where a price is unknown, too; otherwise it is 0 until the invoice says it.
 */
export async function orderTransfer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  transferId: number,
  {
    chosen = [],
    needsPrices = false,
  }: { readonly chosen?: readonly ChosenGoods[]; readonly needsPrices?: boolean } = {},
): Promise<Static<typeof PurchaseOrder>> {
  const { database } = context;
  const [rows, [ordered]] = await database.read(
    organization,
    selectTransferGoods({ transferId }),
    selectOrderOfTransfer({ transferId }),
  );
  if (ordered !== undefined) return purchaseOrderById(context, organization, ordered.id);
  const [transfer] = rows;
  if (transfer === undefined) {
    throw failure(
      'COMPLIANCE_TRANSFER_NOT_FOUND',
      'complianceTransferId must be the id of an incoming transfer.',
    );
  }
  const goods = rows.filter(({ id }) => id !== null);
  if (goods.length === 0) {
    throw failure(
      'INVALID_PARAMS',
      'complianceTransferId must be of a transfer with packages that are not received.',
    );
  }
  const named = goods.map((row) => {
    const said = chosen.find(({ packageId }) => packageId === row.id);
    const productId = said?.productId ?? row.known_product_id;
    if (productId !== null && (!needsPrices || row.wholesale_cents !== null)) {
      const productOptionId = said === undefined ? row.known_option_id : (said.productOptionId ?? null);
      return {
        row,
        productId,
        productOptionId,
        multiplier: said === undefined ? row.known_multiplier : null,
      };
    }
    const what = row.external_product_name ?? 'its goods';
    throw failure('INVALID_PARAMS', `lineItems must say which product package ${row.label} (${what}) is.`);
  });
  const [products] = await database.read(
    organization,
    selectTradedProducts({ ids: [...new Set(named.map(({ productId }) => productId))] }),
  );
  const productOf = new Map(products.map((row) => [row.id, row]));
  const lineItems = named.map(({ row, productId, productOptionId, multiplier }, index) => {
    const product = productOf.get(productId);
    if (product === undefined) {
      throw failure('PRODUCT_NOT_FOUND', `lineItems[${index}].productId must be the id of a product.`);
    }
    const amount = stockAmountOf(row, product, multiplier, `lineItems[${index}]`);
    const cost = decimal(row.wholesale_cents ?? 0)
      .div(100)
      .div(amount)
      .round(costDecimals, 1);
    return { productId, productOptionId, amount: decimalText(amount), costPerUnit: decimalText(cost) };
  });
  const told = goods.map((row) => [row.label, row.external_product_name].filter(Boolean).join(': '));
  return createPurchaseOrder(
    context,
    origin,
    organization,
    {
      ...{ lineItems, inventoryVendor: { name: transfer.shipper_name } },
      notes: [`Manifest ${transfer.manifest_number}`, ...told].join('\n').slice(0, 10_000),
    },
    transferId,
  );
}
