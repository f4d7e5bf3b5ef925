import {
  createOrganization,
  endOrganization,
  selectOrganization,
} from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { importCatalog, selectCategories } from '../catalog/products.ts';

/** A sandbox is deleted after so many days, unless the operator begins another trial before. */
const daysMax = 14;
const dayMs = 86_400_000;
const origin: Origin = { actor: 'job:try_move', requestId: null };

/**
 * Makes a sandbox of a shop: an organization with its state, time zone and categories, and nothing else. No key and no session opens
 * it, nothing of it is reported, and its end is set from the beginning.
 */
export async function openTrialShop(context: Context, organization: OrganizationId): Promise<OrganizationId> {
  const [[shop], categories] = await context.database.read(
    organization,
    selectOrganization({}),
    selectCategories({}),
  );
  assert(shop !== undefined, 'a move belongs to a shop');
  const sandbox = await createOrganization(context, origin, {
    ...{ name: `${shop.name.slice(0, 180)} (trial)`, state: shop.state, isPractice: true },
    ...{ tz: shop.tz as Parameters<typeof createOrganization>[2]['tz'], taxesIncluded: shop.taxes_included },
  });
  await endOrganization(context, origin, sandbox, context.clock.now() + daysMax * dayMs);
  await importCatalog(context, origin, sandbox, {
    ...{ subCategoryNames: [], brands: [], tags: [], products: [] },
    categories: categories.map(({ name, cannabis_type: cannabisType }) => ({ name, cannabisType })),
  });
  return sandbox;
}

/** Has a sandbox deleted with all that it has, if it is still there. */
export async function endTrialShop(context: Context, sandbox: OrganizationId | null): Promise<void> {
  if (sandbox === null) return;
  const [[shop]] = await context.database.read(sandbox, selectOrganization({}));
  if (shop !== undefined) await endOrganization(context, origin, sandbox, context.clock.now());
}
