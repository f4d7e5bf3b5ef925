import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { insertSubCategories, type SubCategoryRow } from './catalog-queries.ts';
import {
  countProductsOfSubCategory,
  deleteSubCategoryRow,
  lockSubCategory,
  selectSubCategoryOfName,
  updateSubCategoryRow,
} from './group-queries.ts';
import { readName } from './product-content.ts';

const namesAreUnique = {
  retryOnConstraints: ['product_sub_categories_organization_id_name_key_key'],
} as const;

const subject = (id: number) => ({
  subjectType: 'product_sub_category' as const,
  subjectId: id,
  payload: { productSubCategoryId: id },
});

/** Adds a sub-category. Fails with INVALID_PARAMS when its name is taken. */
export async function createSubCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  sentName: string,
): Promise<SubCategoryRow> {
  const name = readName(sentName, 'name');
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const id = await context.ids.takeOne();
  return context.database.write(
    organization,
    async (tx) => {
      const [[taken]] = await tx.run(selectSubCategoryOfName({ name }));
      if (taken !== undefined) throw nameTaken();
      tx.queue(...insertSubCategories([{ id, name, createdAt: at, updatedAt: at }]));
      await announce(tx, context, origin, nowMs, {
        event: 'product_sub_category.created',
        ...subject(id),
        details: { productSubCategoryId: id, name },
      });
      return { id, organization_id: organization, name, created_at: nowMs, updated_at: nowMs };
    },
    namesAreUnique,
  );
}

/**
 * Renames a sub-category; an unchanged name writes nothing. Fails with SUB_CATEGORY_NOT_FOUND, and INVALID_PARAMS when
 * the name is taken.
 */
export async function changeSubCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sentName: string | undefined,
): Promise<SubCategoryRow> {
  const name = sentName === undefined ? undefined : readName(sentName, 'name');
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [[row], [taken]] = await tx.run(
        lockSubCategory({ id }),
        name === undefined ? null : selectSubCategoryOfName({ name }),
      );
      if (row === undefined) throw subCategoryNotFound();
      refuseStaleEdit(origin, row.updated_at);
      if (taken !== undefined && taken.id !== id) throw nameTaken();
      const changes = changesOf(row, { name });
      if (changes === null) return row;
      const changed = { ...row, name: name ?? row.name, updated_at: nowMs };
      tx.queue(updateSubCategoryRow({ id, name: changed.name, updatedAt: isoTimestamp(nowMs) }));
      await announce(tx, context, origin, nowMs, {
        event: 'product_sub_category.updated',
        ...subject(id),
        details: { productSubCategoryId: id, ...changes },
      });
      return changed;
    },
    namesAreUnique,
  );
}

/** Deletes a sub-category that no product has. Fails with SUB_CATEGORY_NOT_FOUND and CATALOG_ENTRY_IN_USE. */
export async function deleteSubCategory(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<SubCategoryRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row], [products]] = await tx.run(lockSubCategory({ id }), countProductsOfSubCategory({ id }));
    if (row === undefined) throw subCategoryNotFound();
    if (products!.count > 0) {
      throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the sub-category.`);
    }
    tx.queue(deleteSubCategoryRow({ id }));
    await announce(tx, context, origin, nowMs, {
      event: 'product_sub_category.deleted',
      ...subject(id),
      details: { productSubCategoryId: id, name: row.name },
    });
    return row;
  });
}

/** The same error as for an id that is out of range. */
function subCategoryNotFound() {
  return failure('SUB_CATEGORY_NOT_FOUND', 'There is no such subcategory.');
}

function nameTaken() {
  return failure('INVALID_PARAMS', 'name must not be that of another sub-category.');
}
