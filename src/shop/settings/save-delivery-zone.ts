import { lockOrganization } from '../../access/organizations/organizations.ts';
import { failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { briefly, changesOf } from '../../platform/events/changes-of.ts';
import { selectLocations } from '../inventory/stock.ts';
import {
  deleteZonePatterns,
  insertDeliveryZonePostalCodes,
  insertDeliveryZones,
  selectZonePatterns,
  selectZoneSettings,
  updateDeliveryZone,
} from './delivery-zone-queries.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { assertZoneFits, type SavedZone, savedZone, toldZone, type ZoneSettings } from './zone-settings.ts';

/** Creates a delivery zone. Fails with INVALID_PARAMS, also when another zone has one of its postal codes. */
export async function createDeliveryZone(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: ZoneSettings,
): Promise<SavedZone> {
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const { zones, ...there } = await loadZones(tx, nowMs);
    assertZoneFits(settings, null, { ...there, otherZones: zones });
    const zone: SavedZone = { ...settings, id, createdAtMs: nowMs, updatedAtMs: nowMs };
    tx.queue(
      ...insertDeliveryZones([
        {
          id,
          name: zone.name,
          orderMinimumCents: zone.orderMinimumCents,
          deliveryFeeCents: zone.deliveryFeeCents,
          deliveryFeeDescription: zone.deliveryFeeDescription,
          inventoryLocationIds: zone.inventoryLocationIds,
          taxIds: zone.taxIds,
          createdAt: isoTimestamp(nowMs),
        },
      ]),
      ...insertDeliveryZonePostalCodes(zone.postalCodes.map((pattern) => ({ pattern, deliveryZoneId: id }))),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'delivery_zone.created',
      subjectType: 'delivery_zone',
      subjectId: id,
      payload: { deliveryZoneId: id },
      details: { deliveryZoneId: id, ...briefly(toldZone(settings)) },
    });
    return zone;
  });
}

/**
 * Changes the given fields of a delivery zone; unchanged values write nothing. Orders keep their amounts. Fails with
 * DELIVERY_ZONE_NOT_FOUND, INVALID_PARAMS.
 */
export async function changeDeliveryZone(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  zoneId: number,
  changes: Partial<ZoneSettings>,
): Promise<SavedZone> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const { zones, ...there } = await loadZones(tx, nowMs);
    const former = zones.find(({ id }) => id === zoneId);
    if (former === undefined) throw failure('DELIVERY_ZONE_NOT_FOUND', 'There is no such delivery zone.');
    refuseStaleEdit(origin, former.updatedAtMs);
    const zone: SavedZone = { ...former, ...changes, updatedAtMs: nowMs };
    const told = changesOf(toldZone(former), toldZone(zone));
    if (told === null) return former;
    assertZoneFits(zone, former, { ...there, otherZones: zones.filter((it) => it !== former) });
    const [before, after] = [new Set(former.postalCodes), new Set(zone.postalCodes)];
    tx.queue(
      updateDeliveryZone({
        id: zoneId,
        name: zone.name,
        orderMinimumCents: zone.orderMinimumCents,
        deliveryFeeCents: zone.deliveryFeeCents,
        deliveryFeeDescription: zone.deliveryFeeDescription,
        inventoryLocationIds: zone.inventoryLocationIds,
        taxIds: zone.taxIds,
        at: isoTimestamp(nowMs),
      }),
      deleteZonePatterns({
        deliveryZoneId: zoneId,
        patterns: former.postalCodes.filter((pattern) => !after.has(pattern)),
      }),
      ...insertDeliveryZonePostalCodes(
        zone.postalCodes
          .filter((pattern) => !before.has(pattern))
          .map((pattern) => ({ pattern, deliveryZoneId: zoneId })),
      ),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'delivery_zone.updated',
      subjectType: 'delivery_zone',
      subjectId: zoneId,
      payload: { deliveryZoneId: zoneId },
      details: { deliveryZoneId: zoneId, name: zone.name, ...told },
    });
    return zone;
  });
}

/** All zones, and what they can refer to, read under the lock on the organization's settings. */
async function loadZones(tx: TenantTransaction, nowMs: number) {
  const [, rows, patterns, taxes, locations] = await tx.run(
    lockOrganization({}),
    selectZoneSettings({}),
    selectZonePatterns({}),
    selectTaxSettings({}),
    selectLocations({}),
  );
  const patternsOf = groupBy(patterns, (row) => row.delivery_zone_id);
  return {
    zones: rows.map((row) =>
      savedZone(
        row,
        (patternsOf.get(row.id) ?? []).map(({ pattern }) => pattern),
      ),
    ),
    taxIds: taxes.filter(({ ends_at }) => ends_at === null || ends_at > nowMs).map(({ id }) => id),
    locationIds: locations.map(({ id }) => id),
  };
}
