import type { Counting, Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

const equivalents = {
  'non-concentrated': 'one-to-one',
  concentrated: { amount: { amount: '8', unit: 'g' }, uses: { amount: '1', unit: 'oz' } },
  edibles: { amount: { amount: '800', unit: 'mg' }, uses: { amount: '1', unit: 'oz' } },
} as const satisfies Record<string, Counting>;

const sum = {
  cannabisType: 'non-concentrated',
  counts: equivalents,
  effectiveFrom: '2022-01-01',
  effectiveTo: null,
  confidence: 'high',
  source: "Text of the regulation and the tax authority's page.",
} as const;

export const montana: Jurisdiction = {
  state: 'MT',
  name: 'Montana',
  asOf: '2026-11-20',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'HB 701 (2021)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Report on the act.',
    },
  ],
  purchaseLimits: [
    {
      ...sum,
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      limit: { amount: '1', unit: 'oz' },
      citation: 'MCA 16-12-106; ARM 42.39',
    },
    {
      ...sum,
      audience: 'medical',
      name: 'All forms together, per day',
      window: { kind: 'local-day' },
      limit: { amount: '1', unit: 'oz' },
      citation: 'MCA 16-12-515; ARM 42.39',
    },
    {
      ...sum,
      audience: 'medical',
      name: 'All forms together, per month',
      window: { kind: 'calendar-month' },
      limit: { amount: '5', unit: 'oz' },
      citation: 'MCA 16-12-515; ARM 42.39',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Montana cannabis tax',
      rate: '20',
      medicalExemption: 'Medical sales bear 4 % instead.',
      citation: 'MCA 15-64-102',
      effectiveFrom: '2022-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. The state has no sales tax.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: {
    citation: 'MCA 15-64-101(10)',
    effectiveFrom: '2022-01-01',
    effectiveTo: null,
    confidence: 'high',
    source: 'Text of the statute: the established price before any discount or reduction.',
  },
  tiedDiscountsBarred: null,
  notCovered: [
    'Medical rate of 4 %: the preset charges patients 20 %. Two taxes of one tier in its place charge both rates: 4 %, and 16 % that is exemptable, with `medicalTaxExempt` of the organization set. Each is rounded by itself, so that a total can differ by a cent.',
    'County tax of up to 3 %, on the price before discounts as well: set by the place.',
    'Liquid in vapes by volume (8 ml count as 1 oz): the content of a concentrate is its weight.',
    'A higher monthly limit that a patient was granted: the customer has no limit of their own.',
    'Minimum age of patients: the sources name the registry, not an age.',
  ],
};
