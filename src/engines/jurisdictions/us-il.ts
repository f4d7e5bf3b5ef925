import { doubtful, local, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction, StateLimitRule } from './jurisdiction.ts';
import { allTypesBut, cannabisForms, cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, duty, metrc, othersSay, primary, secondary, verifiedOn } from './reading.ts';

const section1010 = 'https://www.ilga.gov/legislation/ilcs/fulltext.asp?DocName=041007050K10-10';
const section6510 = 'https://witnessslips.ilga.gov/ftp/ILCS/Ch%200410/Act%200705/041007050K65-10.html';

/** The limits of the act until June 2026, and those of P.A. 104-0463, which doubled them. */
const former = {
  citation: '410 ILCS 705/10-10',
  effectiveFrom: '2020-01-01',
  effectiveTo: '2026-06-11',
  ...secondary(section1010, { textOf: '2020' }),
} as const;

const present = {
  citation: '410 ILCS 705/10-10; P.A. 104-0463 (SB 3222)',
  effectiveFrom: '2026-06-12',
  effectiveTo: null,
  ...secondary(section1010, { readOn: checkedOn, textOf: '2026-06' }),
} as const;

const age = {
  citation: '410 ILCS 705/15-70, 15-85',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Bill texts of 2025.',
  ...primary(
    'https://witnessslips.ilga.gov/legislation/BillStatus.asp?DocTypeID=HB&DocNum=2926&GAID=18&SessionID=114&LegID=161129',
    { textOf: '2025' },
  ),
} as const;

function caps(
  audience: StateLimitRule['audience'],
  dates: typeof former | typeof present,
  [flowerGrams, concentrateGrams, infusedMg]: readonly [string, string, string],
  source: string,
): StateLimitRule[] {
  const cap = {
    ...dates,
    audience,
    window: { kind: 'transaction' },
    confidence: 'medium',
    source,
  } as const;
  return [
    {
      ...cap,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: flowerGrams, unit: 'g' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: concentrateGrams, unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...cap,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: infusedMg, unit: 'mg' },
      counts: { edibles: 'one-to-one' },
    },
  ];
}

const generalRate = {
  ...salesTax,
  ...secondary('https://illinoiscannabis.org/business/tax'),
  citation: '410 ILCS 705/65-10; 35 ILCS 120/2-10',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
} as const;

/** Everything that is eaten or drunk, and other infused units. */
const infused = [
  'edibles',
  'low-dose-drinks',
  'other-units',
  'mi-infused-solids',
  'mi-infused-fluids',
] as const;

export const illinois: Jurisdiction = {
  state: 'IL',
  name: 'Illinois',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21 },
    { ...age, audience: 'medical', years: 18 },
  ],
  purchaseLimits: [
    ...caps(
      'adult-use',
      former,
      ['30', '5', '500'],
      'Sources that agree with the act: what may be possessed, all three at once.',
    ),
    ...caps(
      'adult-use-non-resident',
      former,
      ['15', '2.5', '250'],
      'Sources that agree with the act: half of what residents may possess, all three at once.',
    ),
    ...caps(
      'adult-use',
      present,
      ['60', '10', '1000'],
      'Reports of law firms and papers on the act of June 2026, which agree: what may be possessed, all three at once.',
    ),
    ...caps(
      'adult-use-non-resident',
      present,
      ['30', '5', '500'],
      'Reports of law firms and papers on the act of June 2026, which agree: half of what residents may possess.',
    ),
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 14 },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '410 ILCS 130',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source:
        'Pages that quote the act: an "adequate supply" is 2.5 oz in 14 days, unless a waiver says more.',
      ...secondary('https://www.marijuanadoctors.com/medical-marijuana-doctors/IL', { readOn: verifiedOn }),
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary(section6510, { readOn: checkedOn }),
      description: 'Illinois cannabis purchaser excise tax',
      rate: '0',
      basis: {
        kind: 'potency',
        brackets: [
          { aboveThcPercent: null, upToThcPercent: '35', rate: '10' },
          { aboveThcPercent: '35', upToThcPercent: null, rate: '25' },
        ],
      },
      excludedCannabisTypes: ['none', ...infused],
      patients: { rule: 'exempt', text: 'Medical sales bear no excise.' },
      citation: '410 ILCS 705/65-10',
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      confidence: 'high',
      source:
        'Text of the statute: 10 % of the price of cannabis with at most 35 % of adjusted THC, 25 % above, except of infused products.',
    },
    {
      ...cannabisTax,
      ...primary(section6510, { readOn: checkedOn }),
      description: 'Illinois cannabis purchaser excise tax (infused)',
      rate: '20',
      excludedCannabisTypes: allTypesBut(...infused),
      patients: { rule: 'exempt', text: 'Medical sales bear no excise.' },
      citation: '410 ILCS 705/65-10',
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute: 20 % of the price of infused products.',
    },
    {
      ...generalRate,
      description: 'Illinois sales tax',
      rate: '6.25',
      customerType: 'adult-use',
      patients: { rule: 'other-tax', text: 'Medical cannabis bears 1 % instead.' },
      source: 'Pages on the taxes of the act. The state part of the rate.',
    },
    {
      ...generalRate,
      description: 'Illinois sales tax on medical cannabis',
      rate: '1',
      customerType: 'medical',
      excludedCannabisTypes: ['none'],
      patients: {
        rule: 'owe',
        text: 'Pages on the taxes of the act: medical cannabis bears 1 %, in place of 6.25 %.',
      },
      source:
        'Pages on the taxes of the act. The state part of the rate; 2.25 % in the regional transport area.',
    },
    {
      ...generalRate,
      description: 'Illinois sales tax on other goods for patients',
      rate: '6.25',
      customerType: 'medical',
      excludedCannabisTypes: cannabisForms,
      patients: {
        rule: 'owe',
        text: 'Pages on the taxes of the act: the lower rate is for medical cannabis, and other goods bear the general rate.',
      },
      source: 'Pages on the taxes of the act. The state part of the rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'enforced',
      { from: '06:00', to: '22:00' },
      othersSay({
        citation: '410 ILCS 705/15-70',
        source: "A city's page that lists the rules of the section. A city may be stricter.",
        link: 'https://explorecarbondale.com/FAQ.aspx?QID=278',
      }),
    ),
    residence: duty(
      'recorded',
      { othersHave: 'narrower-limits' },
      othersSay({
        citation: '410 ILCS 705/10-10; P.A. 104-0463 (SB 3222)',
        source:
          'Reports of law firms and papers on the act, which agree: half for people who do not live in the state.',
        link: section1010,
      }),
    ),
    bundles: duty(
      'enforced',
      { barred: 'any' },
      othersSay({
        citation: '410 ILCS 705/15-70',
        source:
          "A city's code that copies the section: nothing is sold in combination or bundled at one price.",
        link: 'https://codelibrary.amlegal.com/codes/eastdundee/latest/eastdundee_il/0-0-0-40299',
      }),
    ),
    delivery: duty(
      'enforced',
      {
        to: 'none',
        hours: null,
        vehicleValueCents: null,
        words: 'No delivery, and no drive-through window.',
      },
      othersSay({
        citation: '410 ILCS 705/15-70',
        source: "A city's code that copies the section, and bill texts of 2025.",
        link: 'https://codelibrary.amlegal.com/codes/eastdundee/latest/eastdundee_il/0-0-0-40299',
        pending:
          'whether the act of June 2026 (P.A. 104-0463) changed delivery and drive-through windows was not read.',
      }),
      { ownerMayOverride: true },
    ),
    returns: duty(
      'by-hand',
      { accepted: 'allowed', words: 'What has left the shop is destroyed when it is returned.' },
      othersSay({
        citation: '68 IAC 1291.320',
        source: 'A page that cites the regulation.',
        link: 'https://legalclarity.org/can-you-return-weed-to-a-dispensary',
      }),
    ),
    receipts: duty(
      'shown',
      { words: 'Each item with its quantity and its price.' },
      othersSay({
        citation: '410 ILCS 705/15-70',
        source: "A city's code that copies the section.",
        link: 'https://codelibrary.amlegal.com/codes/eastdundee/latest/eastdundee_il/0-0-0-40299',
      }),
    ),
    reporting: metrc(null, '410 ILCS 705/15-75', '2025-07-01'),
  },
  gaps: [
    note(
      'The excise goes by adjusted THC: THC and 0.877 of the acid (THCA) in percent of the weight, as the label states it. Enter that number for each option of flower, concentrate and cartridges: what lacks it cannot be sold.',
    ),
    doubtful(
      'Sales tax may be charged on the price with the excise; the preset charges it on the price alone.',
      'One secondary page of 2026 that cites the department of revenue.',
    ),
    local(
      'Municipal and county cannabis taxes (up to 3 %, and 3.75 % outside municipalities), local sales taxes, and the part of the regional transport area on medical cannabis.',
    ),
    notLookedUp(
      'Whether the act of June 2026 (P.A. 104-0463) also changed the taxes of patients at stores for adults: reports on its limits were read, not its text.',
    ),
    notFound('How concentrate and infused products count for patients: the conversion.'),
  ],
};
