import { lockOrganization } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { insertTaxes, selectTaxedCategories, selectTaxSettings } from './tax-queries.ts';
import {
  assertCategoriesExist,
  assertTaxFits,
  type DatedTax,
  type SavedTax,
  savedTax,
  toldTax,
} from './tax-settings.ts';

/** Creates a tax; the default start is now. Fails with INVALID_PARAMS when it contradicts another one. */
export async function createTax(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: DatedTax,
): Promise<SavedTax> {
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const [, taxes, categories] = await tx.run(
      lockOrganization({}),
      selectTaxSettings({}),
      selectTaxedCategories({}),
    );
    // Read under the lock: a transaction that waited starts its tax after the earlier ones.
    const nowMs = context.clock.now();
    const tax: SavedTax = {
      ...settings,
      startsAtMs: settings.startsAtMs ?? nowMs,
      id,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    assertCategoriesExist(tax, categories);
    assertTaxFits(tax, taxes.map(savedTax), nowMs);
    tx.queue(...insertTaxes([taxValues(tax)]));
    await announce(tx, context, origin, nowMs, taxCreated(tax));
    return tax;
  });
}

/** A tax as it is inserted. */
export function taxValues(tax: SavedTax): Parameters<typeof insertTaxes>[0][number] {
  return {
    id: tax.id,
    description: tax.description,
    rate: tax.rate,
    basis: tax.basis && JSON.stringify(tax.basis),
    tier: tax.tier,
    type: tax.type,
    included: tax.included,
    encompass: tax.encompass,
    exemptable: tax.exemptable,
    appliesToFees: tax.appliesToFees,
    rounding: tax.rounding,
    excludedCategoryIds: tax.excludedProductCategoryIds,
    nonExemptableCategoryIds: tax.nonExemptableProductCategoryIds,
    onlyInZones: tax.onlyInDeliveryZones,
    customerType: tax.customerType,
    patients: tax.patients && JSON.stringify(tax.patients),
    locality: tax.locality && JSON.stringify(tax.locality),
    source: tax.ownSource && JSON.stringify(tax.ownSource),
    startsAt: tax.startsAtMs === null ? null : isoTimestamp(tax.startsAtMs),
    endsAt: tax.endsAtMs === null ? null : isoTimestamp(tax.endsAtMs),
    createdAt: isoTimestamp(tax.createdAtMs),
  };
}

/** The event of a new tax; for a successor of `former`, only the differences. */
export function taxCreated(tax: SavedTax, former: SavedTax | null = null): Announcement {
  const replaces = former?.id ?? null;
  const told = toldTax(tax);
  return {
    event: 'tax.created',
    subjectType: 'tax',
    subjectId: tax.id,
    payload: {
      taxId: tax.id,
      startsAt: tax.startsAtMs === null ? null : isoTimestamp(tax.startsAtMs),
      replaces,
    },
    details: {
      taxId: tax.id,
      replaces,
      ...(former === null ? told : { description: tax.description, ...changesOf(toldTax(former), told) }),
    },
  };
}
