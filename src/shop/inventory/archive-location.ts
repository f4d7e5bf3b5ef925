import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  archiveLocationRow,
  type KeptLocationRow,
  type LocationUsers,
  lockLocation,
  lockSettings,
  lockStockOfLocation,
  selectLocationUse,
} from './location-queries.ts';
import { locationNotFound } from './update-location.ts';

/**
 * Archives a location permanently: allocation no longer uses it, and the ledger still names it. Archiving it again
 * changes nothing.
 */
export async function archiveLocation(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  users: LocationUsers,
): Promise<KeptLocationRow> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    // Locks before the check: an order that is giving stock back to the location finishes first.
    const [, [location]] = await tx.run(lockSettings({}), lockLocation({ id }), lockStockOfLocation({ id }));
    if (location === undefined) throw locationNotFound();
    if (location.archived_at !== null) return location;
    const [[use], [zone], [order]] = await tx.run(
      selectLocationUse({ id }),
      users.zone({ locationId: id }),
      users.order({ locationId: id }),
    );
    assert(use !== undefined, 'the query returns one row');
    refuseInUse({ ...use, zone: zone?.name ?? null, orderId: order?.name ?? null });
    tx.queue(archiveLocationRow({ id, archivedAt: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'inventory_location.archived',
      subjectType: 'inventory_location',
      subjectId: id,
      payload: { inventoryLocationId: id },
    });
    return { ...location, updated_at: nowMs, archived_at: nowMs };
  });
}

interface LocationUse {
  readonly stock_item: string | null;
  readonly order_type: string | null;
  readonly zone: string | null;
  readonly orderId: string | null;
}

function refuseInUse({ stock_item, order_type, zone, orderId }: LocationUse): void {
  if (stock_item !== null) {
    throw failure(
      'NON_ZERO_INVENTORY',
      `The location has stock, for example of ${stock_item}: move it first.`,
    );
  }
  if (order_type !== null) {
    throw failure('INVENTORY_LOCATION_IN_USE', `Orders of type ${order_type} use this location.`);
  }
  if (zone !== null) {
    throw failure('INVENTORY_LOCATION_IN_USE', `The delivery zone ${zone} uses this location.`);
  }
  if (orderId !== null) {
    throw failure(
      'INVENTORY_LOCATION_IN_USE',
      `The order ${orderId} holds stock of this location and would return it there.`,
    );
  }
}
