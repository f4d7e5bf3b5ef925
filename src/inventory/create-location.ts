import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { insertLocations } from './inventory-queries.ts';
import type { KeptLocationRow } from './location-queries.ts';

/** What staff say of a location. */
export interface LocationSettings {
  readonly name: string;
  readonly description: string | null;
  readonly type: 'standard' | 'vehicle';
}

/** Adds a place where stock is kept. Nothing draws from it until an order type or a zone names it (D48). */
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
