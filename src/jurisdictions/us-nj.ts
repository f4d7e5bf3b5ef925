import type { Jurisdiction } from './jurisdiction.ts';
import { salesTax } from './preset-tax-defaults.ts';

export const newJersey: Jurisdiction = {
  state: 'NJ',
  name: 'New Jersey',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower and edibles together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '28.35', unit: 'g' },
      counts: {
        'non-concentrated': 'one-to-one',
        edibles: { amount: { amount: '1000', unit: 'mg' }, uses: { amount: '28.35', unit: 'g' } },
      },
      citation: 'N.J.A.C. 17:30-14',
      effectiveFrom: '2022-04-21',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree: any form up to the equivalent of 1 oz (28.35 g); ten packages of 100 mg.',
    },
  ],
  taxes: [
    {
      ...salesTax,
      description: 'New Jersey sales tax',
      rate: '6.625',
      exemptable: true,
      nonExemptableCannabisTypes: ['none'],
      medicalExemption: 'Medical cannabis bears no sales tax.',
      citation: 'N.J.S.A. 54:47F-1; N.J.A.C. 17:30-3.4',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree. There is no other state tax on a retail sale.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Concentrate: the sources contradict each other, so it does not count toward the limit.',
    'Minimum ages: not confirmed. Limits of patients: none found.',
    'Municipal transfer tax of up to 2 %: set by the place. The excise on cultivators is cost.',
  ],
};
