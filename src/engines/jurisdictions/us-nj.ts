import { doubtful, local, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { salesTax } from './preset-tax-defaults.ts';
import { checkedOn, duty, equivalence, lawSays, metrc, primary, secondary, verifiedOn } from './reading.ts';

const regulator = primary('https://www.nj.gov/cannabis/adult-personal/', { readOn: checkedOn });

const equivalents = {
  ...regulator,
  citation: 'N.J.A.C. 17:30-14',
  confidence: 'high',
  source:
    "Regulator's page: 1 oz is as much as 4 g of solid concentrate, 4 g of vaporized oil, or 1,000 mg in ten packages.",
} as const;

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
        concentrated: equivalence('4 g', '28.35 g', equivalents),
        edibles: equivalence('1000 mg', '28.35 g', equivalents),
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
      ...secondary(
        'https://newjersey.news12.com/state-sales-tax-no-longer-applies-to-medical-marijuana-thanks-to-jakes-law',
        { readOn: verifiedOn, textOf: '2022-07' },
      ),
      description: 'New Jersey sales tax',
      rate: '6.625',
      nonExemptableCannabisTypes: ['none'],
      patients: {
        rule: 'exempt',
        text: 'Medical cannabis bears no sales tax since 2022-07-01: reports on the act of 2019 that ended it in steps.',
      },
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
  duties: {
    saleHours: null,
    idCopies: duty(
      'enforced',
      { kept: 'barred' },
      lawSays({
        citation: 'N.J.A.C. 17:30-14.3(b)',
        source:
          'Copy of the rule: no copy of an ID, and nothing about a buyer beyond what a sale of liquor needs.',
        link: 'https://casetext.com/regulation/new-jersey-administrative-code/title-17-treasury-general/chapter-30-personal-use-cannabis-rules/subchapter-14-cannabis-retailer-authorized-conduct/section-1730-143-cannabis-retailer-sale-to-a-consumer',
        textOf: '2024-11-04',
        confidence: 'high',
      }),
    ),
    reporting: metrc(null, 'N.J.A.C. 17:30-9.7'),
  },
  gaps: [
    doubtful('Limits of patients: 3 oz in 30 days.', "A law firm's page."),
    notFound('Minimum age of patients.'),
    note('Concentrate in liquid form counts as the grams of concentrate in it: state those as its content.'),
    local('Municipal transfer tax of up to 2 %.'),
    notLookedUp('The fee on cultivators for 2026: it is cost, and no tax of a sale.'),
  ],
};
