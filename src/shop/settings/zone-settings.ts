import { failure } from '../../kernel/failure.ts';
import type { ZoneSettingsRow } from './delivery-zone-queries.ts';

/** The fields of a delivery zone. */
export interface ZoneSettings {
  readonly name: string;
  /** "94607" or "946*", normalized, in order. */
  readonly postalCodes: readonly string[];
  readonly orderMinimumCents: number;
  readonly deliveryFeeCents: number;
  readonly deliveryFeeDescription: string | null;
  /** Exactly these of the taxes in force; null: all except those for zones only. */
  readonly taxIds: readonly number[] | null;
  /** Empty: the locations of delivery orders (D48). */
  readonly inventoryLocationIds: readonly number[];
}

export interface SavedZone extends ZoneSettings {
  readonly id: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Maps a row and its postal codes to a zone. */
export function savedZone(row: ZoneSettingsRow, postalCodes: readonly string[]): SavedZone {
  return {
    id: row.id,
    name: row.name,
    postalCodes,
    orderMinimumCents: row.order_minimum_cents,
    deliveryFeeCents: row.delivery_fee_cents,
    deliveryFeeDescription: row.delivery_fee_description,
    taxIds: row.tax_ids,
    inventoryLocationIds: row.inventory_location_ids,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at ?? row.created_at,
  };
}

/** The audit's values of a zone, with the API's field names. */
export function toldZone(zone: ZoneSettings) {
  return {
    name: zone.name,
    postalCodes: zone.postalCodes,
    orderMinimum: zone.orderMinimumCents,
    deliveryFee: zone.deliveryFeeCents,
    deliveryFeeDescription: zone.deliveryFeeDescription,
    taxIds: zone.taxIds,
    inventoryLocationIds: zone.inventoryLocationIds,
  };
}

/**
 * Postal codes and prefixes in the form of lookups: without spaces, each once. Zones use five-digit codes, so
 * "94607-1234" and "94607*" are "94607". Fails with INVALID_PARAMS for anything else; `path` is the field's path in
 * the body.
 */
export function readPostalCodes(texts: readonly string[], path = ''): string[] {
  const codes = texts.map((text, index) => {
    const code = text.replace(/\s+/g, '').replace(/^(\d{5})(?:-\d{4}|\*)$/, '$1');
    if (!/^(?:[0-9]{5}|[0-9]{1,4}\*)$/.test(code)) {
      throw failure(
        'INVALID_PARAMS',
        `${path}postalCodes[${index}] must be a postal code of 5 digits such as "94607", or a prefix such as "946*"`,
      );
    }
    return code;
  });
  return [...new Set(codes)].sort();
}

/** What zones can refer to, and the patterns of all zones. */
export interface ZoneSurroundings {
  /** Taxes that have not ended. */
  readonly taxIds: readonly number[];
  readonly locationIds: readonly number[];
  readonly otherZones: readonly SavedZone[];
}

/** The maximum number of codes in a message. */
const codesListedMax = 5;

/**
 * Fails with INVALID_PARAMS when a zone names something unknown, or claims a pattern of another zone: a code would
 * have two zones. A prefix in one zone and a longer one or a whole code in another is an exception, not a
 * contradiction: the longest pattern applies. Existing references of the zone stay valid.
 */
export function assertZoneFits(
  zone: ZoneSettings,
  former: ZoneSettings | null,
  { taxIds, locationIds, otherZones }: ZoneSurroundings,
): void {
  const unknownTax = (zone.taxIds ?? []).find((id) => !taxIds.includes(id) && !former?.taxIds?.includes(id));
  if (unknownTax !== undefined) {
    throw failure('INVALID_PARAMS', `taxIds must be ids of taxes that have not ended; ${unknownTax} is none`);
  }
  const unknownLocation = zone.inventoryLocationIds.find(
    (id) => !locationIds.includes(id) && !former?.inventoryLocationIds.includes(id),
  );
  if (unknownLocation !== undefined) {
    throw failure(
      'INVALID_PARAMS',
      `inventoryLocationIds must be ids of inventory locations; ${unknownLocation} is none`,
    );
  }
  const zoneOfCode = new Map(
    otherZones.flatMap(({ name, postalCodes }) => postalCodes.map((it) => [it, name])),
  );
  const taken = zone.postalCodes.filter((code) => zoneOfCode.has(code));
  if (taken.length > 0) {
    const listed = taken.slice(0, codesListedMax).map((code) => `${code} (${zoneOfCode.get(code)})`);
    const rest = taken.length > codesListedMax ? `, and ${taken.length - codesListedMax} more` : '';
    throw failure(
      'INVALID_PARAMS',
      `postalCodes must not be those of another zone: ${listed.join(', ')}${rest}`,
    );
  }
}
