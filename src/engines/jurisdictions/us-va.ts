import { local, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import { metrc, othersSay } from './reading.ts';

/** Enacted with the budget of 2026: licenses from 2027-05-01, sales from 2027-07-01. */
const act = {
  citation: 'Budget act of 2026, accepted 2026-06-29',
  link: 'https://po.tc',
  textOf: '2026-06-29',
} as const;

const tax = {
  ...cannabisTax,
  description: 'Virginia marijuana tax',
  patients: { rule: 'not-known', text: 'Reports on the act do not say whether patients owe it.' },
} as const;

export const virginia: Jurisdiction = {
  state: 'VA',
  name: 'Virginia',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      ...othersSay({
        ...act,
        source: 'Reports on the enacted budget: sales to adults begin on 2027-07-01, with 2 oz for each.',
        effectiveFrom: '2027-07-01',
      }),
    },
  ],
  taxes: [
    {
      ...tax,
      rate: '6',
      ...othersSay({
        ...act,
        source: 'Reports on the budget, from before and after it was enacted.',
        effectiveFrom: '2027-07-01',
        effectiveTo: '2029-06-30',
      }),
    },
    {
      ...tax,
      rate: '8',
      ...othersSay({
        ...act,
        source: 'Reports on the budget, from before and after it was enacted.',
        effectiveFrom: '2029-07-01',
      }),
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    reporting: metrc(null, "Regulator's tracking, of medical stores since 2025-07"),
  },
  gaps: [
    notFound('How forms other than flower count toward the 2 oz.'),
    notLookedUp('Minimum ages, and the text of the act: reports on it were read.'),
    local('Local tax of 1 to 3.5 %.'),
  ],
};
