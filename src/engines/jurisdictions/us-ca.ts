import { local, notExpressible, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import { checkedOn, compiledOn, duty, lawSays, metrc, othersSay, primary } from './reading.ts';

const dailyLimits = {
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation (2019, renumbered 2021-07-14). For one day and one retailer.',
  window: { kind: 'local-day' },
  ...primary('https://govt.westlaw.com/calregs/Document/ICD121243543B11ECAE2D000D3A7C4BC3', {
    textOf: '2021-07-14',
  }),
} as const;

const excise = {
  ...cannabisTax,
  ...primary('https://cdtfa.ca.gov/industry/cannabis/tax-facts.htm', { readOn: checkedOn, textOf: '2025' }),
  description: 'California cannabis excise tax',
  type: 'california-excise',
  // Behind the local business tax (tier 1), which is part of the gross receipts when it is passed on.
  tier: '2',
  encompass: true,
  appliesToFees: true,
  patients: {
    rule: 'owe',
    text: "The tax authority's pages: the excise is due on medicinal sales too, also from holders of a state card.",
  },
  confidence: 'high',
} as const;

const age = {
  citation: '4 CCR 15403, 15404',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  ...primary('https://cannabis.ca.gov/licensees/retail'),
} as const;

export const california: Jurisdiction = {
  state: 'CA',
  name: 'California',
  minimumAges: [
    { ...age, audience: 'adult-use', years: 21, source: "Regulator's page for retailers." },
    {
      ...age,
      audience: 'medical',
      years: 18,
      source: "Regulator's page for retailers. With a physician's recommendation.",
    },
  ],
  purchaseLimits: [
    {
      ...dailyLimits,
      audience: 'adult-use',
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '28.5', unit: 'g' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '4 CCR 15409(a)(1)',
    },
    {
      ...dailyLimits,
      audience: 'adult-use',
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '8', unit: 'g' },
      counts: { concentrated: 'one-to-one', edibles: 'one-to-one' },
      citation: '4 CCR 15409(a)(2), (e)',
      source:
        'Text of the regulation. Includes the concentrate inside manufactured products, which the retailer works ' +
        'out: it is what their content says. In practice the milligrams of THC.',
    },
    {
      ...dailyLimits,
      audience: 'adult-use',
      name: 'Immature plants',
      cannabisType: 'immature-plant',
      limit: { amount: '6', unit: 'count' },
      counts: { 'immature-plant': 'one-to-one' },
      citation: '4 CCR 15409(a)(3)',
    },
    {
      ...dailyLimits,
      audience: 'medical',
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '8', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: '4 CCR 15409(b)(1)',
      source: 'Text of the regulation. Never added to the adult-use limits (15409(d)).',
    },
    {
      ...dailyLimits,
      audience: 'medical',
      name: 'Immature plants',
      cannabisType: 'immature-plant',
      limit: { amount: '12', unit: 'count' },
      counts: { 'immature-plant': 'one-to-one' },
      citation: '4 CCR 15409(b)(2)',
    },
  ],
  taxes: [
    {
      ...excise,
      rate: '15',
      citation: 'RTC 34011.2; AB 195 (2022); Reg. 3802',
      effectiveFrom: '2023-01-01',
      effectiveTo: '2025-06-30',
      source: "Tax authority's pages. Due on medical sales as well.",
    },
    {
      ...excise,
      rate: '19',
      citation: 'RTC 34011.2; AB 195 (2022); Reg. 3802',
      effectiveFrom: '2025-07-01',
      effectiveTo: '2025-09-30',
      source: "Tax authority's pages. Due on medical sales as well.",
    },
    {
      ...excise,
      ...primary('https://leginfo.legislature.ca.gov/faces/billNavClient.xhtml?bill_id=202520260AB564', {
        readOn: checkedOn,
        textOf: '2025',
      }),
      rate: '15',
      citation: 'RTC 34011.2; AB 564 (2025, ch. 127); Reg. 3802',
      effectiveFrom: '2025-10-01',
      effectiveTo: '2028-06-30',
      source:
        "Chaptered text of the act, and the tax authority's pages. Due on medical sales as well. Afterwards the rate " +
        'is set anew every two years.',
    },
  ],
  freeProductsBarred: {
    citation: '4 CCR 15411',
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'high',
    source: 'Text of the regulation. The exception for holders of a state medical card is not made here.',
    ...primary('https://cannalawguide.com/california-code-of-regulations-15411-free-cannabis-goods/'),
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'enforced',
      { from: '06:00', to: '22:00' },
      lawSays({
        citation: '4 CCR 15403',
        source: "Regulator's page: a sale is finished by 22:00. A city or county may be stricter.",
        link: 'https://cannabis.ca.gov/licensees/retail',
        confidence: 'high',
      }),
    ),
    delivery: duty(
      'enforced',
      {
        to: 'everyone',
        hours: { from: '06:00', to: '22:00' },
        vehicleValueCents: 1_000_000,
        words:
          'By employees of the retailer, to a physical address that is not public land, a school, a day care or a youth center. The driver is back at the shop by 22:00, and carries a ledger of the goods.',
      },
      lawSays({
        citation: '4 CCR 15416 to 15418; BPC 26090, 26090.1',
        source:
          'Text of the regulations, and of the act that raised the value of the goods in a vehicle from $5,000 to $10,000 (AB 1014); the regulation as changed by it was not read.',
        link: 'https://leginfo.legislature.ca.gov/faces/billCompareClient.xhtml?bill_id=202120220AB1014&showamends=false',
        textOf: '2022',
      }),
    ),
    advertisedPrices: duty(
      'shown',
      { words: 'No advertising of free goods, of two for one, or of raffles.' },
      othersSay({
        citation: 'BPC 26153; 4 CCR 15040',
        source: "A vendor's page on the rules.",
        link: 'https://www.tokahq.com/blog/rules-and-regulations-on-cannabis-loyalty-programs-in-california/',
        readOn: compiledOn,
      }),
    ),
    returns: duty(
      'by-hand',
      {
        accepted: 'allowed',
        words:
          'What a customer brings back is not sold again: destroy it, or return a defective product to its distributor.',
      },
      othersSay({
        citation: '4 CCR 15410',
        source: "A vendor's page that quotes the regulation.",
        link: 'https://govt.westlaw.com/calregs/Document/ICD121243543B11ECAE2D000D3A7C4BC3',
        textOf: '2022-01-18',
      }),
    ),
    labelsAndExit: duty(
      'by-hand',
      {
        words:
          "The state's safety brochure (SB 540) is shown at the counter and online, and offered to each new customer.",
      },
      lawSays({
        citation: 'SB 540 (2023)',
        source: "Regulator's page for retailers.",
        link: 'https://cannabis.ca.gov/licensees/retail',
        effectiveFrom: '2025-03-01',
        confidence: 'high',
      }),
    ),
    receipts: duty(
      'shown',
      { words: 'The excise is a line of its own.' },
      lawSays({
        citation: 'RTC 34011.2',
        source: "Tax authority's page for retailers.",
        link: 'https://cdtfa.ca.gov/industry/cannabis/retailers.htm',
        readOn: compiledOn,
        confidence: 'high',
      }),
    ),
    reporting: metrc('24 hours', '4 CCR 15049'),
  },
  gaps: [
    local(
      "Sales tax: the rate depends on the place and was not looked up. It is charged on the price with the excise, so it belongs in tier 3, encompassing, on fees, and exemptable: the holder of a state medical card is exempt from it (RTC 34011(f)), a doctor's letter alone does not exempt, and goods without cannabis are never exempt.",
    ),
    local(
      'Local cannabis business tax: rate and base are set by the city or county. It belongs in tier 1, so that the excise is charged on it.',
    ),
    notExpressible(
      'Service and card fees and mandatory packaging are part of the receipts that bear the excise (Reg. 3802): payment fees bear no tax here, so put such a charge into prices or the delivery fee.',
    ),
    notExpressible(
      'The excise is charged on the delivery fee also when nothing in the order is cannabis: a tax on fees does not ask what is delivered.',
    ),
    notExpressible(
      'Products with concentrate of hemp bear the excise from 2028-01-01 (AB 8, 2025): a category without cannabis is not charged it.',
    ),
    notFound('Concentrate for patients: 15409(b) names no cap.'),
    notExpressible(
      "A physician's recommendation that names another amount (15409(c)): the customer has no limit of their own.",
    ),
    notLookedUp(
      'What changed after June 2026 in amounts and ages: the last check of California read its taxes only.',
    ),
    note('Advertising of free goods, raffles and two-for-one (BPC 26153, 4 CCR 15040): not arithmetic.'),
  ],
};
