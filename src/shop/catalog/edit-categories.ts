import type { CannabisType } from '../../kernel/cannabis-type.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type CategoryRow, insertCategories } from './catalog-queries.ts';
import {
  countProductsOfCategory,
  deleteCategoryRow,
  lockCategory,
  selectCategoryOfName,
  selectLastDisplayOrder,
  selectOptionWithoutContent,
  updateCategoryRow,
} from './group-queries.ts';
import { readName } from './product-content.ts';

/** Handles concurrent requests with the same name: the second one checks again. */
const namesAreUnique = { retryOnConstraints: ['product_categories_of_name'] } as const;

export const displayOrderMax = 1_000_000;

interface CategoryContent {
  readonly name: string;
  /** Undefined: at the end. */
  readonly order?: number | undefined;
  readonly cannabisType: CannabisType;
}

/** Adds a category. Fails with INVALID_PARAMS when its name is taken. */
export async function createCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  content: CategoryContent,
): Promise<CategoryRow> {
  const name = readName(content.name, 'name');
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(
    organization,
    async (tx) => {
      const [[taken], [last]] = await tx.run(selectCategoryOfName({ name }), selectLastDisplayOrder({}));
      if (taken !== undefined) throw nameTaken();
      const displayOrder = content.order ?? Math.min((last?.last ?? -1) + 1, displayOrderMax);
      const { cannabisType } = content;
      const at = isoTimestamp(nowMs);
      tx.queue(...insertCategories([{ id, name, displayOrder, cannabisType, createdAt: at, updatedAt: at }]));
      await announceCategory(tx, context, origin, nowMs, 'product_category.created', id, {
        name,
        order: displayOrder,
        cannabisType,
      });
      return {
        id,
        name,
        display_order: displayOrder,
        cannabis_type: cannabisType,
        created_at: nowMs,
        updated_at: nowMs,
      };
    },
    namesAreUnique,
  );
}

/**
 * Changes the given fields of a category; unchanged values write nothing. Products show it at once. Fails with
 * CATEGORY_NOT_FOUND, and with INVALID_PARAMS when the name is taken or options lack the content that the cannabis
 * type requires.
 */
export async function changeCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: { readonly [Name in keyof CategoryContent]?: CategoryContent[Name] | undefined },
): Promise<CategoryRow> {
  const name = sent.name === undefined ? undefined : readName(sent.name, 'name');
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [[category], [taken]] = await tx.run(
        lockCategory({ id }),
        name === undefined ? null : selectCategoryOfName({ name }),
      );
      if (category === undefined) throw categoryNotFound();
      refuseStaleEdit(origin, category.updated_at);
      if (taken !== undefined && taken.id !== id) throw nameTaken();
      const changes = changesOf(toldCategory(category), { ...sent, name });
      if (changes === null) return category;
      const changed: CategoryRow = {
        ...category,
        name: name ?? category.name,
        display_order: sent.order ?? category.display_order,
        cannabis_type: sent.cannabisType ?? category.cannabis_type,
        updated_at: nowMs,
      };
      if (changed.cannabis_type !== category.cannabis_type && changed.cannabis_type !== 'none') {
        const [[without]] = await tx.run(selectOptionWithoutContent({ categoryId: id }));
        if (without !== undefined) {
          throw failure(
            'INVALID_PARAMS',
            `cannabisType must be none, or every option of the category's products needs content: option ${without.id} has none.`,
          );
        }
      }
      tx.queue(
        updateCategoryRow({
          id,
          name: changed.name,
          displayOrder: changed.display_order,
          cannabisType: changed.cannabis_type,
          updatedAt: isoTimestamp(nowMs),
        }),
      );
      await announceCategory(tx, context, origin, nowMs, 'product_category.updated', id, changes);
      return changed;
    },
    namesAreUnique,
  );
}

/** Deletes a category that no product has. Fails with CATEGORY_NOT_FOUND and CATALOG_ENTRY_IN_USE. */
export async function deleteCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<CategoryRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[category], [products]] = await tx.run(lockCategory({ id }), countProductsOfCategory({ id }));
    if (category === undefined) throw categoryNotFound();
    if (products!.count > 0) {
      throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the category.`);
    }
    tx.queue(deleteCategoryRow({ id, at: isoTimestamp(nowMs) }));
    await announceCategory(
      tx,
      context,
      origin,
      nowMs,
      'product_category.deleted',
      id,
      toldCategory(category),
    );
    return category;
  });
}

/** The same error as for an id that is out of range. */
function categoryNotFound() {
  return failure('CATEGORY_NOT_FOUND', 'There is no such category.');
}

function nameTaken() {
  return failure('INVALID_PARAMS', 'name must not be that of another category.');
}

/** The audit's values, with the API's field names. */
function toldCategory({ name, display_order: order, cannabis_type: cannabisType }: CategoryRow) {
  return { name, order, cannabisType };
}

async function announceCategory(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  event: 'product_category.created' | 'product_category.updated' | 'product_category.deleted',
  id: number,
  changes: object,
): Promise<void> {
  await announce(tx, context, origin, nowMs, {
    event,
    subjectType: 'product_category',
    subjectId: id,
    payload: { productCategoryId: id },
    details: { productCategoryId: id, ...changes },
  });
}
