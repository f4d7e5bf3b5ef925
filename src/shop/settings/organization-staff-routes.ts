import Type, { type Static } from 'typebox';
import { endingKeys } from '../../access/keys/keys.ts';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { OrganizationName, selectOrganization, timeZones } from '../../access/organizations/organizations.ts';
import { type UsState, usStates } from '../../engines/jurisdictions/us-states.ts';
import { assert } from '../../kernel/assert.ts';
import { concerns } from '../../kernel/concerns.ts';
import { readPlaceholder } from '../../kernel/contacts.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { selectFileUses, shownUses } from '../files/quotas.ts';
import { selectOrderTypeLocations } from '../inventory/stock.ts';
import { openLeftTaxes, warningsOnLeftTaxes } from './left-taxes.ts';
import {
  type OrganizationChanges,
  type OrganizationSettings,
  organizationSettings,
} from './organization-settings.ts';
import { warningsOf } from './organization-warnings.ts';
import { selectPurchaseLimitRules } from './purchase-limit-setting.ts';
import { selectDoubtedProducts, selectSwitchedOffWebhooks, selectTiedDiscounts } from './settings-queries.ts';
import { PercentOrWhole, PercentText, settingsReaders } from './settings-schemas.ts';
import { selectTaxedCategories, selectTaxSettings } from './tax-queries.ts';
import { savedTax } from './tax-settings.ts';
import { updateOrganization } from './update-organization.ts';

const locationsMax = 200;
const statusOnCreation = OneOf(['draft', 'new'], { description: '`new` takes stock immediately' });
const drawnFrom = List(Id(), { max: locationsMax, description: 'In the order of allocation' });

const BusinessDayStart = Type.String({
  pattern: '^(?:0[0-9]|1[01]):[0-5][0-9]$',
  description:
    'When the business day begins, by the clock of `tz`: what is sold before counts on the day before, in reports and lists of staff. Reports of all days follow at once',
  'x-expected': 'a time of day from 00:00 to 11:59, as HH:MM',
});

const plainFields = {
  name: OrganizationName,
  customerEmail: Type.String({
    maxLength: 254,
    pattern: String.raw`^(?:[^\s@\u0000-\u001F\uD800-\uDFFF]+@[^\s@\u0000-\u001F\uD800-\uDFFF]+)?$`,
    description: 'Shown to customers; empty: none',
    'x-expected': 'an email address of at most 254 characters, or empty',
  }),
  customerPhone: Text({ max: 40, description: 'Customer-facing' }),
  hasDelivery: Flag(),
  hasPickup: Flag(),
  hasInStore: Flag(),
  state: OneOf(usStates, { description: 'US state, two letters: its law applies' }),
  licenseNumber: Text({ max: 100 }),
  taxesIncluded: Flag({ description: 'Whether taxes are included in product prices' }),
  tz: OneOf(timeZones, { description: 'The time zone of days' }),
  businessDayStartsAt: BusinessDayStart,
  owedPointCents: Nullable(
    Cents({
      max: 10_000,
      description:
        'For each point that a return takes back and that the customer has spent, the refund is so many cents less. Null: the balance goes below zero instead',
    }),
  ),
  medicalTaxExempt: Flag({ description: 'Whether medical customers are exempt from the exemptable taxes' }),
  autoApplyCredits: Flag({ description: "Whether the next order uses up a customer's credits" }),
  taxPassThroughFees: Flag({
    description:
      "Whether the `deliveryFee` that an integrator sends is the shop's own charge, which taxes on fees touch; false: it is added to the total, and bears no tax",
  }),
  leftTaxesDismissed: List(
    Type.Object({
      key: Text({ min: 1, max: 40, description: 'Of an entry of `leftTaxes`' }),
      reason: NonBlankText({ max: 500, description: 'Why the tax is not due: the person and the source' }),
    }),
    {
      max: 50,
      description:
        "Taxes that the state's preset leaves to the owner and that are not due here; the whole list",
    },
  ),
  freeProductFloorCents: Nullable(
    Cents({
      max: 1_000_000,
      description:
        "The lowest price of a unit of cannabis after discounts and sale prices; an option whose regular price is lower sells for that price. Null: the state's rule",
    }),
  ),
  documentRetentionDays: WholeNumber({ min: 1, max: 36_500 }),
  explanationRetentionDays: WholeNumber({
    min: 1,
    max: 36_500,
    description:
      "Days for which the steps of an order's arithmetic are kept; the order itself is kept for ever",
  }),
  customerRetentionDays: Nullable(
    WholeNumber({
      min: 30,
      max: 36_500,
      description:
        'Days after the last order, or change of the customer, after which a customer is erased; null: customers are kept',
    }),
  ),
  integratorsSetStock: Flag({
    description: 'Whether integrators set stock to what they counted, by `PUT /api/v1/products/stock`',
  }),
  customersCancel: OneOf(['never', 'while-draft', 'until-packed'], {
    description:
      'How long customers cancel their own orders for pickup and delivery, by `POST /api/v1/own-orders/{orderId}/cancel`: never, while the shop has not accepted them (`draft`), or until they are packed',
  }),
  showsDriverPosition: Flag({
    description:
      'Whether the page of a delivery shows about how far the driver is, to the customer whose turn it is, from a driver who shares it',
  }),
  placeholderContacts: List(NonBlankText({ max: 254 }), {
    max: 100,
    description:
      'Phone numbers and emails that the shop types for customers who give none, besides `5555555555`, `none@…` and the like, ' +
      'which always count as none: a phone number, an email, `walkin@` (at any domain) or `@shop.example` (any name). No ' +
      'customer is found or made by them',
  }),
  firstStepsHidden: Flag({ description: 'Whether the console no longer shows the list of first steps' }),
};

const customerMailFields = {
  receipts: Flag({ description: 'The receipt, when an order is fulfilled' }),
  ready: Flag({ description: 'When a pickup is packed' }),
  outForDelivery: Flag({ description: 'When the dispatch of a delivery becomes `active`' }),
  canceled: Flag({ description: 'When an order is canceled' }),
};

const keptFiles = (description: string) =>
  Type.Object(
    {
      files: Type.Integer({ minimum: 0 }),
      filesMax: Type.Integer({ minimum: 0 }),
      bytes: Type.Integer({ minimum: 0 }),
      bytesMax: Type.Integer({ minimum: 0 }),
    },
    { description },
  );

const OrganizationSettingsReply = Named(
  'OrganizationSettings',
  Type.Object({
    id: Id(),
    ...plainFields,
    statusOnCreation: Type.Object({ delivery: statusOnCreation, pickup: statusOnCreation }),
    orderMinimums: Type.Object({ delivery: Cents(), pickup: Cents() }, { description: 'In cents' }),
    needsTimeSlot: Type.Object(
      { delivery: Flag(), pickup: Flag() },
      {
        description:
          'Whether an order of the API must choose a time slot (`deliverAt`, `pickupAt`); staff can leave it out, and choose one later',
      },
    ),
    discountLimits: Type.Object(
      {
        budtenderPercent: Nullable(PercentText()),
        managerPercent: Nullable(PercentText()),
        maximumPercent: Nullable(
          PercentText({ description: 'The maximum share of the subtotals that discounts can take' }),
        ),
      },
      { description: 'Null: no limit' },
    ),
    locationsByOrderType: Type.Object({ delivery: drawnFrom, pickup: drawnFrom, 'in-store': drawnFrom }),
    customerMails: Type.Object(customerMailFields, {
      description: 'Which steps of an order its customer hears of by mail, if the profile has an email',
    }),
    storedFiles: Type.Object(
      {
        photos: keptFiles('Of products and options; bytes of all sizes'),
        documents: keptFiles("Customers' documents"),
      },
      { description: 'What is kept and may be kept; more is refused with FILE_QUOTA_EXCEEDED' },
    ),
    leftTaxes: List(Type.Object({ key: Text({ max: 40 }), text: Text({ max: 2000 }) }), {
      max: 50,
      description:
        "What the state's preset leaves to the owner, such as local taxes: neither set up nor dismissed",
    }),
    warnings: List(Text({ max: 2000 }), { max: 100, description: 'Problems to check, in words' }),
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
  needsTimeSlot: Type.Optional(Type.Partial(Type.Object({ delivery: Flag(), pickup: Flag() }))),
  discountLimits: Type.Optional(
    Type.Partial(
      Type.Object({
        budtenderPercent: PercentOrWhole(),
        managerPercent: PercentOrWhole(),
        maximumPercent: PercentOrWhole({
          description: 'The maximum share of the subtotals that discounts can take',
        }),
      }),
    ),
  ),
  locationsByOrderType: Type.Optional(
    Type.Partial(Type.Object({ delivery: drawnFrom, pickup: drawnFrom, 'in-store': drawnFrom })),
  ),
  customerMails: Type.Optional(Type.Partial(Type.Object(customerMailFields))),
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
  businessDayStartsAt: '00:00',
  owedPointCents: null,
  medicalTaxExempt: true,
  autoApplyCredits: true,
  taxPassThroughFees: false,
  leftTaxesDismissed: [],
  freeProductFloorCents: null,
  documentRetentionDays: 1095,
  explanationRetentionDays: 365,
  customerRetentionDays: null,
  integratorsSetStock: false,
  customersCancel: 'until-packed',
  showsDriverPosition: false,
  needsTimeSlot: { delivery: false, pickup: false },
  placeholderContacts: ['+14155550100', 'walkin@'],
  firstStepsHidden: false,
  statusOnCreation: { delivery: 'draft', pickup: 'new' },
  orderMinimums: { delivery: 5000, pickup: 0 },
  discountLimits: { budtenderPercent: '10', managerPercent: '25', maximumPercent: null },
  locationsByOrderType: { delivery: [2401], pickup: [2401], 'in-store': [2401] },
  customerMails: { receipts: true, ready: true, outForDelivery: true, canceled: false },
  storedFiles: {
    photos: { files: 812, filesMax: 50_000, bytes: 203_417_344, bytesMax: 20_000_000_000 },
    documents: { files: 2_311, filesMax: 100_000, bytes: 1_204_882_113, bytesMax: 50_000_000_000 },
  },
  leftTaxes: [],
  warnings: [],
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** Staff operations on the organization's own settings. */
export function organizationStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getOrganizationSettings',
      method: 'GET',
      path: '/staff/v1/organization',
      roles: settingsReaders,
      kind: 'read',
      exported: true,
      summary: "Retrieve the organization's settings",
      description:
        "With warnings: law that is unknown or that settings do not follow, categories that the state's taxes were not set up for, settings that contradict each other, products whose content contradicts their size, webhook endpoints that the service switched off, client keys that end within two weeks.",
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
        'Changes the given fields; objects are merged by key. The next cart follows. At least one order type must be offered, and each offered one must have at least one location. The budtender limit is at most the manager limit, if there is one, and neither exceeds the maximum of all discounts.',
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

function changesOf({
  discountLimits = {},
  placeholderContacts,
  ...sent
}: Static<typeof OrganizationPatch>): OrganizationChanges {
  return {
    ...sent,
    ...(placeholderContacts && { placeholderContacts: readPlaceholders(placeholderContacts) }),
    discountLimits: Object.fromEntries(
      Object.entries(discountLimits).map(([name, percent]) => [
        name,
        percent === null ? null : canonicalDecimalText(String(percent)),
      ]),
    ),
  };
}

/** Fails with INVALID_PARAMS for what is neither a phone number nor an email or half of one. */
function readPlaceholders(texts: readonly string[]): string[] {
  const read = texts.map((text, index) => {
    const entry = readPlaceholder(text);
    if (entry !== null) return entry;
    throw failure(
      'INVALID_PARAMS',
      `placeholderContacts[${index}] must be a phone number, an email, walkin@ (at any domain) or @shop.example (any name)`,
    );
  });
  return [...new Set(read)];
}

async function readSettings(context: Context, organization: OrganizationId) {
  const nowMs = context.clock.now();
  const [
    [row],
    drawnFrom,
    taxes,
    categories,
    ownLimits,
    tiedDiscounts,
    doubtedProducts,
    switchedOff,
    ending,
    fileUses,
  ] = await context.database.read(
    organization,
    selectOrganization({}),
    selectOrderTypeLocations({}),
    selectTaxSettings({}),
    selectTaxedCategories({}),
    selectPurchaseLimitRules({}),
    selectTiedDiscounts({ at: isoTimestamp(nowMs) }),
    selectDoubtedProducts({}),
    selectSwitchedOffWebhooks({}),
    endingKeys(nowMs),
    selectFileUses({}),
  );
  assert(row !== undefined, 'an organization with staff exists');
  const settings = organizationSettings(row, drawnFrom);
  const law = context.law.current;
  const dismissed = settings.leftTaxesDismissed;
  const leftTaxes = openLeftTaxes(law.find(settings.state), taxes.map(savedTax), dismissed, nowMs);
  return {
    ...shown(row, settings),
    leftTaxes,
    storedFiles: shownUses(fileUses, context.fileLimits),
    warnings: [
      ...concerns.words,
      ...warningsOnLeftTaxes(settings.state, leftTaxes),
      ...warningsOf(
        law,
        settings,
        { taxes, categories, ownLimits, tiedDiscounts, doubtedProducts, switchedOff, endingKeys: ending },
        nowMs,
      ),
    ],
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
