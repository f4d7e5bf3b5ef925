import { doubtful, local, notExpressible, note, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  equivalence,
  metrc,
  othersSay,
  primary,
  secondary,
  thcEquivalence,
  verifiedOn,
} from './reading.ts';

const statute = secondary('https://leg.state.nv.us/Nrs/NRS-678D.html', {
  readOn: checkedOn,
  textOf: '2023',
});

const age = { effectiveFrom: null, effectiveTo: null, confidence: 'medium' } as const;

const chart = othersSay({
  citation: "NRS 678D.200; board's chart",
  source: "A page that quotes the board's chart: 7,087 mg of THC are as much as 2.5 oz.",
  link: 'https://wiki.openthc.org/USA/NV',
});

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
      name: 'All forms together',
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
        edibles: thcEquivalence('7087 mg', '2.5 oz', chart),
        'low-dose-drinks': thcEquivalence('7087 mg', '2.5 oz', chart),
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
      patients: {
        rule: 'owe',
        text: 'Pages that agree: patients owe the sales tax; the exemption of NRS 372A.290(8) is from the excise.',
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
  duties: {
    saleHours: duty(
      'by-hand',
      'local',
      othersSay({
        citation: 'NRS 678B, 678D',
        source: "A vendor's page on the state.",
        link: 'https://ccb.nv.gov',
        readOn: compiledOn,
      }),
    ),
    gifts: duty(
      'by-hand',
      { free: 'only-with-purchase' },
      othersSay({
        citation: 'NRS 678D.430',
        source:
          'The section in the numbering of 2019: nothing is offered as free without a purchase. The revision of 2026 was not read.',
        link: 'https://www.leg.state.nv.us/NRS/NRS-678D.html',
        textOf: '2019',
      }),
    ),
    delivery: duty(
      'by-hand',
      { to: 'everyone', hours: null, vehicleValueCents: null, words: 'As the local government allows.' },
      othersSay({
        citation: 'NRS 678B',
        source: "A vendor's page on the state.",
        link: 'https://ccb.nv.gov',
        readOn: compiledOn,
      }),
    ),
    reporting: metrc(null, 'NCCR 6'),
  },
  gaps: [
    doubtful('Limits of patients: 2.5 oz in 14 days.', 'One secondary page.'),
    note('Limits before 2024 (1 oz of flower, 1/8 oz of concentrate) are gone.'),
    notLookedUp('The statutes as revised on 2026-04-15 (NRS 678A to 678D): those of 2024 were read.'),
    notExpressible(
      'IDs are checked with a scanner that the board has approved (NCCR 7.015): the shop has to have one.',
    ),
    local('County sales taxes.'),
  ],
};
