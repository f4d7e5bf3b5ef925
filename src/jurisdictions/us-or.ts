import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';

const age = {
  citation: 'OAR 845-025-2800(2)(a)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
} as const;

export const oregon: Jurisdiction = {
  state: 'OR',
  name: 'Oregon',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, source: 'Page of the rule, cut off in part.' },
    {
      ...age,
      audience: 'medical',
      years: 18,
      source: 'Page of the rule, cut off in part. With a state medical card, at a registered store.',
    },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'local-day' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'OAR 845-025-2800',
      effectiveFrom: '2022-01-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Report on the rule of 2022. "At any one time or within one day".',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Oregon marijuana retail tax',
      rate: '17',
      exemptable: true,
      // ORS 475C.674(3): to the next whole cent if the result is not one.
      rounding: 'up',
      medicalExemption: 'Registered patients and caregivers owe none; the retailer may not collect it.',
      citation: 'ORS 475C.674; OAR 845-025-2890',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. Rounded up to the next whole cent. The state has no sales tax.',
    },
  ],
  freeProductsBarred: {
    citation: "Regulator's answers to retailers",
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'medium',
    source: "Copy of the regulator's answers.",
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: {
    citation: 'ORS 475C.674(6)(a)',
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'high',
    source: 'Text of the statute. The other item may be cannabis or not.',
  },
  notCovered: [
    'Concentrate: the sources contradict each other.',
    'Limits of patients: the sources contradict each other.',
    'Solids (16 oz) and liquids (72 fl oz) by product weight and volume: no category type of this state measures them.',
    'Plants and seeds: found beside the flower limit, not confirmed. No category type counts seeds.',
    'Local tax of up to 3 %: set by the place, rounded up as well.',
    'Buy-X-get-Y discounts on cannabis are barred (ORS 475C.674(6)(a)), and not refused: `warnings` of the organization name those that are set up. Read the statute also before a discount asks for a minimum subtotal.',
  ],
};
