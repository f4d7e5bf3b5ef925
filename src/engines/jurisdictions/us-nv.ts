import { doubtful, local, note } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, equivalence, primary, secondary, verifiedOn } from './reading.ts';

const statute = secondary('https://leg.state.nv.us/Nrs/NRS-678D.html', {
  readOn: checkedOn,
  textOf: '2023',
});

const age = { effectiveFrom: null, effectiveTo: null, confidence: 'medium' } as const;

export const nevada: Jurisdiction = {
  state: 'NV',
  name: 'Nevada',
  minimumAges: [
    {
      ...age,
      ...primary('https://leg.state.nv.us/Nrs/NRS-678D.html', { readOn: verifiedOn, textOf: '2024-06-29' }),
      audience: 'adult-use',
      years: 21,
      citation: 'NRS 678D.200; NCCR 7.015',
      source:
        'Heading of the section: the exemption is for a person of 21 years or older. The rest was cut off.',
    },
    {
      ...age,
      ...secondary('https://leg.state.nv.us/division/legal/lawlibrary/NRS/NRS-678C.html', {
        textOf: '2024-06-29',
      }),
      audience: 'medical',
      years: 18,
      citation: 'NRS 678C; NCCR 7.015',
      source:
        'Pages that agree. The link leads to the chapter on registry cards; the age was not read in it.',
    },
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
        concentrated: equivalence('0.25 oz', '2.5 oz', {
          ...statute,
          citation: 'NRS 678D.200; SB 277 (2023)',
          confidence: 'medium',
          source:
            'Reports on the act that agree: 2.5 oz, or 1/4 oz of concentrate, or a combination that is not more than either.',
        }),
      },
      citation: 'NRS 678D.200; SB 277 (2023)',
      effectiveFrom: '2024-01-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports on the act that agree. "Combination not to exceed the legal limit": one sum.',
      ...statute,
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary('https://leg.state.nv.us/Division/Legal/LawLibrary/NRS/NRS-372A.html', {
        readOn: checkedOn,
      }),
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
      ...secondary('https://leg.state.nv.us/Division/Legal/LawLibrary/NRS/NRS-372A.html', {
        readOn: checkedOn,
      }),
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
