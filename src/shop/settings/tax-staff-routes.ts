import Type, { type Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, List, Named, NonBlankText, Nullable, Timestamp } from '../../platform/http/schemas.ts';
import { changeTax, type TaxChanges } from './change-tax.ts';
import { createTax } from './create-tax.ts';
import { decidePatientsTax } from './decide-patients-tax.ts';
import { endTax } from './end-tax.ts';
import { readLocality, readOwnSource } from './locality.ts';
import { settingsReaders, settingsWriters } from './settings-schemas.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { shownTax, Tax, taxExample, taxFields } from './tax-schemas.ts';
import { type DatedTax, idSet, savedTax } from './tax-settings.ts';

const startsAt = Type.Optional(Nullable(Timestamp({ description: 'Default: now' })));
const endsAt = Type.Optional(Nullable(Timestamp({ description: 'Default: open' })));
const { description, rate, ...otherFields } = taxFields;
const optionalOtherFields = Type.Partial(Type.Object(otherFields)).properties;
const TaxBody = Named(
  'TaxBody',
  Type.Object({ description, rate, ...optionalOtherFields, startsAt, endsAt }),
);
const TaxPatch = Type.Object({
  ...Type.Partial(Type.Object(taxFields)).properties,
  startsAt: Type.Optional(
    Nullable(
      Timestamp({
        description: 'When a change of the charge takes effect, default now; not in the past',
      }),
    ),
  ),
  endsAt: Type.Optional(Nullable(Timestamp({ description: 'In the future; null: open' }))),
});

const params = Type.Object({ taxId: Id() });
const resourceParams = { taxId: 'TAX_NOT_FOUND' } as const;

const bodyExample = {
  description: 'Sales tax',
  rate: '9.25',
  tier: '3',
  encompass: true,
  exemptable: true,
} as const;

const onChange =
  'Description, source and end change in place. A rate and all other fields that affect the charge are never edited: the tax ends and another one with a new id begins at the same instant (`startsAt`, default now), also in the delivery zones that name it. The response is the tax from then on. Orders keep their charges.';

/** Staff operations on taxes. */
export function taxStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listTaxes',
      method: 'GET',
      path: '/staff/v1/taxes',
      roles: settingsReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List taxes',
      description: 'All taxes by tier, including past and future ones.',
      source: ['D16'],
      tag: 'Settings',
      sorts: {
        tier: 'ascending',
        description: 'ascending',
        rate: { own: 'descending', key: ({ rate }) => Number(rate) },
        startsAt: 'descending',
        endsAt: 'ascending',
      },
      success: {
        status: 200,
        data: List(Tax, { max: 10_000 }),
        description: 'The taxes',
        example: [taxExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectTaxSettings({}));
        return reply(rows.map((row) => shownTax(savedTax(row))));
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
        'Prices follow at once, or from `startsAt`. Default: tier 1, standard, added to prices, on every category and on no fee, for everyone, rounded to the nearest cent. A tax that is included in prices can encompass only other included taxes.',
      tag: 'Settings',
      body: TaxBody,
      requestExample: bodyExample,
      success: { status: 201, data: Tax, description: 'The tax', example: taxExample },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const tax = await createTax(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          wholeTax(body),
        );
        return reply(shownTax(tax));
      },
    }),
    staffEndpoint({
      id: 'decidePatientsTax',
      method: 'POST',
      path: '/staff/v1/taxes/{taxId}/patients',
      roles: ['owner'],
      kind: 'write',
      summary: 'Decide whether patients owe a tax',
      description:
        'If the known law does not say whether patients owe a tax, its preset does not charge them. The owner decides, with a reason that is stored with the tax and in the audit. A decision that changes the charge ends the tax and begins another at the same instant. Applying the preset again keeps the decision. A tax that is charged to one type of customer needs no decision.',
      source: ['D35'],
      tag: 'Settings',
      params,
      resourceParams,
      body: Type.Object({
        owe: Flag({ description: 'Whether patients are charged the tax' }),
        note: NonBlankText({ max: 1000, description: 'The reason: the person and the source' }),
      }),
      requestExample: { owe: true, note: 'Our accountant asked the department on 2026-11-20.' },
      success: {
        status: 200,
        data: Tax,
        description: 'The tax that is charged from now on',
        example: {
          ...taxExample,
          exemptable: false,
          patients: {
            rule: 'not-known',
            text: 'Whether patients owe the sales tax was not looked up.',
            decision: {
              owe: true,
              note: 'Our accountant asked the department on 2026-11-20.',
              decidedAt: '2026-11-23T17:05:09.123Z',
              decidedBy: 1201,
            },
          },
        },
      },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId }) =>
        reply(
          shownTax(
            await decidePatientsTax(context, staffOrigin(staff, requestId), staff.organizationId, taxId, {
              ...body,
              decidedBy: staff.staffId,
            }),
          ),
        ),
    }),
    staffEndpoint({
      id: 'updateTax',
      method: 'PATCH',
      path: '/staff/v1/taxes/{taxId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a tax',
      description: `Changes the given fields. ${onChange}`,
      tag: 'Settings',
      params,
      resourceParams,
      body: TaxPatch,
      requestExample: { rate: '9.5' },
      success: {
        status: 200,
        data: Tax,
        description: 'The tax that is charged from now on',
        example: { ...taxExample, id: 2602, rate: '9.5' },
      },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        return reply(
          shownTax(await changeTax(context, origin, staff.organizationId, taxId, changesOf(body))),
        );
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
      description: `Absent fields get their defaults, except \`startsAt\`. ${onChange}`,
      tag: 'Settings',
      params,
      resourceParams,
      body: TaxBody,
      requestExample: bodyExample,
      success: {
        status: 200,
        data: Tax,
        description: 'The tax that is charged from now on',
        example: taxExample,
      },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        return reply(shownTax(await changeTax(context, origin, staff.organizationId, taxId, wholeTax(body))));
      },
    }),
    staffEndpoint({
      id: 'endTax',
      method: 'DELETE',
      path: '/staff/v1/taxes/{taxId}',
      roles: settingsWriters,
      kind: 'write',
      summary: 'End a tax',
      description: 'Ends it now; it stays listed. Ending it again changes nothing.',
      tag: 'Settings',
      params,
      resourceParams,
      success: {
        status: 200,
        data: Tax,
        description: 'The ended tax',
        example: { ...taxExample, endsAt: '2026-05-01T17:05:09.123Z' },
      },
      failures: ['TAX_NOT_FOUND'],
      handle: async ({ staff, params: { taxId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shownTax(await endTax(context, origin, staff.organizationId, taxId)));
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
    ...(sent.locality !== undefined && { locality: readLocality(sent.locality) }),
    ...(sent.ownSource !== undefined && { ownSource: readOwnSource(sent.ownSource) }),
    ...(startsAt !== undefined && { startsAtMs: instantOf(startsAt) }),
    ...(endsAt !== undefined && { endsAtMs: instantOf(endsAt) }),
  };
}

/** With the defaults of absent fields. */
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
    customerType: 'all',
    patients: null,
    locality: null,
    ownSource: null,
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
