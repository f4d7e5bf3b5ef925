import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

const transactionLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: '28-B MRS 504(2)(B), 1501(1)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
} as const;

const age = {
  citation: '28-B MRS 504(2)(C)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Copy of the statute.',
} as const;

const salesTaxOnCannabis = {
  ...cannabisTax,
  description: 'Maine sales tax on adult-use cannabis',
  type: 'standard',
  medicalExemption: 'Medical sales bear 5.5 % instead, edibles 8 %.',
  citation: '36 MRS 1811',
  confidence: 'medium',
} as const;

export const maine: Jurisdiction = {
  state: 'ME',
  name: 'Maine',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...transactionLimit,
      name: 'Flower and concentrate together',
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one', concentrated: 'one-to-one' },
      source: 'Copy of the statute.',
    },
    {
      ...transactionLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '5', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source: 'All texts found, some of them old. Inside the 2.5 oz, not beside them.',
    },
  ],
  taxes: [
    {
      ...salesTaxOnCannabis,
      rate: '10',
      effectiveFrom: null,
      effectiveTo: '2025-12-31',
      source: 'Reports that agree. Instead of the general rate.',
    },
    {
      ...salesTaxOnCannabis,
      rate: '14',
      effectiveFrom: '2026-01-01',
      effectiveTo: null,
      source: 'Reports that agree. Instead of the general rate.',
    },
  ],
  freeProductsBarred: {
    citation: '28-B MRS 504(2)(A)',
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'high',
    source: 'Copy of the statute. The narrow exception of subsection 12 is not made here.',
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Edibles: a figure is only in draft rules of 2019. Plants and seedlings: found for possession only.',
    'Limits of patients: none found.',
    'Medical rates (5.5 %, edibles 8 %): the preset charges patients 14 %. Taxes of one tier in its place charge all rates, with `medicalTaxExempt` of the organization set: for edibles 8 %, and 6 % that is exemptable; for the other cannabis 5.5 %, and 8.5 % that is exemptable. Each is rounded by itself, so that a total can differ by a cent.',
    'Sales tax on goods without cannabis: not read.',
    'Sales over an "internet-based sales platform" are barred (28-B MRS 504(2)(C)): take on-line orders as reservations that are paid in the store.',
  ],
};
