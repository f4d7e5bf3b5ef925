import { statement } from '../../platform/statements/statement.ts';

/** How a shop meets the duties of its state; a part that is absent is as strict as the law. */
export interface StoredDuties {
  readonly saleHours?: { readonly from: string; readonly to: string } | null;
  /** Why a duty does not bind this shop. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** An ID is seen before cannabis is handed over, also where the law does not ask for it. */
  readonly idCheck?: boolean;
  /** The most cannabis that a vehicle carries, in cents. */
  readonly vehicleValueCents?: number | null;
  /** A shop to practice in, such as a demo: no goods change hands. */
  readonly isPractice?: boolean;
  /** What people do outside of the service, and when they last said so: instants in milliseconds. */
  readonly done?: Readonly<Record<string, { readonly at: number; readonly staffId: number }>>;
}

export interface OrganizationRow {
  id: number;
  name: string;
  customer_email: string;
  customer_phone: string;
  license_number: string;
  state: string;
  tz: string;
  taxes_included: boolean;
  has_delivery: boolean;
  has_pickup: boolean;
  delivery_status_on_creation: 'draft' | 'new';
  pickup_status_on_creation: 'draft' | 'new';
  delivery_minimum_cents: number;
  pickup_minimum_cents: number;
  budtender_discount_percent: string | null;
  manager_discount_percent: string | null;
  medical_tax_exempt: boolean;
  has_in_store: boolean;
  maximum_discount_percent: string | null;
  auto_apply_credits: boolean;
  free_product_floor_cents: number | null;
  document_retention_days: number;
  explanation_retention_days: number;
  customer_retention_days: number | null;
  mails_receipts: boolean;
  mails_ready: boolean;
  mails_out_for_delivery: boolean;
  mails_canceled: boolean;
  integrators_set_stock: boolean;
  /** Whether the customer whose turn it is sees where a driver is who shares it. */
  shows_driver_position: boolean;
  delivery_needs_time_slot: boolean;
  pickup_needs_time_slot: boolean;
  customers_cancel: 'never' | 'while-draft' | 'until-packed';
  first_steps_hidden: boolean;
  tax_pass_through_fees: boolean;
  left_taxes_dismissed: { readonly key: string; readonly reason: string }[];
  /** `HH:MM`. */
  business_day_starts_at: string;
  /** Placeholders of contacts (D84), as `isListedPlaceholder` reads them. */
  placeholder_contacts: readonly string[];
  owed_point_cents: number | null;
  /** What it has set of `StoredDuties`; empty: nothing. */
  duty_settings: StoredDuties;
  created_at: number;
  updated_at: number;
}

/** The values that are set when an organization is created; other columns have defaults. */
const organizationColumns = `id, name, customer_email, customer_phone, license_number, state, tz, taxes_included,
  has_delivery, has_pickup, delivery_status_on_creation, pickup_status_on_creation, delivery_minimum_cents,
  pickup_minimum_cents, budtender_discount_percent, manager_discount_percent, medical_tax_exempt`;

const organizationSettings = `select ${organizationColumns}, has_in_store, maximum_discount_percent,
          auto_apply_credits, free_product_floor_cents, document_retention_days, explanation_retention_days,
          customer_retention_days, mails_receipts, mails_ready,
          mails_out_for_delivery, mails_canceled, integrators_set_stock, customers_cancel, first_steps_hidden,
          shows_driver_position, delivery_needs_time_slot, pickup_needs_time_slot,
          tax_pass_through_fees, left_taxes_dismissed, placeholder_contacts,
          to_char(business_day_starts_at, 'HH24:MI') as business_day_starts_at, owed_point_cents,
          duty_settings, created_at, updated_at
     from organizations where id = :organizationId`;

export const selectOrganization = statement<Record<never, never>, OrganizationRow>(
  'select_organization',
  organizationSettings,
);

/**
 * Serializes changes of an organization's settings: a second change waits and sees the first. Orders only refer to the
 * row, so they do not conflict with this lock.
 */
export const lockOrganization = statement<Record<never, never>, OrganizationRow>(
  'lock_organization',
  `${organizationSettings} for no key update`,
);

export const updateOrganizationRow = statement<
  {
    name: string;
    customerEmail: string;
    customerPhone: string;
    licenseNumber: string;
    state: string;
    tz: string;
    taxesIncluded: boolean;
    hasDelivery: boolean;
    hasPickup: boolean;
    hasInStore: boolean;
    deliveryStatusOnCreation: string;
    pickupStatusOnCreation: string;
    deliveryMinimumCents: number;
    pickupMinimumCents: number;
    budtenderDiscountPercent: string | null;
    managerDiscountPercent: string | null;
    maximumDiscountPercent: string | null;
    medicalTaxExempt: boolean;
    autoApplyCredits: boolean;
    freeProductFloorCents: number | null;
    documentRetentionDays: number;
    explanationRetentionDays: number;
    customerRetentionDays: number | null;
    mailsReceipts: boolean;
    mailsReady: boolean;
    mailsOutForDelivery: boolean;
    mailsCanceled: boolean;
    integratorsSetStock: boolean;
    customersCancel: string;
    showsDriverPosition: boolean;
    deliveryNeedsTimeSlot: boolean;
    pickupNeedsTimeSlot: boolean;
    firstStepsHidden: boolean;
    taxPassThroughFees: boolean;
    /** JSON text. */
    leftTaxesDismissed: string;
    businessDayStartsAt: string;
    placeholderContacts: readonly string[];
    owedPointCents: number | null;
    at: string;
  },
  never
>(
  'update_organization',
  `update organizations
      set name = :name, customer_email = :customerEmail, customer_phone = :customerPhone,
          license_number = :licenseNumber, state = :state, tz = :tz, taxes_included = :taxesIncluded,
          has_delivery = :hasDelivery, has_pickup = :hasPickup, has_in_store = :hasInStore,
          delivery_status_on_creation = :deliveryStatusOnCreation,
          pickup_status_on_creation = :pickupStatusOnCreation, delivery_minimum_cents = :deliveryMinimumCents,
          pickup_minimum_cents = :pickupMinimumCents, budtender_discount_percent = :budtenderDiscountPercent,
          manager_discount_percent = :managerDiscountPercent, maximum_discount_percent = :maximumDiscountPercent,
          medical_tax_exempt = :medicalTaxExempt, auto_apply_credits = :autoApplyCredits,
          free_product_floor_cents = :freeProductFloorCents, document_retention_days = :documentRetentionDays,
          explanation_retention_days = :explanationRetentionDays,
          customer_retention_days = :customerRetentionDays,
          mails_receipts = :mailsReceipts, mails_ready = :mailsReady,
          mails_out_for_delivery = :mailsOutForDelivery, mails_canceled = :mailsCanceled,
          integrators_set_stock = :integratorsSetStock, customers_cancel = :customersCancel, first_steps_hidden = :firstStepsHidden,
          shows_driver_position = :showsDriverPosition, delivery_needs_time_slot = :deliveryNeedsTimeSlot,
          pickup_needs_time_slot = :pickupNeedsTimeSlot,
          tax_pass_through_fees = :taxPassThroughFees, left_taxes_dismissed = :leftTaxesDismissed,
          business_day_starts_at = :businessDayStartsAt::time, owed_point_cents = :owedPointCents,
          placeholder_contacts = :placeholderContacts,
          updated_at = :at
    where id = :organizationId`,
);

/** For how many days customers are kept after the last that they did; null: for ever (D76). */
export const selectCustomerRetention = statement<
  Record<never, never>,
  { customer_retention_days: number | null }
>(
  'select_customer_retention',
  'select customer_retention_days from organizations where id = :organizationId',
);

/** Why the operator has suspended an organization. */
export type SuspendedBecause = 'operator' | 'imported' | 'ending';

export interface StandingRow {
  name: string;
  suspended_at: number | null;
  suspended_because: SuspendedBecause | null;
  ends_at: number | null;
}

/** Whether it trades; the row is locked, so that two commands follow each other. */
export const lockStanding = statement<Record<never, never>, StandingRow>(
  'lock_standing',
  `select name, suspended_at, suspended_because, ends_at from organizations
    where id = :organizationId for no key update`,
);

/** When a suspended organization is deleted; null: no end is set. */
export const selectEnd = statement<Record<never, never>, { ends_at: number | null }>(
  'select_end',
  'select ends_at from organizations where id = :organizationId',
);

export const setStanding = statement<
  { suspendedAt: string | null; because: SuspendedBecause | null; endsAt: string | null },
  never
>(
  'set_standing',
  `update organizations
      set suspended_at = :suspendedAt, suspended_because = :because, ends_at = :endsAt
    where id = :organizationId`,
);

/** Deletes some rows of an organization that is over; the function in the database refuses every other. */
export const pruneFormerOrganization = statement<{ at: string; limit: number }, { deleted: number }>(
  'prune_former_organization',
  'select prune_former_organization(:organizationId, :at, :limit) as deleted',
);

export const insertOrganization = statement<
  {
    name: string;
    customerEmail: string;
    customerPhone: string;
    licenseNumber: string;
    state: string;
    tz: string;
    taxesIncluded: boolean;
    hasDelivery: boolean;
    hasPickup: boolean;
    deliveryStatusOnCreation: string;
    pickupStatusOnCreation: string;
    deliveryMinimumCents: number;
    pickupMinimumCents: number;
    budtenderDiscountPercent: string | null;
    managerDiscountPercent: string | null;
    medicalTaxExempt: boolean;
    /** JSON text. */
    dutySettings: string;
    at: string;
  },
  never
>(
  'insert_organization',
  `insert into organizations (${organizationColumns}, duty_settings, created_at, updated_at)
   values (:organizationId, :name, :customerEmail, :customerPhone, :licenseNumber, :state, :tz, :taxesIncluded,
     :hasDelivery, :hasPickup, :deliveryStatusOnCreation, :pickupStatusOnCreation, :deliveryMinimumCents,
     :pickupMinimumCents, :budtenderDiscountPercent, :managerDiscountPercent, :medicalTaxExempt, :dutySettings, :at, :at)`,
);

/** How the shop meets the duties of its state, as JSON text. */
export const setDutySettings = statement<{ dutySettings: string; at: string }, never>(
  'set_duty_settings',
  'update organizations set duty_settings = :dutySettings, updated_at = :at where id = :organizationId',
);
