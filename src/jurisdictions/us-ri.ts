import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const tax = {
  medicalExemption: null,
  citation: 'RIGL 21-28.11-13',
  effectiveFrom: '2022-12-01',
  effectiveTo: null,
  confidence: 'medium',
  source: 'Summary of the act.',
} as const;

export const rhodeIsland: Jurisdiction = {
  state: 'RI',
  name: 'Rhode Island',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'RIGL 21-28.11; 560-RICR-10-10-2',
      effectiveFrom: '2022-12-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Summary of the act and page of the rule.',
    },
  ],
  taxes: [
    { ...cannabisTax, ...tax, description: 'Rhode Island cannabis excise tax', rate: '10' },
    { ...cannabisTax, ...tax, description: 'Rhode Island host town cannabis tax', rate: '3' },
    {
      ...salesTax,
      ...tax,
      description: 'Rhode Island sales tax',
      rate: '7',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Forms other than flower: how they count toward the ounce was not confirmed.',
    'Limits of patients, and which taxes medical sales bear: not confirmed; the preset exempts nobody.',
    'Minimum ages: not confirmed.',
    'Whether sales tax is charged on the other two was not found; the preset does not.',
  ],
};
