import { local, notExpressible, notLookedUp } from './gap.ts';
import type { Jurisdiction, StateLimitRule } from './jurisdiction.ts';
import { primary, secondary } from './reading.ts';

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
  citation: '3 AAC 306.350, 306.310',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  ...secondary('https://www.akleg.gov/basis/aac.asp#3.306.350'),
} as const;

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
  ];
}

export const alaska: Jurisdiction = {
  state: 'AK',
  name: 'Alaska',
  minimumAges: [
    { ...age, audience: 'adult-use', source: 'Sources that agree.' },
    { ...age, audience: 'medical', source: 'Sources that agree: a card lowers no age.' },
  ],
  purchaseLimits: [...limits('adult-use'), ...limits('medical')],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    notExpressible(
      'THC over everything, 5,600 mg a day: a total of THC over all forms is not in the catalog.',
    ),
    notLookedUp(
      'Taxes after April 2025: a bill (HB 91) would tax sales at 6 %, and its end was not looked up. No tax of the state on a sale was in force before.',
    ),
    local('Boroughs and cities have sales and marijuana taxes of their own.'),
    notExpressible(
      'Time zone: an organization cannot choose one of Alaska, and limits here go by the local day.',
    ),
  ],
};
