import { local, note, notLookedUp } from './gap.ts';
import type { Jurisdiction, StateLimitRule } from './jurisdiction.ts';
import {
  compiledOn,
  duty,
  lawSays,
  metrc,
  othersSay,
  primary,
  thcEquivalence,
  verifiedOn,
} from './reading.ts';

const dailyLimit = {
  window: { kind: 'local-day' },
  citation: '3 AAC 306.355',
  effectiveFrom: '2020-10-18',
  effectiveTo: null,
  confidence: 'high',
  ...primary('https://aws.state.ak.us/OnlinePublicNotices/Notices/View.aspx?id=199549', {
    textOf: '2020-09',
  }),
} as const;

const age = {
  years: 21,
  citation: '3 AAC 306.350',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  ...primary(
    'https://casetext.com/regulation/alaska-administrative-code/title-3-commerce-community-and-economic-development/part-19-alcoholic-beverage-control-board/chapter-306-marijuana-control/article-3-retail-marijuana-stores/section-3-aac-306350-identification-requirement-to-prevent-sale-to-person-under-21',
    { readOn: verifiedOn, textOf: '2021-09-24' },
  ),
} as const;

const thc = thcEquivalence('1 mg', '1 mg', {
  ...primary('https://aws.state.ak.us/OnlinePublicNotices/Notices/View.aspx?id=199549', {
    textOf: '2020-09',
  }),
  citation: '3 AAC 306.355',
  confidence: 'high',
  source:
    "Regulator's public notice: the THC of everything is added. A concentrate whose THC is not stated counts by its weight, which is never less.",
});

/** The state knows one kind of sale: a card widens nothing. */
function limits(audience: StateLimitRule['audience']): StateLimitRule[] {
  return [
    {
      ...dailyLimit,
      audience,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      source: "Regulator's public notice.",
    },
    {
      ...dailyLimit,
      audience,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '7', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source: "Regulator's public notice. The law says: for inhalation.",
    },
    {
      ...dailyLimit,
      audience,
      name: 'THC of all forms',
      cannabisType: 'edibles',
      limit: { amount: '5600', unit: 'mg' },
      counts: {
        'non-concentrated': thc,
        concentrated: thc,
        edibles: thc,
        inhalables: thc,
        'low-dose-drinks': thc,
      },
      source: "Regulator's public notice: 5,600 mg of THC over everything that is sold in a day.",
    },
  ];
}

export const alaska: Jurisdiction = {
  state: 'AK',
  name: 'Alaska',
  minimumAges: [
    {
      ...age,
      audience: 'adult-use',
      source: 'Copy of the regulation, as of March 2023: a store refuses whoever does not prove 21 years.',
    },
    {
      ...age,
      audience: 'medical',
      source: 'Copy of the regulation, as of March 2023: 21 years for every buyer; it names no card.',
    },
  ],
  purchaseLimits: [...limits('adult-use'), ...limits('medical')],
  taxes: [],
  freeProductsBarred: othersSay({
    citation: '3 AAC 306',
    source:
      'A page of a federal institute on the policies of the states, citing the chapter: free product and samples are barred.',
    link: 'https://alcoholpolicy.niaaa.nih.gov',
  }),
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'enforced',
      { from: '08:00', to: '05:00' },
      othersSay({
        citation: '3 AAC 306.310',
        source: 'Pages of a store and of a compliance firm that agree: closed from 5:00 to 8:00.',
        link: 'https://greencheckverified.com/knowledge-center/state-by-state-federal-guide/state-programs/alaska/',
        readOn: compiledOn,
      }),
    ),
    delivery: duty(
      'enforced',
      { to: 'none', hours: null, vehicleValueCents: null, words: 'A retail store does not deliver.' },
      othersSay({
        citation: '3 AAC 306.310',
        source: 'Pages of a store and of a compliance firm that agree.',
        link: 'https://greencheckverified.com/knowledge-center/state-by-state-federal-guide/state-programs/alaska/',
        readOn: compiledOn,
      }),
    ),
    idCheck: duty(
      'enforced',
      { of: 'every-buyer' },
      lawSays({
        citation: '3 AAC 306.350',
        source: 'Copy of the regulation, as of March 2023: a store refuses whoever does not prove 21 years.',
        link: 'https://casetext.com/regulation/alaska-administrative-code/title-3-commerce-community-and-economic-development/part-19-alcoholic-beverage-control-board/chapter-306-marijuana-control/article-3-retail-marijuana-stores/section-3-aac-306350-identification-requirement-to-prevent-sale-to-person-under-21',
        readOn: verifiedOn,
        textOf: '2021-09-24',
      }),
    ),
    reporting: metrc(null, '3 AAC 306'),
  },
  gaps: [
    note(
      'The THC of flower counts toward the 5,600 mg a day: enter its THC in percent, or in milligrams for each option. What lacks it cannot be sold.',
    ),
    notLookedUp(
      'Taxes after April 2025: a bill (HB 91) would tax sales at 6 %, and its end was not looked up. No tax of the state on a sale was in force before.',
    ),
    local('Boroughs and cities have sales and marijuana taxes of their own.'),
  ],
};
