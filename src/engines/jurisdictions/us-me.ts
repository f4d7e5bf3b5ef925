import { doubtful, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { allTypesBut, cannabisTax } from './preset-tax-defaults.ts';
import { checkedOn, compiledOn, duty, metrc, othersSay, primary, secondary } from './reading.ts';

const section1501 = 'https://legislature.maine.gov/statutes/28-B/title28-Bsec1501.html';
const section504 = 'https://legislature.maine.gov/statutes/28-B/title28-Bsec504.html';
const section1811 = 'https://legislature.maine.gov/statutes/36/title36sec1811.html';

const transactionLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: '28-B MRS 504(2)(B), 1501(1)',
  confidence: 'medium',
} as const;

const concentrate = {
  ...transactionLimit,
  name: 'Concentrate',
  cannabisType: 'concentrated',
  counts: { concentrated: 'one-to-one' },
} as const;

const age = {
  citation: '28-B MRS 504(2)(C)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Copy of the statute.',
  ...primary(section504),
} as const;

const adultUseRate = {
  ...cannabisTax,
  description: 'Maine sales tax on adult-use cannabis',
  type: 'standard',
  customerType: 'adult-use',
  patients: { rule: 'other-tax', text: 'Medical sales bear 5.5 % instead, edibles 8 %.' },
  citation: '36 MRS 1811',
  confidence: 'medium',
} as const;

const medicalRate = {
  ...cannabisTax,
  ...secondary(section1811),
  type: 'standard',
  customerType: 'medical',
  citation: '36 MRS 1811',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Reports that agree. Instead of the rate on adult-use cannabis.',
} as const;

export const maine: Jurisdiction = {
  state: 'ME',
  name: 'Maine',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...transactionLimit,
      ...primary(section1501),
      name: 'Flower and concentrate together',
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one', concentrated: 'one-to-one' },
      effectiveFrom: null,
      effectiveTo: null,
      source: 'Copy of the statute.',
    },
    {
      ...concentrate,
      ...secondary(section1501),
      limit: { amount: '5', unit: 'g' },
      effectiveFrom: null,
      effectiveTo: '2024-12-31',
      source:
        'Texts from before the change of 2024, whose day was not found. Inside the 2.5 oz, not beside them.',
    },
    {
      ...concentrate,
      ...secondary(section1501, { readOn: checkedOn, textOf: '2024' }),
      limit: { amount: '10', unit: 'g' },
      effectiveFrom: '2025-01-01',
      effectiveTo: null,
      source:
        'Secondary pages on the change of 2024, whose day was not found. Inside the 2.5 oz, not beside them.',
    },
  ],
  taxes: [
    {
      ...adultUseRate,
      ...secondary(section1811),
      rate: '10',
      effectiveFrom: null,
      effectiveTo: '2025-12-31',
      source: 'Reports that agree. Instead of the general rate.',
    },
    {
      ...adultUseRate,
      ...secondary(section1811, { readOn: checkedOn, textOf: '2026' }),
      rate: '14',
      effectiveFrom: '2026-01-01',
      effectiveTo: null,
      source: 'Reports that agree. Instead of the general rate.',
    },
    {
      ...medicalRate,
      description: 'Maine sales tax on medical cannabis',
      rate: '5.5',
      excludedCannabisTypes: ['none', 'edibles', 'low-dose-drinks'],
      patients: { rule: 'owe', text: 'Reports that agree: medical sales bear the general rate.' },
    },
    {
      ...medicalRate,
      description: 'Maine sales tax on medical edibles',
      rate: '8',
      excludedCannabisTypes: allTypesBut('edibles', 'low-dose-drinks'),
      patients: { rule: 'owe', text: 'Reports that agree: medical edibles bear the rate on prepared food.' },
    },
  ],
  freeProductsBarred: {
    citation: '28-B MRS 504(2)(A)',
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'high',
    source: 'Copy of the statute. The narrow exception of subsection 12 is not made here.',
    ...primary(section504),
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: 'Only as 28-B MRS 504(9) allows it; a drive-through window only under 504(10).',
      },
      othersSay({
        citation: '28-B MRS 504(9)',
        source: 'Copy of the statute.',
        link: section504,
        readOn: compiledOn,
      }),
    ),
    reporting: metrc(null, '28-B MRS 105'),
  },
  gaps: [
    notFound(
      'Edibles: a figure is only in draft rules of 2019. Plants and seedlings: found for possession only.',
    ),
    notFound('Limits of patients.'),
    doubtful('A store may sell from 7:00 to 22:00.', 'A report on the rules of 2019.'),
    notLookedUp('The petition of 2026 on adult use: whether it came to a vote.'),
    notLookedUp('Sales tax on goods without cannabis.'),
    note(
      'Sales over an "internet-based sales platform" are barred (28-B MRS 504(2)(C)): take on-line orders as reservations that are paid in the store.',
    ),
  ],
};
