import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { RetryWrite } from '../../platform/database/write-collisions.ts';
import { announce } from '../../platform/events/announce.ts';
import { otherCategoryNames } from './imported-words.ts';
import type { NewProduct } from './new-product.ts';
import {
  insertBrandsUnlessNamed,
  insertCategoriesUnlessNamed,
  lockBrandsNamed,
  lockCategoriesNamed,
  lockProductImport,
} from './product-import-queries.ts';
import {
  insertSubCategoriesUnlessNamed,
  lockSubCategoriesNamed,
  type NamedCategoryRow,
} from './product-queries.ts';

/** What the products of an import name: categories, sub-categories, brands. */

export interface NamedProduct extends Pick<NewProduct, 'names'> {
  /** What makes its category and brand where they are missing; null: the shop must have the category. */
  readonly made: { readonly cannabisType: CannabisType; readonly brandDescription: string | null } | null;
}

interface NamedCandidate {
  readonly row: NamedProduct;
  /** Null: the category is made with the product. */
  readonly categoryId: number | null;
}

/** Names matched without case and outer spaces, as in the database's keys. */
export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

/** The ids that the names of some products refer to. */
export class NameBook {
  readonly #categoryNames: readonly string[];
  readonly #subCategoryNames: readonly string[];
  readonly #brandNames: readonly string[];
  #categories = new Map<string, Pick<NamedCategoryRow, 'id' | 'cannabis_type'>>();
  #subCategories = new Map<string, number>();
  #brands = new Map<string, number>();

  constructor(rows: readonly Pick<NewProduct, 'names'>[]) {
    this.#categoryNames = distinct(
      rows.flatMap(({ names }) => [names.category!, ...otherCategoryNames(names.category!)]),
    );
    this.#subCategoryNames = distinct(rows.flatMap(({ names }) => names.subCategories ?? []));
    this.#brandNames = distinct(rows.flatMap(({ names }) => names.brandName ?? []));
  }

  /** The category with the name, else the only one that has another word for it. */
  category({ names }: Pick<NewProduct, 'names'>) {
    const named = this.#categories.get(keyOf(names.category!));
    if (named !== undefined) return named;
    const others = otherCategoryNames(names.category!).flatMap(
      (name) => this.#categories.get(keyOf(name)) ?? [],
    );
    return new Set(others.map(({ id }) => id)).size === 1 ? others[0] : undefined;
  }

  /** Null: without a brand; undefined: with a brand that does not exist yet. */
  brandId({ names }: Pick<NewProduct, 'names'>): number | null | undefined {
    return names.brandName == null ? null : this.#brands.get(keyOf(names.brandName));
  }

  subCategoryIds({ names }: Pick<NewProduct, 'names'>): readonly number[] {
    return [...new Set((names.subCategories ?? []).map((name) => this.#subCategories.get(keyOf(name))!))];
  }

  /** Also takes the organization's import lock. */
  async find(tx: TenantTransaction): Promise<void> {
    const [, categories, subCategories, brands] = await tx.run(
      lockProductImport({}),
      lockCategoriesNamed({ names: this.#categoryNames }),
      lockSubCategoriesNamed({ names: this.#subCategoryNames }),
      lockBrandsNamed({ names: this.#brandNames }),
    );
    this.#categories = new Map(categories.map((row) => [keyOf(this.#categoryNames[row.at - 1]!), row]));
    this.#subCategories = new Map(
      subCategories.map(({ at, id }) => [keyOf(this.#subCategoryNames[at - 1]!), id]),
    );
    this.#brands = new Map(brands.map(({ at, id }) => [keyOf(this.#brandNames[at - 1]!), id]));
  }

  /** Creates the new categories, sub-categories and brands of valid products; refused rows create none. */
  async create(
    tx: TenantTransaction,
    context: Context,
    origin: Origin,
    nowMs: number,
    fresh: readonly NamedCandidate[],
  ): Promise<void> {
    const needed = new NameBook(fresh.map(({ row }) => row));
    const subCategories = needed.#subCategoryNames.filter((name) => !this.#subCategories.has(keyOf(name)));
    const brands = needed.#brandNames.filter((name) => !this.#brands.has(keyOf(name)));
    const categories = madeCategories(fresh);
    if (subCategories.length === 0 && brands.length === 0 && categories.size === 0) return;
    const at = isoTimestamp(nowMs);
    const categoryIds = await context.ids.take(categories.size);
    const descriptionOf = new Map(
      fresh.flatMap(({ row: { names, made } }) =>
        made?.brandDescription == null
          ? []
          : [[keyOf(names.brandName ?? ''), made.brandDescription] as const],
      ),
    );
    const subCategoryIds = await context.ids.take(subCategories.length);
    const brandIds = await context.ids.take(brands.length);
    // In the order of findOrCreateNamed, so that the two never deadlock.
    const [createdCategories, createdSubCategories, createdBrands] = await tx.run(
      categories.size === 0
        ? null
        : insertCategoriesUnlessNamed({
            ids: categoryIds,
            names: [...categories.values()].map(({ names }) => names.category!.trim()),
            types: [...categories.values()].map(({ made }) => made!.cannabisType),
            at,
          }),
      insertSubCategoriesUnlessNamed({ ids: subCategoryIds, names: subCategories, at }),
      insertBrandsUnlessNamed({
        ids: brandIds,
        names: brands,
        descriptions: brands.map((name) => descriptionOf.get(keyOf(name)) ?? ''),
        at,
      }),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...createdCategories.map(({ id, name, display_order: order, cannabis_type: cannabisType }) => ({
        event: 'product_category.created' as const,
        subjectType: 'product_category' as const,
        subjectId: id,
        payload: { productCategoryId: id },
        details: { productCategoryId: id, name, order, cannabisType },
      })),
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
    await this.find(tx);
    const isWhole = fresh.every(
      ({ row }) =>
        this.category(row) !== undefined &&
        this.brandId(row) !== undefined &&
        (row.names.subCategories ?? []).every((name) => this.#subCategories.has(keyOf(name))),
    );
    // Another transaction has deleted one in between.
    if (!isWhole) throw new RetryWrite();
  }
}

/** The first product of each category that is to be made, by its key. */
function madeCategories(fresh: readonly NamedCandidate[]): ReadonlyMap<string, NamedProduct> {
  const first = new Map<string, NamedProduct>();
  for (const { row, categoryId } of fresh) {
    const key = keyOf(row.names.category!);
    if (categoryId === null && !first.has(key)) first.set(key, row);
  }
  return first;
}

/** Each name once, in its first spelling. */
function distinct(names: readonly string[]): readonly string[] {
  const first = new Map<string, string>();
  for (const name of names) if (!first.has(keyOf(name))) first.set(keyOf(name), name);
  return [...first.values()];
}
