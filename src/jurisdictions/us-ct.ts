import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const age = {
  citation: 'none named by the sources',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Summary of the law.',
} as const;

const flower = {
  name: 'Flower',
  cannabisType: 'non-concentrated',
  counts: { 'non-concentrated': 'one-to-one' },
} as const;

export const connecticut: Jurisdiction = {
  state: 'CT',
  name: 'Connecticut',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...flower,
      audience: 'adult-use',
      window: { kind: 'transaction' },
      limit: { amount: '0.5', unit: 'oz' },
      citation: "CGS 21a-420 ff.; regulator's notice",
      effectiveFrom: '2023-12-01',
      effectiveTo: null,
      confidence: 'medium',
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
      confidence: 'high',
      source: 'Report on the notice. No limit per transaction.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Connecticut cannabis tax',
      rate: '10.75',
      medicalExemption: null,
      citation: 'CGS 12-330ll ff.; budget act signed 2026-05-14',
      effectiveFrom: '2026-10-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Two reports; the text of the act was not found.',
    },
    {
      ...cannabisTax,
      description: 'Connecticut municipal cannabis tax',
      rate: '3',
      medicalExemption: null,
      citation: 'CGS 12-330ll ff.',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Two reports. The same everywhere.',
    },
    {
      ...salesTax,
      description: 'Connecticut sales tax',
      rate: '6.35',
      medicalExemption: null,
      citation: 'CGS 12-330ll ff.',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Two reports.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'The cannabis tax until 2026-09-30 goes by milligrams of THC: not a percentage.',
    'Forms other than flower: they count by the milligrams of THC and of other cannabinoids, which the catalog does not total.',
    'Whether sales tax is charged on the other two was not found; the preset does not.',
    'That medical sales bear none of the three is said by one source only: the preset exempts nobody.',
  ],
};
