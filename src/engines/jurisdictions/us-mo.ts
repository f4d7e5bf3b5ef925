import { disputed, doubtful, local, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import { checkedOn, equivalence, primary, secondary } from './reading.ts';

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
      limit: { amount: '3', unit: 'oz' },
      citation: 'Mo. Const. art. XIV s.2; 19 CSR 100-1',
      effectiveFrom: '2022-12-08',
      effectiveTo: null,
      confidence: 'medium',
      source: "Summary of the regulator's answers.",
    },
    {
      ...sum,
      ...secondary('https://revisor.mo.gov/main/OneSection.aspx?section=XIV++++1&constit=y'),
      audience: 'medical',
      window: { kind: 'rolling-days', days: 30 },
      limit: { amount: '6', unit: 'oz' },
      citation: 'Mo. Const. art. XIV s.1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Secondary source; older pages say 4 oz.',
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
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    doubtful(
      'The state may count in units of 3.5 g: 24 (84 g) for adults and 48 (168 g) for patients, not 3 oz and 6 oz exactly. The stricter reading is the safe one: set own limits of 84 g and 168 g.',
      'Secondary pages of 2025 and 2026.',
    ),
    notLookedUp('General sales tax: its rate.'),
    local('One local tax of up to 3 %: of the city, or of the county outside of cities, never both.'),
    disputed(
      'A patient who also shops as an adult: the guidance is unclear since 2025-12-08. The two limits are never added.',
    ),
  ],
};
