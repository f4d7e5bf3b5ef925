import type { Jurisdiction, StateLimitRule } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const cap = {
  window: { kind: 'transaction' },
  citation: '410 ILCS 705/10-10',
  effectiveFrom: '2020-01-01',
  effectiveTo: null,
  confidence: 'high',
} as const;

const age = {
  citation: '410 ILCS 705/15-70, 15-85',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Bill texts of 2025.',
} as const;

function caps(
  audience: StateLimitRule['audience'],
  [flowerGrams, concentrateGrams, infusedMg]: readonly [string, string, string],
  source: string,
): StateLimitRule[] {
  return [
    {
      ...cap,
      audience,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: flowerGrams, unit: 'g' },
      counts: { 'non-concentrated': 'one-to-one' },
      source,
    },
    {
      ...cap,
      audience,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: concentrateGrams, unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source,
    },
    {
      ...cap,
      audience,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: infusedMg, unit: 'mg' },
      counts: { edibles: 'one-to-one' },
      source,
    },
  ];
}

export const illinois: Jurisdiction = {
  state: 'IL',
  name: 'Illinois',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    ...caps(
      'adult-use',
      ['30', '5', '500'],
      'Sources that agree with the act: what may be possessed, all three at once. A bill of 2025-26 was pending.',
    ),
    ...caps(
      'adult-use-non-resident',
      ['15', '2.5', '250'],
      'Sources that agree with the act: half of what residents may possess, all three at once.',
    ),
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 14 },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '410 ILCS 130',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Comparison of medical and adult-use law.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Illinois cannabis purchaser excise tax (infused)',
      rate: '20',
      exemptable: true,
      excludedCannabisTypes: [
        'none',
        'non-concentrated',
        'concentrated',
        'mi-infused-solids',
        'mi-infused-fluids',
        'immature-plant',
      ],
      medicalExemption: 'Medical sales bear no excise.',
      citation: '410 ILCS 705/65-10',
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. On infused products; the two rates by potency are not in this preset.',
    },
    {
      ...salesTax,
      description: 'Illinois sales tax',
      rate: '6.25',
      medicalExemption: null,
      citation: '410 ILCS 705/65-10',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'The state part of the rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'The excise on everything that is not infused goes by potency: 10 % up to 35 % of adjusted THC, 25 % above. A category does not know the THC of its products: make categories by potency and give each its tax.',
    'Medical sales bear 1 % (2.25 % in the regional transport area) instead of 6.25 %, and the preset charges patients 6.25 %. Two taxes of one tier in place of the sales tax charge both rates: 1 %, and 5.25 % that is exemptable but for goods without cannabis. Each is rounded by itself, so that a total can differ by a cent.',
    'Whether sales tax is charged on the excise was not found; the preset does not.',
    'Municipal and county cannabis taxes (up to 3 %, and 3.75 % outside municipalities), local sales taxes: set by the place.',
    'How concentrate and infused products count for patients: the conversion was not found.',
    'Who is a resident: half the limits hold for others, and a profile does not say. Ask.',
  ],
};
