import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type BrandRow, insertBrands } from './catalog-queries.ts';
import {
  countProductsOfBrand,
  deleteBrandRow,
  lockBrands,
  moveProductsToBrand,
  selectBrandOfName,
  updateBrandRow,
} from './group-queries.ts';
import { isNoBrand } from './name-references.ts';
import { readName } from './product-content.ts';

const namesAreUnique = { retryOnConstraints: ['brands_of_name'] } as const;

const subject = (id: number) => ({ subjectType: 'brand' as const, subjectId: id, payload: { brandId: id } });

/** Products without a brand have null: names such as "Unbranded" are not allowed (D17a). Fails with INVALID_PARAMS. */
function readBrandName(sent: string): string {
  const name = readName(sent, 'name');
  if (isNoBrand(name))
    throw failure('INVALID_PARAMS', 'name must not mean "no brand": a product without a brand has null.');
  return name;
}

/** Adds a brand. Fails with INVALID_PARAMS when its name is taken. */
export async function createBrand(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  content: { readonly name: string; readonly description: string | null },
): Promise<BrandRow> {
  const name = readBrandName(content.name);
  const { description } = content;
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const id = await context.ids.takeOne();
  return context.database.write(
    organization,
    async (tx) => {
      const [[taken]] = await tx.run(selectBrandOfName({ name }));
      if (taken !== undefined) throw nameTaken();
      tx.queue(...insertBrands([{ id, name, description, createdAt: at, updatedAt: at }]));
      await announce(tx, context, origin, nowMs, {
        event: 'brand.created',
        ...subject(id),
        details: { brandId: id, name, description },
      });
      return { id, name, description, created_at: nowMs, updated_at: nowMs };
    },
    namesAreUnique,
  );
}

/**
 * Changes the given fields of a brand; unchanged values write nothing. Fails with BRAND_NOT_FOUND, and INVALID_PARAMS
 * when the name is taken.
 */
export async function changeBrand(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: { readonly name?: string | undefined; readonly description?: string | null | undefined },
): Promise<BrandRow> {
  const name = sent.name === undefined ? undefined : readBrandName(sent.name);
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [[brand], [taken]] = await tx.run(
        lockBrands({ ids: [id] }),
        name === undefined ? null : selectBrandOfName({ name }),
      );
      if (brand === undefined) throw brandNotFound();
      refuseStaleEdit(origin, brand.updated_at);
      if (taken !== undefined && taken.id !== id) throw nameTaken();
      const changes = changesOf(brand, { name, description: sent.description });
      if (changes === null) return brand;
      const changed: BrandRow = {
        ...brand,
        name: name ?? brand.name,
        description: sent.description === undefined ? brand.description : sent.description,
        updated_at: nowMs,
      };
      tx.queue(
        updateBrandRow({
          id,
          name: changed.name,
          description: changed.description,
          updatedAt: isoTimestamp(nowMs),
        }),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'brand.updated',
        ...subject(id),
        details: { brandId: id, ...changes },
      });
      return changed;
    },
    namesAreUnique,
  );
}

/** Deletes a brand that no product has. Fails with BRAND_NOT_FOUND and CATALOG_ENTRY_IN_USE. */
export async function deleteBrand(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<BrandRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[brand], [products]] = await tx.run(lockBrands({ ids: [id] }), countProductsOfBrand({ id }));
    if (brand === undefined) throw brandNotFound();
    if (products!.count > 0) {
      throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the brand.`);
    }
    tx.queue(deleteBrandRow({ id, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'brand.deleted',
      ...subject(id),
      details: { brandId: id, name: brand.name, description: brand.description },
    });
    return brand;
  });
}

/** Moves what other slices store about a brand, in the transaction of the merge and before its writes. */
export type FollowBrand = (
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  merge: { readonly from: number; readonly into: number },
) => Promise<void>;

/**
 * Moves all products of a brand to another one and deletes the first. Resolves to the other. Fails with
 * BRAND_NOT_FOUND for either, and INVALID_PARAMS when both are the same. Orders keep the name they were placed with.
 */
export async function mergeBrand(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  intoBrandId: number,
  follow: FollowBrand,
): Promise<BrandRow> {
  if (id === intoBrandId) {
    throw failure('INVALID_PARAMS', 'intoBrandId must be another brand than the merged one.');
  }
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    const [brands] = await tx.run(lockBrands({ ids: [id, intoBrandId] }));
    const into = brands.find((brand) => brand.id === intoBrandId);
    if (brands.every((brand) => brand.id !== id)) throw brandNotFound();
    if (into === undefined) throw failure('BRAND_NOT_FOUND', 'intoBrandId names no brand.');
    await follow(tx, context, origin, nowMs, { from: id, into: intoBrandId });
    const [moved] = await tx.run(moveProductsToBrand({ from: id, into: intoBrandId, at }));
    tx.queue(deleteBrandRow({ id, at }));
    await announce(tx, context, origin, nowMs, {
      event: 'brand.merged',
      subjectType: 'brand',
      subjectId: id,
      payload: { brandId: id, intoBrandId },
      details: { brandId: id, intoBrandId, products: moved.length },
    });
    return into;
  });
}

/** The same error as for an id that is out of range. */
function brandNotFound() {
  return failure('BRAND_NOT_FOUND', 'There is no such brand.');
}

function nameTaken() {
  return failure('INVALID_PARAMS', 'name must not be that of another brand.');
}
