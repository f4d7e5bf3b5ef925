import { disputed, local, notExpressible, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  lawSays,
  othersSay,
  primary,
  reportedTo,
  secondary,
} from './reading.ts';

const cap = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: 'Minn. Stat. 342.09, 342.27',
  effectiveFrom: '2023-08-01',
  effectiveTo: null,
  confidence: 'medium',
  source: 'Public notice on what may be possessed; that a sale has the same limits is not read in the text.',
  ...secondary('https://www.revisor.mn.gov/statutes/cite/342.09', {
    textOf: '2023',
    pending: 'Laws 2026, chapter 123, amends 342.09 subd. 3, 342.27 and 342.51, and was not read.',
  }),
} as const;

const section295 = 'https://www.revisor.mn.gov/statutes/cite/295.81';

const grossReceiptsTax = {
  ...cannabisTax,
  description: 'Minnesota cannabis gross receipts tax',
  appliesToFees: true,
  patients: { rule: 'exempt', text: 'Patients in the registry are exempt.' },
  citation: 'Minn. Stat. 295.81',
  confidence: 'medium',
} as const;

export const minnesota: Jurisdiction = {
  state: 'MN',
  name: 'Minnesota',
  minimumAges: [],
  purchaseLimits: [
    {
      ...cap,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '8', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...cap,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: '800', unit: 'mg' },
      counts: { edibles: 'one-to-one' },
    },
  ],
  taxes: [
    {
      ...grossReceiptsTax,
      ...primary(section295, { textOf: '2023' }),
      rate: '10',
      effectiveFrom: null,
      effectiveTo: '2025-06-30',
      source: "Copy of the statute and the tax authority's guide. Delivery is part of the receipts.",
    },
    {
      ...grossReceiptsTax,
      ...secondary(section295, { readOn: checkedOn, textOf: '2025-07' }),
      rate: '15',
      effectiveFrom: '2025-07-01',
      effectiveTo: null,
      source: 'Secondary sources that agree. Delivery is part of the receipts. Separate on the receipt.',
    },
    {
      ...salesTax,
      ...secondary(section295),
      description: 'Minnesota sales tax',
      rate: '6.875',
      nonExemptableCannabisTypes: ['none'],
      patients: {
        rule: 'not-known',
        text: 'The sources disagree on whether medical cannabis bears the sales tax.',
      },
      citation: 'Minn. Stat. 295.81',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Secondary sources that agree; examples charge it beside the cannabis tax, not on it.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    receipts: duty(
      'shown',
      { words: 'The cannabis tax is collected from a buyer only if it is a line of its own.' },
      othersSay({
        citation: 'Minn. Stat. 295.81',
        source: 'Text of the bill of 2023 in a city document.',
        link: 'https://weblink.cityoframsey.com/WebLink/0/doc/510259/Page249.aspx',
        readOn: compiledOn,
        textOf: '2023',
      }),
    ),
    reporting: reportedTo(
      'Metrc',
      null,
      "The regulator validates the point of sale, which is connected to the state's system (Rule 9810.2501).",
      lawSays({
        citation: 'Minn. R. 9810.2501',
        source: 'Text of the rules on retail.',
        link: 'https://www.revisor.mn.gov/rules/9810.2501/',
        textOf: '2025-04-25',
      }),
    ),
  },
  gaps: [
    notFound('Minimum ages, and limits of patients.'),
    disputed('Whether medical cannabis bears the sales tax: the owner decides.'),
    notExpressible(
      'Discounts that somebody else pays for stay in the base of the cannabis tax (295.81 subd. 1(j)): a discount does not say who funds it.',
    ),
    notExpressible(
      'The cannabis tax is charged on the delivery fee also when nothing in the order is cannabis: a tax on fees does not ask what is delivered.',
    ),
    notFound('Whether sales tax is due on delivery charges; the preset charges none.'),
    notLookedUp('The hours of sale of Minn. Stat. 342.27, and what Laws 2026, chapter 123, changed.'),
    local('Local sales taxes.'),
  ],
};
