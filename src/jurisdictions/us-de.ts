import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

const cap = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: '16 Del.C. 4701, 4764; 4 Del.C. ch. 13',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'The personal use quantity is sure; that a sale is capped exactly there is read from it.',
} as const;

const age = {
  citation: "Regulator's answers; 4 Del.C. ch. 13",
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: "Regulator's answers, before sales began.",
} as const;

export const delaware: Jurisdiction = {
  state: 'DE',
  name: 'Delaware',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...cap,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '12', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...cap,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: '750', unit: 'mg' },
      counts: { edibles: 'one-to-one' },
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Delaware marijuana tax',
      rate: '15',
      exemptable: true,
      medicalExemption: 'Medical sales are not taxed.',
      citation: '4 Del.C. 1382',
      effectiveFrom: '2025-08-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Text of the statute; the rate from a report. The state has no sales tax.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Whether the three caps are joined ("or"): each is checked for itself.',
    'Limits of patients: none found.',
    "Promotions are for patients only, as the regulator's answers imply: limit discounts to a customer group.",
  ],
};
