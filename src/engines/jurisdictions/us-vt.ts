import { doubtful, local, note, notFound } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, equivalence, lawSays, primary, reportedTo, secondary, verifiedOn } from './reading.ts';

const section7902 = 'https://legislature.vermont.gov/statutes/section/32/207/07902';
const act = 'https://legislature.vermont.gov/bill/status/2026/S.278';

/** What the regulator counts as an ounce. Its answers still speak of the single ounce of before July 2026. */
const asAnOunce = (source: string) =>
  ({
    ...primary('https://ccb.vermont.gov/FAQ', {
      readOn: verifiedOn,
      pending:
        'the regulator works on a rule that may lower what counts as an ounce in concentrates and edibles.',
    }),
    citation: '7 V.S.A. 907; Cannabis Control Board, purchase limit equivalencies',
    confidence: 'medium',
    source: `Regulator's answers to shops and customers: ${source}`,
  }) as const;

const allForms = {
  audience: 'adult-use',
  name: 'All forms together',
  window: { kind: 'transaction' },
  cannabisType: 'non-concentrated',
  counts: {
    'non-concentrated': 'one-to-one',
    concentrated: equivalence('14 g', '1 oz', asAnOunce('14 g of concentrate as a product.')),
    edibles: equivalence(
      '8400 mg',
      '1 oz',
      asAnOunce('8,400 mg of THC in edibles, or 168 packages of 50 mg.'),
    ),
    inhalables: equivalence('8 g', '1 oz', asAnOunce('8 cartridges of 1 g of THC, or 16 of 0.5 g.')),
  },
  confidence: 'medium',
} as const;

export const vermont: Jurisdiction = {
  state: 'VT',
  name: 'Vermont',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: '7 V.S.A. 907; S.278 (2026)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports on the act.',
      ...secondary(act, { readOn: checkedOn, textOf: '2026-06' }),
    },
  ],
  purchaseLimits: [
    {
      ...allForms,
      ...secondary(
        'https://www.thecentersquare.com/vermont/legal-adult-use-cannabis-sales-begin-saturday-in-vermont/article_bf34a71a-40c5-11ed-90c8-b3aa449c76b4.html',
        { textOf: '2022-10' },
      ),
      limit: { amount: '1', unit: 'oz' },
      citation: '7 V.S.A. 907',
      effectiveFrom: '2022-10-01',
      effectiveTo: '2026-06-30',
      source: 'Reports on the beginning of sales: 1 oz or its equivalent.',
    },
    {
      ...allForms,
      ...secondary(act, { readOn: checkedOn, textOf: '2026-06' }),
      limit: { amount: '2', unit: 'oz' },
      citation: '7 V.S.A. 907; S.278 (2026)',
      effectiveFrom: '2026-07-01',
      effectiveTo: null,
      source:
        'Reports on the act: 2 oz or their equivalent, in force on passage in June 2026. Its exact day was not found: the former limit is kept to the ' +
        'end of that month.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary(section7902, { readOn: checkedOn, textOf: '2024-06-10' }),
      description: 'Vermont cannabis excise tax',
      rate: '14',
      patients: {
        rule: 'exempt',
        text: '32 V.S.A. 7902(d): sales to registered patients, by dispensaries since 2022-03-01 and by retailers with a medical-use endorsement since 2024-06-10. A retailer without the endorsement owes it: set the tax to owe.',
      },
      citation: '32 V.S.A. 7902',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. A cut to 10 % was not enacted in 2026.',
    },
    {
      ...salesTax,
      ...primary(section7902, { readOn: checkedOn, textOf: '2024-06-10' }),
      description: 'Vermont sales tax',
      rate: '6',
      nonExemptableCannabisTypes: ['none'],
      patients: {
        rule: 'not-known',
        text: 'Section 7902(d) exempts from the excise; whether sales tax is due from patients was not looked up.',
      },
      citation: '32 V.S.A. 7902(c)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute: the excise is not part of the price that sales tax is charged on.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    delivery: null,
    reporting: reportedTo(
      "the board's own forms",
      'every two weeks',
      'The forms are filled in by hand.',
      lawSays({
        citation: "Board's pages on tracking",
        source: "Regulator's page of answers, without a date.",
        link: 'https://ccb.vermont.gov/testingtrackingFAQ',
      }),
    ),
  },
  gaps: [
    note(
      'Vape cartridges need a category of the type "inhalables", with the milligrams of THC as the content: the regulator counts 8 g of it as an ounce, but 14 g of other concentrate.',
    ),
    doubtful(
      'Since the act of 2026 concentrate may be limited to 10 g for each customer; the preset counts it toward the 2 oz.',
      'One report on the act of June 2026, which may mean possession of hashish and not sales.',
    ),
    notFound('Minimum age of patients.'),
    local('Local option tax.'),
  ],
};
