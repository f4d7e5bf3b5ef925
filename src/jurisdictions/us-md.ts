import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const cannabisRate = {
  ...cannabisTax,
  description: 'Maryland cannabis sales and use tax',
  type: 'standard',
  exemptable: true,
  medicalExemption: 'Medical sales are exempt.',
  confidence: 'medium',
} as const;

export const maryland: Jurisdiction = {
  state: 'MD',
  name: 'Maryland',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '1.5', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: { amount: { amount: '12', unit: 'g' }, uses: { amount: '1.5', unit: 'oz' } },
        edibles: { amount: { amount: '750', unit: 'mg' }, uses: { amount: '1.5', unit: 'oz' } },
      },
      citation: 'Md. Code, ABC 1-101',
      effectiveFrom: '2023-07-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'The numbers are sure; the law joins them by "or", which stores read as one allotment.',
    },
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 30 },
      cannabisType: 'non-concentrated',
      limit: { amount: '120', unit: 'g' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'COMAR 14.17',
      effectiveFrom: '2023-07-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Summary of the rule.',
    },
  ],
  taxes: [
    {
      ...cannabisRate,
      rate: '9',
      citation: 'Tax-Gen. 11-104',
      effectiveFrom: null,
      effectiveTo: '2025-06-30',
      source: 'Reports that agree. Instead of the general rate.',
    },
    {
      ...cannabisRate,
      rate: '12',
      citation: 'Tax-Gen. 11-104; HB 352 (2025)',
      effectiveFrom: '2025-07-01',
      effectiveTo: null,
      source:
        'Reports that agree. Instead of the general rate. Two pages expect 13 % in 2027: look before 2027-07-01.',
    },
    {
      ...salesTax,
      description: 'Maryland sales and use tax',
      rate: '6',
      excludedCannabisTypes: [
        'non-concentrated',
        'concentrated',
        'mi-infused-solids',
        'mi-infused-fluids',
        'edibles',
        'immature-plant',
      ],
      medicalExemption: null,
      citation: 'Tax-Gen. 11-104',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports that agree. On accessories; cannabis bears its own rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Minimum ages: not confirmed well enough.',
    'THC for patients (36 g in 30 days, or the flower): a total of THC over all forms is not in the catalog.',
  ],
};
