import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { replaceOptions, selectOptionsOfProducts, selectSellableOptions } from '../catalog/products.ts';
import { countStock, selectSellableStockOfOptions } from '../inventory/stock.ts';

/** What a price rises by. */
const riseCents = 100;

/** Makes an option dearer by a dollar, as the staff of the shop might while a customer decides. */
export async function raisePrice(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  optionId: number,
): Promise<void> {
  const { database } = context;
  const [[sold]] = await database.read(organization, selectSellableOptions({ optionIds: [optionId] }));
  if (sold === undefined) return;
  const productIds = [sold.product_id];
  const [options] = await database.read(organization, selectOptionsOfProducts({ productIds }));
  const sent = {
    options: options.map(({ id, price_cents: price, sales_price_cents: salesPrice }) =>
      id === optionId
        ? {
            id,
            price: price + riseCents,
            ...(salesPrice !== null && { salesPrice: salesPrice + riseCents }),
          }
        : { id },
    ),
  };
  await replaceOptions(context, origin, organization, sold.product_id, sent, (location) => location);
}

/** Counts what is left of an option to nothing, as if others had bought it. */
export async function sellOut(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  optionId: number,
): Promise<void> {
  const at = isoTimestamp(context.clock.now());
  const [rows] = await context.database.read(
    organization,
    selectSellableStockOfOptions({ optionIds: [optionId], at }),
  );
  const ofOption = rows.filter(({ product_option_id: id }) => id === optionId || id === 0);
  for (const inventoryLocationId of new Set(ofOption.map((row) => row.inventory_location_id))) {
    await countStock(context, origin, organization, {
      inventoryLocationId,
      reason: 'Sold out by a fault of the sandbox',
      idempotencyKey: null,
      lines: ofOption
        .filter((row) => row.inventory_location_id === inventoryLocationId)
        .map((row) => ({
          productId: row.product_id,
          productOptionId: row.product_option_id === 0 ? null : row.product_option_id,
          packageId: row.package_id === 0 ? null : row.package_id,
          counted: '0',
        })),
    });
  }
}
