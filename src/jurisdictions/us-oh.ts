import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

export const ohio: Jurisdiction = {
  state: 'OH',
  name: 'Ohio',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'local-day' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'ORC 3780.36 (re-codified by SB 56)',
      effectiveFrom: '2025-06-04',
      effectiveTo: null,
      confidence: 'medium',
      source: "Reports on the regulator's notice. SB 56 keeps the number.",
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Ohio adult-use cannabis tax',
      rate: '10',
      exemptable: true,
      medicalExemption: 'Medical sales bear sales tax only.',
      citation: 'ORC 3780.22 (re-codified by SB 56)',
      effectiveFrom: '2023-12-07',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports that agree.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'All other forms together, 15 g of THC a day: a total of THC over all forms is not in the catalog.',
    'Limits before 2025-06-04, in units of the state: gone.',
    'Patients: a 90-day supply in units per form. No category type measures them.',
    'Minimum ages and sales tax: not confirmed.',
  ],
};
