import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { DecimalText } from '../../platform/http/schemas.ts';
import { updateProductVisibility } from './product-queries.ts';
import { type ProductRows, writeAndRead } from './product-view.ts';
import { lockWholeProduct } from './update-product.ts';

/** At most 9.99 g: more would be another size. */
export const WeightTolerance = DecimalText({
  wholeDigitsMax: 1,
  decimalsMax: 2,
  description: 'Sells a product in grams loose, by weight: so many grams above a size cost nothing more',
});

/** The fields of a product that only staff set; undefined stays unchanged. */
interface Visibility {
  readonly isActive?: boolean | undefined;
  readonly isFeatured?: boolean | undefined;
  readonly isCompliant?: boolean | undefined;
  /** Grams, as decimal text; null: not sold by weight. */
  readonly weightTolerance?: string | null | undefined;
}

/**
 * Activates or deactivates a product, features it, marks it compliant, sells it by weight; unchanged values write nothing. Fails with
 * PRODUCT_NOT_FOUND, and with INVALID_PARAMS when an active product would have no option, or goods sold by weight would have no weight. `onChanged` queues what is to commit together with a change.
 */
export async function changeVisibility(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: Visibility,
  onChanged?: (tx: TenantTransaction) => void,
): Promise<ProductRows> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const { product, options, rows } = await lockWholeProduct(tx, id);
    refuseStaleEdit(origin, product.updated_at);
    const before = {
      isActive: product.is_active,
      isFeatured: product.is_featured,
      isCompliant: product.is_compliant,
      weightTolerance: product.weight_tolerance && canonicalDecimalText(product.weight_tolerance),
    };
    const changes = changesOf(before, sent);
    if (changes === null) return rows;
    if (sent.isActive === true && options.length === 0) {
      throw failure('INVALID_PARAMS', 'isActive must be false while the product has no options.');
    }
    if (sent.weightTolerance != null && (product.unit !== 'gram' || product.inventory_type === 'option')) {
      throw failure(
        'INVALID_PARAMS',
        'weightTolerance is for products in grams whose stock is kept for the whole product.',
      );
    }
    await announce(tx, context, origin, nowMs, {
      event: 'product.updated',
      subjectType: 'product',
      subjectId: id,
      payload: { productId: id },
      details: { productId: id, ...changes },
    });
    onChanged?.(tx);
    return writeAndRead(
      tx,
      id,
      updateProductVisibility({
        id,
        isActive: sent.isActive ?? before.isActive,
        isFeatured: sent.isFeatured ?? before.isFeatured,
        isCompliant: sent.isCompliant ?? before.isCompliant,
        weightTolerance: sent.weightTolerance === undefined ? before.weightTolerance : sent.weightTolerance,
        updatedAt: isoTimestamp(nowMs),
      }),
    );
  });
}
