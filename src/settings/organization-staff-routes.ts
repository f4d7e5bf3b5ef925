import Type, { type Static } from 'typebox';
import {
  OrganizationName,
  type OrganizationRow,
  selectOrganization,
  timeZones,
} from '../access/organizations.ts';
import type { Context } from '../database/context.ts';
import { staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../http/schemas.ts';
import { selectOrderTypeLocations } from '../inventory/stock.ts';
import { assert } from '../kernel/assert.ts';
import { canonicalDecimalText } from '../kernel/decimal.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type UsState, usStates } from '../kernel/us-states.ts';
import {
  type OrganizationChanges,
  type OrganizationSettings,
  organizationSettings,
} from './organization-settings.ts';
import { warningsOf } from './organization-warnings.ts';
import { selectPurchaseLimitRules } from './purchase-limit-queries.ts';
import { selectDoubtedProducts, selectTiedDiscounts } from './settings-queries.ts';
import { PercentOrWhole, PercentText, settingsReaders } from './settings-schemas.ts';
import { selectTaxedCategories, selectTaxSettings } from './tax-queries.ts';
import { updateOrganization } from './update-organization.ts';

const locationsMax = 200;
const statusOnCreation = OneOf(['draft', 'new'], { description: '`new` takes stock at once' });
const drawnFrom = List(Id(), { max: locationsMax, description: 'In the order of drawing' });

const plainFields = {
  name: OrganizationName,
  customerEmail: Type.String({
    maxLength: 254,
    pattern: String.raw`^(?:[^\s@\u0000-\u001F\uD800-\uDFFF]+@[^\s@\u0000-\u001F\uD800-\uDFFF]+)?$`,
    description: 'Customer-facing; empty: none',
    'x-expected': 'an email address of at most 254 characters, or empty',
  }),
  customerPhone: Text({ max: 40, description: 'Customer-facing' }),
  hasDelivery: Flag(),
  hasPickup: Flag(),
  hasInStore: Flag(),
  state: OneOf(usStates, { description: 'US state, two letters: whose law holds' }),
  licenseNumber: Text({ max: 100 }),
  taxesIncluded: Flag({ description: 'Whether taxes are included in product prices' }),
  tz: OneOf(timeZones, { description: 'The zone that days are counted in' }),
  medicalTaxExempt: Flag({ description: 'Whether medical customers go without the exemptable taxes' }),
  autoApplyCredits: Flag({ description: "Whether a customer's credits are used up by the next order" }),
  freeProductFloorCents: Nullable(
    Cents({
      max: 1_000_000,
      description:
        'What discounts and sale prices leave of the price of a unit of cannabis; an option whose price itself is lower is sold for it. Null: as the state has it',
    }),
  ),
  documentRetentionDays: WholeNumber({ min: 1, max: 36_500 }),
};

const OrganizationSettingsReply = Named(
  'OrganizationSettings',
  Type.Object({
    id: Id(),
    ...plainFields,
    statusOnCreation: Type.Object({ delivery: statusOnCreation, pickup: statusOnCreation }),
    orderMinimums: Type.Object({ delivery: Cents(), pickup: Cents() }, { description: 'In cents' }),
    discountLimits: Type.Object(
      {
        budtenderPercent: Nullable(PercentText()),
        managerPercent: Nullable(PercentText()),
        maximumPercent: Nullable(
          PercentText({ description: 'The most that discounts take of the subtotals' }),
        ),
      },
      { description: 'Null: no limit' },
    ),
    locationsByOrderType: Type.Object({ delivery: drawnFrom, pickup: drawnFrom, 'in-store': drawnFrom }),
    warnings: List(Text({ max: 2000 }), { max: 100, description: 'What to look at, for people' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const OrganizationPatch = Type.Object({
  ...Type.Partial(Type.Object(plainFields)).properties,
  statusOnCreation: Type.Optional(
    Type.Partial(Type.Object({ delivery: statusOnCreation, pickup: statusOnCreation })),
  ),
  orderMinimums: Type.Optional(Type.Partial(Type.Object({ delivery: Cents(), pickup: Cents() }))),
  discountLimits: Type.Optional(
    Type.Partial(
      Type.Object({
        budtenderPercent: PercentOrWhole(),
        managerPercent: PercentOrWhole(),
        maximumPercent: PercentOrWhole({ description: 'The most that discounts take of the subtotals' }),
      }),
    ),
  ),
  locationsByOrderType: Type.Optional(
    Type.Partial(Type.Object({ delivery: drawnFrom, pickup: drawnFrom, 'in-store': drawnFrom })),
  ),
});

const example: Static<typeof OrganizationSettingsReply> = {
  id: 1001,
  name: 'Harborlight Provisions',
  customerEmail: 'hello@harborlight.example.com',
  customerPhone: '+15105550100',
  hasDelivery: true,
  hasPickup: true,
  hasInStore: true,
  state: 'CA',
  licenseNumber: 'C10-0000001-LIC',
  taxesIncluded: false,
  tz: 'America/Los_Angeles',
  medicalTaxExempt: true,
  autoApplyCredits: true,
  freeProductFloorCents: null,
  documentRetentionDays: 1095,
  statusOnCreation: { delivery: 'draft', pickup: 'new' },
  orderMinimums: { delivery: 5000, pickup: 0 },
  discountLimits: { budtenderPercent: '10', managerPercent: '25', maximumPercent: null },
  locationsByOrderType: { delivery: [2401], pickup: [2401], 'in-store': [2401] },
  warnings: [],
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** The staff's operations on the organization's own settings. */
export function organizationStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getOrganizationSettings',
      method: 'GET',
      path: '/staff/v1/organization',
      roles: settingsReaders,
      kind: 'read',
      summary: "Retrieve the organization's settings",
      description:
        'With what to look at: law that is not known here or that settings do not keep, categories that the taxes of ' +
        'the state were not set up for, settings that do not go together, products whose content contradicts their size.',
      source: ['D21', 'D27', 'D48'],
      tag: 'Settings',
      success: {
        status: 200,
        data: OrganizationSettingsReply,
        description: 'The settings',
        example,
      },
      failures: [],
      handle: async ({ staff }) => reply(await readSettings(context, staff.organizationId)),
    }),
    staffEndpoint({
      id: 'updateOrganization',
      method: 'PATCH',
      path: '/staff/v1/organization',
      roles: ['owner'],
      kind: 'write',
      takesIfMatch: true,
      summary: "Change the organization's settings",
      description:
        'Changes what is sent; of an object what is sent of it. The next cart follows. At least one order type stays ' +
        'offered, and an offered one draws from at least one location. The limit of budtenders is at most that of ' +
        'managers, where there is one, and neither is above the most that discounts take.',
      source: ['D21', 'D27', 'D48'],
      tag: 'Settings',
      body: OrganizationPatch,
      requestExample: { name: 'Harborlight Provisions', orderMinimums: { delivery: 5000 } },
      success: { status: 200, data: OrganizationSettingsReply, description: 'The settings', example },
      failures: [],
      handle: async ({ staff, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await updateOrganization(context, origin, staff.organizationId, changesOf(body));
        return reply(await readSettings(context, staff.organizationId));
      },
    }),
  ];
}

function changesOf({ discountLimits = {}, ...sent }: Static<typeof OrganizationPatch>): OrganizationChanges {
  return {
    ...sent,
    discountLimits: Object.fromEntries(
      Object.entries(discountLimits).map(([name, percent]) => [
        name,
        percent === null ? null : canonicalDecimalText(String(percent)),
      ]),
    ),
  };
}

async function readSettings(context: Context, organization: OrganizationId) {
  const nowMs = context.clock.now();
  const [[row], drawnFrom, taxes, categories, ownLimits, tiedDiscounts, doubtedProducts] =
    await context.database.read(
      organization,
      selectOrganization({}),
      selectOrderTypeLocations({}),
      selectTaxSettings({}),
      selectTaxedCategories({}),
      selectPurchaseLimitRules({}),
      selectTiedDiscounts({ at: isoTimestamp(nowMs) }),
      selectDoubtedProducts({}),
    );
  assert(row !== undefined, 'an organization with staff exists');
  const settings = organizationSettings(row, drawnFrom);
  return {
    ...shown(row, settings),
    warnings: warningsOf(
      context.law.current,
      settings,
      { taxes, categories, ownLimits, tiedDiscounts, doubtedProducts },
      nowMs,
    ),
  };
}

function shown(row: OrganizationRow, settings: OrganizationSettings) {
  return {
    id: row.id,
    ...settings,
    state: settings.state as UsState,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}
