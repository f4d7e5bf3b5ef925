import type { OrganizationRow, TimeZone } from '../access/organizations.ts';
import { warningsOnLimits } from '../jurisdictions/jurisdiction-warnings.ts';
import { canonicalDecimalText, decimal } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import { localDateAt } from '../kernel/local-time.ts';
import { type DatedTaxRow, taxesInForce } from './tax-queries.ts';

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const;
export type SettingsOrderType = (typeof orderTypes)[number];

interface ByOrigin<Value> {
  readonly delivery: Value;
  readonly pickup: Value;
}

export interface DiscountLimitSettings {
  /** Percent as decimal text; null: none. */
  readonly budtenderPercent: string | null;
  readonly managerPercent: string | null;
  readonly maximumPercent: string | null;
}

/** What an organization sets for itself. */
export interface OrganizationSettings {
  readonly name: string;
  readonly customerEmail: string;
  readonly customerPhone: string;
  readonly hasDelivery: boolean;
  readonly hasPickup: boolean;
  readonly hasInStore: boolean;
  readonly state: string;
  readonly licenseNumber: string;
  readonly taxesIncluded: boolean;
  readonly tz: TimeZone;
  /** D21. */
  readonly statusOnCreation: ByOrigin<'draft' | 'new'>;
  /** D27, in cents. */
  readonly orderMinimums: ByOrigin<number>;
  readonly discountLimits: DiscountLimitSettings;
  readonly medicalTaxExempt: boolean;
  readonly autoApplyCredits: boolean;
  /** Null: as the state has it. */
  readonly freeProductFloorCents: number | null;
  readonly documentRetentionDays: number;
  /** D48, in the order of drawing. */
  readonly locationsByOrderType: Readonly<Record<SettingsOrderType, readonly number[]>>;
}

/** Some of the settings; objects are merged by key. */
export type OrganizationChanges = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] extends
    | string
    | number
    | boolean
    | null
    ? OrganizationSettings[Name]
    : Partial<OrganizationSettings[Name]>;
};

type OrderTypeLocationRow = { readonly order_type: string; readonly inventory_location_id: number };

/** The settings of an organization's row and its locations. */
export function organizationSettings(
  row: OrganizationRow,
  locations: readonly OrderTypeLocationRow[],
): OrganizationSettings {
  const percent = (text: string | null) => text && canonicalDecimalText(text);
  const drawsFrom = (type: SettingsOrderType) =>
    locations.filter((it) => it.order_type === type).map((it) => it.inventory_location_id);
  return {
    name: row.name,
    customerEmail: row.customer_email,
    customerPhone: row.customer_phone,
    hasDelivery: row.has_delivery,
    hasPickup: row.has_pickup,
    hasInStore: row.has_in_store,
    state: row.state,
    licenseNumber: row.license_number,
    taxesIncluded: row.taxes_included,
    tz: row.tz as TimeZone,
    statusOnCreation: { delivery: row.delivery_status_on_creation, pickup: row.pickup_status_on_creation },
    orderMinimums: { delivery: row.delivery_minimum_cents, pickup: row.pickup_minimum_cents },
    discountLimits: {
      budtenderPercent: percent(row.budtender_discount_percent),
      managerPercent: percent(row.manager_discount_percent),
      maximumPercent: percent(row.maximum_discount_percent),
    },
    medicalTaxExempt: row.medical_tax_exempt,
    autoApplyCredits: row.auto_apply_credits,
    freeProductFloorCents: row.free_product_floor_cents,
    documentRetentionDays: row.document_retention_days,
    locationsByOrderType: {
      delivery: drawsFrom('delivery'),
      pickup: drawsFrom('pickup'),
      'in-store': drawsFrom('in-store'),
    },
  };
}

/** The settings as they are after a change. */
export function mergeSettings(
  former: OrganizationSettings,
  changes: OrganizationChanges,
): OrganizationSettings {
  return {
    ...former,
    ...changes,
    statusOnCreation: { ...former.statusOnCreation, ...changes.statusOnCreation },
    orderMinimums: { ...former.orderMinimums, ...changes.orderMinimums },
    discountLimits: { ...former.discountLimits, ...changes.discountLimits },
    locationsByOrderType: { ...former.locationsByOrderType, ...changes.locationsByOrderType },
  };
}

/** The names of the settings that differ. */
export function changedSettings(
  before: OrganizationSettings,
  after: OrganizationSettings,
): (keyof OrganizationSettings)[] {
  return (Object.keys(after) as (keyof OrganizationSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

const offerOf = { delivery: 'hasDelivery', pickup: 'hasPickup', 'in-store': 'hasInStore' } as const;

/**
 * Fails with INVALID_PARAMS when settings contradict each other. What was contradictory before is not refused
 * again: an organization that has just been made has no locations yet, and may still correct its name.
 */
export function assertSettingsFit(
  after: OrganizationSettings,
  before: OrganizationSettings,
  locationIds: readonly number[],
): void {
  if (!orderTypes.some((type) => after[offerOf[type]])) {
    throw failure('INVALID_PARAMS', 'hasDelivery, hasPickup, hasInStore: at least one must be true');
  }
  const { budtenderPercent, managerPercent } = after.discountLimits;
  if (
    budtenderPercent !== null &&
    managerPercent !== null &&
    decimal(budtenderPercent).gt(decimal(managerPercent))
  ) {
    throw failure(
      'INVALID_PARAMS',
      `discountLimits.budtenderPercent must be at most managerPercent (${managerPercent})`,
    );
  }
  for (const type of orderTypes) {
    const ids = after.locationsByOrderType[type];
    const unknown = ids.find(
      (id) => !locationIds.includes(id) && !before.locationsByOrderType[type].includes(id),
    );
    if (unknown !== undefined) {
      throw failure(
        'INVALID_PARAMS',
        `locationsByOrderType.${type} must be ids of inventory locations; ${unknown} is none`,
      );
    }
    if (new Set(ids).size < ids.length) {
      throw failure('INVALID_PARAMS', `locationsByOrderType.${type} must name each location once`);
    }
    const offer = offerOf[type];
    const wasEmpty = before[offer] && before.locationsByOrderType[type].length === 0;
    if (after[offer] && ids.length === 0 && !wasEmpty) {
      throw failure(
        'INVALID_PARAMS',
        `locationsByOrderType.${type} must name at least one location while ${offer} is true`,
      );
    }
  }
}

/** What an owner should look at, in words: settings that work, and probably not as they were meant. */
export function warningsOf(
  settings: OrganizationSettings,
  taxes: readonly DatedTaxRow[],
  nowMs: number,
): string[] {
  const warnings = warningsOnLimits(settings.state, localDateAt(nowMs, settings.tz));
  const live = taxesInForce(taxes, nowMs);
  if (live.length === 0)
    warnings.push('No tax is in force: nothing is charged on top of prices or within them.');
  const other = live.find(({ included }) => included !== settings.taxesIncluded);
  if (other !== undefined) {
    warnings.push(
      settings.taxesIncluded
        ? `taxesIncluded says that prices contain the taxes, but the tax "${other.description}" is charged on top.`
        : `taxesIncluded says that taxes come on top of prices, but the tax "${other.description}" is within them.`,
    );
  }
  for (const type of orderTypes) {
    if (settings[offerOf[type]] && settings.locationsByOrderType[type].length === 0) {
      warnings.push(`Orders of the type ${type} are offered, but draw from no location: none can be sold.`);
    }
  }
  return warnings;
}
