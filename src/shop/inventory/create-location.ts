import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertLocations } from './inventory-queries.ts';
import type { KeptLocationRow } from './location-queries.ts';

/** The fields of a location that staff can set. */
export interface LocationSettings {
  readonly name: string;
  readonly description: string | null;
  readonly type: 'standard' | 'vehicle';
}

/** Adds a stock location. Orders use it only when an order type or a zone names it (D48). */
export async function createLocation(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: LocationSettings,
): Promise<KeptLocationRow> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    tx.queue(...insertLocations([{ ...settings, id, createdAt: isoTimestamp(nowMs) }]));
    await announce(tx, context, origin, nowMs, {
      event: 'inventory_location.created',
      subjectType: 'inventory_location',
      subjectId: id,
      payload: { inventoryLocationId: id },
      details: { ...settings },
    });
    return { ...settings, id, created_at: nowMs, updated_at: null, archived_at: null };
  });
}
