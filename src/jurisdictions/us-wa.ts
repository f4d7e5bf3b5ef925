import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const transactionLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  effectiveFrom: '2025-01-07',
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation and of the statute.',
} as const;

export const washington: Jurisdiction = {
  state: 'WA',
  name: 'Washington',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      ...transactionLimit,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
    },
    {
      ...transactionLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '7', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
      source: 'Text of the regulation and of the statute. The law says: for inhalation.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Washington cannabis excise tax',
      rate: '37',
      // RCW 69.50.535(1)(b): shelf and advertised prices already reflect it.
      included: true,
      medicalExemption:
        'Until 2029-06-30, only at a store with medical endorsement, to holders of a recognition card, and for ' +
        'compliant products.',
      citation: 'RCW 69.50.535; WAC 314-55-090',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source:
        "Text of the statute and the tax authority's page. Part of the shelf price; separate on the receipt.",
    },
    {
      ...salesTax,
      description: 'Washington sales tax',
      rate: '6.5',
      medicalExemption: null,
      citation: 'RCW 69.50.535',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Tax authority's page: the excise is outside the price that sales tax is charged on.",
    },
  ],
  freeProductsBarred: {
    citation: "Regulator's guidance of 2016; WAC 314-55-017, -018, -155",
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'medium',
    source: 'Report on the guidance: no giveaways. The rule on discounts in shops itself was not read.',
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Minimum ages: not confirmed.',
    'Patients: amounts not confirmed.',
    'Solids (16 oz), liquids (72 oz, or 200 mg of THC in units of 4 mg or less) and ten units otherwise taken: no category type of this state measures them.',
    'The medical exemption from the excise hangs on store, card and product together; a category cannot say which product is compliant. The exemption from sales tax has a test of its own.',
    'Local sales tax: set by the place of the store.',
    'Cost floor: the same guidance bars a price below what the product cost, after all discounts and points. The floor of a price is an amount here, and knows no cost.',
  ],
};
