import type { TimeZone } from '../../access/organizations/create-organization.ts';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { DismissedTax } from './left-taxes.ts';

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const;
type SettingsOrderType = (typeof orderTypes)[number];

interface ByOrigin<Value> {
  readonly delivery: Value;
  readonly pickup: Value;
}

interface DiscountLimitSettings {
  /** Percent as decimal text; null: none. */
  readonly budtenderPercent: string | null;
  readonly managerPercent: string | null;
  readonly maximumPercent: string | null;
}

/** The steps of an order that its customer hears of by mail (D70). */
interface CustomerMailSettings {
  readonly receipts: boolean;
  readonly ready: boolean;
  readonly outForDelivery: boolean;
  readonly canceled: boolean;
}

/** The settings of an organization. */
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
  /** When the day of reports and of staff's lists begins, `HH:MM` (D87). */
  readonly businessDayStartsAt: string;
  /** What a refund is reduced by for each point that a return takes back and that was spent; null: the balance goes below zero (D89). */
  readonly owedPointCents: number | null;
  /** D21. */
  readonly statusOnCreation: ByOrigin<'draft' | 'new'>;
  /** D27, in cents. */
  readonly orderMinimums: ByOrigin<number>;
  readonly discountLimits: DiscountLimitSettings;
  readonly medicalTaxExempt: boolean;
  readonly autoApplyCredits: boolean;
  /** Whether the delivery fee that an integrator sends is the shop's own charge, which taxes on fees touch (D80). */
  readonly taxPassThroughFees: boolean;
  /** Taxes that the state's preset leaves to the owner and that are not due here. */
  readonly leftTaxesDismissed: readonly DismissedTax[];
  /** Null: the state's rule. */
  readonly freeProductFloorCents: number | null;
  readonly documentRetentionDays: number;
  /** For so many days the steps of an order's arithmetic are kept (D76). */
  readonly explanationRetentionDays: number;
  /** For so many days after the last order or change a customer is kept; null: for ever (D76). */
  readonly customerRetentionDays: number | null;
  /** Whether integrators set stock to what they counted. */
  readonly integratorsSetStock: boolean;
  /** How long a customer cancels an own order of pickup or delivery without the shop. */
  readonly customersCancel: OrganizationRow['customers_cancel'];
  /** Whether the customer whose turn it is sees where a driver is who shares it. */
  readonly showsDriverPosition: boolean;
  /** Whether an order that is placed by API must choose a time slot. */
  readonly needsTimeSlot: ByOrigin<boolean>;
  /** The list of first steps was put away. */
  readonly firstStepsHidden: boolean;
  /** Contacts that the shop types for people who have none (D84). */
  readonly placeholderContacts: readonly string[];
  readonly customerMails: CustomerMailSettings;
  /** D48, in the order of allocation. */
  readonly locationsByOrderType: Readonly<Record<SettingsOrderType, readonly number[]>>;
}

/** Some of the settings; objects are merged by key. */
export type OrganizationChanges = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] extends
    | string
    | number
    | boolean
    | null
    | readonly string[]
    | readonly DismissedTax[]
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
    businessDayStartsAt: row.business_day_starts_at,
    owedPointCents: row.owed_point_cents,
    statusOnCreation: { delivery: row.delivery_status_on_creation, pickup: row.pickup_status_on_creation },
    orderMinimums: { delivery: row.delivery_minimum_cents, pickup: row.pickup_minimum_cents },
    discountLimits: {
      budtenderPercent: percent(row.budtender_discount_percent),
      managerPercent: percent(row.manager_discount_percent),
      maximumPercent: percent(row.maximum_discount_percent),
    },
    medicalTaxExempt: row.medical_tax_exempt,
    autoApplyCredits: row.auto_apply_credits,
    taxPassThroughFees: row.tax_pass_through_fees,
    leftTaxesDismissed: row.left_taxes_dismissed,
    freeProductFloorCents: row.free_product_floor_cents,
    documentRetentionDays: row.document_retention_days,
    explanationRetentionDays: row.explanation_retention_days,
    customerRetentionDays: row.customer_retention_days,
    integratorsSetStock: row.integrators_set_stock,
    customersCancel: row.customers_cancel,
    showsDriverPosition: row.shows_driver_position,
    needsTimeSlot: { delivery: row.delivery_needs_time_slot, pickup: row.pickup_needs_time_slot },
    firstStepsHidden: row.first_steps_hidden,
    placeholderContacts: row.placeholder_contacts,
    customerMails: {
      receipts: row.mails_receipts,
      ready: row.mails_ready,
      outForDelivery: row.mails_out_for_delivery,
      canceled: row.mails_canceled,
    },
    locationsByOrderType: {
      delivery: drawsFrom('delivery'),
      pickup: drawsFrom('pickup'),
      'in-store': drawsFrom('in-store'),
    },
  };
}

/** The settings after a change. */
export function mergeSettings(
  former: OrganizationSettings,
  changes: OrganizationChanges,
): OrganizationSettings {
  return {
    ...former,
    ...changes,
    statusOnCreation: { ...former.statusOnCreation, ...changes.statusOnCreation },
    orderMinimums: { ...former.orderMinimums, ...changes.orderMinimums },
    needsTimeSlot: { ...former.needsTimeSlot, ...changes.needsTimeSlot },
    discountLimits: { ...former.discountLimits, ...changes.discountLimits },
    customerMails: { ...former.customerMails, ...changes.customerMails },
    locationsByOrderType: { ...former.locationsByOrderType, ...changes.locationsByOrderType },
  };
}

/** The setting that offers an order type. */
export const offerOf = { delivery: 'hasDelivery', pickup: 'hasPickup', 'in-store': 'hasInStore' } as const;

const discountLimitNames = ['budtenderPercent', 'managerPercent', 'maximumPercent'] as const;

/**
 * No limit (null) is above every limit: a budtender's limit is at most a manager's, and both are at most the maximum
 * of all discounts.
 */
function assertLimitsFit(limits: DiscountLimitSettings): void {
  const { budtenderPercent, managerPercent } = limits;
  if (managerPercent !== null && budtenderPercent === null) {
    throw failure(
      'INVALID_PARAMS',
      `discountLimits.budtenderPercent must not be null while managerPercent is set (${managerPercent})`,
    );
  }
  refuseAbove(limits, 'budtenderPercent', 'managerPercent');
  refuseAbove(limits, 'budtenderPercent', 'maximumPercent');
  refuseAbove(limits, 'managerPercent', 'maximumPercent');
}

function refuseAbove(
  limits: DiscountLimitSettings,
  lower: keyof DiscountLimitSettings,
  upper: keyof DiscountLimitSettings,
): void {
  const [of, most] = [limits[lower], limits[upper]];
  if (of === null || most === null || decimal(of).lte(decimal(most))) return;
  throw failure('INVALID_PARAMS', `discountLimits.${lower} must be at most ${upper} (${most})`);
}

/**
 * Fails with INVALID_PARAMS when settings contradict each other. Existing contradictions are not refused again: a new
 * organization has no locations yet, but must be able to change its name.
 */
export function assertSettingsFit(
  after: OrganizationSettings,
  before: OrganizationSettings,
  locationIds: readonly number[],
): void {
  if (!orderTypes.some((type) => after[offerOf[type]])) {
    throw failure('INVALID_PARAMS', 'hasDelivery, hasPickup, hasInStore: at least one must be true');
  }
  const changedLimits = discountLimitNames.some(
    (name) => after.discountLimits[name] !== before.discountLimits[name],
  );
  if (changedLimits) assertLimitsFit(after.discountLimits);
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
