import { failure } from '../../kernel/failure.ts';
import { statement } from '../../platform/statements/statement.ts';

/* Where goods of an order go when they are the shop's again. A vehicle gets none of them: it may be away, or have no trip. */

/** A location that is not archived; `position`: its place among those of the type of order, null: it is none of them. */
interface OpenPlaceRow {
  readonly id: number;
  readonly type: 'standard' | 'vehicle';
  readonly position: number | null;
}

function openPlaces(name: string, lock: string) {
  return statement<{ ids: readonly number[]; orderType: string }, OpenPlaceRow>(
    name,
    `select l.id, l.type, t.position
       from inventory_locations l
       left join order_type_locations t
         on t.organization_id = l.organization_id and t.inventory_location_id = l.id and t.order_type = :orderType
      where l.organization_id = :organizationId and l.archived_at is null
        and (l.id = any(:ids) or t.position is not null)
      order by l.id${lock}`,
  );
}

/** Where goods can go: these locations, and those that the type of order takes stock from. They stay open until the commit. */
export const holdPlacesForGoods = openPlaces('hold_places_for_goods', ' for share of l');
/** The same for reads, without a lock. */
export const selectPlacesForGoods = openPlaces('select_places_for_goods', '');

interface TakenStock {
  readonly locationId: number;
  readonly loadedFromLocationId: number | null;
}

/** The locations that decide where stock goes when it comes back. */
export function placesAskedFor(taken: readonly TakenStock[], named: number | null): number[] {
  const ids = taken.flatMap((it) => [it.locationId, it.loadedFromLocationId ?? it.locationId]);
  return [...new Set(named === null ? ids : [...ids, named])];
}

/**
 * Refuses a location that staff name for goods: with INVENTORY_LOCATION_NOT_FOUND, and a vehicle with INVALID_PARAMS naming
 * the field.
 */
export function assertPlaceForGoods(
  named: number,
  open: readonly Pick<OpenPlaceRow, 'id' | 'type'>[],
  field: string,
): void {
  const place = open.find(({ id }) => id === named);
  if (place === undefined) {
    throw failure('INVENTORY_LOCATION_NOT_FOUND', `${field} must be an inventory location in use: ${named}`);
  }
  if (place.type === 'vehicle') {
    throw failure('INVALID_PARAMS', `${field} must not be a vehicle: stock comes into one by loading a trip`);
  }
}

/**
 * Where stock of an order goes when it comes back: where it came from; what was delivered with a vehicle, where it was loaded from, or
 * the first place that the type of order takes stock from. Null: none of them is in use.
 */
export function placeOfGoodsBack(
  { locationId, loadedFromLocationId }: TakenStock,
  open: readonly OpenPlaceRow[],
): number | null {
  const from = open.find(({ id }) => id === (loadedFromLocationId ?? locationId));
  if (from?.type === 'standard') return from.id;
  // It was archived: staff say where else.
  if (from === undefined && loadedFromLocationId === null) return null;
  const usual = open.filter(({ type, position }) => type === 'standard' && position !== null);
  return usual.toSorted((a, b) => a.position! - b.position!)[0]?.id ?? null;
}
