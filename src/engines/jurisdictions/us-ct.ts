import type { CannabisType } from '../goods/cannabis-type.ts';
import { notExpressible, notFound } from './gap.ts';
import type { Jurisdiction, PresetTax } from './jurisdiction.ts';
import { allTypesBut, cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, compiledOn, duty, othersSay, reportedTo, secondary, thcEquivalence } from './reading.ts';

const regulator = secondary('https://portal.ct.gov/cannabis', { readOn: checkedOn, textOf: '2023-11' });

const age = {
  citation: 'none named by the sources',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Summary of the law.',
  ...secondary('https://portal.ct.gov/cannabis'),
} as const;

const flower = {
  ...regulator,
  name: 'Flower',
  cannabisType: 'non-concentrated',
  counts: { 'non-concentrated': 'one-to-one' },
  confidence: 'medium',
} as const;

const tax = {
  ...secondary('https://portal.ct.gov/cannabis', { readOn: checkedOn, textOf: '2026-05' }),
  patients: {
    rule: 'exempt',
    text: 'Medical sales bear none of the three taxes: two sources, the newer of 2026-01-28.',
  },
  effectiveTo: null,
  confidence: 'medium',
} as const;

/** Grams of flower that a product counts as. */
const grams = othersSay({
  citation: "CGS 21a-420 ff.; regulator's notice",
  source:
    "A vendor's page on the state: milligrams of THC by 250, and of other cannabinoids by 500. A concentrate whose THC is not stated counts by its weight, which is never less. An example in the regulator's notice of 2023 is stricter: ask the regulator.",
  link: 'https://portal.ct.gov/cannabis',
});

/** The tax until the act of 2026, in cents for each milligram of THC on the label. */
function perMilligram(name: string, cents: string, ...types: readonly CannabisType[]): PresetTax {
  return {
    ...cannabisTax,
    ...tax,
    description: `Connecticut cannabis tax (${name})`,
    rate: '0',
    basis: { kind: 'thc-mg', cents },
    excludedCannabisTypes: allTypesBut(...types),
    citation: 'CGS 12-330ll ff.',
    effectiveFrom: null,
    effectiveTo: '2026-09-30',
    source: 'Two reports, of one site: by the milligrams of total THC on the label.',
  };
}

export const connecticut: Jurisdiction = {
  state: 'CT',
  name: 'Connecticut',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...flower,
      name: 'All forms together',
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: thcEquivalence('250 mg', '1 g', grams),
        edibles: thcEquivalence('250 mg', '1 g', grams),
        inhalables: thcEquivalence('250 mg', '1 g', grams),
        'low-dose-drinks': thcEquivalence('250 mg', '1 g', grams),
      },
      audience: 'adult-use',
      window: { kind: 'transaction' },
      limit: { amount: '0.5', unit: 'oz' },
      citation: "CGS 21a-420 ff.; regulator's notice",
      effectiveFrom: '2023-12-01',
      effectiveTo: null,
      source: 'Reports on the notice; no later change found. The statute allows up to 1 oz.',
    },
    {
      ...flower,
      audience: 'medical',
      window: { kind: 'calendar-month' },
      limit: { amount: '5', unit: 'oz' },
      citation: "Regulator's notice",
      effectiveFrom: null,
      effectiveTo: null,
      source: 'Report on the notice. No limit per transaction.',
    },
  ],
  taxes: [
    perMilligram('plant material', '0.625', 'non-concentrated'),
    perMilligram('edibles', '2.75', 'edibles', 'low-dose-drinks'),
    perMilligram('other products', '0.9', 'concentrated', 'inhalables', 'other-units'),
    {
      ...cannabisTax,
      ...tax,
      description: 'Connecticut cannabis tax',
      rate: '10.75',
      citation: 'CGS 12-330ll ff.; budget act signed 2026-05-14',
      effectiveFrom: '2026-10-01',
      source: 'Two reports; the text of the act was not read.',
    },
    {
      ...cannabisTax,
      ...tax,
      description: 'Connecticut municipal cannabis tax',
      rate: '3',
      citation: 'CGS 12-330ll ff.',
      effectiveFrom: null,
      source: 'Two reports. The same everywhere.',
    },
    {
      ...salesTax,
      ...tax,
      description: 'Connecticut sales tax',
      rate: '6.35',
      nonExemptableCannabisTypes: ['none'],
      citation: 'CGS 12-330ll ff.',
      effectiveFrom: null,
      source: 'Two reports.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'by-hand',
      'local',
      othersSay({
        citation: 'CGS 21a-420 ff.',
        source: "A vendor's page on the state.",
        link: 'https://portal.ct.gov/cannabis',
        readOn: compiledOn,
      }),
    ),
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: 'A driver carries only what has been ordered.',
      },
      othersSay({
        citation: 'CGS 21a-420 ff.',
        source: "A vendor's page on the state.",
        link: 'https://portal.ct.gov/cannabis',
        readOn: compiledOn,
      }),
    ),
    reporting: reportedTo(
      'the tracking system of the state and the prescription monitoring program',
      null,
      'Sales in the tracking system; sales to patients also in the prescription monitoring program.',
      othersSay({
        citation: 'CGS 21a-420 ff.',
        source: "A vendor's page on the state. Whether the state has moved to Metrc was not found.",
        link: 'https://portal.ct.gov/cannabis',
      }),
    ),
  },
  gaps: [
    notExpressible(
      'Cannabinoids other than THC count by 500 mg as a gram, which the catalog does not total: only the THC is counted.',
    ),
    notFound('How forms other than flower count for patients.'),
    notFound('Whether sales tax is charged on the other two; the preset does not.'),
  ],
};
