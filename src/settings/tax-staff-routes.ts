import Type, { type Static } from 'typebox';
import type { Context } from '../database/context.ts';
import { staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { Flag, Id, List, Named, Nullable, OneOf, SayingText, Text, Timestamp } from '../http/schemas.ts';
import { canonicalDecimalText } from '../kernel/decimal.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { applyTaxPreset, previewTaxPreset } from './apply-tax-preset.ts';
import { changeTax, type TaxChanges } from './change-tax.ts';
import { createTax } from './create-tax.ts';
import { endTax } from './end-tax.ts';
import { PercentText, settingsReaders, settingsWriters } from './settings-schemas.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { type DatedTax, idSet, type SavedTax, savedTax } from './tax-settings.ts';

const categoriesMax = 1000;

const fields = {
  description: SayingText({ max: 200, description: 'What customers read' }),
  rate: PercentText({ description: 'Percent' }),
  tier: OneOf(['1', '2', '3', '4', '5'], { description: 'Taxes are charged by tier, ascending' }),
  type: OneOf(['standard', 'excise', 'california-excise']),
  included: Flag({ description: 'Whether product prices contain it' }),
  encompass: Flag({ description: 'Whether it also taxes what the lower tiers charged' }),
  exemptable: Flag({ description: 'Whether tax-exempt customers go without it' }),
  appliesToFees: Flag({ description: 'Whether it is charged on delivery fees' }),
  rounding: OneOf(['half-up', 'up'], { description: '`up`: always to the next whole cent' }),
  onlyInDeliveryZones: Flag({
    description:
      'Charged on deliveries to the zones that name it, and on nothing else: the tax of another town',
  }),
  excludedProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories it is not charged on',
  }),
  nonExemptableProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories that exempt customers pay it on all the same',
  }),
};

const times = {
  startsAt: Nullable(Timestamp({ description: 'In force from here; null: since ever' })),
  endsAt: Nullable(
    Timestamp({
      description: 'In force until before this; not after `startsAt`: it never came into force',
    }),
  ),
};

const Tax = Named(
  'Tax',
  Type.Object({
    id: Id(),
    ...fields,
    ...times,
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const PresetState = Text({
  min: 2,
  max: 2,
  description: "Two capitals; by default the organization's state",
});
const presetFacts = {
  state: Text({ max: 2 }),
  asOf: Type.String({ format: 'date', maxLength: 10, description: 'When the data were compiled' }),
  notCovered: List(Text({ max: 2000 }), {
    max: 100,
    description: 'What the law says and the preset cannot, for people',
  }),
};
const TaxPresetPreview = Named(
  'TaxPresetPreview',
  Type.Object({
    ...presetFacts,
    begins: List(Type.Object({ ...fields, ...times }), {
      max: 100,
      description: 'What is not there yet, and would begin',
    }),
    ends: List(Tax, { max: 10_000, description: 'What charges something else, with the end it would get' }),
    keeps: List(Tax, {
      max: 100,
      description:
        'What is there already, with the end that the law gives it: another one than now, at times',
    }),
  }),
);

const startsAt = Type.Optional(Nullable(Timestamp({ description: 'By default now' })));
const endsAt = Type.Optional(Nullable(Timestamp({ description: 'By default open' })));
const { description, rate, ...otherFields } = fields;
const optionalOtherFields = Type.Partial(Type.Object(otherFields)).properties;
const TaxBody = Named(
  'TaxBody',
  Type.Object({ description, rate, ...optionalOtherFields, startsAt, endsAt }),
);
const TaxPatch = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  startsAt: Type.Optional(
    Nullable(
      Timestamp({
        description: 'When a change of what is charged takes place, by default now; not in the past',
      }),
    ),
  ),
  endsAt: Type.Optional(Nullable(Timestamp({ description: 'In the future; null: open' }))),
});

const params = Type.Object({ taxId: Id() });
const resourceParams = { taxId: 'TAX_NOT_FOUND' } as const;

const datedExample = {
  description: 'Sales tax',
  rate: '9.25',
  tier: '3',
  type: 'standard',
  included: false,
  encompass: true,
  exemptable: true,
  appliesToFees: false,
  rounding: 'half-up',
  onlyInDeliveryZones: false,
  excludedProductCategoryIds: [] as number[],
  nonExemptableProductCategoryIds: [] as number[],
  startsAt: '2026-03-01T17:05:09.123Z',
  endsAt: null,
} as const;
const example: Static<typeof Tax> = {
  ...datedExample,
  id: 2601,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};
const notCoveredExample = ['A bundle of taxed and untaxed goods at one price: price each.'];
const bodyExample = {
  description: 'Sales tax',
  rate: '9.25',
  tier: '3',
  encompass: true,
  exemptable: true,
} as const;

const onChange =
  'What a tax is called and when it ends changes in place. A rate is never edited, nor anything else that is charged: ' +
  'the tax ends and another with a new id begins at the same instant (`startsAt`, by default now), also in the ' +
  'delivery zones that name it. Answers the tax as it is from then on. Orders keep what they were charged.';

/** The staff's operations on taxes. */
export function taxStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listTaxes',
      method: 'GET',
      path: '/staff/v1/taxes',
      roles: settingsReaders,
      kind: 'read',
      summary: 'List taxes',
      description: 'All taxes by tier, ended and coming ones too.',
      source: ['D16'],
      tag: 'Settings',
      success: {
        status: 200,
        data: List(Tax, { max: 10_000 }),
        description: 'The taxes',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectTaxSettings({}));
        return reply(rows.map((row) => shown(savedTax(row))));
      },
    }),
    staffEndpoint({
      id: 'createTax',
      method: 'POST',
      path: '/staff/v1/taxes',
      roles: settingsWriters,
      kind: 'write',
      summary: 'Create a tax',
      description:
        'Prices follow at once, or from `startsAt`. By default of tier 1, standard, on top of prices, on every category ' +
        'and on no fee, for everyone, rounded to the nearest cent. A tax that is included in prices can encompass ' +
        'only taxes that are.',
      tag: 'Settings',
      body: TaxBody,
      requestExample: bodyExample,
      success: { status: 201, data: Tax, description: 'The tax', example },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const tax = await createTax(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          wholeTax(body),
        );
        return reply(shown(tax));
      },
    }),
    staffEndpoint({
      id: 'previewTaxPreset',
      method: 'GET',
      path: '/staff/v1/taxes/preset',
      roles: settingsWriters,
      kind: 'read',
      summary: "See what setting up a state's taxes would do",
      description:
        'Which taxes `POST /staff/v1/taxes/apply-preset` would begin, end and keep if it were sent now. Writes nothing.',
      tag: 'Settings',
      query: Type.Object({ state: Type.Optional(PresetState) }),
      success: {
        status: 200,
        data: TaxPresetPreview,
        description: 'What would be done',
        example: {
          state: 'MI',
          asOf: '2026-11-20',
          begins: [{ ...datedExample, rate: '6' }],
          ends: [{ ...example, endsAt: '2026-05-01T17:05:09.123Z' }],
          keeps: [],
          notCovered: notCoveredExample,
        },
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const { jurisdiction, kept, ended, missing } = await previewTaxPreset(
          context,
          staff.organizationId,
          query.state,
        );
        const { state, asOf, notCovered } = jurisdiction;
        return reply({
          state,
          asOf,
          begins: missing.map(shownDated),
          ends: ended.map(shown),
          keeps: kept.map(shown),
          notCovered: [...notCovered],
        });
      },
    }),
    staffEndpoint({
      id: 'applyTaxPreset',
      method: 'POST',
      path: '/staff/v1/taxes/apply-preset',
      roles: settingsWriters,
      kind: 'write',
      summary: "Set up a state's taxes",
      description:
        "The state's taxes that are in force today, and those that the law has dated ahead, for the categories as they " +
        'are: of one that is added or changed later, `warnings` of the organization tell. Applying twice changes ' +
        'nothing; a tax of the same description that charges something else ends where its successor begins. Local ' +
        'taxes, and what `meta.notCovered` says, remain to be set up by hand.',
      tag: 'Settings',
      body: Type.Object({
        state: Type.Optional(PresetState),
      }),
      requestExample: { state: 'MI' },
      success: {
        status: 200,
        data: List(Tax, { max: 100 }),
        meta: Type.Object({
          ...presetFacts,
          endedTaxIds: List(Id(), { max: 10_000 }),
        }),
        description: 'The taxes of the preset, as they are now',
        example: [example],
        metaExample: {
          state: 'MI',
          asOf: '2026-11-20',
          endedTaxIds: [],
          notCovered: notCoveredExample,
        },
      },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const applied = await applyTaxPreset(context, origin, staff.organizationId, body.state);
        const { state, asOf, notCovered } = applied.jurisdiction;
        return reply(applied.taxes.map(shown), {
          meta: { state, asOf, endedTaxIds: applied.endedTaxIds, notCovered },
        });
      },
    }),
    staffEndpoint({
      id: 'updateTax',
      method: 'PATCH',
      path: '/staff/v1/taxes/{taxId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a tax',
      description: `Changes what is sent. ${onChange}`,
      tag: 'Settings',
      params,
      resourceParams,
      body: TaxPatch,
      requestExample: { rate: '9.5' },
      success: {
        status: 200,
        data: Tax,
        description: 'The tax that is charged from now on',
        example: { ...example, id: 2602, rate: '9.5' },
      },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        return reply(shown(await changeTax(context, origin, staff.organizationId, taxId, changesOf(body))));
      },
    }),
    staffEndpoint({
      id: 'replaceTax',
      method: 'PUT',
      path: '/staff/v1/taxes/{taxId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace the settings of a tax',
      description: `What is left out takes its default, but for \`startsAt\`. ${onChange}`,
      tag: 'Settings',
      params,
      resourceParams,
      body: TaxBody,
      requestExample: bodyExample,
      success: { status: 200, data: Tax, description: 'The tax that is charged from now on', example },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        return reply(shown(await changeTax(context, origin, staff.organizationId, taxId, wholeTax(body))));
      },
    }),
    staffEndpoint({
      id: 'endTax',
      method: 'DELETE',
      path: '/staff/v1/taxes/{taxId}',
      roles: settingsWriters,
      kind: 'write',
      summary: 'End a tax',
      description: 'Ends it now; it stays listed. One that has ended stays as it is.',
      tag: 'Settings',
      params,
      resourceParams,
      success: {
        status: 200,
        data: Tax,
        description: 'The ended tax',
        example: { ...example, endsAt: '2026-05-01T17:05:09.123Z' },
      },
      failures: ['TAX_NOT_FOUND'],
      handle: async ({ staff, params: { taxId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await endTax(context, origin, staff.organizationId, taxId)));
      },
    }),
  ];
}

function changesOf({ startsAt, endsAt, ...sent }: Static<typeof TaxPatch>): TaxChanges {
  return {
    ...sent,
    ...(sent.rate !== undefined && { rate: canonicalDecimalText(sent.rate) }),
    ...(sent.excludedProductCategoryIds && {
      excludedProductCategoryIds: idSet(sent.excludedProductCategoryIds),
    }),
    ...(sent.nonExemptableProductCategoryIds && {
      nonExemptableProductCategoryIds: idSet(sent.nonExemptableProductCategoryIds),
    }),
    ...(startsAt !== undefined && { startsAtMs: instantOf(startsAt) }),
    ...(endsAt !== undefined && { endsAtMs: instantOf(endsAt) }),
  };
}

/** With the defaults of what was not sent. */
function wholeTax(body: Static<typeof TaxBody>): DatedTax {
  return {
    tier: '1',
    type: 'standard',
    included: false,
    encompass: false,
    exemptable: false,
    appliesToFees: false,
    rounding: 'half-up',
    onlyInDeliveryZones: false,
    excludedProductCategoryIds: [],
    nonExemptableProductCategoryIds: [],
    startsAtMs: null,
    endsAtMs: null,
    ...changesOf(body),
    description: body.description,
    rate: canonicalDecimalText(body.rate),
  };
}

function instantOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function shownDated<Tax extends DatedTax>({ startsAtMs, endsAtMs, ...tax }: Tax) {
  return {
    ...tax,
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
}

function shown({ createdAtMs, updatedAtMs, ...tax }: SavedTax) {
  return {
    ...shownDated(tax),
    createdAt: isoTimestamp(createdAtMs),
    updatedAt: isoTimestamp(updatedAtMs),
  };
}
