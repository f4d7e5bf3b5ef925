import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import type { LocationSettings } from './create-location.ts';
import { type KeptLocationRow, lockLocation, updateLocationRow } from './location-queries.ts';

/** Changes the fields of a location; those not in `changes` stay. An archived location counts as not found. */
export async function updateLocation(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  changes: Partial<LocationSettings>,
): Promise<KeptLocationRow> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const [[before]] = await tx.run(lockLocation({ id }));
    if (before === undefined || before.archived_at !== null) throw locationNotFound();
    refuseStaleEdit(origin, before.updated_at ?? before.created_at);
    const after = { ...before, ...changes };
    const { name, description, type } = after;
    const told = changesOf(before, { name, description, type });
    if (told === null) return before;
    tx.queue(
      updateLocationRow({
        id,
        name,
        description,
        type,
        updatedAt: isoTimestamp(nowMs),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'inventory_location.updated',
      subjectType: 'inventory_location',
      subjectId: id,
      payload: { inventoryLocationId: id },
      details: { inventoryLocationId: id, ...told },
    });
    return { ...after, updated_at: nowMs };
  });
}

/** The error for a location that does not exist, is archived, or belongs to another organization. */
export function locationNotFound() {
  return failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
}
