import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { nameText } from '../../kernel/name-text.ts';
import { quotedText } from '../../kernel/quoted-text.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { RetryWrite } from '../../platform/database/write-collisions.ts';
import { announce } from '../../platform/events/announce.ts';
import { readName } from './product-content.ts';
import {
  insertBrandUnlessNamed,
  insertSubCategoriesUnlessNamed,
  lockBrandNamed,
  lockCategoryNamed,
  lockSubCategoriesNamed,
  type NamedCategoryRow,
} from './product-queries.ts';

/** The names in a request; undefined if absent. */
export interface SentNames {
  readonly category?: string | undefined;
  readonly subCategories?: readonly string[] | undefined;
  readonly brandName?: string | null | undefined;
}

/** The ids of the names; null if absent, except for the brand. */
export interface NamedRows {
  readonly category: NamedCategoryRow | null;
  readonly subCategoryIds: readonly number[] | null;
  /** Undefined if absent, null for a product without a brand. */
  readonly brandId: number | null | undefined;
}

/** The names as they are stored. Fails with INVALID_PARAMS when one is blank. */
export function readNames(sent: SentNames): SentNames {
  return {
    category: sent.category === undefined ? undefined : readName(sent.category, 'category'),
    subCategories: sent.subCategories?.map((name, index) => readName(name, `subCategories[${index}]`)),
    brandName: sent.brandName === undefined ? undefined : readBrandName(sent.brandName),
  };
}

/** A name that means "no brand"; no brand can have it (D17a). */
export function isNoBrand(name: string): boolean {
  return name.toLowerCase() === 'unbranded';
}

/** Null: without a brand. */
function readBrandName(sent: string | null): string | null {
  const name = nameText(sent ?? '');
  return name === '' || isNoBrand(name) ? null : name;
}

/**
 * Finds the ids of names (D43), and creates new brands and sub-categories: each exactly once for any number of
 * concurrent requests. Fails with PRODUCT_CATEGORY_NOT_FOUND: only staff create categories.
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
    throw failure(
      'PRODUCT_CATEGORY_NOT_FOUND',
      `category is not a category of the organization: ${quotedText(category)}; it must be the name of one of its categories.`,
    );
  }
  const known = new Set(subCategoryRows.map(({ at }) => at));
  const newNames = subCategories.filter((_, index) => !known.has(index + 1));
  const newBrand = brandName && brands.length === 0 ? brandName : null;
  if (newNames.length > 0 || newBrand !== null) {
    const at = isoTimestamp(nowMs);
    const ids = await context.ids.take(newNames.length);
    const brandId = await context.ids.takeOne();
    // Sub-categories always come first: a new brand changes the terms row, which every product write locks; a
    // transaction that holds that lock must not wait for another one's sub-category.
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
    // Another transaction has deleted one in between.
    if (!isWhole || (category !== undefined && categories.length === 0)) throw new RetryWrite();
  }
  return {
    category: categories[0] ?? null,
    subCategoryIds:
      names.subCategories === undefined ? null : [...new Set(subCategoryRows.map(({ id }) => id))],
    brandId: brandName === undefined ? undefined : (brands[0]?.id ?? null),
  };
}
