import { local, notExpressible, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import { compiledOn, duty, equivalence, metrc, othersSay, primary, secondary } from './reading.ts';

const rule = primary('https://rules.mt.gov/gateWay/Print_RV.Asp?RV=53815', { textOf: '2022-08-27' });

const conversion = {
  ...rule,
  citation: 'ARM 42.39 (conversion rule of 2022-08-27)',
  confidence: 'high',
  source:
    'Text of the regulation: 1 oz of flower is 8 g of concentrate or 800 mg of THC, in any combination.',
} as const;

const equivalents = {
  'non-concentrated': 'one-to-one',
  concentrated: equivalence('8 g', '1 oz', conversion),
  edibles: equivalence('800 mg', '1 oz', conversion),
} as const;

const sum = {
  cannabisType: 'non-concentrated',
  counts: equivalents,
  effectiveFrom: '2022-01-01',
  effectiveTo: null,
  confidence: 'high',
  source: "Text of the regulation and the tax authority's page.",
  ...rule,
} as const;

const taxText = primary(
  'https://leg.mt.gov/bills/mca/title_0150/chapter_0640/part_0010/section_0020/0150-0640-0010-0020.html',
);

export const montana: Jurisdiction = {
  state: 'MT',
  name: 'Montana',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'HB 701 (2021)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Report on the act.',
      ...secondary('https://leg.mt.gov/bills/2021/billpdf/HB0701.pdf', { textOf: '2021' }),
    },
  ],
  purchaseLimits: [
    {
      ...sum,
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      limit: { amount: '1', unit: 'oz' },
      citation: 'MCA 16-12-106; ARM 42.39',
    },
    {
      ...sum,
      audience: 'medical',
      name: 'All forms together, per day',
      window: { kind: 'local-day' },
      limit: { amount: '1', unit: 'oz' },
      citation: 'MCA 16-12-515; ARM 42.39',
    },
    {
      ...sum,
      audience: 'medical',
      name: 'All forms together, per month',
      window: { kind: 'calendar-month' },
      limit: { amount: '5', unit: 'oz' },
      citation: 'MCA 16-12-515; ARM 42.39',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...taxText,
      description: 'Montana cannabis tax',
      rate: '20',
      customerType: 'adult-use',
      patients: { rule: 'other-tax', text: 'Medical sales bear 4 % instead.' },
      citation: 'MCA 15-64-102',
      effectiveFrom: '2022-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. The state has no sales tax.',
    },
    {
      ...cannabisTax,
      ...taxText,
      description: 'Montana medical cannabis tax',
      rate: '4',
      customerType: 'medical',
      patients: { rule: 'owe', text: 'The statute sets 4 % on medical sales.' },
      citation: 'MCA 15-64-102',
      effectiveFrom: '2022-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. In place of the tax on adult-use sales.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: {
    citation: 'MCA 15-64-101(10)',
    effectiveFrom: '2022-01-01',
    effectiveTo: null,
    confidence: 'high',
    source: 'Text of the statute: the established price before any discount or reduction.',
    ...taxText,
  },
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    delivery: duty(
      'enforced',
      { to: 'patients', hours: null, vehicleValueCents: null, words: 'Delivery is for patients.' },
      othersSay({
        citation: 'ARM 42.39.413',
        source: "A paper's answers that cite the rule.",
        link: 'https://www.sidneyherald.com/news/questions-answered-about-legalized-recreational-marijuana-in-montana/article_0eac2f34-6c28-11ec-a777-e3f943649bda.html',
        readOn: compiledOn,
        textOf: '2022',
      }),
    ),
    scanRetention: duty(
      'enforced',
      { days: 180 },
      othersSay({
        citation: 'HB 701 (2021)',
        source:
          "A paper's answers: a scan may prove the age, and is kept for at most 180 days, not shared or sold.",
        link: 'https://www.sidneyherald.com/news/questions-answered-about-legalized-recreational-marijuana-in-montana/article_0eac2f34-6c28-11ec-a777-e3f943649bda.html',
        textOf: '2022',
      }),
    ),
    reporting: metrc('real time', 'MCA 16-12'),
  },
  gaps: [
    local('County tax of up to 3 %, on the price before discounts as well.'),
    notExpressible(
      'Liquid in vapes by volume (8 ml count as 1 oz): the content of a concentrate is its weight.',
    ),
    notExpressible(
      'A higher monthly limit that a patient was granted: the customer has no limit of their own.',
    ),
    notFound('Minimum age of patients: the sources name the registry, not an age.'),
    notLookedUp(
      'What changed after June 2026 besides the ounce of adults: the last check left the rest of Montana out.',
    ),
  ],
};
