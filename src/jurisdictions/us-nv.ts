import { doubtful, local, note } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, primary, secondary } from './reading.ts';

const age = {
  citation: 'NCCR 7.015',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Sources that agree.',
  ...secondary('https://ccb.nv.gov/laws-regulations/'),
} as const;

export const nevada: Jurisdiction = {
  state: 'NV',
  name: 'Nevada',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower and concentrate together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: { amount: { amount: '0.25', unit: 'oz' }, uses: { amount: '2.5', unit: 'oz' } },
      },
      citation: 'NRS 678D.200; SB 277 (2023)',
      effectiveFrom: '2024-01-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports on the act that agree. "Combination not to exceed the legal limit": one sum.',
      ...secondary('https://www.leg.state.nv.us/nrs/nrs-678d.html', { readOn: checkedOn, textOf: '2023' }),
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary('https://www.leg.state.nv.us/nrs/nrs-372a.html', { readOn: checkedOn }),
      description: 'Nevada retail cannabis excise tax',
      rate: '10',
      patients: {
        rule: 'exempt',
        text: 'Holders of a valid card are exempt from the excise (NRS 372A.290(8)).',
      },
      citation: 'NRS 372A.290',
      effectiveFrom: '2020-07-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute.',
    },
    {
      ...salesTax,
      ...secondary('https://www.leg.state.nv.us/nrs/nrs-372a.html', { readOn: checkedOn }),
      description: 'Nevada sales tax',
      rate: '6.85',
      nonExemptableCannabisTypes: ['none'],
      patients: {
        rule: 'not-known',
        text: 'The exemption of NRS 372A.290(8) is from the excise; whether sales tax is due from patients was not looked up.',
      },
      citation: 'NRS 372A.290',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'A secondary page: the tax is not charged on the excise. The rate before what a county adds.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    doubtful(
      'Edibles: an eighth of an ounce of concentrate was 3,543 mg of THC before 2024.',
      'One old figure.',
    ),
    doubtful('Limits of patients: 2.5 oz in 14 days.', 'One secondary page.'),
    note('Limits before 2024 (1 oz of flower, 1/8 oz of concentrate) are gone.'),
    local('County sales taxes.'),
  ],
};
