import { disputed, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import { checkedOn, compiledOn, primary, secondary } from './reading.ts';

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
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '12', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...cap,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: '750', unit: 'mg' },
      counts: { edibles: 'one-to-one' },
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
  gaps: [
    disputed('Whether the three caps are joined ("or"): each is checked for itself.'),
    notFound('Limits of patients.'),
    notLookedUp('Medical rules of 2026: the last check left them out.'),
    note(
      "Promotions are for patients only, as the regulator's answers imply: limit discounts to a customer group.",
    ),
  ],
};
