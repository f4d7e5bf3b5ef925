import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const patientLimit = {
  window: { kind: 'local-day' },
  citation: 'CRS 44-10-501; HB21-1317',
  effectiveFrom: '2022-01-01',
  effectiveTo: null,
  confidence: 'high',
  source:
    "Reports on the act and the regulator's announcement. For all stores together; this one sees its own sales.",
} as const;

const patientFlower = {
  ...patientLimit,
  name: 'Flower',
  cannabisType: 'non-concentrated',
  limit: { amount: '2', unit: 'oz' },
  counts: { 'non-concentrated': 'one-to-one' },
} as const;

const patientConcentrate = {
  ...patientLimit,
  name: 'Concentrate',
  cannabisType: 'concentrated',
  counts: { concentrated: 'one-to-one' },
} as const;

export const colorado: Jurisdiction = {
  state: 'CO',
  name: 'Colorado',
  asOf: '2026-11-20',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'CRS 44-10-501',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Copy of the statute, cut off in part.',
    },
    {
      audience: 'medical',
      years: 18,
      citation: 'CRS 44-10-501',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Copy of the statute, cut off in part. Younger patients buy through a parent.',
    },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: { amount: { amount: '8', unit: 'g' }, uses: { amount: '1', unit: 'oz' } },
        edibles: { amount: { amount: '800', unit: 'mg' }, uses: { amount: '1', unit: 'oz' } },
      },
      citation: '1 CCR 212-3, Rule 6-110 (formerly R 402(C))',
      effectiveFrom: '2016-10-01',
      effectiveTo: null,
      confidence: 'medium',
      source:
        'Summary of the rule of 2016; the present text, and whether the window is now a day, were not seen.',
    },
    { ...patientFlower, audience: 'medical' },
    { ...patientConcentrate, audience: 'medical', limit: { amount: '8', unit: 'g' } },
    { ...patientFlower, audience: 'medical-under-21' },
    { ...patientConcentrate, audience: 'medical-under-21', limit: { amount: '2', unit: 'g' } },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Colorado retail marijuana sales tax',
      rate: '15',
      exemptable: true,
      medicalExemption: 'Not charged on medical sales.',
      citation: 'CRS 39-28.8-202',
      effectiveFrom: '2017-07-01',
      effectiveTo: null,
      confidence: 'high',
      source: "Text of the statute and the tax authority's page.",
    },
    {
      ...salesTax,
      description: 'Colorado sales tax',
      rate: '2.9',
      excludedCannabisTypes: [
        'non-concentrated',
        'concentrated',
        'mi-infused-solids',
        'mi-infused-fluids',
        'edibles',
        'immature-plant',
      ],
      medicalExemption: null,
      citation: 'CRS 39-28.8-202; FYI Sales 93',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Tax authority's page. Adult-use cannabis is exempt from it; accessories are not.",
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Medical sales bear the state sales tax of 2.9 %, unless the card is marked tax-exempt: a tax that patients alone bear cannot be expressed.',
    'Local sales taxes, local marijuana taxes and district taxes: set by the place.',
    'Topicals without psychoactive effect are exempt from the adult-use limit: whatever has a category of a counted type counts.',
    'Edibles for patients: no cap was found. Plants: not found.',
    "A physician's exemption from the medical limits: the customer has no limit of their own.",
  ],
};
