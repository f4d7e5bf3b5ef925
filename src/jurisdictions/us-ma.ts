import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const adultFlower = {
  audience: 'adult-use',
  name: 'Flower',
  window: { kind: 'local-day' },
  cannabisType: 'non-concentrated',
  counts: { 'non-concentrated': 'one-to-one' },
} as const;

const age = {
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation.',
} as const;

export const massachusetts: Jurisdiction = {
  state: 'MA',
  name: 'Massachusetts',
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, citation: '935 CMR 500.140(2)' },
    {
      ...age,
      audience: 'medical',
      years: 18,
      citation: '935 CMR 501.140(2)',
      source: 'Text of the regulation. Minors buy through a caregiver.',
    },
  ],
  purchaseLimits: [
    {
      ...adultFlower,
      limit: { amount: '1', unit: 'oz' },
      citation: 'MGL 94G s.7; 935 CMR 500.140(3), 500.146(2)',
      effectiveFrom: null,
      effectiveTo: '2026-04-18',
      confidence: 'medium',
      source: 'Text of the regulation. The program must be unable to complete a sale over the limit.',
    },
    {
      ...adultFlower,
      limit: { amount: '2', unit: 'oz' },
      citation: 'H.5350 (2026); MGL 94G s.7; 935 CMR 500.140(3), 500.146(2)',
      effectiveFrom: '2026-04-19',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports on the act that agree. The program must be unable to complete a sale over the limit.',
    },
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 60 },
      cannabisType: 'non-concentrated',
      limit: { amount: '10', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '935 CMR 501.140(3)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'The regulation says a 60-day supply, commonly 10 oz. The state portal tracks it across stores.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Massachusetts marijuana excise tax',
      rate: '10.75',
      exemptable: true,
      medicalExemption: 'Medical sales bear no excise.',
      citation: 'MGL 64N',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree. On the sale price.',
    },
    {
      ...salesTax,
      description: 'Massachusetts sales tax',
      rate: '6.25',
      medicalExemption: null,
      citation: 'MGL 64H',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree. Beside the excise, not on it.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Concentrate and edibles: they count by active THC, and what holds since flower went from 1 oz to 2 oz is not confirmed by any text.',
    'A 60-day supply that a patient was certified for and that is not 10 oz: the customer has no limit of their own.',
    'Local tax of up to 3 %: set by the place.',
    'Whether medical sales bear sales tax was not found.',
    'Whether adult-use discounts and loyalty schemes are barred (935 CMR 500.105(4)) was not confirmed: read it before setting any up.',
  ],
};
