import { disputed, doubtful, local, notExpressible, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, othersSay, primary, reportedTo, secondary, thcEquivalence } from './reading.ts';

const section378022 = 'https://codes.ohio.gov/ohio-revised-code/section-3780.22';
const section379640 = 'https://codes.ohio.gov/ohio-revised-code/section-3796.40';

const adultUseTax = {
  ...cannabisTax,
  description: 'Ohio adult-use cannabis tax',
  rate: '10',
  patients: {
    rule: 'exempt',
    text: 'The tax is levied on adult-use marijuana. Medical sales bear sales tax only.',
  },
  confidence: 'high',
} as const;

const otherForms = othersSay({
  citation: 'ORC 3780.36 (re-codified by SB 56)',
  source:
    'Pages of vendors of June 2025: 15,000 mg of THC a day in all forms but flower. A concentrate whose THC is not stated counts by its weight, which is never less.',
  link: 'https://codes.ohio.gov/ohio-revised-code/section-3780.36',
  effectiveFrom: '2025-06-04',
  textOf: '2025-06',
});

const thc = thcEquivalence('1 mg', '1 mg', otherForms);

export const ohio: Jurisdiction = {
  state: 'OH',
  name: 'Ohio',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'local-day' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'ORC 3780.36 (re-codified by SB 56)',
      effectiveFrom: '2025-06-04',
      effectiveTo: null,
      confidence: 'medium',
      source: "Reports on the regulator's notice. SB 56 keeps the number.",
      ...secondary('https://codes.ohio.gov/ohio-revised-code/section-3780.36', {
        readOn: checkedOn,
        textOf: '2025-06',
      }),
    },
    {
      audience: 'adult-use',
      name: 'THC of other forms',
      window: { kind: 'local-day' },
      cannabisType: 'edibles',
      limit: { amount: '15000', unit: 'mg' },
      counts: { concentrated: thc, edibles: thc, inhalables: thc, 'low-dose-drinks': thc },
      ...otherForms,
    },
  ],
  taxes: [
    {
      ...adultUseTax,
      ...primary(section378022, { textOf: '2023-11-13' }),
      citation: 'ORC 3780.22',
      effectiveFrom: '2023-12-07',
      effectiveTo: '2026-03-19',
      source: 'Text of the statute.',
    },
    {
      ...adultUseTax,
      ...primary(section379640, { readOn: checkedOn, textOf: '2026-03-20' }),
      citation: 'ORC 3796.40 (SB 56)',
      effectiveFrom: '2026-03-20',
      effectiveTo: null,
      source: 'Text of the statute: in addition to the taxes of chapters 5739 and 5741.',
    },
    {
      ...salesTax,
      ...primary(section379640, { readOn: checkedOn, textOf: '2026-03-20' }),
      description: 'Ohio sales tax',
      rate: '5.75',
      patients: { rule: 'owe', text: 'Reports on the act: medical sales bear the sales tax alone.' },
      citation: 'ORC 3796.40, 3780.22(C); chapter 5739',
      effectiveFrom: '2023-12-07',
      effectiveTo: null,
      confidence: 'high',
      source:
        'Text of the statutes: the adult-use tax comes in addition to chapter 5739. The state part of the rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    discounts: null,
    reporting: reportedTo(
      'Metrc, and OARRS for patients',
      'real time',
      'Sales in Metrc; sales to patients also in OARRS, whose allotment is checked before.',
      othersSay({
        citation: 'OAC 3796',
        source: "A vendor's page on the state.",
        link: 'https://com.ohio.gov/divisions-and-programs/cannabis-control',
        textOf: '2025-06',
      }),
    ),
  },
  gaps: [
    disputed('Whether the 15 g of THC a day are over all products, flower included: one page says so.'),
    doubtful('No delivery.', 'One old page.'),
    note('Limits before 2025-06-04, in units of the state, are gone.'),
    notExpressible('Patients: a 90-day supply in units per form. No category type measures them.'),
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    notFound('Whether sales tax is charged on the adult-use tax; the preset does not.'),
    local('County sales taxes.'),
  ],
};
