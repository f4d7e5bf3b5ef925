import { decimal, decimalText, zero } from '../src/kernel/decimal.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import { importCatalog, storeDrawing } from '../src/shop/catalog/products.ts';
import { describeIllustration } from './illustration-words.ts';
import { drawIllustration } from './illustrations.ts';
import type { Illustration, ShopContent } from './shop-content.ts';

/** Makes the catalog of a demo shop with its pictures. Resolves to the ids, by name or key. */
export async function loadCatalog(
  context: Context,
  origin: Origin,
  blobs: BlobStore,
  organization: OrganizationId,
  shop: ShopContent,
) {
  const products = [];
  for (const product of shop.products) {
    const options = [];
    for (const { illustrations = [], ...option } of product.options) {
      options.push({
        ...option,
        photos: await photosOf(blobs, illustrations),
        amount: String(option.amount),
        movingAverageCostPerUnit:
          product.inventoryType === 'option' ? averageCost(shop, product.key, option.key) : null,
      });
    }
    products.push({
      ...product,
      photos: await photosOf(blobs, product.illustrations),
      movingAverageCostPerUnit:
        product.inventoryType === 'product' ? averageCost(shop, product.key, null) : null,
      options,
    });
  }
  const imported = await importCatalog(context, origin, organization, { ...shop, products });
  return {
    categoryIds: imported.categoryIds,
    brandIds: imported.brandIds,
    productIds: new Map(shop.products.map((product, index) => [product.key, imported.products[index]!.id])),
    optionIds: new Map(
      shop.products.flatMap((product, index) =>
        product.options.map((option, at) => [option.key, imported.products[index]!.optionIds[at]!] as const),
      ),
    ),
  };
}

/** Stores drawings, and says what is to be seen on them. */
async function photosOf(blobs: BlobStore, illustrations: readonly Illustration[]) {
  const photos = [];
  for (const illustration of illustrations) {
    const location = await storeDrawing(blobs, Buffer.from(drawIllustration(illustration)));
    photos.push({ location, altText: describeIllustration(illustration) });
  }
  return photos;
}

/** Dollars per unit over all received stock, to 6 decimals (D4); null without receptions. */
function averageCost(shop: ShopContent, productKey: string, optionKey: string | null): string | null {
  const received = [...shop.packages, ...shop.looseStock].filter(
    (stock) => stock.productKey === productKey && stock.optionKey === optionKey,
  );
  const amount = received.reduce((sum, stock) => sum.plus(stock.initialAmount), zero);
  if (amount.eq(zero)) return null;
  const cost = received.reduce(
    (sum, stock) => sum.plus(decimal(stock.initialAmount).times(stock.costPerUnit)),
    zero,
  );
  return decimalText(cost.div(amount).round(6));
}
