import { doubtful, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisForms, cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  duty,
  equivalence,
  lawSays,
  othersSay,
  reportedTo,
  secondary,
  thcEquivalence,
} from './reading.ts';

const taxArticle = 'https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=gtg&section=11-104';
const limits = secondary('https://cannabis.maryland.gov', { readOn: checkedOn, textOf: '2023-07' });

const allotment = {
  ...secondary('https://www.chesacanna.com/adult-use/', { textOf: '2023-07' }),
  citation: 'Md. Code, ABC 1-101',
  confidence: 'medium',
  source:
    'The numbers are sure; that a part of one uses up the same part of the others is how stores read "or".',
} as const;

/** 36 g of THC are as much as 120 g of flower. */
const patientAllotment = othersSay({
  citation: 'COMAR 14.17',
  source:
    'Summary of the rule: 120 g of flower or 36 g of THC, joined as for adults. A concentrate whose THC is not stated counts by its weight, which is never less.',
  link: 'https://www.chesacanna.com/adult-use/',
  textOf: '2023-07',
});

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
      name: 'All forms together',
      window: { kind: 'rolling-days', days: 30 },
      cannabisType: 'non-concentrated',
      limit: { amount: '120', unit: 'g' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: thcEquivalence('36 g', '120 g', patientAllotment),
        edibles: thcEquivalence('36 g', '120 g', patientAllotment),
        inhalables: thcEquivalence('36 g', '120 g', patientAllotment),
        'low-dose-drinks': thcEquivalence('36 g', '120 g', patientAllotment),
      },
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
  duties: {
    patientsOnlyProducts: duty(
      'enforced',
      {
        packagesAbove: [
          { cannabisType: 'concentrated', amount: { amount: '1', unit: 'g' } },
          { cannabisType: 'edibles', amount: { amount: '100', unit: 'mg' } },
        ],
      },
      lawSays({
        citation: 'COMAR 14.17.13.03',
        source:
          'Text of the regulation: adults get at most 1 g of concentrate, and 10 mg of THC in a serving and 100 mg in a package of edibles.',
        link: 'https://regs.maryland.gov/us/md/exec/comar/14.17.13.03',
        textOf: '2024-07-22',
        confidence: 'high',
      }),
    ),
    reporting: reportedTo(
      'Metrc',
      null,
      'Each sale to a patient is entered, and the allotment is checked at the state before.',
      othersSay({
        citation: 'COMAR 14.17.12.04',
        source: "A vendor's page on the state.",
        link: 'https://cannabis.maryland.gov',
      }),
    ),
  },
  gaps: [
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    doubtful(
      'The regulator may allow adults up to 99 % of each form; the preset checks one sum, which is stricter.',
      "A vendor's page on the state.",
    ),
    doubtful('A store may be open for at most 12 hours a day.', 'A report on the bill of 2023.'),
    doubtful('Delivery is allowed in a limited form.', 'A report on the bill of 2023.'),
  ],
};
