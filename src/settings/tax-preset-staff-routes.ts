import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { Id, List, Named, Text } from '../http/schemas.ts';
import { gapInWords } from '../jurisdictions/gap.ts';
import { warningsOnFacts } from '../jurisdictions/jurisdiction-warnings.ts';
import { oldestReading } from '../jurisdictions/jurisdictions.ts';
import { applyTaxPreset, type PresetFacts, previewTaxPreset } from './apply-tax-preset.ts';
import { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
import { PercentText, settingsWriters } from './settings-schemas.ts';
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
  description: "Two capitals; by default the organization's state",
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
    description: 'What is missing of the law of the state, each with the reason, for people',
  }),
  sources: List(
    Type.Object({
      description: Text({ max: 200, description: 'The tax' }),
      rate: PercentText({ description: 'Percent' }),
      source: FactSource,
    }),
    {
      max: 100,
      description: 'Where the taxes of the state come from: those in force, and those dated ahead',
    },
  ),
  warnings: List(Text({ max: 1000 }), {
    max: 20,
    description:
      'What to look at first: facts that are old, about to change or doubtful, and what patients may owe',
  }),
};
const TaxPresetPreview = Named(
  'TaxPresetPreview',
  Type.Object({
    ...presetFacts,
    begins: List(Type.Object({ ...taxFields, patients: PatientsOfTax, ...taxTimes }), {
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

const notCoveredExample = ['A bundle of taxed and untaxed goods at one price: price each.'];
const sourcesExample = [{ description: 'Sales tax', rate: '9.25', source: factSourceExample }];

/** The staff's operations on the taxes that a state's law sets. */
export function taxPresetStaffRoutes(context: Context): StaffEndpoint[] {
  return [
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

/** What people should know of a preset before they rely on it. */
function shownPreset({ law, jurisdiction, today, undecided }: PresetFacts) {
  const { state, gaps, taxes } = jurisdiction;
  return {
    state,
    asOf: oldestReading(jurisdiction) ?? today,
    notCovered: gaps.map(gapInWords),
    sources: taxes
      .filter(({ effectiveTo }) => effectiveTo === null || effectiveTo >= today)
      .map((tax) => ({ description: tax.description, rate: tax.rate, source: shownSource(tax, today) })),
    warnings: [...warningsOnFacts(law, state, today), ...warningsOnPatients(undecided)],
  };
}
