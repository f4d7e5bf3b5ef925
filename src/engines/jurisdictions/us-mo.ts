import { disputed, local, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, equivalence, metrc, primary, reviewedOn, secondary } from './reading.ts';

/** By the state's equivalency unit: 3.5 g of flower, 1 g of concentrate, 100 mg of THC in infused products. */
const unit = {
  ...secondary('https://legalclarity.org/how-much-weed-can-you-buy-in-missouri'),
  citation: '19 CSR 100-1',
  confidence: 'medium',
  source:
    "Summary of the regulator's answers: one unit is 3.5 g of flower, 1 g of concentrate or 100 mg of THC.",
} as const;

const equivalents = {
  'non-concentrated': 'one-to-one',
  concentrated: equivalence('1 g', '3.5 g', unit),
  edibles: equivalence('100 mg', '3.5 g', unit),
} as const;

const article = 'https://revisor.mo.gov/main/OneSection.aspx?section=XIV++++2&constit=y';

const sum = { name: 'All forms together', cannabisType: 'non-concentrated', counts: equivalents } as const;

export const missouri: Jurisdiction = {
  state: 'MO',
  name: 'Missouri',
  minimumAges: [],
  purchaseLimits: [
    {
      ...sum,
      ...secondary(article, { textOf: '2022-12-08' }),
      audience: 'adult-use',
      window: { kind: 'transaction' },
      limit: { amount: '84', unit: 'g' },
      citation: 'Mo. Const. art. XIV s.2; 19 CSR 100-1',
      effectiveFrom: '2022-12-08',
      effectiveTo: null,
      confidence: 'medium',
      source:
        "Summary of the regulator's answers: the state counts units of 3.5 g, and 24 of them are 3 oz. 84 g is the strict reading.",
    },
    {
      ...sum,
      ...secondary('https://revisor.mo.gov/main/OneSection.aspx?section=XIV++++1&constit=y'),
      audience: 'medical',
      window: { kind: 'rolling-days', days: 30 },
      limit: { amount: '168', unit: 'g' },
      citation: 'Mo. Const. art. XIV s.1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'Secondary source: 48 units of 3.5 g, which are 6 oz; older pages say 4 oz. 168 g is the strict reading.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary(article, { readOn: checkedOn, textOf: '2022-12-08' }),
      description: 'Missouri adult-use marijuana tax',
      rate: '6',
      customerType: 'adult-use',
      patients: { rule: 'other-tax', text: 'Medical sales bear 4 % instead.' },
      citation: 'Mo. Const. art. XIV s.2',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'The constitution, and reports on the decision of the supreme court of 2025-07-22. On the retail price.',
    },
    {
      ...cannabisTax,
      ...primary('https://revisor.mo.gov/main/OneSection.aspx?section=XIV++++1&constit=y'),
      description: 'Missouri medical marijuana tax',
      rate: '4',
      customerType: 'medical',
      patients: { rule: 'owe', text: 'The constitution sets 4 % on medical sales.' },
      citation: 'Mo. Const. art. XIV s.1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree. On the retail price, in place of the adult-use tax.',
    },
    {
      ...salesTax,
      ...secondary('https://dor.mo.gov/taxation/business/marijuana.html', { readOn: reviewedOn }),
      description: 'Missouri sales tax',
      rate: '4.225',
      patients: {
        rule: 'owe',
        text: "The tax authority's answers: both the marijuana tax and the sales tax are collected, also from patients.",
      },
      citation: 'RSMo 144.020, 144.701; Mo. Const. art. IV s. 43(a), 47(a)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        "Tax authority's answers, and pages that agree on the rate. The state part of the rate; on the price alone.",
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    reporting: metrc('real time', '19 CSR 100-1'),
  },
  gaps: [
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    local(
      'One local tax of up to 3 %: of the city, or of the county outside of cities, never both. And the sales taxes of cities, counties and districts.',
    ),
    disputed(
      'A patient who also shops as an adult: the guidance is unclear since 2025-12-08. The two limits are never added.',
    ),
  ],
};
