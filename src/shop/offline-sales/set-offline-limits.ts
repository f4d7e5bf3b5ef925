import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { holdOpenLocations } from '../inventory/stock.ts';
import {
  deleteOfflineLimits,
  insertOfflineLimits,
  lockOfflineLimits,
  type OfflineLimitRow,
  selectOfflineLimits,
} from './offline-limit-queries.ts';

/** How far a register may go alone (D75). Amounts are in cents. */
export interface OfflineLimits {
  readonly isOn: boolean;
  readonly hoursMax: number;
  readonly saleMax: number;
  readonly outageMax: number;
}

interface OfflineSettings {
  readonly shop: OfflineLimits;
  /** In place of those of the shop. */
  readonly locations: readonly (OfflineLimits & { readonly inventoryLocationId: number })[];
}

/** Off, until the owner says otherwise. */
const unset: OfflineLimits = { isOn: false, hoursMax: 4, saleMax: 50_000, outageMax: 1_000_000 };

/** The settings from their rows, which may be none. */
export function offlineSettings(rows: readonly OfflineLimitRow[]): OfflineSettings {
  const ofShop = rows.find(({ inventory_location_id: id }) => id === null);
  return {
    shop: ofShop === undefined ? unset : limitsOf(ofShop),
    locations: rows.flatMap((row) =>
      row.inventory_location_id === null
        ? []
        : [{ inventoryLocationId: row.inventory_location_id, ...limitsOf(row) }],
    ),
  };
}

/** The limits of a location. */
export function limitsAt(rows: readonly OfflineLimitRow[], locationId: number): OfflineLimits {
  const { shop, locations } = offlineSettings(rows);
  return locations.find(({ inventoryLocationId }) => inventoryLocationId === locationId) ?? shop;
}

/** When the settings were last changed; null: never. */
export function changedAtMs(rows: readonly OfflineLimitRow[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map(({ updated_at }) => updated_at));
}

/** Replaces the settings. Fails with INVENTORY_LOCATION_NOT_FOUND, STALE_EDIT. */
export async function setOfflineLimits(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: OfflineSettings,
): Promise<void> {
  const locationIds = settings.locations.map(({ inventoryLocationId }) => inventoryLocationId);
  await context.database.write(organization, async (tx) => {
    const [, rows, open] = await tx.run(
      lockOfflineLimits({}),
      selectOfflineLimits({}),
      holdOpenLocations({ ids: locationIds }),
    );
    refuseStaleEdit(origin, changedAtMs(rows) ?? 0);
    if (open.length < new Set(locationIds).size) {
      throw failure('INVENTORY_LOCATION_NOT_FOUND', 'locations names an unknown or archived location.');
    }
    const told = changesOf(flat(offlineSettings(rows)), flat(settings));
    if (told === null) return;
    const nowMs = context.clock.now();
    const parts = [{ inventoryLocationId: null, ...settings.shop }, ...settings.locations];
    const ids = await context.ids.take(parts.length);
    tx.queue(
      deleteOfflineLimits({}),
      ...insertOfflineLimits(
        parts.map((part, index) => ({
          id: ids[index]!,
          inventoryLocationId: part.inventoryLocationId,
          isOn: part.isOn,
          hoursMax: part.hoursMax,
          saleCentsMax: part.saleMax,
          outageCentsMax: part.outageMax,
          updatedAt: isoTimestamp(nowMs),
        })),
      ),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'offline_sale_limits.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: {},
      details: told,
    });
  });
}

function flat({ shop, locations }: OfflineSettings) {
  return { ...shop, locations };
}

function limitsOf(row: OfflineLimitRow): OfflineLimits {
  return {
    isOn: row.is_on,
    hoursMax: row.hours_max,
    saleMax: row.sale_cents_max,
    outageMax: row.outage_cents_max,
  };
}
