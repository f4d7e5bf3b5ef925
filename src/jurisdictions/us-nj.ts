import { local, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { salesTax } from './preset-tax-defaults.ts';
import { checkedOn, primary, secondary } from './reading.ts';

const regulator = primary('https://www.nj.gov/cannabis/adult-personal/', { readOn: checkedOn });

export const newJersey: Jurisdiction = {
  state: 'NJ',
  name: 'New Jersey',
  minimumAges: [
    {
      ...regulator,
      audience: 'adult-use',
      years: 21,
      citation: 'CREAMM Act; N.J.A.C. 17:30',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Regulator's page: anyone of 21 years or older.",
    },
  ],
  purchaseLimits: [
    {
      ...regulator,
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '28.35', unit: 'g' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: { amount: { amount: '4', unit: 'g' }, uses: { amount: '28.35', unit: 'g' } },
        edibles: { amount: { amount: '1000', unit: 'mg' }, uses: { amount: '28.35', unit: 'g' } },
      },
      citation: 'N.J.A.C. 17:30-14',
      effectiveFrom: '2022-04-21',
      effectiveTo: null,
      confidence: 'high',
      source:
        "Regulator's page: any mix up to 28.35 g, of which 4 g of solid concentrate, 4 g of vaporized oil or 1,000 mg in " +
        'ten packages are as much.',
    },
  ],
  taxes: [
    {
      ...salesTax,
      ...secondary('https://law.justia.com/codes/new-jersey/title-54/section-54-47f-1/'),
      description: 'New Jersey sales tax',
      rate: '6.625',
      nonExemptableCannabisTypes: ['none'],
      patients: { rule: 'exempt', text: 'Medical cannabis bears no sales tax.' },
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
  gaps: [
    notFound('Limits and minimum age of patients.'),
    note('Concentrate in liquid form counts as the grams of concentrate in it: state those as its content.'),
    local('Municipal transfer tax of up to 2 %.'),
    notLookedUp('The fee on cultivators for 2026: it is cost, and no tax of a sale.'),
  ],
};
