import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
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
 * Takes a location out of use, for good: it is not chosen from any more, and the ledger still names it. Once it is
 * archived, asking again changes nothing.
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
    // Before anything is asked: an order that gives stock back to it at this moment comes before the question.
    const [, [location]] = await tx.run(lockSettings({}), lockLocation({ id }), lockStockOfLocation({ id }));
    if (location === undefined) throw locationNotFound();
    if (location.archived_at !== null) return location;
    const [[use], [zone], [order]] = await tx.run(
      selectLocationUse({ id }),
      users.zone({ locationId: id }),
      users.order({ locationId: id }),
    );
    assert(use !== undefined, 'the question has one answer');
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
      `There is stock at this location, of ${stock_item} for one: move it first.`,
    );
  }
  if (order_type !== null) {
    throw failure('INVENTORY_LOCATION_IN_USE', `Orders of type ${order_type} draw from this location.`);
  }
  if (zone !== null) {
    throw failure('INVENTORY_LOCATION_IN_USE', `The delivery zone ${zone} draws from this location.`);
  }
  if (orderId !== null) {
    throw failure(
      'INVENTORY_LOCATION_IN_USE',
      `The order ${orderId} holds stock of this location and would give it back there.`,
    );
  }
}
