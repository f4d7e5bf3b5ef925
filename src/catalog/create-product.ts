import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { insertOptions, insertPhotos, insertProducts } from './catalog-queries.ts';
import { findOrCreateNamed, readNames, unbranded } from './name-references.ts';
import { checkPotency, readName, readOptions } from './product-content.ts';
import { readPhotos } from './product-photos.ts';
import type { CreateProductRequest } from './product-schemas.ts';
import { type ProductRows, writeAndRead } from './product-view.ts';

/**
 * Adds a product that is on no menu yet (D43). Resolves to its rows as they are stored. Fails with INVALID_PARAMS,
 * MISSING_PARAMS and PRODUCT_CATEGORY_NOT_FOUND.
 */
export async function createProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: CreateProductRequest,
): Promise<{ id: number; rows: ProductRows }> {
  const names = readNames({ ...request, brandName: request.brandName ?? unbranded });
  const photoLocations = readPhotos(request.photos);
  const potency = {
    thcAmount: request.thcAmount ?? null,
    thcAmountEach: request.thcAmountEach ?? null,
    thcAmountRangeLow: request.thcAmountRangeLow ?? null,
    thcAmountRangeHigh: request.thcAmountRangeHigh ?? null,
    thcUnit: request.thcUnit ?? null,
    cbdAmount: request.cbdAmount ?? null,
    cbdAmountEach: request.cbdAmountEach ?? null,
    cbdAmountRangeLow: request.cbdAmountRangeLow ?? null,
    cbdAmountRangeHigh: request.cbdAmountRangeHigh ?? null,
    cbdUnit: request.cbdUnit ?? null,
  };
  checkPotency(potency, request);
  readName(request.name, 'name');
  const nowMs = context.clock.now();
  const stamps = { createdAt: isoTimestamp(nowMs), updatedAt: isoTimestamp(nowMs) };
  const [id, ...optionIds] = await context.ids.take(1 + request.options.length);
  const photoIds = await context.ids.take(photoLocations.length);

  const rows = await context.database.write(organization, async (tx) => {
    const named = await findOrCreateNamed(tx, context, origin, nowMs, names);
    const options = readOptions(request.options, () => null, named.category!.cannabis_type);
    const written = [
      ...insertProducts([
        {
          ...potency,
          ...stamps,
          id: id!,
          name: request.name,
          description: request.description ?? '',
          unit: request.unit,
          strainType: request.strainType,
          brandId: named.brandId!,
          categoryId: named.category!.id,
          subCategoryIds: named.subCategoryIds!,
          inventoryType: 'option',
          isActive: false,
          isFeatured: false,
          movingAverageCostPerUnit: null,
        },
      ]),
      ...insertOptions(
        options.map((option, position) => ({
          ...option,
          ...stamps,
          id: optionIds[position]!,
          productId: id!,
          position,
          movingAverageCostPerUnit: null,
        })),
      ),
      ...insertPhotos(
        photoLocations.map((location, position) => ({
          id: photoIds[position]!,
          productId: id!,
          position,
          location,
        })),
      ),
    ];
    await announce(tx, context, origin, nowMs, {
      event: 'product.created',
      subjectType: 'product',
      subjectId: id!,
      payload: { productId: id },
    });
    return writeAndRead(tx, id!, ...written);
  });
  return { id: id!, rows };
}
