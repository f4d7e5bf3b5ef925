import type { Context, Origin } from '../database/context.ts';
import { RetryWrite, type TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { nameText } from '../kernel/name-text.ts';
import { readName } from './product-content.ts';
import {
  insertBrandUnlessNamed,
  insertSubCategoriesUnlessNamed,
  lockBrandNamed,
  lockCategoryNamed,
  lockSubCategoriesNamed,
  type NamedCategoryRow,
} from './product-queries.ts';

/** Names as a request sends them; undefined where it says nothing. */
export interface SentNames {
  readonly category?: string | undefined;
  readonly subCategories?: readonly string[] | undefined;
  readonly brandName?: string | null | undefined;
}

/** What the names stand for; null where the request says nothing, but for the brand. */
export interface NamedRows {
  readonly category: NamedCategoryRow | null;
  readonly subCategoryIds: readonly number[] | null;
  /** Undefined where the request says nothing, null of a product without a brand. */
  readonly brandId: number | null | undefined;
}

/** The names as they are kept. Fails with INVALID_PARAMS when one is blank. */
export function readNames(sent: SentNames): SentNames {
  return {
    category: sent.category === undefined ? undefined : readName(sent.category, 'category'),
    subCategories: sent.subCategories?.map((name, index) => readName(name, `subCategories[${index}]`)),
    brandName: sent.brandName === undefined ? undefined : readBrandName(sent.brandName),
  };
}

/** A name that says that there is no brand; no brand has it (D17a). */
export function isNoBrand(name: string): boolean {
  return name.toLowerCase() === 'unbranded';
}

/** Null: without a brand. */
function readBrandName(sent: string | null): string | null {
  const name = nameText(sent ?? '');
  return name === '' || isNoBrand(name) ? null : name;
}

/**
 * Finds what names stand for (D43), and creates brands and sub-categories that are new: each exactly once, however
 * many requests bring it at the same time. Fails with PRODUCT_CATEGORY_NOT_FOUND: categories are the staff's.
 */
export async function findOrCreateNamed(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  names: SentNames,
): Promise<NamedRows> {
  const { category, subCategories = [], brandName } = names;
  if (category === undefined && subCategories.length === 0 && brandName === undefined) {
    return {
      category: null,
      subCategoryIds: names.subCategories === undefined ? null : [],
      brandId: undefined,
    };
  }
  const find = () =>
    tx.run(
      category === undefined ? null : lockCategoryNamed({ name: category }),
      subCategories.length === 0 ? null : lockSubCategoriesNamed({ names: subCategories }),
      brandName ? lockBrandNamed({ name: brandName }) : null,
    );
  let [categories, subCategoryRows, brands] = await find();
  if (category !== undefined && categories.length === 0) {
    throw failure('PRODUCT_CATEGORY_NOT_FOUND', 'category names no category of the organization.');
  }
  const known = new Set(subCategoryRows.map(({ at }) => at));
  const newNames = subCategories.filter((_, index) => !known.has(index + 1));
  const newBrand = brandName && brands.length === 0 ? brandName : null;
  if (newNames.length > 0 || newBrand !== null) {
    const at = isoTimestamp(nowMs);
    const ids = await context.ids.take(newNames.length);
    const brandId = await context.ids.takeOne();
    // Sub-categories first, always: a new brand counts as a change of terms, whose row every product's write locks,
    // and with that in hand nobody may wait for somebody else's sub-category.
    const [createdSubCategories, createdBrands] = await tx.run(
      newNames.length === 0 ? null : insertSubCategoriesUnlessNamed({ ids, names: newNames, at }),
      newBrand === null ? null : insertBrandUnlessNamed({ id: brandId, name: newBrand, at }),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...createdSubCategories.map(({ id }) => ({
        event: 'product_sub_category.created' as const,
        subjectType: 'product_sub_category' as const,
        subjectId: id,
        payload: { productSubCategoryId: id },
      })),
      ...createdBrands.map(({ id }) => ({
        event: 'brand.created' as const,
        subjectType: 'brand' as const,
        subjectId: id,
        payload: { brandId: id },
      })),
    );
    [categories, subCategoryRows, brands] = await find();
    const isWhole = subCategoryRows.length === subCategories.length && (!brandName || brands.length > 0);
    // Somebody has deleted one in between.
    if (!isWhole || (category !== undefined && categories.length === 0)) throw new RetryWrite();
  }
  return {
    category: categories[0] ?? null,
    subCategoryIds:
      names.subCategories === undefined ? null : [...new Set(subCategoryRows.map(({ id }) => id))],
    brandId: brandName === undefined ? undefined : (brands[0]?.id ?? null),
  };
}
