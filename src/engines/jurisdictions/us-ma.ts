import { local, notExpressible, notFound } from './gap.ts';
import type { Jurisdiction, Provenance } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  equivalence,
  lawSays,
  metrc,
  othersSay,
  primary,
  secondary,
} from './reading.ts';

const section140 =
  'https://regulations.justia.com/states/massachusetts/935-cmr/title-935-cmr-500-000/section-500-140';

/** 1 oz of flower is 5 g of active THC in concentrate, or 500 mg in edibles. */
const equivalents = (provenance: Provenance) =>
  ({
    'non-concentrated': 'one-to-one',
    concentrated: equivalence('5 g', '1 oz', provenance),
    edibles: equivalence('500 mg', '1 oz', provenance),
  }) as const;

const adultLimit = {
  audience: 'adult-use',
  name: 'All forms together',
  window: { kind: 'local-day' },
  cannabisType: 'non-concentrated',
  confidence: 'medium',
} as const;

const age = {
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation.',
} as const;

const taxesOnPatients = {
  rule: 'exempt',
  text: 'Medical sales bear none of the marijuana retail taxes (830 CMR 64N.1.1(1)(b) of 2021-06-01, Directive 15-1 of 2015).',
} as const;

/** What a store may say of its prices to adults. */
const promotionsBulletin = lawSays({
  citation: '935 CMR 500.105(4)(b)20; bulletin of 2024-05-21',
  source:
    "Regulator's bulletin on menus and promotions. Whether the rule was loosened since was looked for, and not found.",
  link: 'https://masscannabiscontrol.com',
  textOf: '2024-05-21',
  confidence: 'high',
});

export const massachusetts: Jurisdiction = {
  state: 'MA',
  name: 'Massachusetts',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, citation: '935 CMR 500.140(2)', ...primary(section140) },
    {
      ...age,
      audience: 'medical',
      years: 18,
      citation: '935 CMR 501.140(2)',
      source: 'Text of the regulation. Minors buy through a caregiver.',
      ...primary(
        'https://regulations.justia.com/states/massachusetts/935-cmr/title-935-cmr-501-000/section-501-140',
        { textOf: '2024-09-27' },
      ),
    },
  ],
  purchaseLimits: [
    {
      ...adultLimit,
      ...primary(section140),
      limit: { amount: '1', unit: 'oz' },
      counts: equivalents({
        ...primary(section140),
        citation: '935 CMR 500.140(3)',
        confidence: 'medium',
        source:
          'Text of the regulation: 1 oz of flower is 5 g of active THC in concentrate, or 500 mg in edibles.',
      }),
      citation: 'MGL 94G s.7; 935 CMR 500.140(3), 500.146(2)',
      effectiveFrom: null,
      effectiveTo: '2026-04-18',
      source:
        'Text of the regulation. Concentrate counts by its active THC: a content that says the weight of the product counts ' +
        'for more, never for less. The program must be unable to complete a sale over the limit.',
    },
    {
      ...adultLimit,
      ...secondary(section140, { readOn: checkedOn, textOf: '2026-04-17' }),
      limit: { amount: '2', unit: 'oz' },
      counts: equivalents({
        ...secondary(section140, { readOn: checkedOn, textOf: '2026-04-17' }),
        citation: "935 CMR 500.140(3); regulator's Bulletin 1 of 2026-04-17",
        confidence: 'medium',
        source:
          'Reports on the bulletin: the ratio of 1 oz to 5 g and 500 mg is kept, and 2 oz are 10 g or 1,000 mg.',
      }),
      citation: "H.5350 (2026); MGL 94G s.7; 935 CMR 500.140(3); regulator's Bulletin 1 of 2026-04-17",
      effectiveFrom: '2026-04-19',
      effectiveTo: null,
      source:
        'Reports on the act and the bulletin: one combined limit a day, 2 oz, 10 g of THC in concentrate or 1,000 mg in ' +
        'edibles. Concentrate counts by its active THC: a content that says the weight of the product counts for more, ' +
        'never for less. The program must be unable to complete a sale over the limit.',
    },
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 60 },
      cannabisType: 'non-concentrated',
      limit: { amount: '10', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '935 CMR 501.140(3)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'The regulation says a 60-day supply, commonly 10 oz. The state portal tracks it across stores.',
      ...primary(
        'https://regulations.justia.com/states/massachusetts/935-cmr/title-935-cmr-501-000/section-501-140',
        { textOf: '2024-09-27' },
      ),
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary('https://www.mass.gov/regulations/830-CMR-64n11-marijuana-retail-taxes', {
        readOn: checkedOn,
      }),
      description: 'Massachusetts marijuana excise tax',
      rate: '10.75',
      patients: taxesOnPatients,
      citation: 'MGL 64N; 830 CMR 64N.1.1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the regulation. On the sale price.',
    },
    {
      ...salesTax,
      ...primary('https://www.mass.gov/regulations/830-CMR-64n11-marijuana-retail-taxes', {
        readOn: checkedOn,
      }),
      description: 'Massachusetts sales tax',
      rate: '6.25',
      nonExemptableCannabisTypes: ['none'],
      patients: taxesOnPatients,
      citation: 'MGL 64H; 830 CMR 64N.1.1; Directive 15-1',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the regulation. Beside the excise, not on it.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'by-hand',
      'local',
      othersSay({
        citation: '935 CMR 500.140',
        source: 'Pages that agree: the agreement with the host city says.',
        link: 'https://masscannabiscontrol.com',
        readOn: compiledOn,
      }),
    ),
    discounts: duty(
      'enforced',
      {
        barredFor: 'adult-use',
        words: 'Words such as "sale" and "% off", and prices that are struck out, are barred for adults.',
      },
      promotionsBulletin,
    ),
    loyalty: duty(
      'enforced',
      { barredFor: 'adult-use', words: 'Loyalty schemes are barred for adults.' },
      promotionsBulletin,
    ),
    advertisedPrices: duty(
      'shown',
      { words: 'A menu for adults has no sale prices, percentages or prices that are struck out.' },
      promotionsBulletin,
    ),
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words:
          'By couriers and delivery operators with a license of their own, into every city without a waiver.',
      },
      othersSay({
        citation: 'H.5350 (2026); 935 CMR 500',
        source: 'Reports on the act.',
        link: 'https://massinsider.net/press-releases/43798',
        readOn: compiledOn,
        effectiveFrom: '2026-04-19',
      }),
    ),
    idCopies: duty(
      'shown',
      { kept: 'with-consent' },
      lawSays({
        citation: '935 CMR 500.140(2)',
        source: 'Copy of the regulation: more than an ordinary sale needs is recorded only with consent.',
        link: 'https://regulations.justia.com/states/massachusetts/935-cmr/title-935-cmr-500-000/section-500-140',
        readOn: compiledOn,
      }),
    ),
    reporting: metrc('real time', '935 CMR 500.105'),
  },
  gaps: [
    notExpressible(
      'A 60-day supply that a patient was certified for and that is not 10 oz: the customer has no limit of their own.',
    ),
    notExpressible(
      'Topicals and ointments are not limited: whatever has a category of a counted type counts.',
    ),
    local('Local tax of up to 3 %. Patients do not owe it: make it exemptable.'),
    notFound('The result of the vote of 2026-11-03 on ending sales to adults.'),
  ],
};
