import { lockOrganization } from '../../access/organizations/organizations.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { briefly } from '../../platform/events/changes-of.ts';
import {
  deleteDeliveryZone,
  deleteZonePatterns,
  selectZonePatterns,
  selectZoneSettings,
} from './delivery-zone-queries.ts';
import { type SavedZone, savedZone, toldZone } from './zone-settings.ts';

/** Removes a delivery zone: orders store their own amounts. Fails with DELIVERY_ZONE_NOT_FOUND. */
export async function removeDeliveryZone(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  zoneId: number,
): Promise<SavedZone> {
  return context.database.write(organization, async (tx) => {
    const [, rows, patternRows] = await tx.run(
      lockOrganization({}),
      selectZoneSettings({}),
      selectZonePatterns({}),
    );
    const row = rows.find(({ id }) => id === zoneId);
    if (row === undefined) throw failure('DELIVERY_ZONE_NOT_FOUND', 'There is no such delivery zone.');
    const patterns = patternRows.filter((it) => it.delivery_zone_id === zoneId).map(({ pattern }) => pattern);
    tx.queue(deleteZonePatterns({ deliveryZoneId: zoneId, patterns }), deleteDeliveryZone({ id: zoneId }));
    const zone = savedZone(row, patterns);
    await announce(tx, context, origin, context.clock.now(), {
      event: 'delivery_zone.deleted',
      subjectType: 'delivery_zone',
      subjectId: zoneId,
      payload: { deliveryZoneId: zoneId },
      details: { deliveryZoneId: zoneId, ...briefly(toldZone(zone)) },
    });
    return zone;
  });
}
