import { doubtful, local, note } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  lawSays,
  metrc,
  othersSay,
  primary,
  secondary,
  verifiedOn,
} from './reading.ts';

const rule2800 = 'https://secure.sos.state.or.us/oard/viewSingleRule.action?ruleVrsnRsn=267047';

const age = {
  citation: 'OAR 845-025-2800(2)(a)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  ...primary(rule2800),
} as const;

const dailyLimit = {
  audience: 'adult-use',
  window: { kind: 'local-day' },
  citation: 'OAR 845-025-2800',
  effectiveFrom: '2022-01-01',
  effectiveTo: null,
  confidence: 'medium',
} as const;

const statute = primary(
  'https://casetext.com/statute/oregon-revised-statutes/title-37-alcoholic-liquors-controlled-substances-drugs/chapter-475c-cannabis-regulation/taxation-of-cannabis-and-cannabis-products/section-475c674-imposition-of-tax-on-retail-sale-of-marijuana-items',
  { readOn: verifiedOn, textOf: '2024-06-06' },
);

export const oregon: Jurisdiction = {
  state: 'OR',
  name: 'Oregon',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, source: 'Page of the rule, cut off in part.' },
    {
      ...age,
      audience: 'medical',
      years: 18,
      source: 'Page of the rule, cut off in part. With a state medical card, at a registered store.',
    },
  ],
  purchaseLimits: [
    {
      ...dailyLimit,
      ...secondary(rule2800, { textOf: '2022' }),
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      source: 'Report on the rule of 2022. "At any one time or within one day".',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '10', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source:
        'Legal digest of 2026-06-14 on the rules of 2022: extracts and concentrates, alone, in a device, or combined.',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Immature plants',
      cannabisType: 'immature-plant',
      limit: { amount: '4', unit: 'count' },
      counts: { 'immature-plant': 'one-to-one' },
      source: 'Legal digest of 2026-06-14 on the rules of 2022.',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Infused solids',
      cannabisType: 'mi-infused-solids',
      limit: { amount: '16', unit: 'oz' },
      counts: { 'mi-infused-solids': 'one-to-one' },
      source: 'Legal digest of 2026-06-14 on the rules of 2022: products in solid form, by their weight.',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Infused fluids',
      cannabisType: 'mi-infused-fluids',
      limit: { amount: '72', unit: 'fl oz' },
      counts: { 'mi-infused-fluids': 'one-to-one' },
      source: 'Legal digest of 2026-06-14 on the rules of 2022: products in liquid form, by their volume.',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Inhalable products',
      cannabisType: 'inhalables',
      limit: { amount: '10', unit: 'g' },
      counts: { inhalables: 'one-to-one' },
      source:
        'Legal digest of 2026-06-14 on the rules of 2022: inhalable cannabinoid products, beside extracts and concentrates.',
    },
    {
      ...dailyLimit,
      ...secondary(rule2800, { readOn: checkedOn, textOf: '2026-06-14' }),
      name: 'Seeds',
      cannabisType: 'seeds',
      limit: { amount: '10', unit: 'count' },
      counts: { seeds: 'one-to-one' },
      source:
        "Legal digest of 2026-06-14 on the rules of 2022; a copy of the regulator's sheet for retailers has the same number.",
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...statute,
      pending:
        'patients are exempt from its tax on sales before 2028-01-01 only, unless the legislature goes on with it.',
      description: 'Oregon marijuana retail tax',
      rate: '17',
      // ORS 475C.674(3): to the next whole cent if the result is not one.
      rounding: 'up',
      patients: {
        rule: 'exempt',
        text: 'ORS 475C.678: registered patients and caregivers owe none, and the retailer may not collect it, on sales before 2028-01-01. Whether the exemption goes on was not looked up.',
      },
      citation: 'ORS 475C.674, 475C.678; OAR 845-025-2890',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Text of the statute. Rounded up to the next whole cent. The state has no sales tax.',
    },
  ],
  freeProductsBarred: {
    citation: "Regulator's answers to retailers",
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'medium',
    source: "Copy of the regulator's answers.",
    ...secondary('https://www.oregon.gov/olcc/marijuana/Pages/FAQs-Consumers.aspx'),
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: {
    citation: 'ORS 475C.674(6)(a)',
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'high',
    source: 'Text of the statute. The other item may be cannabis or not.',
    ...statute,
  },
  duties: {
    saleHours: duty(
      'enforced',
      { from: '07:00', to: '22:00' },
      lawSays({
        citation: 'OAR 845-025-2800',
        source: "Regulator's rule, and pages that agree.",
        link: 'https://secure.sos.state.or.us/oard/viewSingleRule.action?ruleVrsnRsn=267047',
        confidence: 'high',
      }),
    ),
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: 'To homes, also across city and county lines.',
      },
      othersSay({
        citation: 'OAR 845-025-2880',
        source: "Reports on the rules of 2022, and a store's answers.",
        link: 'https://mjinvest.com/news/new-oregon-marijuana-rules-let-customers-buy-more-and-from-farther-away',
        readOn: compiledOn,
        textOf: '2022',
      }),
    ),
    returns: duty(
      'by-hand',
      { accepted: 'allowed', words: 'A refund or an exchange; what came back is never sold again.' },
      othersSay({
        citation: 'OAR 845-025-2800',
        source: 'A page that cites the rule.',
        link: 'https://legalclarity.org/can-you-return-weed-to-a-dispensary',
      }),
    ),
    reporting: metrc('8:00 of the next day', 'OAR 845-025-7580'),
  },
  gaps: [
    doubtful(
      'Limits of patients: 8 oz a day and 32 oz a month.',
      "A vendor's page of 2018; other pages say 24 oz.",
    ),
    doubtful('What was read from a card may be kept for 48 hours without consent.', 'One secondary page.'),
    note(
      'A category of the type "edibles": Oregon counts product weight and volume, so use the two infused types.',
    ),
    note(
      'A category of the type "inhalables" is for products to inhale that are neither flower nor an extract or concentrate: what is a cartridge of concentrate counts as concentrate, also in a device.',
    ),
    local('Local tax of up to 3 %, rounded up as well.'),
    note(
      'Discounts on cannabis that depend on the sale of another item are barred (ORS 475C.674(6)(a)): buy X and get Y, several units at one price, and off an order with certain goods in it. None can be set up, and those from before are not given. Read the statute also before a discount asks for a minimum subtotal or quantity.',
    ),
  ],
};
