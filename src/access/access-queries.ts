import { insertMany, statement } from '../platform/database/statement.ts';

/** The organization of a client key, and the integrator of a consumer key: two point look-ups by digest. */
export const findPresentedKeys = statement<
  { clientKeyDigest: Uint8Array; consumerKeyDigest: Uint8Array },
  {
    organization_id: number;
    client_key_id: number;
    client_digest: Buffer;
    digest_expires_at: number | null;
    /** The rest is null for a consumer key that is unknown or whose integrator is revoked. */
    integrator_id: number | null;
    integrator_name: string | null;
    consumer_digest: Buffer | null;
    consumer_expires_at: number | null;
    consumer_of_sandbox: boolean | null;
  }
>(
  'find_presented_keys',
  `select d.organization_id, d.client_key_id, d.digest as client_digest, d.expires_at as digest_expires_at,
          i.id as integrator_id, i.name as integrator_name, c.digest as consumer_digest,
          c.expires_at as consumer_expires_at, c.of_sandbox as consumer_of_sandbox
     from client_key_digests d
     left join (consumer_key_digests c join integrators i on i.id = c.integrator_id and i.revoked_at is null)
       on c.digest = :consumerKeyDigest
    where d.digest = :clientKeyDigest`,
);

/** The organization of a publishable key: one look-up by digest. */
export const findPublishableKey = statement<
  { digest: Uint8Array },
  { organization_id: number; client_key_id: number; digest: Buffer; expires_at: number | null }
>(
  'find_publishable_key',
  `select organization_id, client_key_id, digest, expires_at from client_key_digests where digest = :digest`,
);

export interface ClientKeyRow {
  id: number;
  integrator_id: number;
  permissions: string[];
  strict: boolean;
  menu_requests_per_second: number | null;
  other_requests_per_second: number | null;
  allowed_addresses: string[];
  /** Empty: a secret key. */
  origins: string[];
  /** The customers that a secret key names are believed to be them (D62). */
  vouches: boolean;
  expires_at: number | null;
  revoked_at: number | null;
  /** Whether the organization is a sandbox, and how its clock is set. */
  is_sandbox: boolean;
  clock_ahead_ms: number | null;
  clock_stands_at: number | null;
}

export const findClientKey = statement<{ id: number }, ClientKeyRow>(
  'find_client_key',
  `select k.id, k.integrator_id, k.permissions, k.strict, k.menu_requests_per_second, k.other_requests_per_second,
          k.allowed_addresses, k.origins, k.vouches, k.expires_at, k.revoked_at,
          s.organization_id is not null as is_sandbox, s.clock_ahead_ms, s.clock_stands_at
     from client_keys k left join sandboxes s on s.organization_id = k.organization_id
    where k.organization_id = :organizationId and k.id = :id`,
);

/** The same with the name of its integrator; no row if the integrator is revoked. */
export const findPublishableClientKey = statement<{ id: number }, ClientKeyRow & { integrator_name: string }>(
  'find_publishable_client_key',
  `select k.id, k.integrator_id, k.permissions, k.strict, k.menu_requests_per_second, k.other_requests_per_second,
          k.allowed_addresses, k.origins, k.vouches, k.expires_at, k.revoked_at, i.name as integrator_name,
          s.organization_id is not null as is_sandbox, s.clock_ahead_ms, s.clock_stands_at
     from client_keys k join integrators i on i.id = k.integrator_id and i.revoked_at is null
     left join sandboxes s on s.organization_id = k.organization_id
    where k.organization_id = :organizationId and k.id = :id`,
);

export const insertClientKeys = insertMany<{
  id: number;
  integratorId: number;
  name: string;
  keyPrefix: string;
  permissions: readonly string[];
  strict: boolean;
  menuRequestsPerSecond: number | null;
  otherRequestsPerSecond: number | null;
  allowedAddresses: readonly string[];
  origins: readonly string[];
  vouches: boolean;
  expiresAt: string | null;
  createdAt: string;
}>('client_keys', {
  id: 'id',
  integratorId: 'integrator_id',
  name: 'name',
  keyPrefix: 'key_prefix',
  permissions: 'permissions',
  strict: 'strict',
  menuRequestsPerSecond: 'menu_requests_per_second',
  otherRequestsPerSecond: 'other_requests_per_second',
  allowedAddresses: 'allowed_addresses',
  origins: 'origins',
  vouches: 'vouches',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
});

export const insertClientKeyDigests = insertMany<{ digest: Uint8Array; clientKeyId: number }>(
  'client_key_digests',
  { digest: 'digest', clientKeyId: 'client_key_id' },
);

export const insertStaffMembers = insertMany<{
  id: number;
  email: string;
  emailNormalized: string;
  firstName: string;
  lastName: string;
  role: string;
  passwordHash: string | null;
  createdAt: string;
}>('staff_members', {
  id: 'id',
  email: 'email',
  emailNormalized: 'email_normalized',
  firstName: 'first_name',
  lastName: 'last_name',
  role: 'role',
  passwordHash: 'password_hash',
  createdAt: 'created_at',
});

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
  first_steps_hidden: boolean;
  tax_pass_through_fees: boolean;
  left_taxes_dismissed: { readonly key: string; readonly reason: string }[];
  /** `HH:MM`. */
  business_day_starts_at: string;
  /** Placeholders of contacts (D84), as `isListedPlaceholder` reads them. */
  placeholder_contacts: readonly string[];
  owed_point_cents: number | null;
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
          mails_out_for_delivery, mails_canceled, integrators_set_stock, first_steps_hidden,
          tax_pass_through_fees, left_taxes_dismissed, placeholder_contacts,
          to_char(business_day_starts_at, 'HH24:MI') as business_day_starts_at, owed_point_cents, created_at, updated_at
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
          integrators_set_stock = :integratorsSetStock, first_steps_hidden = :firstStepsHidden,
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
    at: string;
  },
  never
>(
  'insert_organization',
  `insert into organizations (${organizationColumns}, created_at, updated_at)
   values (:organizationId, :name, :customerEmail, :customerPhone, :licenseNumber, :state, :tz, :taxesIncluded,
     :hasDelivery, :hasPickup, :deliveryStatusOnCreation, :pickupStatusOnCreation, :deliveryMinimumCents,
     :pickupMinimumCents, :budtenderDiscountPercent, :managerDiscountPercent, :medicalTaxExempt, :at, :at)`,
);
