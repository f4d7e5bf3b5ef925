import { local, notExpressible, notFound } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisForms, cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, compiledOn, equivalence, metrc, primary, secondary } from './reading.ts';

const act = secondary('https://leg.colorado.gov/bills/hb21-1317', { readOn: checkedOn, textOf: '2021' });

const patientLimit = {
  ...act,
  window: { kind: 'local-day' },
  citation: 'CRS 44-10-501; HB21-1317',
  effectiveFrom: '2022-01-01',
  effectiveTo: null,
  confidence: 'medium',
  source:
    "Reports on the act and the regulator's announcement. For all stores together; this one sees its own sales.",
} as const;

const patientFlower = {
  ...patientLimit,
  name: 'Flower',
  cannabisType: 'non-concentrated',
  limit: { amount: '2', unit: 'oz' },
  counts: { 'non-concentrated': 'one-to-one' },
  readOn: compiledOn,
} as const;

const patientConcentrate = {
  ...patientLimit,
  name: 'Concentrate',
  cannabisType: 'concentrated',
  counts: { concentrated: 'one-to-one' },
} as const;

const ruleOf2016 = secondary('https://mycomplia.com/2016/09/20/new-one-ounce-equivalency-rules/', {
  textOf: '2016-09',
});

const equivalents = {
  ...ruleOf2016,
  citation: 'Rule R 402(C), now 1 CCR 212-3 Rule 6-110',
  confidence: 'medium',
  source: 'Summary of the rule of 2016. The present text of Rule 6-110 was not read.',
} as const;

const adultLimit = {
  audience: 'adult-use',
  name: 'All forms together',
  cannabisType: 'non-concentrated',
  limit: { amount: '1', unit: 'oz' },
  counts: {
    'non-concentrated': 'one-to-one',
    concentrated: equivalence('8 g', '1 oz', equivalents),
    edibles: equivalence('800 mg', '1 oz', equivalents),
  },
  confidence: 'medium',
} as const;

const age = {
  citation: 'CRS 44-10-501',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  ...primary('https://instalawyer.io/laws/colorado-code/44-10-501-medical-marijuana-store'),
} as const;

const generalRate = {
  ...salesTax,
  ...primary('https://www.colorado.gov/pacific/tax/marijuana-sales-tax'),
  rate: '2.9',
  citation: 'CRS 39-28.8-202; FYI Sales 93',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
} as const;

export const colorado: Jurisdiction = {
  state: 'CO',
  name: 'Colorado',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, source: 'Copy of the statute, cut off in part.' },
    {
      ...age,
      audience: 'medical',
      years: 18,
      source: 'Copy of the statute, cut off in part. Younger patients buy through a parent.',
    },
  ],
  purchaseLimits: [
    {
      ...adultLimit,
      ...ruleOf2016,
      window: { kind: 'transaction' },
      citation: 'Rule R 402(C), now 1 CCR 212-3 Rule 6-110',
      effectiveFrom: '2016-10-01',
      effectiveTo: '2021-12-31',
      source: 'Summary of the rule of 2016.',
    },
    {
      ...adultLimit,
      ...act,
      window: { kind: 'local-day' },
      citation: '1 CCR 212-3 Rule 6-110; HB21-1317',
      effectiveFrom: '2022-01-01',
      effectiveTo: null,
      source:
        'Reports on the act: the same amounts for each person and day, 8 g of concentrate among them. The day on which the ' +
        'window became a day is not later than this one.',
    },
    { ...patientFlower, audience: 'medical' },
    { ...patientConcentrate, audience: 'medical', limit: { amount: '8', unit: 'g' } },
    { ...patientFlower, audience: 'medical-under-21' },
    { ...patientConcentrate, audience: 'medical-under-21', limit: { amount: '2', unit: 'g' } },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary('https://codes.findlaw.com/co/title-39-taxation/co-rev-st-sect-39-28-8-202/', {
        readOn: checkedOn,
      }),
      description: 'Colorado retail marijuana sales tax',
      rate: '15',
      patients: { rule: 'exempt', text: 'Not charged on medical sales.' },
      citation: 'CRS 39-28.8-202',
      effectiveFrom: '2017-07-01',
      effectiveTo: null,
      confidence: 'high',
      source: "Text of the statute and the tax authority's page.",
    },
    {
      ...generalRate,
      description: 'Colorado sales tax',
      excludedCannabisTypes: cannabisForms,
      patients: {
        rule: 'owe',
        text: "The tax authority's page: accessories bear the general rate. It names no exemption of patients for them.",
      },
      source: "Tax authority's page. Adult-use cannabis is exempt from it; accessories are not.",
    },
    {
      ...generalRate,
      description: 'Colorado sales tax on medical marijuana',
      customerType: 'medical',
      excludedCannabisTypes: ['none'],
      patients: {
        rule: 'owe',
        text: "The tax authority's page: medical sales bear the general rate, but for holders of a card marked tax-exempt.",
      },
      source:
        "Tax authority's page. A card that is marked tax-exempt spares its holder: give such customers the exemption by hand.",
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    reporting: metrc('real time', '1 CCR 212-3'),
  },
  gaps: [
    local('Local sales taxes, local marijuana taxes and district taxes.'),
    notExpressible(
      'Topicals without psychoactive effect are exempt from the adult-use limit: whatever has a category of a counted type counts.',
    ),
    notFound('Edibles for patients: no cap. Plants: none either.'),
    notExpressible(
      "A physician's exemption from the medical limits: the customer has no limit of their own.",
    ),
  ],
};
