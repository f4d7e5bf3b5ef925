import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, staffOrigin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id } from '../../platform/http/schemas.ts';
import { brandExample, brands, brandTable } from './brand-setting.ts';
import type { BrandRow } from './catalog-queries.ts';
import { lockBrands, moveProductsToBrand } from './group-queries.ts';
import { Brand } from './product-schemas.ts';
import { catalogWriters } from './product-staff-routes.ts';
import { brandView } from './product-view.ts';

/** Moves what other slices store about a brand, in the transaction of the merge and before its writes. */
export type FollowBrand = (
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  merge: { readonly from: number; readonly into: number },
) => Promise<void>;

/** The staff operation that merges a brand into another one. */
export function mergeBrandRoute(context: Context, follow: FollowBrand): StaffEndpoint {
  return staffEndpoint({
    id: 'mergeBrand',
    method: 'POST',
    path: '/staff/v1/brands/{brandId}/merge',
    roles: catalogWriters,
    kind: 'write',
    summary: 'Merge a brand into another one',
    description:
      'Moves all its products and the discounts on it to the other brand, and deletes it. Orders keep the name they were placed with.',
    tag: 'Catalog',
    params: Type.Object({ brandId: Id() }),
    resourceParams: { brandId: 'BRAND_NOT_FOUND' },
    body: Type.Object({ intoBrandId: Id() }),
    requestExample: { intoBrandId: 2602 },
    success: { status: 200, data: Brand, description: 'The target brand', example: brandExample },
    failures: [],
    handle: async ({ staff, params: { brandId }, body, requestId }) => {
      const origin = staffOrigin(staff, requestId);
      const { organizationId } = staff;
      return reply(
        brandView(await mergeBrand(context, origin, organizationId, brandId, body.intoBrandId, follow)),
      );
    },
  });
}

/**
 * Moves all products of a brand to another one and deletes the first. Resolves to the other. Fails with
 * BRAND_NOT_FOUND for either, and INVALID_PARAMS when both are the same. Orders keep the name they were placed with.
 */
async function mergeBrand(
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
    const [locked] = await tx.run(lockBrands({ ids: [id, intoBrandId] }));
    const into = locked.find((brand) => brand.id === intoBrandId);
    if (locked.every((brand) => brand.id !== id)) throw brands.writes.notFound();
    if (into === undefined) throw failure('BRAND_NOT_FOUND', 'intoBrandId names no brand.');
    await follow(tx, context, origin, nowMs, { from: id, into: intoBrandId });
    const [moved] = await tx.run(moveProductsToBrand({ from: id, into: intoBrandId, at }));
    tx.queue(brandTable.remove({ id, at }));
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
