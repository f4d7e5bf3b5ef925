import type { Jurisdiction, StateLimitRule } from './jurisdiction.ts';

const dailyLimit = {
  window: { kind: 'local-day' },
  citation: '3 AAC 306.355',
  effectiveFrom: '2020-10-18',
  effectiveTo: null,
  confidence: 'high',
} as const;

const age = {
  years: 21,
  citation: '3 AAC 306.350, 306.310',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
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
  asOf: '2026-11-20',
  minimumAges: [
    { ...age, audience: 'adult-use', source: 'Sources that agree.' },
    { ...age, audience: 'medical', source: 'Sources that agree: a card lowers no age.' },
  ],
  purchaseLimits: [...limits('adult-use'), ...limits('medical')],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'THC over everything, 5,600 mg a day: a total of THC over all forms is not in the catalog.',
    'Taxes: no tax of the state on a sale was in force in what was read (HB 91 was pending); boroughs and cities have their own.',
    'Time zone: an organization cannot choose one of Alaska, and limits here go by the local day.',
  ],
};
