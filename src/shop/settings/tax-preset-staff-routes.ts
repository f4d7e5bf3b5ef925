import Type from 'typebox';
import { gapInWords } from '../../engines/jurisdictions/gap.ts';
import { warningsOnFacts } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { oldestReading } from '../../engines/jurisdictions/jurisdictions.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Text } from '../../platform/http/schemas.ts';
import { applyTaxPreset, type PresetFacts, previewTaxPreset } from './apply-tax-preset.ts';
import { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
import { settingsWriters } from './settings-schemas.ts';
import {
  datedTaxExample,
  PatientsOfTax,
  shownDatedTax,
  shownTax,
  Tax,
  taxExample,
  taxFields,
  taxTimes,
} from './tax-schemas.ts';
import { warningsOnPatients } from './undecided-taxes.ts';

const PresetState = Text({
  min: 2,
  max: 2,
  description: "Two letters; default: the organization's state",
});
const presetFacts = {
  state: Text({ max: 2 }),
  asOf: Type.String({
    format: 'date',
    maxLength: 10,
    description: 'The day on which the oldest fact of the state was read',
  }),
  notCovered: List(Text({ max: 2000 }), {
    max: 100,
    description: "Missing facts of the state's law, each with the reason, in words",
  }),
  sources: List(
    Type.Object({
      description: Text({ max: 200, description: 'The tax' }),
      rate: Tax.properties.rate,
      basis: Tax.properties.basis,
      source: FactSource,
    }),
    {
      max: 100,
      description: 'Where the taxes of the state come from: those in force, and those dated ahead',
    },
  ),
  warnings: List(Text({ max: 1000 }), {
    max: 20,
    description: 'Facts to check first: old, about to change or doubtful, and taxes that patients may owe',
  }),
};
const TaxPresetPreview = Named(
  'TaxPresetPreview',
  Type.Object({
    ...presetFacts,
    begins: List(Type.Object({ ...taxFields, patients: PatientsOfTax, ...taxTimes }), {
      max: 100,
      description: 'Taxes that do not exist yet, and would begin',
    }),
    ends: List(Tax, { max: 10_000, description: 'Taxes with another charge, with the end they would get' }),
    keeps: List(Tax, {
      max: 100,
      description: 'Existing taxes, with the end in the law, which may differ from the current one',
    }),
  }),
);

const notCoveredExample = ['A bundle of taxed and untaxed goods at one price: price them separately.'];
const sourcesExample = [{ description: 'Sales tax', rate: '9.25', basis: null, source: factSourceExample }];

/** Staff operations on a state's taxes. */
export function taxPresetStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'previewTaxPreset',
      method: 'GET',
      path: '/staff/v1/taxes/preset',
      roles: settingsWriters,
      kind: 'read',
      summary: "Preview setting up a state's taxes",
      description:
        'The taxes that `POST /staff/v1/taxes/apply-preset` would begin, end and keep now. Writes nothing.',
      tag: 'Settings',
      query: Type.Object({ state: Type.Optional(PresetState) }),
      success: {
        status: 200,
        data: TaxPresetPreview,
        description: 'The previewed changes',
        example: {
          state: 'MI',
          asOf: '2026-11-20',
          begins: [{ ...datedTaxExample, rate: '6' }],
          ends: [{ ...taxExample, endsAt: '2026-05-01T17:05:09.123Z' }],
          keeps: [],
          notCovered: notCoveredExample,
          sources: sourcesExample,
          warnings: [],
        },
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const decided = await previewTaxPreset(context, staff.organizationId, query.state);
        return reply({
          ...shownPreset(decided),
          begins: decided.missing.map(shownDatedTax),
          ends: decided.ended.map(shownTax),
          keeps: decided.kept.map(shownTax),
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
        "The state's taxes that are in force today, and those that the law has dated ahead, for the current categories; the organization's `warnings` report categories that are added or changed later. Applying twice changes nothing; a tax with the same description and another charge ends where its successor begins. Local taxes, and those in `meta.notCovered`, must be set up manually.",
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
        description: 'The taxes of the preset, in their new state',
        example: [taxExample],
        metaExample: {
          state: 'MI',
          asOf: '2026-11-20',
          endedTaxIds: [],
          notCovered: notCoveredExample,
          sources: sourcesExample,
          warnings: [],
        },
      },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const applied = await applyTaxPreset(context, origin, staff.organizationId, body.state);
        return reply(applied.taxes.map(shownTax), {
          meta: { ...shownPreset(applied), endedTaxIds: applied.endedTaxIds },
        });
      },
    }),
  ];
}

/** Warnings about a preset. */
function shownPreset({ law, jurisdiction, today, undecided }: PresetFacts) {
  const { state, gaps, taxes } = jurisdiction;
  return {
    state,
    asOf: oldestReading(jurisdiction) ?? today,
    notCovered: gaps.map(gapInWords),
    sources: taxes
      .filter(({ effectiveTo }) => effectiveTo === null || effectiveTo >= today)
      .map((tax) => ({
        description: tax.description,
        rate: tax.rate,
        basis: tax.basis ?? null,
        source: shownSource(tax, today),
      })),
    warnings: [...warningsOnFacts(law, state, today), ...warningsOnPatients(undecided)],
  };
}
