import { local, notExpressible } from './gap.ts';
import type { Jurisdiction, PresetTax } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  equivalence,
  lawSays,
  othersSay,
  primary,
  reportedTo,
  secondary,
  verifiedOn,
} from './reading.ts';

const regulator = primary('https://www.rld.nm.gov/cannabis/for-consumers/', { readOn: verifiedOn });

const transactionLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: 'NMSA 26-2C-25; 16.8 NMAC',
  effectiveFrom: '2022-04-01',
  effectiveTo: null,
  confidence: 'medium',
  source:
    "Regulator's page for consumers and a copy of the statute: 2 oz of cannabis, 16 g of extract and 800 mg of edibles may " +
    'be possessed. Taken as independent caps of a sale.',
  ...regulator,
} as const;

const age = { effectiveFrom: null, effectiveTo: null, confidence: 'medium' } as const;

function excise(rate: string, effectiveFrom: string | null, effectiveTo: string | null): PresetTax {
  return {
    ...cannabisTax,
    ...primary('https://lawserver.com/law/state/new-mexico/nm-statutes/new_mexico_statutes_7-42-3', {
      readOn: checkedOn,
    }),
    description: 'New Mexico cannabis excise tax',
    rate,
    patients: { rule: 'exempt', text: 'Patients and caregivers, reciprocal cards included, owe none.' },
    citation: 'NMSA 7-42-3, 7-42-4',
    effectiveFrom,
    effectiveTo,
    confidence: 'high',
    source: 'Text of the statute.',
  };
}

export const newMexico: Jurisdiction = {
  state: 'NM',
  name: 'New Mexico',
  minimumAges: [
    {
      ...age,
      ...regulator,
      audience: 'adult-use',
      years: 21,
      citation: 'NMSA 26-2C-25',
      source: "Regulator's page for consumers: illegal to buy for anyone under 21.",
    },
    {
      ...age,
      ...secondary('https://lawserver.com/law/state/new-mexico/nm-statutes/new_mexico_statutes_26-2b-3'),
      audience: 'medical',
      years: 18,
      citation: 'NMSA 26-2B (Lynn and Erin Compassionate Use Act)',
      source: 'Pages that agree. The link leads to the definitions of the act, which name no age.',
    },
  ],
  purchaseLimits: [
    {
      ...transactionLimit,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...transactionLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '16', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...transactionLimit,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: '800', unit: 'mg' },
      counts: { edibles: 'one-to-one' },
    },
    {
      audience: 'medical',
      name: 'Flower and edibles together',
      window: { kind: 'rolling-days', days: 90 },
      cannabisType: 'non-concentrated',
      limit: { amount: '425', unit: 'g' },
      counts: {
        'non-concentrated': 'one-to-one',
        edibles: equivalence('200 mg', '1 g', {
          ...secondary(
            'https://www.grassrootsrxnm.com/blog/new-mexico-cannabis-patients-units-and-how-they-work',
            {
              readOn: verifiedOn,
            },
          ),
          citation: '16.8.2 NMAC',
          confidence: 'medium',
          source: 'Pages that agree: 200 mg of THC in an edible are one unit, as is 1 g of flower.',
        }),
      },
      citation: '16.8.2 NMAC',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'Summary of the rule: 425 units, a unit being 1 g of flower or 200 mg of THC. Older pages say 230. The link leads to ' +
        'the chapter; the number was not read in it.',
      ...secondary('https://www.srca.nm.gov/parts/title16/16.008.0002.html'),
    },
    {
      audience: 'adult-use',
      name: 'Immature plants',
      window: { kind: 'transaction' },
      cannabisType: 'immature-plant',
      limit: { amount: '6', unit: 'count' },
      counts: { 'immature-plant': 'one-to-one' },
      ...othersSay({
        citation: 'NMSA 26-2C-25; 16.8 NMAC',
        source: 'Two pages of vendors that agree.',
        link: 'https://www.rld.nm.gov/cannabis/',
        effectiveFrom: '2022-04-01',
      }),
    },
  ],
  taxes: [
    excise('12', null, '2025-06-30'),
    excise('13', '2025-07-01', '2026-06-30'),
    excise('14', '2026-07-01', '2027-06-30'),
    excise('15', '2027-07-01', '2028-06-30'),
    excise('16', '2028-07-01', '2029-06-30'),
    excise('17', '2029-07-01', '2030-06-30'),
    excise('18', '2030-07-01', null),
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: "By a courier with a license; gross receipts tax is that of the customer's place.",
      },
      othersSay({
        citation: '16.8.2 NMAC',
        source: "A vendor's page on the state.",
        link: 'https://www.rld.nm.gov/cannabis/',
        readOn: compiledOn,
      }),
    ),
    reporting: reportedTo(
      'the tracking system of the state',
      '23:59 of the day',
      'The stock is reconciled by 23:59; the stock for patients is kept apart.',
      lawSays({
        citation: '16.8.7.10 NMAC',
        source: "Regulator's pages. Whether the state has moved to Metrc was not found.",
        link: 'https://www.rld.nm.gov/cannabis/',
      }),
    ),
  },
  gaps: [
    local(
      "Gross receipts tax: the rate depends on the place, on deliveries that of the customer. It is charged on the price with the excise: the department's example adds 12.00 to 100.00 and charges 7.875 % of 112.00. It belongs in tier 2, encompassing, and exemptable but for goods without cannabis: medical sales are deductible (7-9-73.2).",
    ),
    notExpressible(
      'Concentrate in the limit of patients: it counts by its THC, and the content of a concentrate says its weight.',
    ),
  ],
};
