import Type from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import { Nullable, Timestamp } from '../../platform/http/schemas.ts';
import { settingOperations } from '../../platform/resources/setting-operations.ts';
import { type SettingValues, settingField } from '../../platform/resources/setting-table.ts';
import { type SettingWriter, storedValues } from '../../platform/resources/write-setting.ts';
import { changeTax } from './change-tax.ts';
import { createTax } from './create-tax.ts';
import { endTax } from './end-tax.ts';
import { readLocality, readOwnSource } from './locality.ts';
import { settingsReaders, settingsWriters } from './settings-schemas.ts';
import { readBasis } from './tax-basis-setting.ts';
import { selectTaxSettings, type TaxSettingsRow } from './tax-queries.ts';
import { shownTax, Tax, taxExample, taxFields } from './tax-schemas.ts';
import { type DatedTax, idSet, type SavedTax, savedTax } from './tax-settings.ts';

const isOff = { absent: false } as const;
const noCategories = { absent: [], reads: idSet };
const instant = {
  absent: null,
  reads: (text: string | null) => (text === null ? null : Date.parse(text)),
};

// The columns stand with the statements of taxes: a rate is never edited in place.
const fields = {
  description: settingField(taxFields.description, null),
  rate: settingField(taxFields.rate, null, { reads: canonicalDecimalText }),
  basis: settingField(taxFields.basis, null, { absent: null, reads: readBasis }),
  tier: settingField(taxFields.tier, null, { absent: '1' }),
  type: settingField(taxFields.type, null, { absent: 'standard' }),
  included: settingField(taxFields.included, null, isOff),
  encompass: settingField(taxFields.encompass, null, isOff),
  exemptable: settingField(taxFields.exemptable, null, isOff),
  appliesToFees: settingField(taxFields.appliesToFees, null, isOff),
  rounding: settingField(taxFields.rounding, null, { absent: 'half-up' }),
  onlyInDeliveryZones: settingField(taxFields.onlyInDeliveryZones, null, isOff),
  locality: settingField(taxFields.locality, null, { absent: null, reads: readLocality }),
  ownSource: settingField(taxFields.ownSource, null, { absent: null, reads: readOwnSource }),
  customerType: settingField(taxFields.customerType, null, { absent: 'all' }),
  excludedProductCategoryIds: settingField(taxFields.excludedProductCategoryIds, null, noCategories),
  nonExemptableProductCategoryIds: settingField(
    taxFields.nonExemptableProductCategoryIds,
    null,
    noCategories,
  ),
  startsAt: settingField(Nullable(Timestamp({ description: 'Default: now' })), null, instant),
  endsAt: settingField(Nullable(Timestamp({ description: 'Default: open' })), null, instant),
};

/** The given fields of a tax. */
function taxOf(sent: object): Partial<DatedTax> {
  const { startsAt, endsAt, ...tax }: Partial<SettingValues<typeof fields>> = storedValues(fields, sent);
  return {
    ...tax,
    ...(startsAt !== undefined && { startsAtMs: startsAt }),
    ...(endsAt !== undefined && { endsAtMs: endsAt }),
  };
}

/** A change of the charge ends the tax and begins another one, which is the reply. */
const writes: SettingWriter<typeof fields, SavedTax | TaxSettingsRow> = {
  create: (context, origin, organization, sent) =>
    createTax(context, origin, organization, { ...taxOf(sent), patients: null } as DatedTax),
  change: (context, origin, organization, id, { fields: sent, isWhole }) =>
    changeTax(context, origin, organization, id, { ...taxOf(sent), ...(isWhole && { patients: null }) }),
  end: endTax,
  notFound: () => failure('TAX_NOT_FOUND', 'There is no such tax.'),
};

const requestExample = {
  description: 'Sales tax',
  rate: '9.25',
  tier: '3',
  encompass: true,
  exemptable: true,
};

const charged = 'The tax that is charged from now on';
const onChange =
  'Description, source and end change in place. A rate and all other fields that affect the charge are never edited: the tax ends and another one with a new id begins at the same instant (`startsAt`, default now), also in the delivery zones that name it. The response is the tax from then on. Orders keep their charges.';

/** Taxes: a setting with writes of its own. */
export function taxes(context: Context): StaffEndpoint[] {
  return settingOperations({
    context,
    writes,
    shown: (row: SavedTax | TaxSettingsRow) => shownTax('starts_at' in row ? savedTax(row) : row),
    declaration: {
      table: { fields, ends: 'ended', selectAll: selectTaxSettings, selectLive: null },
      noun: 'tax',
      idName: 'taxId',
      notFound: 'TAX_NOT_FOUND',
      path: '/staff/v1/taxes',
      tag: 'Settings',
      readers: settingsReaders,
      writers: settingsWriters,
      data: Tax,
      example: taxExample,
      bodyName: 'TaxBody',
      list: {
        id: 'listTaxes',
        summary: 'List taxes',
        description: 'All taxes by tier, including past and future ones.',
        answers: 'The taxes',
        max: 10_000,
        sorts: {
          tier: 'ascending',
          description: 'ascending',
          rate: { own: 'descending', key: ({ rate }) => Number(rate) },
          startsAt: 'descending',
          endsAt: 'ascending',
        },
      },
      create: {
        id: 'createTax',
        summary: 'Create a tax',
        description:
          'Prices follow at once, or from `startsAt`. Default: tier 1, standard, added to prices, on every category and on no fee, for everyone, rounded to the nearest cent. A tax that is included in prices can encompass only other included taxes.',
        requestExample,
      },
      replace: {
        id: 'replaceTax',
        summary: 'Replace the settings of a tax',
        description: `Absent fields get their defaults, except \`startsAt\`. ${onChange}`,
        answers: charged,
        failures: ['TAX_ENDED'],
        requestExample,
      },
      update: {
        id: 'updateTax',
        summary: 'Change a tax',
        description: `Changes the given fields. ${onChange}`,
        answers: charged,
        failures: ['TAX_ENDED'],
        requestExample: { rate: '9.5' },
        changed: { id: 2602, rate: '9.5' },
        fields: {
          startsAt: Type.Optional(
            Nullable(
              Timestamp({
                description: 'When a change of the charge takes effect, default now; not in the past',
              }),
            ),
          ),
          endsAt: Type.Optional(Nullable(Timestamp({ description: 'In the future; null: open' }))),
        },
      },
      end: {
        id: 'endTax',
        summary: 'End a tax',
        description: 'Ends it now; it stays listed. Ending it again changes nothing.',
        answers: 'The ended tax',
        changed: { endsAt: '2026-05-01T17:05:09.123Z' },
      },
    },
  });
}
