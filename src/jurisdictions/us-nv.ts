import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const age = {
  citation: 'NCCR 7.015',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Sources that agree.',
} as const;

export const nevada: Jurisdiction = {
  state: 'NV',
  name: 'Nevada',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower and concentrate together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: { amount: { amount: '0.25', unit: 'oz' }, uses: { amount: '2.5', unit: 'oz' } },
      },
      citation: 'NRS 678D.200; SB 277 (2023)',
      effectiveFrom: '2024-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Reports on the act that agree. "Combination not to exceed the legal limit": one sum.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Nevada retail cannabis excise tax',
      rate: '10',
      exemptable: true,
      medicalExemption: 'Holders of a valid card are exempt from the excise (NRS 372A.290(8)).',
      citation: 'NRS 372A.290',
      effectiveFrom: '2020-07-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute.',
    },
    {
      ...salesTax,
      description: 'Nevada sales tax',
      rate: '6.85',
      medicalExemption: null,
      citation: 'NRS 372A.290',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'The rate before what a county adds.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Edibles: one old figure, not confirmed.',
    'Limits of patients: one source only.',
    'Limits before 2024 (1 oz of flower, 1/8 oz of concentrate): gone.',
    'County sales taxes: set by the place.',
    'Whether sales tax is charged on the excise is not settled in what was read; the preset does not.',
  ],
};
