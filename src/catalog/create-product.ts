import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { insertOptions, insertProducts } from './catalog-queries.ts';
import { noteProductDoubts } from './check-contents.ts';
import { findOrCreateNamed } from './name-references.ts';
import { newProductRows, readNewProduct } from './new-product.ts';
import { readOptions } from './product-content.ts';
import { addPhotos } from './product-photos.ts';
import type { CreateProductRequest } from './product-schemas.ts';
import { type ProductRows, writeAndRead } from './product-view.ts';

/**
 * Adds an inactive product (D43). Resolves to its stored rows. Fails with INVALID_PARAMS, MISSING_PARAMS and
 * PRODUCT_CATEGORY_NOT_FOUND.
 */
export async function createProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: CreateProductRequest,
): Promise<{ id: number; rows: ProductRows }> {
  const sent = readNewProduct(request);
  const nowMs = context.clock.now();
  const [id, ...optionIds] = await context.ids.take(1 + request.options.length);
  const photoIds = await context.ids.take(sent.photoLocations.length);

  const rows = await context.database.write(organization, async (tx) => {
    const named = await findOrCreateNamed(tx, context, origin, nowMs, sent.names);
    const options = readOptions(request.options, () => null, named.category!.cannabis_type);
    const made = newProductRows(
      sent,
      options,
      { id: id!, optionIds, photoIds },
      {
        brandId: named.brandId ?? null,
        categoryId: named.category!.id,
        subCategoryIds: named.subCategoryIds!,
        createdAt: isoTimestamp(nowMs),
      },
    );
    await announce(tx, context, origin, nowMs, {
      event: 'product.created',
      subjectType: 'product',
      subjectId: id!,
      payload: { productId: id },
    });
    const rows = await writeAndRead(
      tx,
      id!,
      ...insertProducts([made.product]),
      ...insertOptions(made.options),
      ...addPhotos(made.photos),
    );
    noteProductDoubts(tx, rows);
    return rows;
  });
  return { id: id!, rows };
}
