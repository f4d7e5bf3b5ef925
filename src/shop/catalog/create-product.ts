import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { insertOptions, insertProducts } from './catalog-queries.ts';
import { noteProductDoubts } from './check-contents.ts';
import { findOrCreateNamed } from './name-references.ts';
import { type NewProduct, newProductRows, photoCount, readNewProduct } from './new-product.ts';
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
  return context.database.write(organization, async (tx) => {
    const { id, statements } = await newProduct(tx, context, origin, nowMs, sent);
    const rows = await writeAndRead(tx, id, ...statements);
    noteProductDoubts(tx, rows);
    return { id, rows };
  });
}

/** A product to be written, with its ids. */
interface ProductToWrite {
  readonly id: number;
  readonly optionIds: readonly number[];
  readonly statements: readonly BoundStatement<unknown>[];
}

/** Finds or makes the names of a new product, announces it, and has the statements that write it. */
export async function newProduct(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  sent: NewProduct,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<ProductToWrite> {
  const named = await findOrCreateNamed(tx, context, origin, nowMs, sent.names);
  const options = readOptions(sent.request.options, () => null, named.category!.cannabis_type);
  const [id, ...optionIds] = await context.ids.take(1 + options.length);
  const photoIds = await context.ids.take(photoCount(sent));
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
    payload: { productId: id! },
    ...(Object.keys(facts).length > 0 && { details: { productId: id, ...facts } }),
  });
  return {
    id: id!,
    optionIds,
    statements: [
      ...insertProducts([made.product]),
      ...insertOptions(made.options),
      ...addPhotos(made.photos),
    ],
  };
}
