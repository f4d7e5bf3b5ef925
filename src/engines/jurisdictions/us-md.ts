import { notExpressible, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisForms, cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, equivalence, secondary } from './reading.ts';

const taxArticle = 'https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=gtg&section=11-104';
const limits = secondary('https://cannabis.maryland.gov', { readOn: checkedOn, textOf: '2023-07' });

const allotment = {
  ...secondary('https://www.chesacanna.com/adult-use/', { textOf: '2023-07' }),
  citation: 'Md. Code, ABC 1-101',
  confidence: 'medium',
  source:
    'The numbers are sure; that a part of one uses up the same part of the others is how stores read "or".',
} as const;

const cannabisRate = {
  ...cannabisTax,
  description: 'Maryland cannabis sales and use tax',
  type: 'standard',
  patients: { rule: 'exempt', text: 'Medical sales are exempt.' },
  confidence: 'medium',
} as const;

export const maryland: Jurisdiction = {
  state: 'MD',
  name: 'Maryland',
  minimumAges: [],
  purchaseLimits: [
    {
      ...limits,
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '1.5', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: equivalence('12 g', '1.5 oz', allotment),
        edibles: equivalence('750 mg', '1.5 oz', allotment),
      },
      citation: 'Md. Code, ABC 1-101',
      effectiveFrom: '2023-07-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'The numbers are sure; the law joins them by "or", which stores read as one allotment.',
    },
    {
      ...limits,
      readOn: '2026-11-20',
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 30 },
      cannabisType: 'non-concentrated',
      limit: { amount: '120', unit: 'g' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'COMAR 14.17',
      effectiveFrom: '2023-07-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Summary of the rule.',
    },
  ],
  taxes: [
    {
      ...cannabisRate,
      ...secondary(taxArticle),
      rate: '9',
      citation: 'Tax-Gen. 11-104',
      effectiveFrom: null,
      effectiveTo: '2025-06-30',
      source: 'Reports that agree. Instead of the general rate.',
    },
    {
      ...cannabisRate,
      ...secondary(taxArticle, { readOn: checkedOn, textOf: '2025' }),
      rate: '12',
      citation: 'Tax-Gen. 11-104; HB 352 (2025)',
      effectiveFrom: '2025-07-01',
      effectiveTo: null,
      source:
        'Reports on the enacted bill, which says "and every year thereafter": no other rate is coming. Instead of the ' +
        'general rate.',
    },
    {
      ...salesTax,
      ...secondary(taxArticle),
      description: 'Maryland sales and use tax',
      rate: '6',
      excludedCannabisTypes: cannabisForms,
      patients: {
        rule: 'owe',
        text: 'Reports on the act: medical cannabis is exempt, and accessories bear the general rate.',
      },
      citation: 'Tax-Gen. 11-104',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports that agree. On accessories; cannabis bears its own rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    notExpressible(
      'THC for patients (36 g in 30 days, or the flower): a total of THC over all forms is not in the catalog.',
    ),
  ],
};
