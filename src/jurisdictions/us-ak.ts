import type { Jurisdiction } from './jurisdiction.ts';

const dailyLimit = {
  audience: 'adult-use',
  window: { kind: 'local-day' },
  citation: '3 AAC 306.355',
  effectiveFrom: '2020-10-18',
  effectiveTo: null,
  confidence: 'high',
} as const;

export const alaska: Jurisdiction = {
  state: 'AK',
  name: 'Alaska',
  asOf: '2026-11-20',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: '3 AAC 306.350, 306.310',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Sources that agree.',
    },
  ],
  purchaseLimits: [
    {
      ...dailyLimit,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      source: "Regulator's public notice.",
    },
    {
      ...dailyLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '7', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source: "Regulator's public notice. The law says: for inhalation.",
    },
  ],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  notCovered: [
    'THC over everything, 5,600 mg a day: a total of THC over all forms is not in the catalog.',
    'Patients: no limits of their own were found.',
    'Taxes: no tax of the state on a sale was in force in what was read (HB 91 was pending); boroughs and cities have their own.',
    'Time zone: an organization cannot choose one of Alaska, and limits here go by the local day.',
  ],
};
