import type { Counting, Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

/** By the state's equivalency unit: 3.5 g of flower, 1 g of concentrate, 100 mg of THC in infused products. */
const equivalents = {
  'non-concentrated': 'one-to-one',
  concentrated: { amount: { amount: '1', unit: 'g' }, uses: { amount: '3.5', unit: 'g' } },
  edibles: { amount: { amount: '100', unit: 'mg' }, uses: { amount: '3.5', unit: 'g' } },
} as const satisfies Record<string, Counting>;

const sum = { name: 'All forms together', cannabisType: 'non-concentrated', counts: equivalents } as const;

export const missouri: Jurisdiction = {
  state: 'MO',
  name: 'Missouri',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      ...sum,
      audience: 'adult-use',
      window: { kind: 'transaction' },
      limit: { amount: '3', unit: 'oz' },
      citation: 'Mo. Const. art. XIV s.2; 19 CSR 100-1',
      effectiveFrom: '2022-12-08',
      effectiveTo: null,
      confidence: 'medium',
      source: "Summary of the regulator's answers.",
    },
    {
      ...sum,
      audience: 'medical',
      window: { kind: 'rolling-days', days: 30 },
      limit: { amount: '6', unit: 'oz' },
      citation: 'Mo. Const. art. XIV s.1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Secondary source; older pages say 4 oz.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Missouri adult-use marijuana tax',
      rate: '6',
      medicalExemption: 'Medical sales bear 4 % instead.',
      citation: 'Mo. Const. art. XIV s.2',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Report on the decision of the supreme court of 2025-07-22. On the retail price.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Minimum ages: not confirmed.',
    'The rate of 4 % on medical sales: the preset charges patients 6 %. Two taxes of one tier in its place charge both rates: 4 %, and 2 % that is exemptable, with `medicalTaxExempt` of the organization set. Each is rounded by itself, so that a total can differ by a cent.',
    'General sales tax: the rate was not confirmed.',
    'One local tax of up to 3 %: of the city, or of the county outside of cities, never both.',
    'A patient who also shops as an adult: the guidance is unclear since 2025-12-08. The two limits are never added.',
  ],
};
