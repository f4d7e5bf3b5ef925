import { disputed, doubtful, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  equivalence,
  lawSays,
  othersSay,
  primary,
  secondary,
} from './reading.ts';

const cap = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: '16 Del.C. 4701, 4764; 4 Del.C. ch. 13',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'The personal use quantity is sure; that a sale is capped exactly there is read from it.',
  ...primary('https://omc.delaware.gov/index.shtml?dc=faq', { readOn: checkedOn }),
} as const;

/** A part of one form uses up the same part of the others. */
const allotment = othersSay({
  citation: '16 Del.C. 4701',
  source: "A vendor's page on the state: one ounce, or 12 g of concentrate, or 750 mg of THC in edibles.",
  link: 'https://omc.delaware.gov',
});

const age = {
  citation: "Regulator's answers; 4 Del.C. ch. 13",
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: "Regulator's answers, before sales began.",
  ...primary('https://omc.delaware.gov/index.shtml?dc=faq', { readOn: checkedOn }),
} as const;

export const delaware: Jurisdiction = {
  state: 'DE',
  name: 'Delaware',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, readOn: compiledOn, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    {
      ...cap,
      name: 'All forms together',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: equivalence('12 g', '1 oz', allotment),
        edibles: equivalence('750 mg', '1 oz', allotment),
      },
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...secondary('https://lawserver.com/law/state/delaware/de-code/delaware_code_title_4_1382', {
        readOn: checkedOn,
      }),
      description: 'Delaware marijuana tax',
      rate: '15',
      patients: { rule: 'exempt', text: 'Medical sales are not taxed.' },
      citation: '4 Del.C. 1382',
      effectiveFrom: '2025-08-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Text of the statute; the rate from a report. The state has no sales tax.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    discounts: duty(
      'enforced',
      { barredFor: 'adult-use', words: 'Promotional sales are for patients.' },
      lawSays({
        citation: "Regulator's answers; 4 Del.C. ch. 13",
        source:
          "Regulator's page of answers, from before the first sale: patients can take part in promotional sales and home delivery.",
        link: 'https://omc.delaware.gov/index.shtml?dc=faq',
      }),
    ),
    delivery: duty(
      'enforced',
      { to: 'patients', hours: null, vehicleValueCents: null, words: 'Home delivery is for patients.' },
      lawSays({
        citation: "Regulator's answers; 4 Del.C. ch. 13",
        source: "Regulator's page of answers, from before the first sale.",
        link: 'https://omc.delaware.gov/index.shtml?dc=faq',
      }),
    ),
  },
  gaps: [
    doubtful('Limits of patients: 3 oz in 14 days.', "A vendor's page on the state."),
    disputed('The system to report to: Metrc by one source, another by the other.'),
    notLookedUp('Medical rules of 2026: the last check left them out.'),
  ],
};
